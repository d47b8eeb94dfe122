internal import TraceModel

/// What became of references and detections, counted.
public struct EventCounts: Hashable, Sendable, Codable {
  /// Matched pairs.
  public var truePositives: Int
  /// Detections without a reference.
  public var falsePositives: Int
  /// References without a detection.
  public var falseNegatives: Int

  public init(truePositives: Int = 0, falsePositives: Int = 0, falseNegatives: Int = 0) {
    self.truePositives = truePositives
    self.falsePositives = falsePositives
    self.falseNegatives = falseNegatives
  }

  /// TP / (TP + FP).
  public var precision: Proportion {
    Proportion(successes: truePositives, trials: truePositives + falsePositives)
  }

  /// TP / (TP + FN).
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

/// How well detections agree with references: of one trace, or of several together.
///
/// Undefined figures are nil, never NaN.
public struct EventScore: Hashable, Sendable, Codable {
  /// The tolerances that the figures rest on; several only where traces that state different
  /// ones are pooled.
  public var tolerances: [EventTolerance] = []
  /// Of the match within any class.
  public var counts = EventCounts()
  /// False positives within the tolerance of a reference that another detection has: the "one
  /// punch dismisses several cards" fault. They are counted in `counts.falsePositives` too.
  public var duplicates = 0
  /// Interval references that were hit and hold a duplicate: one event told as several (Ward et
  /// al., ACM TIST 2, 2011, doi 10.1145/1889681.1889687).
  public var fragmented = 0
  /// Missed references in whose window lies a detection that another reference has: several events
  /// told as one (ibid.).
  public var merged = 0
  /// References whose onset lies in an ignore zone.
  public var ignoredReferences = 0
  /// Unmatched detections in an ignore zone.
  public var ignoredDetections = 0
  /// The recorded time less the union of the ignore zones, ns.
  public var scoredNanoseconds: Int64 = 0
  /// Emitted - reference onset of the matched pairs, ns, signed: the algorithmic latency.
  public var latencies: [Int64] = []
  /// Emitted - measured time of the newest reading, of the matched detections, ns: the share of
  /// the latency that is a wait for delivery.
  public var deliveryWaits: [Int64] = []
  /// Claimed onset - reference onset of the matched pairs, ns, signed.
  public var onsetErrors: [Int64] = []
  /// Detected - reference value of the matched pairs where both are known, in the values' unit.
  public var magnitudeErrors: [Double] = []
  /// Over the match within any class; pairs whose reference states no class are left out.
  public var confusion = ConfusionMatrix()
  /// By label, for the classes that the reference has: a class that it lacks is not judged.
  public var classes: [ClassScore] = []
  /// Scored detections by label, of the labels that no reference of the trace has. They judge
  /// nothing by themselves, but where traces are pooled of which another has the class, each is a
  /// false alarm of that class.
  public var unjudged: [String: Int] = [:]

  /// The score of nothing.
  public init() {}

  /// Whether there was anything to find.
  public var hasReferences: Bool { counts.truePositives + counts.falseNegatives > 0 }
  public var precision: Proportion { counts.precision }
  public var recall: Proportion { counts.recall }
  public var f1: F1Score { counts.f1 }

  /// False positives per scored recorded hour.
  public var falseAlarms: PoissonRate {
    PoissonRate(count: counts.falsePositives, hours: hours(ofNanoseconds: scoredNanoseconds))
  }

  public var latency: TimePercentiles? { TimePercentiles(of: latencies) }
  public var deliveryWait: TimePercentiles? { TimePercentiles(of: deliveryWaits) }
  public var onsetError: TimePercentiles? { TimePercentiles(of: onsetErrors) }
  /// The bias of the magnitude.
  public var magnitudeError: MeanEstimate? { MeanEstimate(of: magnitudeErrors) }
  /// The mean of |magnitude error|.
  public var absoluteMagnitudeError: MeanEstimate? {
    MeanEstimate(of: magnitudeErrors.map(abs), in: 0 ... .infinity)
  }

  /// All events of several traces as if they were one: counts and hours are summed, times and
  /// errors follow each other in the order of the traces.
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
      sum.latencies += score.latencies
      sum.deliveryWaits += score.deliveryWaits
      sum.onsetErrors += score.onsetErrors
      sum.magnitudeErrors += score.magnitudeErrors
    }
    // Where nothing is to be matched, no tolerance was used.
    let matching = scores.filter { $0.hasReferences }
    sum.tolerances = Set((matching.isEmpty ? scores : matching).flatMap(\.tolerances)).sorted {
      ($0.early, $0.late, $0.origin.rawValue) < ($1.early, $1.late, $1.origin.rawValue)
    }
    sum.confusion = .pooled(scores.map(\.confusion))
    let labels = Set(scores.flatMap { $0.classes.map(\.label) }).sorted()
    sum.classes = labels.map { label in
      ClassScore(label: label, counts: scores.map { $0.counts(of: label) }.reduce(.init(), +))
    }
    for score in scores {
      sum.unjudged.merge(score.unjudged.filter { !labels.contains($0.key) }, uniquingKeysWith: +)
    }
    return sum
  }

  /// Of a class that another trace has: without a reference of it, all that claim it are wrong.
  private func counts(of label: String) -> EventCounts {
    classes.first { $0.label == label }?.counts
      ?? EventCounts(falsePositives: unjudged[label] ?? 0)
  }
}
