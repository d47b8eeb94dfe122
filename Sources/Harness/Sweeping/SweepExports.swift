import Detectors
import Foundation
import Results
import Scoring
import TraceModel
import Tuning

/// A sweep as tables, CSV, JSON and a picture.
struct SweepExports {
  let result: SweepResult

  // MARK: Table

  func table() -> String {
    let hours = result.records.first.map { Double($0.curve.scoredNanoseconds) / 3.6e12 } ?? 0
    let references = result.records.first?.curve.references ?? 0
    var table = TextTable(
      "\(result.detector)/\(result.preset) on \(result.data): \(result.recordings.count) traces, "
        + "\(fixed(hours, 3)) h, \(references) references; 95 % intervals below",
      (result.records.count > 1 ? [.init("settings", .left)] : []) + [
        .init("point", .left), .init("\(result.threshold)\(unitSuffix)"), .init("counts alike"),
        .init("TP"), .init("FP"), .init("FN"), .init("precision"), .init("recall"), .init("F1"),
        .init("false/h"), .init("latency ms\np50/p90"),
      ])
    for record in result.records {
      for (position, point) in record.points.enumerated() {
        let name = position == 0 ? record.name : ""
        table.add((result.records.count > 1 ? [name] : []) + cells(point))
      }
    }
    return table.render() + notes()
  }

  private var unitSuffix: String { result.unit.isEmpty ? "" : " " + result.unit }

