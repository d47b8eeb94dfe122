public import Scoring

/// What is sought: the better of two outcomes has the higher value.
///
/// A detector that finds nothing and makes nothing up, the null detector, has a value too; a
/// threshold that is not above it is not worth having.
public enum Objective: Hashable, Sendable, Codable {
  /// The largest recall with at most so many false alarms per scored recorded hour. The budget is
  /// held against the count over the hours themselves; how far the true rate may lie above it is
  /// what ``ThresholdCurve/falseAlarms(at:)`` tells by its interval.
  case maximumRecall(falseAlarmsPerHour: Double)
  /// The F measure that holds recall for `beta` times as important as precision (van Rijsbergen,
  /// Information Retrieval, 1979, chapter 7): (1 + b²) TP / ((1 + b²) TP + b² FN + FP).
  case fBeta(Double)
  /// The least cost per hour, where a miss costs `miss` and a false alarm `falseAlarm`, in whatever
  /// coin; the value is the cost with a minus.
  case cost(miss: Double, falseAlarm: Double)

  /// Whether the counts are within the budget; always, where there is none.
  public func allows(_ counts: EventCounts, hours: Double) -> Bool {
    guard case .maximumRecall(let budget) = self else { return true }
    // Of a time of no length no rate is known.
    return counts.falsePositives == 0 || Double(counts.falsePositives) <= budget * hours
  }

  /// nil where it is not defined: without a reference, and the cost without any time.
  public func value(of counts: EventCounts, hours: Double) -> Double? {
    let found = Double(counts.truePositives)
    let (missed, madeUp) = (Double(counts.falseNegatives), Double(counts.falsePositives))
    guard counts.truePositives + counts.falseNegatives > 0 else { return nil }
    switch self {
    case .maximumRecall: return found / (found + missed)
    case .fBeta(let beta):
      let square = beta * beta
      return (1 + square) * found / ((1 + square) * found + square * missed + madeUp)
    case .cost(let miss, let falseAlarm):
      return hours > 0 ? -(miss * missed + falseAlarm * madeUp) / hours : nil
    }
  }

  /// The value of finding nothing.
  func valueOfNull(references: Int, hours: Double) -> Double? {
    value(of: EventCounts(falseNegatives: references), hours: hours)
  }
}
