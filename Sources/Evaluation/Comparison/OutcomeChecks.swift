internal import AppEngines
internal import Scoring

/// The checks of a gate on the outcomes of apps: by stated bounds, else by their goals.
struct OutcomeChecks {
  private(set) var checks: [GateCheck] = []
  /// The subjects of the bounds that were applied.
  private(set) var subjects: Set<GateBound.Subject> = []

  init(_ comparison: ResultComparison, _ rules: GateRules) {
    for group in comparison.outcomes.inGroups(by: { [$0.entry, $0.one.name] }) {
      let one = group[0].one
      let stated = rules.bounds(of: group[0].entry).filter {
        $0.subject == .outcome(one.name) || ($0.subject == .violations && one.goal.isViolation)
      }
      subjects.formUnion(stated.map(\.subject))
      // A bound on this outcome counts rather than one on all violations.
      let own = stated.filter { $0.subject != .violations }
      let limits = (own.isEmpty ? stated : own).map(\.limit)
      if !limits.isEmpty {
        checks += limits.map { Self.check(group, Self.text($0, one), $0) }
      } else if rules.judgesOutcomes, let (text, limit) = Self.standard(one.goal) {
        checks.append(Self.check(group, text, limit))
      }
    }
  }

  /// What a goal allows; nil = anything. A limit of nil: not to become 0 or undefined.
  private static func standard(
    _ goal: AppOutcome.Goal
  ) -> (text: String, limit: GateBound.Limit?)? {
    switch goal {
    case .neither, .higher, .lower: nil
    case .mustStay: ("stays", nil)
    case .mustNotFall, .mustNotRise: ("0", .change(0))
    case .mustBeZero: ("<= 0", .atMost(0))
    }
  }

  private static func text(_ limit: GateBound.Limit, _ one: AppOutcome) -> String {
    guard one.judgedUnit == "yes" else { return limit.text }
    return limit == .atLeast(1) ? "yes" : limit == .atMost(0) ? "no" : limit.text
  }

  /// Judges all people; the check has the values of the one who fares worst.
  private static func check(
    _ people: [OutcomeComparison], _ text: String, _ limit: GateBound.Limit?
  ) -> GateCheck {
    let judged = people.map { (pair: $0, verdict: Self.verdict(of: $0, limit)) }
    // A failure of one counts more than what another gains.
    let verdict =
      GateVerdict.mostSevere(
        judged.map(\.verdict).filter { found in found != .pass }) ?? .pass
    let deciding = judged.filter { $0.verdict == verdict }.map(\.pair)
    let worst = deciding.max { $0.harm < $1.harm } ?? people[0]
    let words =
      switch verdict {
      case .fail: "beyond the bound"
      case .improved: "better by more than the bound"
      default: "within the bound"
      }
    let names = deciding.map(\.person).filter { !$0.isEmpty }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    var check = GateCheck(
      entry: worst.entry, origin: worst.origin, name: worst.one.figureName,
      unit: worst.one.judgedUnit, base: worst.base?.judged, head: worst.head?.judged, bound: text,
      population: .theseRecordings, verdict: verdict,
      reason: verdict == .pass || names.isEmpty
        ? words : names.prefix(3).joined(separator: ", ") + more + ": " + words)
    check.shown = worst.shown
    if check.unit != "yes", let old = check.base, let new = check.head {
      check.difference = Estimate(new - old)
    }
    return check
  }

  private static func verdict(
    of pair: OutcomeComparison, _ limit: GateBound.Limit?
  ) -> GateVerdict {
    let (old, new) = (pair.base?.judged, pair.head?.judged)
    guard let limit else {
      return (new ?? 0) == 0 ? (old ?? 0) == 0 ? .pass : .fail : (old ?? 0) == 0 ? .improved : .pass
    }
    guard let new else { return old == nil ? .pass : .fail }
    let (margin, share): (Double, Double)
    switch limit {
    case .atLeast(let least): return new >= least ? .pass : .fail
    case .atMost(let most): return new <= most ? .pass : .fail
    case .change(let change): (margin, share) = (change, 0)
    case .share(let part): (margin, share) = (0, part)
    }
    // An older file may lack the outcome.
    guard let old else { return .pass }
    let isRise = pair.one.better == .lower || (pair.one.better == .neither && margin + share >= 0)
    let worse = isRise ? new - old : old - new
    let allowed = abs(margin) + abs(share * old) + 1e-12 * max(abs(old), abs(new))
    return worse > allowed ? .fail : -worse > allowed ? .improved : .pass
  }
}

extension OutcomeComparison {
  /// How much worse the head is, for the choice of the person to show.
  fileprivate var harm: Double {
    let change = (head?.judged ?? 0) - (base?.judged ?? 0)
    return one.better == .higher ? -change : change
  }

  /// Whether the standard bound of its goal does not hold; the text says what is demanded.
  package var breach: String? {
    let check = OutcomeChecks.standardCheck(self)
    return check.flatMap { $0.verdict == .fail ? $0.bound : nil }
  }
}

extension OutcomeChecks {
  fileprivate static func standardCheck(_ pair: OutcomeComparison) -> GateCheck? {
    standard(pair.one.goal).map { check([pair], $0.text, $0.limit) }
  }
}
