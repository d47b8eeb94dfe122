public import TraceModel

/// The messages, clocks and restarts of a simulation, and its next deadline. ``ExchangedApp`` has
/// the loop that uses it.
@usableFromInline
package struct Exchange<Phone: AppEngine, Server: AppEngine, Message: Sendable>: Sendable {
  /// The time in seconds after the last trace during which unanswered requests are repeated.
  @usableFromInline package static var patience: Double { 3600 }

  /// A restart, or the moment whose state it restores.
  @usableFromInline struct Event: Sendable {
    @usableFromInline var time: TraceInstant
    @usableFromInline var isRestart: Bool
    @usableFromInline var endpoint: Endpoint
    /// The index of the fault in the list.
    @usableFromInline var fault: Int
  }

  @usableFromInline enum State: Sendable {
    case phone(Phone)
    case server(Server)
  }

  @usableFromInline package var network: SimulatedNetwork<Message>
  /// The next deadline of the simulation, computed again when something has changed it: a sample
  /// asks for it, and most samples change nothing.
  @usableFromInline package internal(set) var deadline: TraceInstant?
  @usableFromInline var isStale = true
  /// Whether all traces are over, so that people do nothing any more.
  @usableFromInline package internal(set) var isDraining = false

  @usableFromInline let faults: [ExchangeFault]
  /// The clocks by phone; empty = all are exact.
  @usableFromInline let clocks: [DeviceClock]
  /// The events by time, the earliest last.
  @usableFromInline var events: [Event] = []
  @usableFromInline var states: [Int: State] = [:]
  /// For each fault, whether a restart or a reading met it.
  @usableFromInline var met: [Bool]
  /// The clock faults that no reading has met yet, by index.
  @usableFromInline var unmetClocks: [Int] = []
  @usableFromInline var serverRestarts: [TraceInstant] = []
  @usableFromInline package internal(set) var plan: DecisionPlan
  /// How often the server was restarted since it sent the message that a phone takes now.
  @usableFromInline package internal(set) var restartsSince = 0
  /// Whether the message that a phone takes now was sent by the server before its last restart: what
  /// it promises, the server may know no more.
  @inlinable package var isOfOldServer: Bool { restartsSince > 0 }
  /// What restarts took: what a phone or the server had, and the state that came next has not.
  @usableFromInline package internal(set) var losses: [AppOutcome] = []
  package var hasRestarted: Bool {
    zip(faults, met).contains { if case .restart = $0 { $1 } else { false } }
  }
  /// The violated invariants that the engines had before a restart took them away.
  @usableFromInline var violations: [String] = []

  package init(_ setup: NetworkSetup, phones: Int, decisions: [Decision] = []) {
    plan = DecisionPlan(decisions)
    network = SimulatedNetwork(setup)
    faults = setup.faults
    met = faults.map { _ in false }
    let all = (0..<phones).map(setup.clock(of:))
    clocks = all.allSatisfy(\.isExact) ? [] : all
    unmetClocks = faults.indices.filter {
      switch faults[$0] {
      case .clock, .drift: true
      default: false
      }
    }
    for (index, fault) in faults.enumerated() {
      guard case .restart(let endpoint, let time, let state) = fault,
        endpoint.phone.map({ $0 < phones }) ?? true
      else { continue }
      events.append(Event(time: time, isRestart: true, endpoint: endpoint, fault: index))
      guard case .age(let age) = state else { continue }
      let saved = time.advanced(byNanoseconds: -max(age, 0))
      events.append(Event(time: saved, isRestart: false, endpoint: endpoint, fault: index))
    }
    // States are taken before the restarts of the same instant.
    events.sort {
      ($0.time, $0.isRestart ? 1 : 0, $0.fault) > ($1.time, $1.isRestart ? 1 : 0, $1.fault)
    }
  }

  /// The faults that met something, in the order of the list.
  package var metFaults: [ExchangeFault] {
    faults.indices.filter { met[$0] || network.hasMet($0) }.map { faults[$0] }
  }

  @inlinable package mutating func post(
    _ posting: Posting<Message>, from sender: Endpoint, at now: TraceInstant
  ) {
    network.send(
      posting.message, on: NetworkLink(from: sender, to: posting.to), at: now,
      saying: posting.content)
    isStale = true
  }

  // MARK: Clocks

  /// Returns the time that a phone's clock gave a reading.
  @inlinable package mutating func stamp(_ reading: Reading) -> TraceInstant {
    guard clocks.indices.contains(reading.device.index) else { return reading.measured }
    noteClock(of: reading.device.index, at: reading.measured)
    return clocks[reading.device.index].reading(at: reading.measured)
  }

  /// Notes the faults of a phone's clock that something with its time meets.
  @inlinable package mutating func noteClock(of phone: Int, at time: TraceInstant) {
    guard !unmetClocks.isEmpty else { return }
    for index in unmetClocks {
      switch faults[index] {
      case .clock(phone, let start, _): met[index] = start <= time
      case .drift(phone, _): met[index] = true
      default: break
      }
    }
    unmetClocks.removeAll { met[$0] }
  }

  /// Returns the true time of what a phone's clock showed shortly before `now`.
  @inlinable package func trueTime(
    of shown: TraceInstant, on phone: Int, at now: TraceInstant
  ) -> TraceInstant {
    guard clocks.indices.contains(phone) else { return shown }
    return shown.advanced(
      byNanoseconds: Int64.zero.subtractingClamped(clocks[phone].error(at: now)))
  }

  /// Puts a phone's detection onto the run's axis.
  @inlinable package func onAxis(_ record: DetectionRecord, of phone: Int) -> DetectionRecord {
    guard !clocks.isEmpty else { return record }
    var record = record
    record.onset = trueTime(of: record.onset, on: phone, at: record.emitted)
    record.newestMeasured = trueTime(of: record.newestMeasured, on: phone, at: record.emitted)
    return record
  }

  // MARK: Restarts

  @usableFromInline mutating func note(_ found: [AppOutcome]) {
    for loss in found {
      guard let index = losses.firstIndex(where: { $0.name == loss.name }) else {
        losses.append(loss)
        continue
      }
      losses[index].value = (losses[index].value ?? 0) + (loss.value ?? 0)
    }
  }

  /// Notes who sent the message that a phone takes now.
  @inlinable mutating func noteSender(of arrival: SimulatedNetwork<Message>.Arrival) {
    // At an instant the restart comes first: what the server sends then comes from the new state.
    restartsSince =
      arrival.link.from == .server ? serverRestarts.count { arrival.sent < $0 } : 0
  }

  @usableFromInline var nextEvent: TraceInstant? { events.last?.time }

  /// Returns the next restart or saving of a state that is due, and removes it.
  @inlinable mutating func takeEvent(
    by now: TraceInstant
  ) -> (endpoint: Endpoint, fault: Int, isRestart: Bool)? {
    guard let event = events.last, event.time <= now else { return nil }
    events.removeLast()
    return (event.endpoint, event.fault, event.isRestart)
  }

  @inlinable mutating func save(_ phone: Phone, for fault: Int) { states[fault] = .phone(phone) }
  @inlinable mutating func save(_ server: Server, for fault: Int) {
    states[fault] = .server(server)
  }

  /// Returns the saved state of a phone; nil = it is newly installed.
  @inlinable mutating func restoredPhone(for fault: Int) -> Phone? {
    met[fault] = true
    if case .phone(let phone) = states.removeValue(forKey: fault) { return phone }
    return nil
  }

  @inlinable mutating func restoredServer(for fault: Int, at now: TraceInstant) -> Server? {
    met[fault] = true
    serverRestarts.append(now)
    if case .server(let server) = states.removeValue(forKey: fault) { return server }
    return nil
  }
}

