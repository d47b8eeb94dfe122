package import Evaluation
import Diagnostics
package import HDF5
import Scoring
import TraceModel
import Tuning

/// Writes a sweep as HDF5, by the conventions of ``ResultsFile``.
///
/// ```
/// /                        schema, detector, threshold and its unit, versions, recordings
/// /sweep/<combination>     attributes: parameters, tolerance, whether the curve is exact
///       /curve             dimension step: the counts hold from one threshold to the next
///       /operating_points  dimension point
///       /latency           dimension run: latencies at single thresholds
///       /recordings/<id>   dimension step: counts of one recording
/// ```
///
/// Equal results give equal bytes.
package enum SweepFile {
  package static let schema = "shadowbox-sweep/2"

  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ result: SweepResult, to path: String) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.writeOrigin(schema: schema, dataCommit: result.dataCommit)
    try root.setAttribute("detector", result.detector)
    try root.setAttribute("preset", result.preset)
    try root.setAttribute("threshold", result.threshold)
    try root.setAttribute("threshold_units", result.unit.isEmpty ? "1" : result.unit)
    try root.setAttribute("data", result.data)
    try root.setAttribute("recordings", jsonLine(result.recordings))
    let sweep = try root.createGroup("sweep")
    for record in result.records {
      try write(record, of: result, to: sweep.createGroup(ResultsFile.escaped(record.name)))
    }
    try root.close()
    try file.commit()
  }

  private static func write(
    _ record: SweepRecord, of result: SweepResult, to group: HDF5Group
  ) throws(HDF5Error) {
    let curve = record.curve
    try group.setAttribute("parameters", jsonLine(record.parameters))
    try group.setAttribute("tolerance", tolerance(record))
    try group.setAttribute(
      "absent_operating_points",
      record.absentPoints.map { "\($0.name): \($0.reason)" }.joined(separator: "; "))
    try group.setFlag("is_exact", curve.isExact)
    try group.setAttribute("upper", curve.upper)
    try group.setAttribute("references", Int64(curve.references))
    try group.setAttribute("hours", Double(curve.scoredNanoseconds) / 3.6e12)
    try group.scalar("average_precision", curve.averagePrecision, unit: "1")
    try group.scalar(
      "mean_recall", curve.meanRecall(budgets: SweepRecord.budgets), unit: "1")
    try writeCurve(curve, unit: result.unit, to: group.createGroup("curve"))
    try writePoints(record.points, unit: result.unit, to: group.createGroup("operating_points"))
    try writeLatencies(record.latencies, unit: result.unit, to: group.createGroup("latency"))
    let recordings = try group.createGroup("recordings")
    for recording in record.recordings {
      let group = try recordings.createGroup(ResultsFile.escaped(recording.id))
      try group.setAttribute("references", Int64(recording.curve.references))
      try group.setAttribute("hours", Double(recording.curve.scoredNanoseconds) / 3.6e12)
      var table = ColumnTable(group, dimension: "step", count: recording.curve.count)
      try table.floats("threshold", recording.curve.thresholds, unit: result.unit)
      try table.counts(of: recording.curve)
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

  private static func writeCurve(
    _ curve: ThresholdCurve, unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "step", count: curve.count)
    try table.floats("threshold", curve.thresholds, unit: unit)
    try table.counts(of: curve)
    for column in CurveColumns(curve).all {
      try table.estimates(column.name, column.estimates, unit: column.unit)
    }
    try table.finish()
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
      try table.estimates(column[0].name, column.map(\.estimate), unit: column[0].unit)
    }
    try table.finish()
  }

  private static func writeLatencies(
    _ latencies: [ThresholdLatency], unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "run", count: latencies.count)
    try table.floats("threshold", latencies.map(\.threshold), unit: unit)
    let figures = latencies.map(\.figures)
    for column in figures.first?.indices ?? [].indices {
      let column = figures.map { $0[column] }
      try table.estimates(column[0].name, column.map(\.estimate), unit: column[0].unit)
    }
    try table.finish()
  }
}
