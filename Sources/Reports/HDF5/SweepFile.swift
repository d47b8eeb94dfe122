package import Evaluation
package import Diagnostics
package import HDF5
package import Scoring
package import TraceModel
package import Tuning

/// Writes a sweep as HDF5, by the conventions of ``ResultsFile``.
///
/// ```
/// /                        schema, detector, threshold and its unit, versions, recordings
/// /sweep/<combination>     attributes: parameters, tolerance, areas, whether the curve is exact
///       /curve             dimension threshold: the counts hold from one to the next
///       /operating_points  dimension point
///       /latency           dimension run: delays at single thresholds
///       /recordings/<id>   dimension threshold: counts of one recording
/// ```
///
/// Equal results give equal bytes.
package enum SweepFile {
  package static let schema = "shadowbox-sweep/1"

  /// - Throws: ``HDF5Error``; no file is left behind then, and one that was there stays.
  package static func write(_ result: SweepResult, to path: String) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.setAttribute("Conventions", "CF-1.8")
    try root.setAttribute("schema", schema)
    try root.setAttribute("detector", result.detector)
    try root.setAttribute("preset", result.preset)
    try root.setAttribute("threshold", result.threshold)
    try root.setAttribute("threshold_units", result.unit.isEmpty ? "1" : result.unit)
    try root.setAttribute("data", result.data)
    try root.setAttribute("tool_version", result.toolVersion)
    try root.setAttribute("data_commit", result.dataCommit)
    try root.setAttribute("recordings", recordings(result.recordings))
    let sweep = try root.createGroup("sweep")
    for record in result.records {
      try write(record, of: result, to: sweep.createGroup(ResultsFile.escaped(record.name)))
    }
    try root.close()
    try file.commit()
  }

  private static func recordings(_ recordings: [TrialRecording]) -> String {
    let fields = recordings.map {
      "{\"id\":\(ResultsFile.quoted($0.id)),\"references\":\($0.references),"
        + "\"sha256\":\(ResultsFile.quoted($0.sha256)),\"subject\":\(ResultsFile.quoted($0.subject))}"
    }
    return "[\(fields.joined(separator: ","))]"
  }

  private static func write(
    _ record: SweepRecord, of result: SweepResult, to group: HDF5Group
  ) throws(HDF5Error) {
    let curve = record.curve
    try group.setAttribute("parameters", ResultsFile.json(record.parameters))
    try group.setAttribute("tolerance", tolerance(record))
    try group.setAttribute(
      "absent_operating_points",
      record.absentPoints.map { "\($0.name): \($0.reason)" }.joined(separator: "; "))
    try group.setAttribute("exact", curve.isExact ? "true" : "false")
    try group.setAttribute("upper", curve.upper)
    try group.setAttribute("references", Int64(curve.references))
    try group.setAttribute("hours", Double(curve.scoredNanoseconds) / 3.6e12)
    try ResultsFile.scalar(
      "average_precision", curve.averagePrecision ?? .nan, unit: "1", in: group)
    try ResultsFile.scalar(
      "mean_recall", curve.meanRecall(budgets: SweepRecord.budgets) ?? .nan, unit: "1", in: group)
    try writeCurve(curve, unit: result.unit, to: group.createGroup("curve"))
    try writePoints(record.points, unit: result.unit, to: group.createGroup("operating_points"))
    try writeLatencies(record.latencies, unit: result.unit, to: group.createGroup("latency"))
    let recordings = try group.createGroup("recordings")
    for recording in record.recordings {
      let group = try recordings.createGroup(ResultsFile.escaped(recording.id))
      try group.setAttribute("references", Int64(recording.curve.references))
      try group.setAttribute("hours", Double(recording.curve.scoredNanoseconds) / 3.6e12)
      var table = ColumnTable(group, dimension: "step", count: recording.curve.count)
      try writeCounts(recording.curve, unit: result.unit, to: &table)
      try table.finish()
    }
  }

  private static func tolerance(_ record: SweepRecord) -> String {
    record.tolerances.map {
      $0.early == $0.late
        ? "\(Double($0.early.nanoseconds) / 1e6) ms"
        : "\(Double($0.early.nanoseconds) / 1e6)/\(Double($0.late.nanoseconds) / 1e6) ms"
    }.joined(separator: ", ")
  }

  private static func writeCounts(
    _ curve: ThresholdCurve, unit: String, to table: inout ColumnTable
  ) throws(HDF5Error) {
    try table.floats("threshold", curve.thresholds, unit: unit)
    try table.integers(
      "true_positives", curve.truePositives.map { Int32(clamping: $0) },
      note: "references found", missing: nil)
    try table.integers(
      "false_positives", curve.falsePositives.map { Int32(clamping: $0) },
      note: "detections without a reference", missing: nil)
  }

  private static func writeCurve(
    _ curve: ThresholdCurve, unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "step", count: curve.count)
    try writeCounts(curve, unit: unit, to: &table)
    for figures in CurveColumns(curve).all { try write(figures, to: &table) }
    try table.finish()
  }

  /// A column for the figure and one for each bound.
  private static func write(_ figures: [Figure], to table: inout ColumnTable) throws(HDF5Error) {
    guard let first = figures.first else { return }
    try table.floats(first.name, figures.map { $0.value ?? .nan }, unit: first.unit)
    try table.floats(
      first.name + "_lo", figures.map { $0.interval?.lower ?? .nan }, unit: first.unit)
    try table.floats(
      first.name + "_hi", figures.map { $0.interval?.upper ?? .nan }, unit: first.unit)
  }

  private static func writePoints(
    _ points: [OperatingPoint], unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    if let bootstrap = points.first?.bootstrap {
      try group.setAttribute("bootstrap_clusters", Int64(bootstrap.clusters))
      try group.setAttribute("bootstrap_seed", EntrySummary.Bootstrap.seed)
      try group.setAttribute("bootstrap_resamples", Int64(EntrySummary.Bootstrap.resamples))
    }
    var table = ColumnTable(group, dimension: "point", count: points.count)
    try table.codes("name", points.map(\.name))
    try table.floats("threshold", points.map(\.threshold), unit: unit)
    try table.floats("threshold_from", points.map(\.span.lowerBound), unit: unit)
    try table.floats("threshold_to", points.map(\.span.upperBound), unit: unit)
    let figures = points.map(\.figures)
    for column in figures.first?.indices ?? [].indices {
      let column = figures.map { $0[column] }
      if column[0].hasInterval {
        try write(column, to: &table)
      } else {
        try table.floats(column[0].name, column.map { $0.value ?? .nan }, unit: column[0].unit)
      }
    }
    try table.finish()
  }

  private static func writeLatencies(
    _ latencies: [ThresholdLatency], unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "run", count: latencies.count)
    func seconds(_ time: (TimePercentiles) -> Int64) -> [Double] {
      latencies.map { $0.latency.map { Double(time($0)) / 1e9 } ?? .nan }
    }
    try table.floats("threshold", latencies.map(\.threshold), unit: unit)
    try table.floats("recall", latencies.map { $0.recall.estimate ?? .nan }, unit: "1")
    try table.floats("latency_p50", seconds(\.p50), unit: "s")
    try table.floats("latency_p90", seconds(\.p90), unit: "s")
    try table.finish()
  }
}
