public import Scoring

/// The objective of a tuning: the better of two outcomes has the higher value.
///
/// The null detector, which detects nothing, has a value too; a threshold has to exceed it.
public enum Objective: Hashable, Sendable, Codable {
  /// The largest recall with at most this many false alarms per scored recorded hour. See
  /// ``ChoiceRule/confidence`` for what is compared with the budget.
  case maximumRecall(falseAlarmsPerHour: Double)
  /// The F measure that weights recall `beta` times as much as precision (van Rijsbergen,
  /// Information Retrieval, 1979, chapter 7): (1 + b²) TP / ((1 + b²) TP + b² FN + FP).
  case fBeta(Double)
  /// The lowest cost per hour of misses and false alarms, in any unit; the value is negated.
  case cost(miss: Double, falseAlarm: Double)

  /// Whether the rate of false alarms is within the budget; always true without a budget.
  public func allows(_ counts: EventCounts, hours: Double) -> Bool {
    guard case .maximumRecall(let budget) = self else { return true }
    // A rate is undefined for a time of length zero.
    return counts.falsePositives == 0 || Double(counts.falsePositives) <= budget * hours
  }

  /// Returns the value; nil if undefined: without a reference, or the cost without any time.
  public func value(of counts: EventCounts, hours: Double) -> Double? {
    let found = Double(counts.truePositives)
    let (missed, alarms) = (Double(counts.falseNegatives), Double(counts.falsePositives))
    guard counts.truePositives + counts.falseNegatives > 0 else { return nil }
    switch self {
    case .maximumRecall: return found / (found + missed)
    case .fBeta(let beta):
      let square = beta * beta
      return (1 + square) * found / ((1 + square) * found + square * missed + alarms)
    case .cost(let miss, let falseAlarm):
      return hours > 0 ? -(miss * missed + falseAlarm * alarms) / hours : nil
    }
  }

  func valueOfNull(references: Int, hours: Double) -> Double? {
    value(of: EventCounts(falseNegatives: references), hours: hours)
  }
}
