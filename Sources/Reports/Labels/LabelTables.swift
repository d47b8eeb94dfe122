import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The tables of a score of label files.
package struct LabelTables {
  package let score: LabelScore
  /// Whether every event is listed.
  package var isListed = false

  package var screen = Screen()

  package init(score: LabelScore, isListed: Bool = false, screen: Screen = Screen()) {
    self.score = score
    self.isListed = isListed
    self.screen = screen
  }

  private var outcomes: [LabelOutcome] { score.runs.flatMap { LabelOutcome.all(of: $0) } }

  package func render() -> String {
    let tables = SuiteTables(
      result: score.result,
      form: .score(emitted: score.hasEmitted, origin: score.isOriginKnown), screen: screen
    ).render()
    let files = score.runs.count > 1 ? fileTable : nil
    return [tables, files, isListed ? list : nil].compactMap { $0 }.joined(separator: "\n")
  }

  /// Each file separately, where events are counted.
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
      "By file, 95 % intervals (Wilson's, false/h Garwood's)",
      [
        .init("file", .left), .init("hours", rank: 3), .init("refs", rank: 1),
        .init("TP", rank: 2), .init("FP", rank: 2), .init("FN", rank: 2), .init("precision"),
        .init("recall"), .init("F1", rank: 4), .init("false/h"),
      ])
    for (run, counts, rate) in rows {
      table.add([
        run.traceID, rate.hours > 0 ? fixed(rate.hours, 3) : "-", "\(counts.recall.trials)",
        "\(counts.truePositives)", "\(counts.falsePositives)", "\(counts.falseNegatives)",
        TableCell.proportion(counts.precision), TableCell.proportion(counts.recall),
        TableCell.estimate(counts.f1.estimate, counts.f1.interval, 3), TableCell.rate(rate),
      ])
    }
    return table.render(screen)
  }

  private var list: String {
    var table = TextTable(
      "Every event",
      [
        .init("file", .left), .init("reference s"), .init("detection s"),
        .init("difference ms", rank: 2), .init("outcome", .left), .init("class", .left, rank: 1),
        .init("detected as", .left, rank: 1),
      ])
    for event in outcomes {
      table.add([
        event.file, event.referenceOnset.map { fixed($0, 3) } ?? "-",
        event.detectionOnset.map { fixed($0, 3) } ?? "-",
        event.difference.map { fixed(1000 * $0, 1) } ?? "-", event.outcome.rawValue,
        event.referenceLabel ?? "", event.detectionLabel ?? "",
      ])
    }
    return table.render(screen)
  }
}
