import Detectors
import Diagnostics
package import Evaluation
import Foundation
import Results
import Scoring
import TraceModel
import Tuning

extension SweepResult {
  package func tables(_ screen: Screen = Screen()) -> String {
    SweepTables(result: self, screen: screen).render()
  }

  package func csv() -> String {
    var text = ""
    for record in records {
      let (curve, figures) = (record.curve, record.parts.figures)
      if text.isEmpty {
        text = csvRow(["settings", "threshold"] + EventCounts.csvColumns + figures.map(\.name))
      }
      for (index, threshold) in curve.thresholds.enumerated() {
        text += csvRow(
          [record.name, csvCell(threshold)] + curve.counts(at: index).csvCells
            + figures.map { csvCell($0.values[index]) })
      }
    }
    return text
  }

  package func json() throws -> String {
    let document: JSONObject = [
      "detector": detector, "preset": preset, "title": title, "threshold": threshold,
      "threshold_unit": unit, "data": data, "data_commit": dataCommit, "recordings": recordings,
      "exposure": exposure.figures.byName, "sweeps": records.map(\.document),
    ]
    return try jsonDocument(document, .sweep, inputs: inputs)
  }
}

extension SweepRecord {
  /// The sweep with one setting of the other parameters.
  fileprivate var document: JSONObject {
    let document: JSONObject = [
      "settings": name, "parameters": parameters, "tolerances": tolerances.map(\.document),
      "average_precision": curve.averagePrecision,
      "mean_recall": curve.meanRecall(budgets: SweepRecord.budgets), "figures": figures.byName,
      // The counts are equal over the span of thresholds.
      "operating_points": points.map { point -> JSONObject in
        [
          "name": point.name, "threshold": point.threshold, "threshold_from": point.span.lowerBound,
          "threshold_to": point.span.upperBound, "figures": point.figures.byName,
        ]
      },
      "absent_operating_points": absentPoints.map { point -> JSONObject in
        ["name": point.name, "reason": point.reason]
      },
      "latencies": latencies.map { latency -> JSONObject in
        ["threshold": latency.threshold, "figures": latency.figures.byName]
      },
      "curve": parts.document,
    ]
    return document.adding("diagnosis", diagnosis?.document)
  }
}

extension EventTolerance {
  /// How far a detection may be from its reference, in seconds.
  var document: JSONObject { ["early": seconds(early), "late": seconds(late), "origin": origin] }
}

extension Clustered<ThresholdCurve> {
  /// The columns of the curve. The values of a step hold from its threshold up to the next one.
  var document: JSONObject {
    let document: JSONObject = [
      "is_exact": pooled.isExact, "upper": pooled.upper, "references": pooled.references,
      "hours": pooled.scoredHours, "threshold": pooled.thresholds,
      "true_positives": pooled.truePositives, "false_positives": pooled.falsePositives,
    ]
    return figures.reduce(document) { $0.adding($1.name, $1.values) }
  }

  /// The figures of each step and the bounds of their intervals.
  fileprivate var figures: [(name: String, values: [Double?])] {
    CurveColumns(self).all.flatMap { FigureColumns($0.name, $0.estimates, unit: $0.unit).numbers }
  }
}

private struct SweepTables {
  let result: SweepResult
  let screen: Screen

  func render() -> String {
    let curve = result.records[0].curve
    let heading =
      onOneLine("\(result.title) on \(result.data)")
      + ": \(counted(result.recordings.count, "trace")), "
      + "\(fixed(curve.scoredHours, 3)) h, \(counted(curve.references, "reference")); "
      + "95 % intervals below the figures\n"
    return screen.wrapped(heading) + result.records.map(table(of:)).joined() + notes
  }

  private func table(of record: SweepRecord) -> String {
    let lead: [TableColumn<OperatingPoint>] = [
      .init("point", .left) { $0.name },
      .init("\(result.threshold)\n\(result.unit)") { short($0.threshold) },
      .init("same result\nfrom-to", rank: 4) {
        let (lower, upper) = ($0.span.lowerBound, $0.span.upperBound)
        return lower == upper ? "-" : "\(short(lower))-\(short(upper))"
      },
    ]
    let figures: [TableColumn<OperatingPoint>] = [
      .init("precision\nof this mix", rank: 2) { TableCell.figure(.precision, of: $0.figures) },
      .init("recall") { TableCell.figure(.recall, of: $0.figures) },
      .init("F1", rank: 3) { TableCell.figure(.f1, of: $0.figures) },
      .init("false/h") { TableCell.figure(.falseAlarmsPerHour, of: $0.figures, 1) },
      .init("latency ms\np50/p90", rank: 3) { TableCell.milliseconds($0.score.latency) },
    ]
    let counts = TableColumn<OperatingPoint>.counts(\.score.counts)
    let table = TextTable(
      result.records.count > 1 ? "\(record.name):" : "", record.points,
      lead + counts.dropFirst() + figures)
    return "\n" + table.render(screen) + screen.wrapped(absences(of: record) + kind(of: record))
      + (record.diagnosis.map { $0.line("At \(record.points[0].name)", screen) } ?? "")
  }

  private func absences(of record: SweepRecord) -> String {
    record.absentPoints.inGroups(by: \.reason).map { points in
      "No point for \(points.map(\.name).joined(separator: ", ")): \(points[0].reason).\n"
    }.joined()
  }

  private func kind(of record: SweepRecord) -> String {
    let curve = record.curve
    let kind =
      curve.isExact
      ? "\(counted(curve.count, "step")), all thresholds from \(short(curve.thresholds[0])) to "
        + short(curve.upper)
      : "\(counted(curve.count, "threshold")), one run per threshold; figures between them are not known"
    let figures = record.figures.prefix(2).map { TableCell.inline($0.estimate, 3) }
    return "\(kind).\nAverage precision \(figures[0]); mean recall for 1 to 1000 false alarms "
      + "per hour \(figures[1]).\n"
  }

  /// Four digits are enough for a threshold.
  private func short(_ value: Double) -> String { String(format: "%.4g", value) }

  private var notes: String {
    (result.records.count > 1 ? "\n" : "")
      + screen.wrapped(
        exposureNote([(nil, result.exposure)]) + (result.countNote.map { "Note: \($0).\n" } ?? "")
          + tolerance + "\(intervals)\n"
          + "Figures of thresholds that are chosen on the same traces are biased: shadowbox tune reports "
          + "cross-validated figures.\n")
  }

  /// Empty for counts, which have no times.
  private var tolerance: String {
    let tolerances = result.records.flatMap(\.tolerances).summary
    return tolerances.isEmpty ? "" : "Tolerance: \(tolerances).\n"
  }

  private var intervals: String {
    intervalNote(result.records.flatMap(\.points).flatMap(\.figures).map(\.estimate))
      + " false/h: false alarms per hour."
  }
}
