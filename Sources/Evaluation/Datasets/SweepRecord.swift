package import Scoring
package import TraceModel
package import Tuning

/// A named threshold with the scores of a run at it.
package struct OperatingPoint: Sendable {
  /// E.g. `preset`, `best F1`, `at most 10/h`.
  package var name: String
  package var threshold: Double
  /// The thresholds with the same counts, as far as the curve knows.
  package var span: ClosedRange<Double>
  /// Pooled over the recordings.
  package var score: EventScore
  /// Intervals that resample people, see ``EntrySummary/bootstrap``.
  package var bootstrap: EntrySummary.Bootstrap?

  /// - Parameter scores: one per recording, with its subject; an empty one is not known.
  package init(
    name: String, threshold: Double, span: ClosedRange<Double>,
    scores: [(subject: String, score: EventScore)]
  ) {
    self.name = name
    self.threshold = threshold
    self.span = span
    score = EventScore.pooled(scores.map(\.score))
    bootstrap = EntrySummary.Bootstrap(scores)
  }

  /// The figures of the score; precision, recall and F1 have the bootstrap's intervals where they
  /// exist, with Wilson's in figures of their own.
  package var figures: [Figure] { score.figures.resampled(by: bootstrap) }
}

/// A requested operating point that no threshold reaches.
package struct AbsentPoint: Hashable, Sendable {
  /// The name, like that of an ``OperatingPoint``.
  package var name: String
  /// The reason, e.g. `every threshold has more false alarms`.
  package var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}

/// The latencies of a run at one threshold.
package struct ThresholdLatency: Sendable {
  package var threshold: Double
  package var recall: Proportion
  /// nil without a true positive.
  package var latency: TimePercentiles?

  package init(threshold: Double, score: EventScore) {
    self.threshold = threshold
    recall = score.recall
    latency = score.latency
  }

  package var figures: [Figure] {
    [.proportion("recall", recall)] + Figure.percentiles("latency", latency)
  }
}

/// The sweep of one setting of the other parameters.
package struct SweepRecord: Sendable {
  /// Unique within a sweep, e.g. `refractory 0.2 s, tolerance 50 ms`.
  package var name: String
  /// All parameters but the threshold.
  package var parameters: [ParameterRecord]
  /// The stated tolerance; nil = each reference's own.
  package var tolerance: Duration?
  /// The tolerances that were used.
  package var tolerances: [EventTolerance]
  package var curve: ThresholdCurve
  /// Each recording by its id, in the order in which they were named.
  package var recordings: [(id: String, curve: ThresholdCurve)]
  package var points: [OperatingPoint]
  package var absentPoints: [AbsentPoint]
  package var latencies: [ThresholdLatency]

  /// The budgets of false alarms per hour for ``ThresholdCurve/meanRecall(budgets:)``.
  package static let budgets = 1.0...1000

  package init(
    name: String, parameters: [ParameterRecord], tolerance: Duration?,
    tolerances: [EventTolerance], curve: ThresholdCurve,
    recordings: [(id: String, curve: ThresholdCurve)], points: [OperatingPoint],
    absentPoints: [AbsentPoint] = [], latencies: [ThresholdLatency]
  ) {
    self.name = name
    self.parameters = parameters
    self.tolerance = tolerance
    self.tolerances = tolerances
    self.curve = curve
    self.recordings = recordings
    self.points = points
    self.absentPoints = absentPoints
    self.latencies = latencies
  }
}

/// A sweep and what it was measured on.
package struct SweepResult: Sendable {
  package var detector: String
  package var preset: String
  /// Detector and preset as shown, e.g. `punch/default`.
  package var title: String
  /// The parameter that is swept, and its unit.
  package var threshold: String
  package var unit: String
  /// What was measured on.
  package var data: String
  package var recordings: [TrialRecording]
  /// The files of the recordings.
  package var inputs: [InputFile]
  package var dataCommit: String
  package var records: [SweepRecord]

  package init(
    detector: String, preset: String, title: String, threshold: String, unit: String, data: String,
    recordings: [TrialRecording], inputs: [InputFile], dataCommit: String, records: [SweepRecord]
  ) {
    self.detector = detector
    self.preset = preset
    self.title = title
    self.threshold = threshold
    self.unit = unit
    self.data = data
    self.recordings = recordings
    self.inputs = inputs
    self.dataCommit = dataCommit
    self.records = records
  }
}

/// The figures of a curve as columns, as CSV, JSON and HDF5 have them.
package struct CurveColumns: Sendable {
  /// One figure of all steps.
  package struct Column: Sendable {
    package var name: String
    package var unit: String
    package var estimates: [Estimate] = []
  }

  private var recall = Column(name: "recall", unit: "1")
  private var precision = Column(name: "precision", unit: "1")
  private var f1 = Column(name: "f1", unit: "1")
  private var falseAlarms = Column(name: "false_alarms_per_hour", unit: "h-1")

  /// - Complexity: O(n), with one set of bounds for each count of true and of false positives.
  package init(_ curve: ThresholdCurve) {
    var recalls: [Int: Estimate] = [:]
    var rates: [Int: Estimate] = [:]
    for index in curve.thresholds.indices {
      let counts = curve.counts(at: index)
      let recall = recalls[counts.truePositives] ?? Estimate(counts.recall)
      recalls[counts.truePositives] = recall
      let rate = rates[counts.falsePositives] ?? Estimate(curve.falseAlarms(at: index))
      rates[counts.falsePositives] = rate
      self.recall.estimates.append(recall)
      falseAlarms.estimates.append(rate)
      precision.estimates.append(Estimate(counts.precision))
      f1.estimates.append(Estimate(counts.f1))
    }
  }

  /// The columns in the order of files.
  package var all: [Column] { [recall, precision, f1, falseAlarms] }
}
