internal import Diagnostics

/// What makes a commit bad, compared with the results of the good one.
public enum BisectQuestion: Sendable, Equatable {
  /// A detection or a measurement differs.
  case flips
  /// A bound does not hold.
  case bounds(GateRules)

  public enum Verdict: Sendable, Equatable {
    case good
    case bad
    /// The results cannot be compared.
    case undecided
  }

  public struct Answer: Sendable, Equatable {
    public var verdict: Verdict
    public var reason: String
  }

  /// - Parameter comparison: from the good commit to the one in question.
  public func answer(_ comparison: ResultComparison) -> Answer {
    switch self {
    case .flips: Self.flips(comparison)
    case .bounds(let rules): Self.bounds(AccuracyGate(comparison, rules))
    }
  }

  private static func flips(_ comparison: ResultComparison) -> Answer {
    if let obstacle = comparison.obstacles.first {
      return Answer(verdict: .undecided, reason: obstacle.text)
    }
    guard !comparison.entries.isEmpty else {
      return Answer(verdict: .undecided, reason: "no run: nothing is measured")
    }
    let measurements = comparison.traces.reduce(0) { $0 + $1.measurements.count }
    let counts = [
      (comparison.flipCount, "detection"), (measurements, "measurement"),
      (comparison.outcomes.count { $0.differs && $0.person.isEmpty }, "outcome"),
    ].filter { $0.0 > 0 }
    guard !counts.isEmpty else {
      return Answer(verdict: .good, reason: "equal detections and measurements")
    }
    let total = counts.reduce(0) { $0 + $1.0 }
    let text = counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
    return Answer(verdict: .bad, reason: text + (total == 1 ? " differs" : " differ"))
  }

  private static func bounds(_ gate: AccuracyGate) -> Answer {
    let deciding = gate.checks.filter { $0.verdict == gate.verdict }
    let verdict: Verdict =
      switch gate.verdict {
      case .fail: .bad
      case .error: .undecided
      case .pass, .improved, .inconclusive: .good
      }
    let more = deciding.count > 1 ? ", and \(deciding.count - 1) more" : ""
    return Answer(
      verdict: verdict, reason: (deciding.first.map { Self.text($0) } ?? "no check") + more)
  }

  private static func text(_ check: GateCheck) -> String {
    let place = check.entry.isEmpty ? "" : "\(check.entry): "
    guard check.verdict != .error else { return place + check.reason }
    let (base, head) =
      check.shown
      ?? toldApart(check.base, check.head, { $0.map { "\(($0 * 1e4).rounded() / 1e4)" } ?? "" })
    let values = [base, head].filter { !$0.isEmpty }.joined(separator: " -> ")
    return place + check.name + (values.isEmpty ? "" : " \(values)") + " (\(check.bound)): "
      + check.reason
  }
}
