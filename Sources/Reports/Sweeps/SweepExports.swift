package import Diagnostics
package import Detectors
package import Foundation
package import Evaluation
package import Scoring
package import TraceModel
package import Tuning

/// A sweep as tables, CSV, JSON and a picture.
package struct SweepExports {
  package let result: SweepResult

  package init(result: SweepResult) {
    self.result = result
  }

  // MARK: Table

  package func table() -> String {
    let curve = result.records[0].curve
    let hours = Double(curve.scoredNanoseconds) / 3.6e12
    let heading =
      "\(result.title) on \(result.data): \(counted(result.recordings.count, "trace")), "
      + "\(fixed(hours, 3)) h, \(counted(curve.references, "reference")); "
      + "95 % intervals below the figures\n"
    return heading + result.records.map(table(of:)).joined() + notes()
  }

  private func table(of record: SweepRecord) -> String {
    var table = TextTable(
      result.records.count > 1 ? "\n\(record.name):" : "",
      [
        .init("point", .left), .init("\(result.threshold)\n\(result.unit)"),
        .init("counts\nalike"), .init("TP"), .init("FP"), .init("FN"), .init("precision"),
        .init("recall"), .init("F1"), .init("false/h"), .init("latency ms\np50/p90"),
      ])
    for point in record.points { table.add(cells(point)) }
    return table.render() + absences(of: record) + kind(of: record)
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The operating points that do not exist, by the reason why.
  private func absences(of record: SweepRecord) -> String {
    var reasons: [String] = []
    for point in record.absentPoints where !reasons.contains(point.reason) {
      reasons.append(point.reason)
    }
    return reasons.map { reason in
      let names = record.absentPoints.filter { $0.reason == reason }.map(\.name)
      return "No point for \(names.joined(separator: ", ")): \(reason).\n"
    }.joined()
  }

  private func kind(of record: SweepRecord) -> String {
    let curve = record.curve
    let kind =
      curve.isExact
      ? "\(counted(curve.count, "step")), all thresholds from \(short(curve.thresholds[0])) to "
        + short(curve.upper)
      : "\(counted(curve.count, "threshold")), a run for each; what lies between is not known"
    let precision = curve.averagePrecision.map { fixed($0, 3) } ?? "-"
    let recall = curve.meanRecall(budgets: SweepRecord.budgets).map { fixed($0, 3) } ?? "-"
    return "\(kind).\nAverage precision \(precision); mean recall for 1 to 1000 false alarms an "
      + "hour \(recall).\n"
  }

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
      point.span.lowerBound == point.span.upperBound
        ? "-" : "\(short(point.span.lowerBound))-\(short(point.span.upperBound))",
      "\(score.counts.truePositives)", "\(score.counts.falsePositives)",
      "\(score.counts.falseNegatives)",
      proportion(score.precision.estimate, point.bootstrap?.precision ?? score.precision.interval),
      proportion(score.recall.estimate, point.bootstrap?.recall ?? score.recall.interval),
      proportion(score.f1.estimate, point.bootstrap?.f1 ?? score.f1.interval), rate, latency,
    ]
  }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    fixed(Double(nanoseconds) / 1e6, 0)
  }

  /// Four digits tell thresholds apart as far as anybody sets them.
  private func short(_ value: Double) -> String { String(format: "%.4g", value) }

  private func notes() -> String {
    """
    \(result.records.count > 1 ? "\n" : "")Tolerance: \(tolerances).
    \(intervals)
    Thresholds that were chosen on the data that they are scored on look better than they are: tune \
    keeps
    the two apart.

    """
  }

  /// Where the intervals come from.
  private var intervals: String {
    guard let bootstrap = result.records[0].points.first?.bootstrap else {
      return
        "Intervals: Wilson's over events, as if those of one person had nothing in common; false/h: "
        + "Garwood's."
    }
    return "Intervals of precision, recall and F1: bootstrap over \(bootstrap.clusters) "
      + "\(bootstrap.isOfPeople ? "people" : "recordings") (\(EntrySummary.Bootstrap.resamples) "
      + "resamples, seed \(EntrySummary.Bootstrap.seed)), or\nWilson's where all are alike; false/h: "
      + "Garwood's. Those of the curve are Wilson's."
  }

  /// All that were used, each once, the narrowest first.
  private var tolerances: String {
    let all = Set(
      result.records.flatMap(\.tolerances).map { Margins(early: $0.early, late: $0.late) })
    return all.sorted { ($0.early, $0.late) < ($1.early, $1.late) }.map(text(of:))
      .joined(separator: " or ")
  }

  private struct Margins: Hashable {
    var early: Duration
    var late: Duration
  }

  private func text(of margins: Margins) -> String {
    func time(_ duration: Duration) -> String {
      let milliseconds = Double(duration.nanoseconds) / 1e6
      return milliseconds < 10_000
        ? "\(ParameterValue.number(milliseconds)) ms"
        : "\(ParameterValue.number(milliseconds / 1000)) s"
    }
    return margins.early == margins.late
      ? time(margins.early) : "\(time(margins.early)) before to \(time(margins.late)) after"
  }

  // MARK: CSV

  /// A line for each step of each curve.
  package func csv() -> String {
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
    var toolVersion: String
    var dataCommit: String
    var sweeps: [Sweep]
  }

  private struct Sweep: Encodable {
    var settings: String
    var parameters: [String: String]
    var tolerances: [Tolerance]
    @Nullable var bootstrap: Bootstrap?
    var isExact: Bool
    var references: Int
    var hours: Double
    var upper: Double
    @Nullable var averagePrecision: Double?
    @Nullable var meanRecall: Double?
    var operatingPoints: [Point]
    var absentOperatingPoints: [Absence]
    var latencies: [Latency]
    var curve: Curve
  }

  /// In seconds.
  private struct Tolerance: Encodable {
    var early: Double
    var late: Double
    var origin: EventTolerance.Origin
  }

  /// What the intervals of precision, recall and F1 at the operating points resample.
  private struct Bootstrap: Encodable {
    var clusters: Int
    var areClustersPeople: Bool
    var resamples = EntrySummary.Bootstrap.resamples
    var seed = EntrySummary.Bootstrap.seed
  }

  private struct Absence: Encodable {
    var name: String
    var reason: String
  }

  /// Of a run at one threshold, in seconds.
  private struct Latency: Encodable {
    var threshold: Double
    @Nullable var recall: Double?
    @Nullable var p50: Double?
    @Nullable var p90: Double?
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

  package func json() throws -> String {
    try jsonText(
      Document(
        detector: result.detector, preset: result.preset, threshold: result.threshold,
        thresholdUnit: result.unit, data: result.data, recordings: result.recordings,
        toolVersion: result.toolVersion, dataCommit: result.dataCommit,
        sweeps: result.records.map(sweep)))
  }

  private func sweep(_ record: SweepRecord) -> Sweep {
    Sweep(
      settings: record.name,
      parameters: Dictionary(
        record.parameters.map { ($0.name, $0.unit.isEmpty ? $0.value : "\($0.value) \($0.unit)") },
        uniquingKeysWith: { first, _ in first }),
      tolerances: record.tolerances.map {
        Tolerance(
          early: Double($0.early.nanoseconds) / 1e9, late: Double($0.late.nanoseconds) / 1e9,
          origin: $0.origin)
      },
      bootstrap: record.points.first?.bootstrap.map {
        Bootstrap(clusters: $0.clusters, areClustersPeople: $0.isOfPeople)
      }, isExact: record.curve.isExact,
      references: record.curve.references,
      hours: Double(record.curve.scoredNanoseconds) / 3.6e12, upper: record.curve.upper,
      averagePrecision: record.curve.averagePrecision,
      meanRecall: record.curve.meanRecall(budgets: SweepRecord.budgets),
      operatingPoints: record.points.map { point in
        Point(
          name: point.name, threshold: point.threshold, from: point.span.lowerBound,
          to: point.span.upperBound,
          figures: Dictionary(
            point.figures.map {
              (
                $0.name,
                FigureValue(
                  value: $0.value, lower: $0.interval?.lower, upper: $0.interval?.upper,
                  unit: $0.unit)
              )
            }, uniquingKeysWith: { first, _ in first }))
      },
      absentOperatingPoints: record.absentPoints.map { Absence(name: $0.name, reason: $0.reason) },
      latencies: record.latencies.map { run in
        Latency(
          threshold: run.threshold, recall: run.recall.estimate,
          p50: run.latency.map { Double($0.p50) / 1e9 },
          p90: run.latency.map { Double($0.p90) / 1e9 })
      },
      curve: Curve(
        threshold: record.curve.thresholds, truePositives: record.curve.truePositives,
        falsePositives: record.curve.falsePositives))
  }

  // MARK: Picture

  package func picture() -> CurvePicture {
    let first = result.records[0]
    return CurvePicture(
      caption: PictureCaption(
        detector: result.title, data: result.data,
        traces: result.recordings.count, references: first.curve.references,
        hours: Double(first.curve.scoredNanoseconds) / 3.6e12,
        tolerance: tolerances,
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