  private func cells(_ point: OperatingPoint) -> [String] {
    let score = point.score
    func proportion(_ value: Double?, _ interval: Interval?) -> String {
      guard let value else { return "-" }
      return fixed(value, 3)
        + (interval.map { "\n\(fixed($0.lower, 3))-\(fixed($0.upper, 3))" } ?? "")
    }
    let alarms = score.falseAlarms
    let rate =
      (alarms.estimate.map { fixed($0, 1) } ?? "-")
      + (alarms.interval.map { "\n\(fixed($0.lower, 1))-\(fixed($0.upper, 1))" } ?? "")
    let latency = score.latency.map { "\(milliseconds($0.p50))/\(milliseconds($0.p90))" } ?? "-"
    return [
      point.name, short(point.threshold),
      "\(short(point.span.lowerBound))-\(short(point.span.upperBound))",
      "\(score.counts.truePositives)", "\(score.counts.falsePositives)",
      "\(score.counts.falseNegatives)",
      proportion(score.precision.estimate, score.precision.interval),
      proportion(score.recall.estimate, score.recall.interval),
      proportion(score.f1.estimate, score.f1.interval), rate, latency,
    ]
  }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    fixed(Double(nanoseconds) / 1e6, 0)
  }

  /// Four digits tell thresholds apart as far as anybody sets them.
  private func short(_ value: Double) -> String { String(format: "%.4g", value) }

  private func notes() -> String {
    var lines: [String] = []
    for record in result.records {
      let name = result.records.count > 1 ? "\(record.name): " : ""
      let kind =
        record.curve.isExact
        ? "\(record.curve.count) steps, all thresholds from "
          + "\(short(record.curve.thresholds[0])) to \(short(record.curve.upper))"
        : "\(record.curve.count) thresholds, a run for each"
      let precision = record.curve.averagePrecision.map { fixed($0, 3) } ?? "-"
      let recall =
        record.curve.meanRecall(budgets: SweepRecord.budgets).map { fixed($0, 3) } ?? "-"
      lines.append(
        "\(name)\(kind); average precision \(precision), mean recall for 1 to 1000 false alarms an "
          + "hour \(recall)")
    }
    let tolerances = Set(result.records.flatMap(\.tolerances).map(text(of:))).sorted()
    lines.append(
      "Tolerance: \(tolerances.joined(separator: ", ")). Intervals over events: Wilson's; false/h: "
        + "Garwood's. Thresholds that were chosen on")
    lines.append(
      "the data that they are scored on look better than they are: tune keeps the two apart.")
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(of tolerance: EventTolerance) -> String {
    let (early, late) = (tolerance.early.nanoseconds, tolerance.late.nanoseconds)
    return early == late
      ? "\(milliseconds(early)) ms" : "\(milliseconds(early))/\(milliseconds(late)) ms"
  }

  // MARK: CSV

  /// A line for each step of each curve.
  func csv() -> String {
    var text =
      "settings,threshold,true_positives,false_positives,false_negatives,"
      + ["recall", "precision", "f1", "false_alarms_per_hour"]
      .map { "\($0),\($0)_lo,\($0)_hi" }.joined(separator: ",") + "\n"
    for record in result.records {
      let figures = CurveColumns(record.curve).all
      let name = csvCell(record.name)
      for index in record.curve.thresholds.indices {
        let counts = record.curve.counts(at: index)
        var cells = [
          name, "\(record.curve.thresholds[index])", "\(counts.truePositives)",
          "\(counts.falsePositives)", "\(counts.falseNegatives)",
        ]
        for column in figures {
          let figure = column[index]
          cells += [figure.value, figure.interval?.lower, figure.interval?.upper].map {
            $0.map { "\($0)" } ?? ""
          }
        }
        text += cells.joined(separator: ",") + "\n"
      }
    }
    return text
  }

  // MARK: JSON

  private struct Document: Encodable {
    var schema = "shadowbox-sweep/1"
    var detector: String
    var preset: String
    var threshold: String
    var thresholdUnit: String
    var data: String
    var recordings: [TrialRecording]
    var sweeps: [Sweep]
  }

  private struct Sweep: Encodable {
    var settings: String
    var parameters: [String: String]
    var tolerances: [EventTolerance]
    var isExact: Bool
    var references: Int
    var hours: Double
    var upper: Double
    @Nullable var averagePrecision: Double?
    @Nullable var meanRecall: Double?
    var operatingPoints: [Point]
    var curve: Curve
  }

  private struct Curve: Encodable {
    var threshold: [Double]
    var truePositives: [Int]
    var falsePositives: [Int]
  }

  private struct Point: Encodable {
    var name: String
    var threshold: Double
    var from: Double
    var to: Double
    var figures: [String: FigureValue]
  }

  private struct FigureValue: Encodable {
    @Nullable var value: Double?
    @Nullable var lower: Double?
    @Nullable var upper: Double?
    var unit: String
  }

  func json() throws -> String {
    try jsonText(
      Document(
        detector: result.detector, preset: result.preset, threshold: result.threshold,
        thresholdUnit: result.unit, data: result.data, recordings: result.recordings,
        sweeps: result.records.map(sweep)))
  }

  private func sweep(_ record: SweepRecord) -> Sweep {
    Sweep(
      settings: record.name,
      parameters: Dictionary(
        record.parameters.map { ($0.name, $0.unit.isEmpty ? $0.value : "\($0.value) \($0.unit)") },
        uniquingKeysWith: { first, _ in first }),
      tolerances: record.tolerances, isExact: record.curve.isExact,
      references: record.curve.references,
      hours: Double(record.curve.scoredNanoseconds) / 3.6e12, upper: record.curve.upper,
      averagePrecision: record.curve.averagePrecision,
      meanRecall: record.curve.meanRecall(budgets: SweepRecord.budgets),
      operatingPoints: record.points.map { point in
        Point(
          name: point.name, threshold: point.threshold, from: point.span.lowerBound,
          to: point.span.upperBound,
          figures: Dictionary(
            point.score.figures.map {
              (
                $0.name,
                FigureValue(
                  value: $0.value, lower: $0.interval?.lower, upper: $0.interval?.upper,
                  unit: $0.unit)
              )
            }, uniquingKeysWith: { first, _ in first }))
      },
      curve: Curve(
        threshold: record.curve.thresholds, truePositives: record.curve.truePositives,
        falsePositives: record.curve.falsePositives))
  }

  // MARK: Picture

  func picture() -> CurvePicture {
    let first = result.records[0]
    return CurvePicture(
      caption: PictureCaption(
        detector: "\(result.detector)/\(result.preset)", data: result.data,
        traces: result.recordings.count, references: first.curve.references,
        hours: Double(first.curve.scoredNanoseconds) / 3.6e12,
        tolerance: Set(result.records.flatMap(\.tolerances).map(text(of:))).sorted()
          .joined(separator: ", "),
        parameter: result.threshold, unit: result.unit),
      curves: result.records.map { record in
        CurvePicture.Curve(
          name: result.records.count > 1 ? record.name : "", points: points(of: record),
          area: record.curve.averagePrecision, isExact: record.curve.isExact)
      },
      marks: first.points.map { point in
        PictureMark(
          name: point.name, role: point.name == "preset" ? .preset : .other,
          point: PicturePoint(
            threshold: point.threshold, counts: point.score.counts,
            falseAlarms: point.score.falseAlarms, latency: point.score.latency))
      })
  }

  /// The steps that can be seen, with the delays where they were looked at.
  private func points(of record: SweepRecord) -> [PicturePoint] {
    let curve = record.curve
    let delays = Dictionary(
      record.latencies.compactMap { delay in
        curve.index(of: delay.threshold).map { ($0, delay.latency) }
      }, uniquingKeysWith: { first, _ in first })
    return visible(curve, keeping: Set(delays.keys)).map { index in
      PicturePoint(
        threshold: curve.thresholds[index], counts: curve.counts(at: index),
        falseAlarms: curve.falseAlarms(at: index), latency: delays[index] ?? nil)
    }
  }

  /// What moves a figure by less than a pixel is left out: the threshold by a thousandth, and both
  /// counts by a two-hundredth.
  private func visible(_ curve: ThresholdCurve, keeping kept: Set<Int>) -> [Int] {
    var visible: [Int] = []
    for index in curve.thresholds.indices {
      guard let last = visible.last, index + 1 < curve.count, !kept.contains(index) else {
        visible.append(index)
        continue
      }
      func moved(_ now: Int, _ then: Int) -> Bool { 200 * abs(now - then) > max(now, then) }
      if moved(curve.truePositives[index], curve.truePositives[last])
        || moved(curve.falsePositives[index], curve.falsePositives[last])
        || curve.thresholds[index] > 1.01 * curve.thresholds[last]
      {
        visible.append(index)
      }
    }
    return visible
  }
}
