public import Scoring
internal import TraceModel

/// The hits and false alarms of a detector as a function of its threshold.
///
/// A step function: from `thresholds[i]` up to, not including, `thresholds[i + 1]` the counts are
/// those at `i`; the last ones hold up to and including `upper`. If ``isExact`` is false, only the
/// thresholds themselves were tried, and the counts between them are unknown.
///
/// A higher threshold usually finds less, but not always: with a lockout, losing one event can make
/// room for another.
public struct ThresholdCurve: Hashable, Sendable, Codable {
  /// Ascending and not empty, in the unit of the parameter.
  public private(set) var thresholds: [Double]
  /// The number of matched pairs, by threshold.
  public private(set) var truePositives: [Int]
  /// The number of detections without a reference, by threshold, except those in ignore zones.
  public private(set) var falsePositives: [Int]
  /// The highest threshold of the curve.
  public let upper: Double
  /// The number of references outside ignore zones.
  public let references: Int
  /// The time that counts, see ``Scoring/Exposure``, without ignore zones, in ns.
  public let scoredNanoseconds: Int64
  /// Whether the counts between two thresholds are known, not only at them.
  public let isExact: Bool

  public init(
    thresholds: [Double], truePositives: [Int], falsePositives: [Int], upper: Double,
    references: Int, scoredNanoseconds: Int64, isExact: Bool
  ) {
    (self.thresholds, self.upper, self.isExact) = (thresholds, upper, isExact)
    (self.truePositives, self.falsePositives) = (truePositives, falsePositives)
    (self.references, self.scoredNanoseconds) = (references, scoredNanoseconds)
    precondition(isConsistent)
  }

  /// Whether the steps are those of a curve: a stored one may be anything.
  package var isConsistent: Bool {
    zip(thresholds, thresholds.dropFirst()).allSatisfy(<)
      && thresholds.count == truePositives.count && thresholds.count == falsePositives.count
      && thresholds.last.map { $0 <= upper } ?? false
      && falsePositives.allSatisfy(EventCounts.possible.contains)
      && EventCounts.possible.contains(references) && scoredNanoseconds >= 0
      && truePositives.allSatisfy { $0 >= 0 && $0 <= references }
  }

  public var count: Int { thresholds.count }

  public func counts(at index: Int) -> EventCounts {
    EventCounts(
      truePositives: truePositives[index], falsePositives: falsePositives[index],
      falseNegatives: references - truePositives[index])
  }

  /// Returns the step at a threshold; nil if the curve does not cover it. O(log n).
  public func index(of threshold: Double) -> Int? {
    guard threshold <= upper else { return nil }
    let next = thresholds.partitioningIndex { $0 > threshold }
    return next > 0 && (isExact || thresholds[next - 1] == threshold) ? next - 1 : nil
  }

  /// As ``index(of:)``; if only some were tried, the nearest one, the higher of two. O(log n).
  public func nearestIndex(to threshold: Double) -> Int? {
    guard !isExact, threshold <= upper else { return index(of: threshold) }
    let next = thresholds.partitioningIndex { $0 >= threshold }
    guard next > 0, next < count else { return min(next, count - 1) }
    return threshold - thresholds[next - 1] < thresholds[next] - threshold ? next - 1 : next
  }

  public var scoredHours: Double { Double(scoredNanoseconds) / 3.6e12 }

  public func falseAlarms(at index: Int) -> PoissonRate {
    PoissonRate(count: falsePositives[index], hours: scoredHours)
  }

  /// Returns the curve of a recording with a known number of events, from the curve of its
  /// detections.
  ///
  /// Up to the number of events, detections count as hits; further ones are false alarms. Misses
  /// and false alarms of one recording therefore cancel, see ``Scoring/CountScore/bestMatch``.
  /// - Parameter events: the number of events; not negative.
  /// - Precondition: this curve has no references.
  public func matched(to events: Int) -> ThresholdCurve {
    precondition(references == 0)
    let best = falsePositives.map { CountScore(stated: events, detected: $0).bestMatch }
    return ThresholdCurve(
      thresholds: thresholds, truePositives: best.map { $0.truePositives },
      falsePositives: best.map { $0.falsePositives }, upper: upper, references: events,
      scoredNanoseconds: scoredNanoseconds, isExact: isExact)
  }

  /// Returns the curve of several recordings together: counts, references and times are summed.
  ///
  /// All must cover the same thresholds: the same lower and upper end and, if one is not exact, the
  /// same points.
  /// - Complexity: O(n log k) for n steps in k curves.
  public static func pooled(_ curves: [ThresholdCurve]) -> ThresholdCurve? {
    guard let first = curves.first else { return nil }
    precondition(curves.allSatisfy { $0.upper == first.upper })
    precondition(curves.allSatisfy { $0.thresholds[0] == first.thresholds[0] })
    let all = TrialCurves(curves).pooled(curves.map { _ in 1 })
    guard all.isExact else { return all }
    // A change of one recording may cancel that of another.
    let steps = all.thresholds.indices.filter {
      $0 == 0 || all.truePositives[$0] != all.truePositives[$0 - 1]
        || all.falsePositives[$0] != all.falsePositives[$0 - 1]
    }
    return ThresholdCurve(
      thresholds: steps.map { all.thresholds[$0] },
      truePositives: steps.map { all.truePositives[$0] },
      falsePositives: steps.map { all.falsePositives[$0] }, upper: all.upper,
      references: all.references, scoredNanoseconds: all.scoredNanoseconds, isExact: true)
  }
}
