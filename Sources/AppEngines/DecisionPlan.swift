public import TraceModel

/// The decisions of a run that are still to be made.
@usableFromInline
package struct DecisionPlan: Sendable {
  private struct Moment: Hashable {
    var person: Int
    var kind: String
  }

  let decisions: [Decision]
  @usableFromInline let isEmpty: Bool
  /// The indices of those with a time, the earliest last; of equal times the first of the list.
  private var due: [(time: TraceInstant, index: Int)] = []
  /// The number of events of each kind so far, and whether a decision follows the last one.
  private var counts: [Moment: Int] = [:]
  private var followed: Set<Moment> = []
  private var isMade: [Bool]
  /// The number of events of the log that were noted.
  @usableFromInline var seen = 0

  init(_ decisions: [Decision]) {
    self.decisions = decisions
    isEmpty = decisions.isEmpty
    isMade = decisions.map { _ in false }
    for (index, decision) in decisions.enumerated() {
      if case .at(let time) = decision.trigger { plan(index, at: time) }
    }
  }

  @usableFromInline var next: TraceInstant? { due.last?.time }

  private mutating func plan(_ index: Int, at time: TraceInstant) {
    due.append((time, index))
    // Equal times in the order of the list.
    due.sort { ($0.time, $0.index) > ($1.time, $1.index) }
  }

  /// Plans the decisions that follow an event.
  @usableFromInline mutating func note(_ event: AppEvent) {
    seen += 1
    let moment = Moment(person: event.person.index, kind: event.kind)
    counts[moment, default: 0] += 1
    followed.remove(moment)
    for (index, decision) in decisions.enumerated() where decision.person == moment.person {
      guard case .after(moment.kind, counts[moment], let wait) = decision.trigger else { continue }
      followed.insert(moment)
      plan(index, at: event.time.advanced(byNanoseconds: wait))
    }
  }

  /// Whether a decision follows the person's last event of the kind.
  @usableFromInline func follows(_ kind: String, _ person: Int) -> Bool {
    followed.contains(Moment(person: person, kind: kind))
  }

  @usableFromInline mutating func take(by now: TraceInstant) -> Decision? {
    guard let first = due.last, first.time <= now else { return nil }
    due.removeLast()
    isMade[first.index] = true
    return decisions[first.index]
  }

  /// The decisions that nothing has led to, in their order.
  var unmade: [Decision] { zip(decisions, isMade).filter { !$0.1 }.map(\.0) }
}

extension ExchangedApp {
  /// Plans the decisions that follow the new lines of the log.
  @usableFromInline mutating func noteEvents() {
    guard !exchange.plan.isEmpty else { return }
    let next = exchange.plan.next
    while exchange.plan.seen < events.count { exchange.plan.note(events[exchange.plan.seen]) }
    if exchange.plan.next != next { exchange.isStale = true }
  }

  /// Whether a decision takes the place of what the person does after the last event of the kind.
  package mutating func decides(after kind: String, _ person: Int) -> Bool {
    noteEvents()
    return exchange.plan.follows(kind, person)
  }

  /// Whether people follow a script, so that the log says more.
  package var hasDecisions: Bool { !exchange.plan.isEmpty }

  /// Makes the decisions that are due.
  @usableFromInline mutating func decide(by now: TraceInstant) {
    while let decision = exchange.plan.take(by: now) {
      guard people.indices.contains(decision.person), decision.action != Decision.nothing.name
      else { continue }
      log("decision", "decides: \(decision.words)", of: decision.person, at: now)
      do throws(Refusal) {
        for input in try inputs(of: decision, at: now) {
          var effects: [Phone.Effect] = []
          try people[decision.person].engine.handle(input, at: now, into: &effects)
          carry(effects, of: decision.person, at: now)
        }
      } catch {
        log(
          "refused", "gets the answer “\(error.reason)”", of: decision.person, at: now)
      }
      exchange.isStale = true
    }
  }

  package var unmadeDecisions: [Decision] { exchange.plan.unmade }
}
