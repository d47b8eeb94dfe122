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
  public var score: EventScore
  /// The figures of the score, with intervals over people.
  public var figures: [Figure]

  public init(
    name: String, threshold: Double, span: ClosedRange<Double>, _ clustered: Clustered<EventScore>
  ) {
    (self.name, self.threshold, self.span) = (name, threshold, span)
    score = clustered.pooled
    figures = clustered.figures
  }
}

/// A requested operating point that no threshold reaches.
public struct AbsentPoint: Hashable, Sendable {
  public var name: String
  /// The reason, e.g. `every threshold has more false alarms`.
  public var reason: String
}

/// The latencies of a run at one threshold.
public struct ThresholdLatency: Sendable {
  public var threshold: Double
  /// The recall and the percentiles of the latency.
  public var figures: [Figure]

  init(threshold: Double, _ clustered: Clustered<EventScore>) {
    self.threshold = threshold
    figures =
      [Figure(.recall, clustered.proportion(\.recall))]
      + clustered.percentiles(.latency, \.latencies)
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
  public var tolerances: [EventTolerance]
  public var curve: ThresholdCurve
  /// Each recording by its id, in the order in which they were named.
  public var recordings: [(id: String, curve: ThresholdCurve)]
  /// The curves of the people, or of the recordings where people are not known.
  public var parts: Clustered<ThresholdCurve>
  public var points: [OperatingPoint]
  /// What explains most of the errors at the first point; nil without one such cause.
  public var diagnosis: Diagnosis?
  public var absentPoints: [AbsentPoint] = []
  public var latencies: [ThresholdLatency]

  /// The average precision and the mean recall over budgets, with intervals over people.
  public var figures: [Figure] {
    [
      Figure(.averagePrecision, parts.estimate(\.averagePrecision)),
      Figure(.meanRecall, parts.estimate { $0.meanRecall(budgets: SweepRecord.budgets) }),
    ]
  }

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
  public var data: String
  public var recordings: [TrialRecording]
  public var inputs: [InputFile]
  /// How much of the recordings counts.
  public var exposure = ExposureTimes()
  /// A sentence about recordings with only a number of events; nil = there are none.
  package var countNote: String?
  /// The commit of the recordings; empty if not known.
  public var dataCommit = ""
  public var records: [SweepRecord]
}

/// The figures of a curve as columns, as CSV, JSON and HDF5 have them.
public struct CurveColumns: Sendable {
  public struct Column: Sendable {
    public let figure: FigureDefinition
    public var estimates: [Estimate] = []
    public var name: String { figure.name }
    public var unit: String { figure.unit }
  }

  public private(set) var all = [FigureDefinition.recall, .precision, .f1, .falseAlarmsPerHour]
    .map { Column(figure: $0) }

  /// - Parameter curves: over the same thresholds.
  /// - Complexity: O(n k) for n steps and k parts.
  public init(_ curves: Clustered<ThresholdCurve>) {
    let parts = curves.parts
    var places = parts.map { _ in 0 }
    for (index, threshold) in curves.pooled.thresholds.enumerated() {
      for part in parts.indices {
        let thresholds = parts[part].thresholds
        while places[part] + 1 < thresholds.count, thresholds[places[part] + 1] <= threshold {
          places[part] += 1
        }
      }
      let point = Clustered(
        Point(curves.pooled, index), parts: parts.indices.map { Point(parts[$0], places[$0]) },
        of: curves.kind)
      let figures = [
        point.proportion(\.counts.recall), point.proportion(\.counts.precision),
        point.f1(\.counts.f1), point.rate(\.falseAlarms),
      ]
      for (column, figure) in figures.enumerated() { all[column].estimates.append(figure) }
    }
  }

  private struct Point {
    var counts: EventCounts
    var falseAlarms: PoissonRate

    init(_ curve: ThresholdCurve, _ index: Int) {
      counts = curve.counts(at: index)
      falseAlarms = curve.falseAlarms(at: index)
    }
  }
}
