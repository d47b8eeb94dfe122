internal import TraceModel

/// The counts of matched and unmatched references and detections.
///
/// ```swift
/// let counts = EventCounts(truePositives: 9, falsePositives: 3, falseNegatives: 1)
/// counts.precision.estimate  // 0.75
/// counts.recall.estimate  // 0.9
/// ```
public struct EventCounts: Hashable, Sendable, Codable {
  /// Any count of events; sums of these do not overflow.
  package static let possible = 0...Int(clamping: Int64(1) << 40)

  /// The number of matched pairs.
  public var truePositives: Int
  /// The number of detections without a reference.
  public var falsePositives: Int
  /// The number of references without a detection.
  public var falseNegatives: Int

  public init(truePositives: Int = 0, falsePositives: Int = 0, falseNegatives: Int = 0) {
    (self.truePositives, self.falsePositives) = (truePositives, falsePositives)
    self.falseNegatives = falseNegatives
  }

  public var precision: Proportion {
    Proportion(successes: truePositives, trials: truePositives + falsePositives)
  }

  public var recall: Proportion {
    Proportion(successes: truePositives, trials: truePositives + falseNegatives)
  }

  public var f1: F1Score {
    F1Score(
      truePositives: truePositives, falsePositives: falsePositives, falseNegatives: falseNegatives)
  }

  public static func + (left: EventCounts, right: EventCounts) -> EventCounts {
    EventCounts(
      truePositives: left.truePositives + right.truePositives,
      falsePositives: left.falsePositives + right.falsePositives,
      falseNegatives: left.falseNegatives + right.falseNegatives)
  }
}

/// The counts of one class, from a match within it.
public struct ClassScore: Hashable, Sendable, Codable {
  public var label: String
  public var counts: EventCounts

  public init(label: String, counts: EventCounts) {
    self.label = label
    self.counts = counts
  }
}

/// The agreement of detections with references, for one trace or for several pooled.
///
/// Undefined figures are nil, never NaN.
///
/// ```swift
/// var quiet = EventScore()
/// quiet.scoredNanoseconds = 7_200_000_000_000
/// quiet.falseAlarms.interval  // 0 ... 1.8444
/// quiet.recall.estimate == nil  // true
/// ```
public struct EventScore: Hashable, Sendable, Codable {
  /// The tolerances used; several only if traces with different tolerances are pooled.
  public var tolerances: [EventTolerance] = []
  /// The counts of the match that ignores classes.
  public var counts = EventCounts()
  /// False positives within the tolerance of a reference that is matched to another detection, e.g.
  /// one punch that dismisses several cards. Also included in `counts.falsePositives`.
  public var duplicates = 0
  /// Interval references that are hit and contain a duplicate: one event reported as several (Ward
  /// et al., ACM TIST 2, 2011, doi 10.1145/1889681.1889687).
  public var fragmented = 0
  /// Missed references with a detection in their window that is matched to another reference:
  /// several events reported as one (ibid.).
  public var merged = 0
  /// The number of references with their onset in an ignore zone.
  public var ignoredReferences = 0
  /// The number of unmatched detections in an ignore zone.
  public var ignoredDetections = 0
  /// The time that counts, see ``Exposure``, without the union of the ignore zones, in ns.
  public var scoredNanoseconds: Int64 = 0
  /// The recorded time that is left after each reason not to count, with ignore zones.
  public var exposure = ExposureTimes()
  /// The latency of the matched pairs: emitted - reference onset, ns, signed.
  public var latencies: [Int64] = []
  /// The part of the latency after the newest reading: emitted - measured time, ns.
  public var deliveryWaits: [Int64] = []
  /// The onset errors of the matched pairs: detected onset - reference onset, ns, signed.
  public var onsetErrors: [Int64] = []
  /// The value errors of the matched pairs with known values: detected - reference value.
  public var magnitudeErrors: [Double] = []
  /// The classes of the pairs whose reference states one, from the match that ignores classes.
  public var confusion = ConfusionMatrix()
  /// The scores by label, for the classes of the reference; other classes are not scored.
  public var classes: [ClassScore] = []
  /// The scored detections by label, for labels without a reference in this trace. They count only
  /// when traces are pooled: if another trace has the class, each is a false alarm of that class.
  public var unjudged: [String: Int] = [:]

