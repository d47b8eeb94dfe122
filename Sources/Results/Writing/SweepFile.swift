import Diagnostics
package import Evaluation
package import HDF5
import Scoring
import TraceModel
import Tuning

/// Writes a sweep by the conventions of ``ResultsFile``. Equal results give equal bytes.
package enum SweepFile {
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ result: SweepResult, to path: String) throws(HDF5Error) {
    let sweeps = result.records.map { ($0.name, Self.contents($0, unit: result.unit)) }
    let contents = HDF5Contents(
      attributes: [
        "detector": result.detector, "preset": result.preset, "threshold": result.threshold,
        "threshold_units": result.unit.isEmpty ? "1" : result.unit, "data": result.data,
        "recordings": result.recordings,
      ], figures: result.exposure.figures, groups: [("sweep", HDF5Contents(groups: sweeps))])
    try contents.write(to: path, schema: "shadowbox-sweep/2", dataCommit: result.dataCommit)
  }

  private static func contents(_ record: SweepRecord, unit: String) -> HDF5Contents {
    let curve = record.curve
    let figures = CurveColumns(record.parts).all.flatMap {
      [HDF5Column].estimates($0.name, $0.estimates, unit: $0.unit)
    }
    let latencies = [HDF5Column.floats("threshold", record.latencies.map(\.threshold), unit: unit)]
      .withFigures(record.latencies.map(\.figures))
    let recordings = record.recordings.map { id, curve in
      (
        id,
        HDF5Contents.table(
          "step", counts(of: curve, unit: unit),
          attributes: ["references": curve.references, "hours": curve.scoredHours])
      )
    }
    return HDF5Contents(
      attributes: [
        "parameters": record.parameters, "tolerance": tolerance(record),
        "absent_operating_points": record.absentPoints.map { "\($0.name): \($0.reason)" }
          .joined(separator: "; "), "is_exact": curve.isExact, "upper": curve.upper,
        "references": curve.references, "hours": curve.scoredHours,
      ], figures: record.figures,
      groups: [
        ("curve", .table("step", counts(of: curve, unit: unit) + figures)),
        ("operating_points", table(record.points, unit: unit)),
        ("latency", .table("run", latencies)), ("recordings", HDF5Contents(groups: recordings)),
      ])
  }

  private static func tolerance(_ record: SweepRecord) -> String {
    record.tolerances.map {
      let (early, late) = (milliseconds($0.early), milliseconds($0.late))
      return early == late ? "\(early) ms" : "\(early)/\(late) ms"
    }.joined(separator: ", ")
  }

  private static func counts(of curve: ThresholdCurve, unit: String) -> [HDF5Column] {
    let counts = curve.thresholds.indices.map { curve.counts(at: $0) }
    return [.floats("threshold", curve.thresholds, unit: unit)]
      + [HDF5Column].counts(counts).prefix(2)
  }

  private static func table(_ points: [OperatingPoint], unit: String) -> HDF5Contents {
    let own: [HDF5Column] = [
      .codes("name", points.map(\.name)), .floats("threshold", points.map(\.threshold), unit: unit),
      .floats("threshold_from", points.map(\.span.lowerBound), unit: unit),
      .floats("threshold_to", points.map(\.span.upperBound), unit: unit),
    ]
    return .table("point", own.withFigures(points.map(\.figures)))
  }
}
