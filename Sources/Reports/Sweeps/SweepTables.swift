import Diagnostics
import Detectors
import Foundation
package import Evaluation
import Scoring
import TraceModel
import Tuning

/// The tables of a sweep: the operating points of each curve.
package struct SweepTables {
  package let result: SweepResult

  package var screen = Screen()

  package init(result: SweepResult, screen: Screen = Screen()) {
    self.result = result
    self.screen = screen
  }

  package func render() -> String {
    let curve = result.records[0].curve
    let hours = Double(curve.scoredNanoseconds) / 3.6e12
    let heading =
      "\(result.title) on \(result.data): \(counted(result.recordings.count, "trace")), "
      + "\(fixed(hours, 3)) h, \(counted(curve.references, "reference")); "
      + "95 % intervals below the figures\n"
    return screen.wrapped(heading) + result.records.map(table(of:)).joined() + notes
  }

  private func table(of record: SweepRecord) -> String {
    var table = TextTable(
      result.records.count > 1 ? "\(record.name):" : "",
      [
        .init("point", .left), .init("\(result.threshold)\n\(result.unit)"),
        .init("same counts\nover", rank: 4), .init("TP", rank: 3), .init("FP", rank: 3),
        .init("FN", rank: 3), .init("precision"), .init("recall"), .init("F1", rank: 1),
        .init("false/h"), .init("latency ms\np50/p90", rank: 2),
      ])
    for point in record.points { table.add(cells(point)) }
    return "\n" + table.render(screen) + screen.wrapped(absences(of: record) + kind(of: record))
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
      : "\(counted(curve.count, "threshold")), one run per threshold; figures between them are not known"
    let precision = curve.averagePrecision.map { fixed($0, 3) } ?? "-"
    let recall = curve.meanRecall(budgets: SweepRecord.budgets).map { fixed($0, 3) } ?? "-"
    return "\(kind).\nAverage precision \(precision); mean recall for 1 to 1000 false alarms "
      + "per hour \(recall).\n"
  }

  private func cells(_ point: OperatingPoint) -> [String] {
    let score = point.score
    func proportion(_ figure: String, _ value: Double?, _ interval: Interval?) -> String {
      TableCell.estimate(value, point.bootstrap?[figure]?.interval ?? interval, 3)
    }
    return [
      point.name, short(point.threshold),
      point.span.lowerBound == point.span.upperBound
        ? "-" : "\(short(point.span.lowerBound))-\(short(point.span.upperBound))",
      "\(score.counts.truePositives)", "\(score.counts.falsePositives)",
      "\(score.counts.falseNegatives)",
      proportion("precision", score.precision.estimate, score.precision.interval),
      proportion("recall", score.recall.estimate, score.recall.interval),
      proportion("f1", score.f1.estimate, score.f1.interval),
      TableCell.rate(score.falseAlarms), TableCell.milliseconds(score.latency),
    ]
  }

  /// Four digits: nobody sets a threshold more precisely.
  private func short(_ value: Double) -> String { String(format: "%.4g", value) }

  private var notes: String {
    (result.records.count > 1 ? "\n" : "")
      + screen.wrapped(
        "Tolerance: \(Self.tolerances(of: result)).\n\(intervals)\n"
          + "Figures of thresholds that are chosen on the same traces are biased: shadowbox tune reports "
          + "cross-validated figures.\n")
  }

  /// The methods of the intervals.
  private var intervals: String {
    guard let bootstrap = result.records[0].points.first?.bootstrap else {
      return
        "Intervals over events: Wilson's, which takes the events of one person as independent; "
        + "false/h (false alarms per hour): Garwood's."
    }
    return "Intervals of precision, recall and F1: bootstrap over \(bootstrap.clusters) "
      + "\(bootstrap.isOfPeople ? "people" : "recordings") (\(EntrySummary.Bootstrap.resamples) "
      + "resamples, seed \(EntrySummary.Bootstrap.seed)), or Wilson's where all have the same figure; "
      + "false/h (false alarms per hour): Garwood's. Those of the curve are Wilson's."
  }

  /// All tolerances used, each once, the narrowest first.
  package static func tolerances(of result: SweepResult) -> String {
    let all = Set(
      result.records.flatMap(\.tolerances).map { Margins(early: $0.early, late: $0.late) })
    return all.sorted { ($0.early, $0.late) < ($1.early, $1.late) }.map(text(of:))
      .joined(separator: " or ")
  }

  private struct Margins: Hashable {
    var early: Duration
    var late: Duration
  }

  private static func text(of margins: Margins) -> String {
    func time(_ duration: Duration) -> String {
      let milliseconds = Double(duration.nanoseconds) / 1e6
      return milliseconds < 10_000
        ? "\(ParameterValue.number(milliseconds)) ms"
        : "\(ParameterValue.number(milliseconds / 1000)) s"
    }
    return margins.early == margins.late
      ? time(margins.early) : "\(time(margins.early)) before to \(time(margins.late)) after"
  }
}
