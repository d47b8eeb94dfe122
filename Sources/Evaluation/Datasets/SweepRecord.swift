package import Scoring

package import Tuning

/// A threshold worth naming, and what a run at it tells.
package struct OperatingPoint: Sendable {
  /// E.g. `preset`, `best F1`, `at most 10/h`.
  package var name: String
  package var threshold: Double
  /// The thresholds that count the same, as far as the curve knows.
  package var span: ClosedRange<Double>
  /// Pooled over the recordings.
  package var score: EventScore
  /// Intervals that resample people, as those of a run: see ``EntrySummary/bootstrap``.
  package var bootstrap: EntrySummary.Bootstrap?

  /// - Parameter scores: one a recording, with whose it is; empty = not known.
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

  /// Those of the score; precision, recall and F1 with the bootstrap's intervals where there are
  /// some, and Wilson's beside them.
  package var figures: [Figure] {
    var figures = score.figures
    let headlines = [
      ("precision", bootstrap?.precision), ("recall", bootstrap?.recall), ("f1", bootstrap?.f1),
    ]
    for (name, interval) in headlines {
      guard let position = figures.firstIndex(where: { $0.name == name }) else { continue }
      let wilson = figures[position]
      if let interval { figures[position].interval = interval }
      figures.append(Figure(name + "_wilson", wilson.value, wilson.interval))
    }
    return figures
  }
}

/// An operating point that was asked for and that no threshold is.
package struct AbsentPoint: Hashable, Sendable {
  /// As that of an ``OperatingPoint``.
  package var name: String
  /// Why there is none, e.g. `every threshold has more false alarms`.
  package var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}

/// The delays of a run at one threshold.
package struct ThresholdLatency: Sendable {
  package var threshold: Double
  package var recall: Proportion
  /// Nil without a hit.
  package var latency: TimePercentiles?

  package init(threshold: Double, score: EventScore) {
    self.threshold = threshold
    recall = score.recall
    latency = score.latency
  }
}

/// All thresholds with one setting of the other parameters.
package struct SweepRecord: Sendable {
  /// Unique within a sweep, e.g. `refractory 0.2 s, tolerance 50 ms`.
  package var name: String
  /// All parameters but the threshold.
  package var parameters: [ParameterRecord]
  /// Nil = each reference's own.
  package var tolerance: Duration?
  /// The tolerances that were used.
  package var tolerances: [EventTolerance]
  package var curve: ThresholdCurve
  /// Single recordings, by id, in the order in which they were named.
  package var recordings: [(id: String, curve: ThresholdCurve)]
  package var points: [OperatingPoint]
  package var absentPoints: [AbsentPoint]
  package var latencies: [ThresholdLatency]

  /// Budgets of false alarms an hour over which ``ThresholdCurve/meanRecall(budgets:)`` is taken.
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

/// A sweep with everything that it rests on.
package struct SweepResult: Sendable {
  package var detector: String
  package var preset: String
  /// Both as they are told, e.g. `punch/default`.
  package var title: String
  /// The parameter that is swept, and its unit.
  package var threshold: String
  package var unit: String
  /// What was measured on.
  package var data: String
  package var recordings: [TrialRecording]
  package var toolVersion: String
  package var dataCommit: String
  package var records: [SweepRecord]

  package init(
    detector: String, preset: String, title: String, threshold: String, unit: String, data: String,
    recordings: [TrialRecording], toolVersion: String, dataCommit: String, records: [SweepRecord]
  ) {
    self.detector = detector
    self.preset = preset
    self.title = title
    self.threshold = threshold
    self.unit = unit
    self.data = data
    self.recordings = recordings
    self.toolVersion = toolVersion
    self.dataCommit = dataCommit
    self.records = records
  }
}

/// A curve as columns, each figure with its bounds; undefined figures are nil.
package struct CurveColumns: Sendable {
  package private(set) var recall: [Figure] = []
  package private(set) var precision: [Figure] = []
  package private(set) var f1: [Figure] = []
  package private(set) var falseAlarms: [Figure] = []

  /// - Complexity: O(n), with one set of bounds for each count of hits and of false alarms.
  package init(_ curve: ThresholdCurve) {
    var recalls: [Int: Figure] = [:]
    var rates: [Int: Figure] = [:]
    for index in curve.thresholds.indices {
      let counts = curve.counts(at: index)
      let recall =
        recalls[counts.truePositives]
        ?? Figure("recall", counts.recall.estimate, counts.recall.interval)
      recalls[counts.truePositives] = recall
      let rate = curve.falseAlarms(at: index)
      let alarms =
        rates[counts.falsePositives]
        ?? Figure("false_alarms_per_hour", rate.estimate, rate.interval, unit: "h-1")
      rates[counts.falsePositives] = alarms
      self.recall.append(recall)
      falseAlarms.append(alarms)
      precision.append(
        Figure("precision", counts.precision.estimate, counts.precision.interval))
      f1.append(Figure("f1", counts.f1.estimate, counts.f1.interval))
    }
  }

  /// In the order of files.
  package var all: [[Figure]] { [recall, precision, f1, falseAlarms] }
}
