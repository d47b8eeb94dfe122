internal import Scoring
internal import TraceModel

/// The curves of one detector's settings on several recordings, kept as the changes at each
/// threshold: so that any part of the recordings, or some of them several times, can be summed in
/// one pass over the thresholds, without a run of the detector.
struct TrialCurves: Sendable {
  /// Weights of the recordings; 0 leaves one out, 2 counts it twice.
  typealias Weights = [Int]

  private struct Change {
    var threshold: Double
    var recording: Int32
    var truePositives: Int32
    var falsePositives: Int32
  }

  /// Ascending: every threshold at which something changes on any of the recordings.
  let thresholds: [Double]
  let upper: Double
  let isExact: Bool
  private let changes: [Change]
  /// The position after the last change of each threshold.
  private let ends: [Int]
  private let references: [Int]
  private let nanoseconds: [Int64]

  /// - Parameter curves: one a recording, all over the same thresholds (see
  ///   ``ThresholdCurve/pooled(_:)``), and at least one.
  init(_ curves: [ThresholdCurve]) {
    precondition(!curves.isEmpty)
    upper = curves[0].upper
    isExact = curves.allSatisfy(\.isExact)
    references = curves.map(\.references)
    nanoseconds = curves.map(\.scoredNanoseconds)
    var changes: [Change] = []
    changes.reserveCapacity(curves.reduce(0) { $0 + $1.count })
    for (recording, curve) in curves.enumerated() {
      var (lastTrue, lastFalse) = (0, 0)
      for index in curve.thresholds.indices {
        let (hits, alarms) = (curve.truePositives[index], curve.falsePositives[index])
        changes.append(
          Change(
            threshold: curve.thresholds[index], recording: Int32(recording),
            truePositives: Int32(clamping: hits - lastTrue),
            falsePositives: Int32(clamping: alarms - lastFalse)))
        (lastTrue, lastFalse) = (hits, alarms)
      }
    }
    changes.sort { ($0.threshold, $0.recording) < ($1.threshold, $1.recording) }
    var (thresholds, ends): ([Double], [Int]) = ([], [])
    for (position, change) in changes.enumerated() {
      if change.threshold != thresholds.last {
        thresholds.append(change.threshold)
        ends.append(position + 1)
      } else {
        ends[ends.count - 1] = position + 1
      }
    }
    self.changes = changes
    self.thresholds = thresholds
    self.ends = ends
  }

  /// Counts of the weighted recordings, by threshold. O(changes).
  func sums(_ weights: Weights) -> (truePositives: [Int], falsePositives: [Int]) {
    var hits = [Int](repeating: 0, count: thresholds.count)
    var alarms = hits
    var (hitSum, alarmSum, position) = (0, 0, 0)
    for (index, end) in ends.enumerated() {
      while position < end {
        let change = changes[position]
        let weight = weights[Int(change.recording)]
        hitSum += weight * Int(change.truePositives)
        alarmSum += weight * Int(change.falsePositives)
        position += 1
      }
      hits[index] = hitSum
      alarms[index] = alarmSum
    }
    return (hits, alarms)
  }

  /// The counts of each recording by itself at a threshold. O(changes).
  func counts(at threshold: Double) -> [EventCounts] {
    var counts = references.map { EventCounts(falseNegatives: $0) }
    for change in changes.prefix(while: { $0.threshold <= threshold }) {
      let (recording, hits) = (Int(change.recording), Int(change.truePositives))
      counts[recording].truePositives += hits
      counts[recording].falseNegatives -= hits
      counts[recording].falsePositives += Int(change.falsePositives)
    }
    return counts
  }

  func references(_ weights: Weights) -> Int {
    zip(weights, references).reduce(0) { $0 + $1.0 * $1.1 }
  }

  func scoredNanoseconds(_ weights: Weights) -> Int64 {
    zip(weights, nanoseconds).reduce(0) { sum, part in
      let (product, overflow) = part.1.multipliedReportingOverflow(by: Int64(part.0))
      return sum.addingClamped(overflow ? .max : product)
    }
  }

  /// Scored recorded hours.
  func hours(_ weights: Weights) -> Double { Double(scoredNanoseconds(weights)) / 3.6e12 }

  /// Where a step ends: the next threshold, or the highest that the curves speak of.
  func end(ofStep index: Int) -> Double {
    guard isExact else { return thresholds[index] }
    return index + 1 < thresholds.count ? thresholds[index + 1] : upper
  }
}
