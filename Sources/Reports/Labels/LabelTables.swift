import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The tables of a score of label files.
package struct LabelTables {
  package let score: LabelScore
  /// Whether every event is listed.
  package var isListed = false

  package init(score: LabelScore, isListed: Bool = false) {
    self.score = score
    self.isListed = isListed
  }

  private var outcomes: [LabelOutcome] { score.runs.flatMap { LabelOutcome.all(of: $0) } }

  package func render() -> String {
    let tables = SuiteTables(
      result: score.result,
      form: .score(emitted: score.hasEmitted, origin: score.isOriginKnown)
    ).render()
    let files = score.runs.count > 1 ? fileTable : nil
    return [tables, files, isListed ? list : nil].compactMap { $0 }.joined(separator: "\n")
  }

  /// Each file by itself, where events are counted.
  private var fileTable: String? {
    let rows = score.runs.compactMap { run -> (RunRecord, EventCounts, PoissonRate)? in
      switch run.score {
      case .events(let judgement):
        (run, judgement.score.counts, judgement.score.falseAlarms)
      case .visits(let judgement): (run, judgement.score.counts, judgement.score.falseVisits)
      case .track, .presence, .unscored: nil
      }
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "By file, Wilson's and Garwood's intervals",
      [
        .init("file", .left), .init("hours"), .init("refs"), .init("TP"), .init("FP"), .init("FN"),
        .init("precision"), .init("recall"), .init("F1"), .init("false/h"),
      ])
    for (run, counts, rate) in rows {
      table.add([
        run.traceID, rate.hours > 0 ? fixed(rate.hours, 3) : "-", "\(counts.recall.trials)",
        "\(counts.truePositives)", "\(counts.falsePositives)", "\(counts.falseNegatives)",
        cell(counts.precision.estimate, counts.precision.interval, 3),
        cell(counts.recall.estimate, counts.recall.interval, 3),
        cell(counts.f1.estimate, counts.f1.interval, 3), cell(rate.estimate, rate.interval, 1),
      ])
    }
    return table.render()
  }

  private func cell(_ value: Double?, _ interval: Interval?, _ decimals: Int) -> String {
    guard let value else { return "-" }
    let bounds = interval.map { "\n\(fixed($0.lower, decimals))-\(fixed($0.upper, decimals))" }
    return fixed(value, decimals) + (bounds ?? "")
  }

  private var list: String {
    var table = TextTable(
      "Every event",
      [
        .init("file", .left), .init("reference s"), .init("detection s"), .init("difference ms"),
        .init("outcome", .left), .init("class", .left), .init("told as", .left),
      ])
    for event in outcomes {
      table.add([
        event.file, event.referenceOnset.map { fixed($0, 3) } ?? "-",
        event.detectionOnset.map { fixed($0, 3) } ?? "-",
        event.difference.map { fixed(1000 * $0, 1) } ?? "-", event.outcome.rawValue,
        event.referenceLabel ?? "", event.detectionLabel ?? "",
      ])
    }
    return table.render()
  }
}
