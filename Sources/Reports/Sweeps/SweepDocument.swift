import Diagnostics
import Detectors
import Evaluation
package import Scoring
import TraceModel
package import Tuning

extension SweepExports {
  package func json() throws -> String {
    try jsonDocument(SweepDocument(result), .sweep, inputs: result.inputs)
  }
}

/// A sweep in JSON.
private struct SweepDocument: Encodable {
  /// The sweep of one setting of the other parameters.
  struct Sweep: Encodable {
    var settings: String
    var parameters: [ResolvedParameter]
    var tolerances: [ToleranceRecord]
    @Nullable var bootstrap: BootstrapRecord?
    @Nullable var averagePrecision: Double?
    @Nullable var meanRecall: Double?
    var operatingPoints: [Point]
    var absentOperatingPoints: [Absence]
    var latencies: [Latency]
    var curve: CurveDocument
  }

  struct Absence: Encodable {
    var name: String
    var reason: String
  }

  /// The latencies of a run at one threshold.
  struct Latency: Encodable {
    var threshold: Double
    var figures: [String: Figure]
  }

  struct Point: Encodable {
    var name: String
    var threshold: Double
    /// The counts are equal from here up to `thresholdTo`.
    var thresholdFrom: Double
    var thresholdTo: Double
    var figures: [String: Figure]
  }

  var detector: String
  var preset: String
  var title: String
  var threshold: String
  var thresholdUnit: String
  var data: String
  var dataCommit: String
  var recordings: [TrialRecording]
  var sweeps: [Sweep]

  init(_ result: SweepResult) {
    detector = result.detector
    preset = result.preset
    title = result.title
    threshold = result.threshold
    thresholdUnit = result.unit
    data = result.data
    dataCommit = result.dataCommit
    recordings = result.recordings
    sweeps = result.records.map { record in
      Sweep(
        settings: record.name, parameters: record.parameters,
        tolerances: record.tolerances.map(ToleranceRecord.init),
        bootstrap: record.points.first?.bootstrap.map(BootstrapRecord.init),
        averagePrecision: record.curve.averagePrecision,
        meanRecall: record.curve.meanRecall(budgets: SweepRecord.budgets),
        operatingPoints: record.points.map {
          Point(
            name: $0.name, threshold: $0.threshold, thresholdFrom: $0.span.lowerBound,
            thresholdTo: $0.span.upperBound, figures: $0.figures.byName)
        },
        absentOperatingPoints: record.absentPoints.map {
          Absence(name: $0.name, reason: $0.reason)
        },
        latencies: record.latencies.map {
          Latency(threshold: $0.threshold, figures: $0.figures.byName)
        },
        curve: CurveDocument(record.curve))
    }
  }
}

/// How far a detection may be from its reference, in seconds.
package struct ToleranceRecord: Encodable, Hashable, Sendable {
  package var early: Double
  package var late: Double
  package var origin: EventTolerance.Origin

  package init(_ tolerance: EventTolerance) {
    early = seconds(tolerance.early)
    late = seconds(tolerance.late)
    origin = tolerance.origin
  }
}

/// A curve in JSON: columns of equal length. The values of a step hold from its threshold up to the
/// next one.
package struct CurveDocument: Encodable, Sendable {
  package let curve: ThresholdCurve
  /// The objective by step; nil where the counts break the budget, or it is undefined.
  package var objective: [Double?]?

  package init(_ curve: ThresholdCurve, objective: [Double?]? = nil) {
    self.curve = curve
    self.objective = objective
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(curve.isExact, forKey: Name("is_exact"))
    try container.encode(curve.upper, forKey: Name("upper"))
    try container.encode(curve.references, forKey: Name("references"))
    try container.encode(Double(curve.scoredNanoseconds) / 3.6e12, forKey: Name("hours"))
    try container.encode(curve.thresholds, forKey: Name("threshold"))
    try container.encode(curve.truePositives, forKey: Name("true_positives"))
    try container.encode(curve.falsePositives, forKey: Name("false_positives"))
    for column in CurveColumns(curve).all {
      let estimates = column.estimates
      try container.encode(estimates.map(\.value), forKey: Name(column.name))
      try container.encode(estimates.map(\.interval?.lower), forKey: Name(column.name + "_lo"))
      try container.encode(estimates.map(\.interval?.upper), forKey: Name(column.name + "_hi"))
    }
    if let objective { try container.encode(objective, forKey: Name("objective")) }
  }
}