// MARK: The loop

extension ExchangedApp {
  @usableFromInline package typealias Phone = Person.Engine

  /// Makes the exchange ready; a simulation calls it at the end of its initialiser.
  @inlinable package mutating func beginExchange() {
    // The state of a time before the start is that of the start.
    restart(by: .zero)
    updateDeadline()
  }

  @inlinable package mutating func give(_ input: Phone.Input, to phone: Int, at now: TraceInstant) {
    exchange.isStale = true
    pass(input, to: phone, at: now)
  }

  /// Passes a reading to a phone. A reading without effects changes no deadline.
  @inlinable package mutating func feel(_ input: Phone.Input, on phone: Int, at now: TraceInstant) {
    pass(input, to: phone, at: now)
  }

  @inlinable mutating func pass(_ input: Phone.Input, to phone: Int, at now: TraceInstant) {
    var effects: [Phone.Effect] = []
    do throws(Refusal) {
      try people[phone].engine.handle(input, at: now, into: &effects)
    } catch {
      return noteRefusal(error, of: phone, at: now)
    }
    carry(effects, of: phone, at: now)
  }

  /// Sends what the effects of a phone send, and reports them.
  @inlinable package mutating func carry(
    _ effects: [Phone.Effect], of phone: Int, at now: TraceInstant
  ) {
    guard !effects.isEmpty else { return }
    exchange.isStale = true
    for effect in effects {
      if let posting = posting(of: effect, by: phone) {
        exchange.post(posting, from: .phone(phone), at: now)
      }
      note(effect, of: phone, at: now)
    }
  }