  public init() {}

  public var hasReferences: Bool { counts.truePositives + counts.falseNegatives > 0 }
  public var precision: Proportion { counts.precision }
  public var recall: Proportion { counts.recall }
  public var f1: F1Score { counts.f1 }

  /// The false positives per scored hour.
  public var falseAlarms: PoissonRate {
    PoissonRate(count: counts.falsePositives, hours: hours(ofNanoseconds: scoredNanoseconds))
  }

  public var latency: TimePercentiles? { TimePercentiles(of: latencies) }
  public var deliveryWait: TimePercentiles? { TimePercentiles(of: deliveryWaits) }
  public var onsetError: TimePercentiles? { TimePercentiles(of: onsetErrors) }
  /// The mean error (bias) of the magnitude.
  public var magnitudeError: MeanEstimate? { MeanEstimate(of: magnitudeErrors) }

  /// Whether the figures are possible: those of a stored score may be anything.
  package var isConsistent: Bool {
    let sums = [
      counts.truePositives, counts.falsePositives, counts.falseNegatives, duplicates, fragmented,
      merged, ignoredReferences, ignoredDetections,
    ]
    let labelled = classes.flatMap {
      [$0.counts.truePositives, $0.counts.falsePositives, $0.counts.falseNegatives]
    }
    let times = [latencies, deliveryWaits, onsetErrors]
    return (sums + labelled + unjudged.values + confusion.counts.flatMap { $0 })
      .allSatisfy(EventCounts.possible.contains) && scoredNanoseconds >= 0
      && exposure.isConsistent && confusion.isConsistent
      && times.allSatisfy { $0.allSatisfy { $0.magnitude <= UInt64(1) << 62 } }
      && magnitudeErrors.allSatisfy { $0.isFinite }
  }

  /// Without a reference of a class, all detections with its label are false positives.
  public func counts(ofClass label: String) -> EventCounts {
    classes.first { $0.label == label }?.counts
      ?? EventCounts(falsePositives: unjudged[label] ?? 0)
  }

  /// Adds up counts and hours, and concatenates times and errors in the order of the traces.
  public static func pooled(_ scores: [EventScore]) -> EventScore {
    var sum = EventScore()
    for score in scores {
      sum.counts = sum.counts + score.counts
      sum.duplicates += score.duplicates
      sum.fragmented += score.fragmented
      sum.merged += score.merged
      sum.ignoredReferences += score.ignoredReferences
      sum.ignoredDetections += score.ignoredDetections
      sum.scoredNanoseconds = sum.scoredNanoseconds.addingClamped(score.scoredNanoseconds)
      sum.exposure = sum.exposure + score.exposure
      sum.latencies += score.latencies
      sum.deliveryWaits += score.deliveryWaits
      sum.onsetErrors += score.onsetErrors
      sum.magnitudeErrors += score.magnitudeErrors
    }
    // A trace without references uses no tolerance.
    let matching = scores.filter { $0.hasReferences }
    sum.tolerances = Set((matching.isEmpty ? scores : matching).flatMap { $0.tolerances }).sorted {
      ($0.early, $0.late, $0.origin.rawValue) < ($1.early, $1.late, $1.origin.rawValue)
    }
    sum.confusion = .pooled(scores.map { $0.confusion })
    let labels = Set(scores.flatMap { $0.classes.map { $0.label } })
    let classes = scores.map { score in
      var counts: [String: EventCounts] = [:]
      for known in score.classes where counts[known.label] == nil {
        counts[known.label] = known.counts
      }
      return counts
    }
    sum.classes = labels.sorted().map { label in
      // A class that only other traces have: without a reference, all detections with that class are
      // false positives.
      let counts = zip(scores, classes).map { score, counts in
        counts[label] ?? EventCounts(falsePositives: score.unjudged[label] ?? 0)
      }
      return ClassScore(label: label, counts: counts.reduce(.init(), +))
    }
    for score in scores {
      for (label, count) in score.unjudged where !labels.contains(label) {
        sum.unjudged[label, default: 0] += count
      }
    }
    return sum
  }
}
