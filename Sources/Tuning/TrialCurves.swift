internal import Scoring
internal import TraceModel

/// The curves of one setting on several recordings, stored as changes. The sum over any weighted
/// subset takes one pass over the thresholds and no run of the detector.
struct TrialCurves: Sendable {
  /// The weights of the recordings; 0 omits one, 2 counts it twice.
  typealias Weights = [Int]

  private struct Change {
    var threshold: Double
    var recording: Int32
    var truePositives: Int32
    var falsePositives: Int32
  }

  /// The thresholds at which a recording changes, ascending.
  let thresholds: [Double]
  let upper: Double
  let isExact: Bool
  private let changes: [Change]
  /// The position after the last change of each threshold.
  private let ends: [Int]
  private let references: [Int]
  let nanoseconds: [Int64]

  /// - Parameter curves: one per recording, all over the same thresholds (see
  ///   ``ThresholdCurve/pooled(_:)``), and at least one.
  init(_ curves: [ThresholdCurve]) {
    precondition(!curves.isEmpty)
    upper = curves[0].upper
    isExact = curves.allSatisfy { $0.isExact }
    references = curves.map { $0.references }
    nanoseconds = curves.map { $0.scoredNanoseconds }
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
    (self.changes, self.thresholds, self.ends) = (changes, thresholds, ends)
  }

  /// Returns the counts of the weighted recordings, by threshold. O(changes).
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

  /// Returns the curve of the weighted recordings, with all their thresholds. O(changes).
  func pooled(_ weights: Weights) -> ThresholdCurve {
    let sums = sums(weights)
    return ThresholdCurve(
      thresholds: thresholds, truePositives: sums.truePositives,
      falsePositives: sums.falsePositives, upper: upper, references: references(weights),
      scoredNanoseconds: scoredNanoseconds(weights), isExact: isExact)
  }

  /// Returns the curve of each group of recordings. An exact curve has only its own thresholds:
  /// with those of all groups, a thousand people would take a thousand times the memory. O(changes)
  /// if exact.
  /// - Parameter groups: the group of each recording, from 0.
  func parts(_ groups: [Int], of count: Int) -> [ThresholdCurve] {
    guard isExact else {
      return (0..<count).map { group in pooled(groups.map { $0 == group ? 1 : 0 }) }
    }
    var parts = [(thresholds: [Double], hits: [Int], alarms: [Int])](
      repeating: ([], [], []), count: count)
    for change in changes {
      let group = groups[Int(change.recording)]
      let (hits, alarms) = (parts[group].hits.last ?? 0, parts[group].alarms.last ?? 0)
      if parts[group].thresholds.last != change.threshold {
        parts[group].thresholds.append(change.threshold)
        parts[group].hits.append(hits)
        parts[group].alarms.append(alarms)
      }
      let last = parts[group].thresholds.count - 1
      parts[group].hits[last] = hits + Int(change.truePositives)
      parts[group].alarms[last] = alarms + Int(change.falsePositives)
    }
    var (ofReferences, times) = (
      [Int](repeating: 0, count: count), [Int64](repeating: 0, count: count)
    )
    for (recording, group) in groups.enumerated() {
      ofReferences[group] += references[recording]
      times[group] += nanoseconds[recording]
    }
    return parts.enumerated().map { group, part in
      ThresholdCurve(
        thresholds: part.thresholds, truePositives: part.hits, falsePositives: part.alarms,
        upper: upper, references: ofReferences[group], scoredNanoseconds: times[group],
        isExact: true)
    }
  }

  /// Returns the counts of each recording at a threshold. O(changes).
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

  /// Visits all thresholds from the strictest on, until `visit` returns false: from the end of the
  /// curves at which there are fewer detections.
  /// - Parameters:
  ///   - groups: the group of each recording, from 0.
  ///   - change: receives a group and the change of its false alarms since the previous threshold;
  ///     only for recordings with a weight.
  func visitFromStrictest(
    _ weights: Weights, _ groups: [Int], change: (_ group: Int, _ falseAlarms: Int) -> Void,
    visit: (_ index: Int) -> Bool
  ) {
    let counted = changes.indices.filter { weights[Int(changes[$0].recording)] > 0 }
    func add(_ position: Int, _ sign: Int) {
      let alarms = Int(changes[position].falsePositives)
      if alarms != 0 { change(groups[Int(changes[position].recording)], sign * alarms) }
    }
    let rise = counted.reduce(0) {
      $1 < ends[0] ? $0 : $0 + Int(changes[$1].truePositives) + Int(changes[$1].falsePositives)
    }
    let isStrictAbove = rise <= 0
    if isStrictAbove { for position in counted { add(position, 1) } }
    var next = isStrictAbove ? counted.count - 1 : 0
    for index in isStrictAbove ? Array(thresholds.indices.reversed()) : Array(thresholds.indices) {
      if !isStrictAbove {
        while next < counted.count, counted[next] < ends[index] {
          add(counted[next], 1)
          next += 1
        }
      }
      guard visit(index) else { return }
      guard isStrictAbove, index > 0 else { continue }
      while next >= 0, counted[next] >= ends[index - 1] {
        add(counted[next], -1)
        next -= 1
      }
    }
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

  func hours(_ weights: Weights) -> Double { Double(scoredNanoseconds(weights)) / 3.6e12 }

  /// Returns the end of a step: the next threshold, or the highest of the curves.
  func end(ofStep index: Int) -> Double {
    guard isExact else { return thresholds[index] }
    return index + 1 < thresholds.count ? thresholds[index + 1] : upper
  }
}
