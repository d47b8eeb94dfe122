public import Detectors
public import Scoring
import TraceModel
public import Tuning

/// A named threshold with the scores of a run at it.
public struct OperatingPoint: Sendable {
  /// E.g. `preset`, `best F1`, `at most 10/h`.
  public var name: String
  public var threshold: Double
  /// The thresholds with the same counts, as far as the curve knows.
  public var span: ClosedRange<Double>
  /// Pooled over the recordings.
  public var score: EventScore
  /// Intervals that resample people, see ``GroupScore/bootstrap``.
  public var bootstrap: EventBootstrap?

  /// - Parameter scores: one per recording, with its subject; an empty one is not known.
  public init(
    name: String, threshold: Double, span: ClosedRange<Double>,
    scores: [(subject: String, score: EventScore)]
  ) {
    self.name = name
    self.threshold = threshold
    self.span = span
    score = EventScore.pooled(scores.map(\.score))
    bootstrap = EventBootstrap(scores)
  }

  /// The figures of the score; precision, recall and F1 have the bootstrap's intervals where they
  /// exist, with Wilson's in figures of their own.
  public var figures: [Figure] { score.figures.resampled(by: bootstrap) }
}

/// A requested operating point that no threshold reaches.
public struct AbsentPoint: Hashable, Sendable {
  /// The name, like that of an ``OperatingPoint``.
  public var name: String
  /// The reason, e.g. `every threshold has more false alarms`.
  public var reason: String
}

/// The latencies of a run at one threshold.
public struct ThresholdLatency: Sendable {
  public var threshold: Double
  public var recall: Proportion
  /// nil without a true positive.
  public var latency: TimePercentiles?

  init(threshold: Double, score: EventScore) {
    self.threshold = threshold
    recall = score.recall
    latency = score.latency
  }

  public var figures: [Figure] {
    [.proportion("recall", recall)] + Figure.percentiles("latency", latency)
  }
}

/// The sweep of one setting of the other parameters.
public struct SweepRecord: Sendable {
  /// Unique within a sweep, e.g. `refractory 0.2 s, tolerance 50 ms`.
  public var name: String
  /// All parameters but the threshold.
  public var parameters: [ResolvedParameter]
  /// The stated tolerance; nil = each reference's own.
  public var tolerance: Duration?
  /// The tolerances that were used.
  public var tolerances: [EventTolerance]
  public var curve: ThresholdCurve
  /// Each recording by its id, in the order in which they were named.
  public var recordings: [(id: String, curve: ThresholdCurve)]
  public var points: [OperatingPoint]
  public var absentPoints: [AbsentPoint] = []
  public var latencies: [ThresholdLatency]

  /// The budgets of false alarms per hour for ``ThresholdCurve/meanRecall(budgets:)``.
  public static let budgets = 1.0...1000
}

/// A sweep and what it was measured on.
public struct SweepResult: Sendable {
  public var detector: String
  public var preset: String
  /// Detector and preset as shown, e.g. `punch/default`.
  public var title: String
  /// The parameter that is swept, and its unit.
  public var threshold: String
  public var unit: String
  /// What was measured on.
  public var data: String
  public var recordings: [TrialRecording]
  /// The files of the recordings.
  public var inputs: [InputFile]
  /// The commit of the recordings; empty if not known.
  public var dataCommit = ""
  public var records: [SweepRecord]
}

/// The figures of a curve as columns, as CSV, JSON and HDF5 have them.
public struct CurveColumns: Sendable {
  /// One figure of all steps.
  public struct Column: Sendable {
    public var name: String
    public var unit: String
    public var estimates: [Estimate] = []
  }

  /// The columns in the order of files.
  public private(set) var all = [
    Column(name: "recall", unit: "1"), Column(name: "precision", unit: "1"),
    Column(name: "f1", unit: "1"), Column(name: "false_alarms_per_hour", unit: "h-1"),
  ]

  /// - Complexity: O(n), with one set of bounds for each count of true and of false positives.
  public init(_ curve: ThresholdCurve) {
    var recalls: [Int: Estimate] = [:]
    var rates: [Int: Estimate] = [:]
    for index in curve.thresholds.indices {
      let counts = curve.counts(at: index)
      let recall = recalls[counts.truePositives] ?? Estimate(counts.recall)
      recalls[counts.truePositives] = recall
      let rate = rates[counts.falsePositives] ?? Estimate(curve.falseAlarms(at: index))
      rates[counts.falsePositives] = rate
      let figures = [recall, Estimate(counts.precision), Estimate(counts.f1), rate]
      for (column, figure) in figures.enumerated() { all[column].estimates.append(figure) }
    }
  }
}