  @inlinable mutating func carry(_ effects: [Server.Effect], at now: TraceInstant) {
    for effect in effects {
      if let posting = posting(of: effect) { exchange.post(posting, from: .server, at: now) }
    }
  }

  /// Computes the deadline if something may have changed it; after everything that changes the
  /// simulation.
  @inlinable package mutating func updateDeadline() {
    // This call is not specialised: it would cost more than the rest of a reading.
    if !exchange.plan.isEmpty { noteEvents() }
    guard exchange.isStale else { return }
    exchange.isStale = false
    var due = earlier(exchange.network.next, earlier(exchange.nextEvent, server.deadline))
    for index in people.indices {
      due = earlier(due, people[index].engine.deadline)
      if !exchange.isDraining { due = earlier(due, people[index].deadline) }
    }
    if !exchange.isDraining { due = earlier(due, exchange.plan.next) }
    exchange.deadline = due
  }

  @inlinable package var deadline: TraceInstant? { exchange.deadline }

  /// Runs at `now` all that is due: after a stride of a timeline, several timers may be overdue.
  @inlinable package mutating func advance(to now: TraceInstant) {
    while let due = exchange.deadline, due <= now { step(at: now) }
  }

  /// Delivers and repeats until each request is answered, or the patience is over. People do
  /// nothing any more.
  /// - Returns: the time of the last thing that happened, `end` at the earliest.
  @discardableResult
  @inlinable package mutating func drain(from end: TraceInstant) -> TraceInstant {
    exchange.isDraining = true
    exchange.isStale = true
    updateDeadline()
    let limit = end.advanced(bySeconds: Exchange<Phone, Server, Message>.patience)
    var last = end
    let sent = exchange.network.counts.sent
    while isBusy, let due = exchange.deadline, due <= limit {
      last = max(last, due)
      step(at: due)
    }
    let more = exchange.network.counts.sent - sent
    if more > lastMessageLimit * max(people.count, 1) {
      exchange.violations.append("the phones do not stop sending: \(more) messages after the end")
    }
    return last
  }

  @inlinable var isBusy: Bool {
    exchange.network.next != nil || people.contains(where: \.isWaiting)
  }

  /// One instant: restarts, arrivals, then deadlines.
  @inlinable mutating func step(at now: TraceInstant) {
    exchange.isStale = true
    restart(by: now)
    while let arrival = exchange.network.receive(by: now) { deliver(arrival, at: now) }
    for index in people.indices {
      if let due = people[index].engine.deadline, due <= now {
        var effects: [Phone.Effect] = []
        people[index].engine.advance(to: now, into: &effects)
        carry(effects, of: index, at: now)
      }
      if !exchange.isDraining, let due = people[index].deadline, due <= now { act(index, at: now) }
    }
    if !exchange.isDraining, !exchange.plan.isEmpty { decide(by: now) }
    if let due = server.deadline, due <= now {
      var effects: [Server.Effect] = []
      server.advance(to: now, into: &effects)
      carry(effects, at: now)
    }
    updateDeadline()
  }

  @inlinable mutating func deliver(
    _ arrival: SimulatedNetwork<Message>.Arrival, at now: TraceInstant
  ) {
    switch arrival.link.to {
    case .server:
      guard let phone = arrival.link.from.phone else { return }
      if !serve(arrival.message, from: phone, at: now) { exchange.network.noteRefusal(of: arrival) }
    case .phone(let phone):
      guard people.indices.contains(phone),
        let input = phoneInput(of: arrival.message, from: arrival.link.from, to: phone)
      else { return exchange.network.noteRefusal(of: arrival) }
      var effects: [Phone.Effect] = []
      exchange.noteSender(of: arrival)
      defer { exchange.restartsSince = 0 }
      do throws(Refusal) {
        try people[phone].engine.handle(input, at: now, into: &effects)
      } catch {
        // Nobody waits for it any more.
        exchange.network.noteRefusal(of: arrival)
      }
      carry(effects, of: phone, at: now)
      noteDelivery(of: arrival.message, to: phone, at: now)
    }
  }

  /// Passes a message to the server. A refusal becomes the answer.
  /// - Returns: whether the server took it.
  @inlinable mutating func serve(
    _ message: Message, from phone: Int, at now: TraceInstant
  ) -> Bool {
    guard let input = serverInput(of: message, from: phone) else { return false }
    var effects: [Server.Effect] = []
    do throws(Refusal) {
      try server.handle(input, at: now, into: &effects)
    } catch {
      if let answer = answer(to: message, refusedWith: error) {
        exchange.post(Posting(to: .phone(phone), answer), from: .server, at: now)
      }
      return false
    }
    noteServed(message, from: phone, at: now)
    carry(effects, at: now)
    return true
  }

  @inlinable mutating func restart(by now: TraceInstant) {
    while let event = exchange.takeEvent(by: now) {
      // Simulated people have phones from the moment at which they first appear.
      if let phone = event.endpoint.phone, !people.indices.contains(phone) { continue }
      if event.isRestart { noteViolations() }
      switch (event.endpoint, event.isRestart) {
      case (.phone(let phone), false): exchange.save(people[phone].engine, for: event.fault)
      case (.server, false): exchange.save(server, for: event.fault)
      case (.phone(let phone), true):
        let old = exchange.restoredPhone(for: event.fault)
        let new = old ?? newPhone(phone)
        exchange.note(people[phone].losses(to: new))
        people[phone].engine = new
        noteRestart(of: .phone(phone), isNew: old == nil, at: now)
      case (.server, true):
        let old = exchange.restoredServer(for: event.fault, at: now)
        let new = old ?? newServer()
        exchange.note(losses(to: new))
        server = new
        noteRestart(of: .server, isNew: old == nil, at: now)
      }
    }
  }

  /// Keeps what is violated now: the state that comes next may not show it.
  @inlinable mutating func noteViolations() {
    for violation in violationsNow where !exchange.violations.contains(violation) {
      exchange.violations.append(violation)
    }
  }

  @inlinable var violationsNow: [String] {
    server.violations.map { "server: \($0)" }
      + people.flatMap { person in
        person.engine.violations.map { "\(person.name)'s phone: \($0)" }
      }
  }

  /// The violated invariants of the engines, with their place: now, and before each restart.
  @inlinable package var engineViolations: [String] {
    exchange.violations + violationsNow.filter { !exchange.violations.contains($0) }
  }

  // MARK: What a simulation reports

  @inlinable package mutating func takeEvents() -> [AppEvent] {
    guard !events.isEmpty else { return [] }
    if !exchange.plan.isEmpty { noteEvents() }
    exchange.plan.seen = 0
    defer { events = [] }
    return events
  }

  package var violations: [String] { engineViolations }
  package var networkCounts: NetworkCounts { exchange.network.counts }
  package var metFaults: [ExchangeFault] { exchange.metFaults }
  package var drawnFaults: [ExchangeFault] { exchange.network.drawnFaults }
  package var messages: [MessageRecord] { exchange.network.messages }
}
