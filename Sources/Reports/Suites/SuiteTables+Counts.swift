import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  /// The recordings for which only the number of events is known: a row for each, and a row for all.
  var counts: String? {
    let rows = rows(\.counts)
    guard !rows.isEmpty else { return nil }
    let lines = rows.flatMap { summary, total -> [Row<[String]>] in
      let runs = summary.counted.compactMap { run -> [String]? in
        guard case .count(let score) = run.score else { return nil }
        return [run.traceID] + Self.cells(score)
      }
      return (runs + (total.recordings > 1 ? totalCells(summary, total) : [])).map { (summary, $0) }
    }
    let headings: [TextTable.Column] = [
      .init("trace", .left), .init("stated"), .init("detected"), .init("error"), .init("error %"),
    ]
    let own = headings.enumerated().map { position, heading in
      TableColumn<Row<[String]>>(heading: heading) { $0.score[position] }
    }
    let figures = rows.flatMap { $0.summary.figures.filter { $0.name.hasPrefix("count_") } }
    let note =
      "Only the number of events is known: within a recording, misses and false alarms cancel out. "
      + Reports.intervalNote(figures.map(\.estimate)) + "\n"
    return TextTable(
      "Counts: numbers of detections against the stated numbers", lines, keyColumns() + own
    ).render(screen) + screen.wrapped(note) + deliveryNote(rows.map(\.summary))
  }

  private static func cells(_ score: CountScore) -> [String] {
    [
      "\(score.stated)", "\(score.detected)", signed(score.error),
      TableCell.signed(score.percentError, 1),
    ]
  }

  static func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }

  /// The totals, then the errors per recording.
  private func totalCells(_ summary: EntrySummary, _ total: CountSummary) -> [[String]] {
    let bias = summary[.countError.bias]?.estimate
    let people = bias?.clusterKind == .people ? bias?.clusters : nil
    let whose = people.map { " of \(counted($0, "person", "people"))" } ?? ""
    return [
      [
        "all \(total.recordings) traces\(whose)\nsum of |error|", "\(total.total.stated)",
        "\(total.total.detected)", "\(Self.signed(total.total.error))\n\(total.absoluteError)",
        "\(TableCell.signed(total.total.percentError, 1))\n\(TableCell.value(total.percentAbsoluteError, 1))",
      ],
      [
        "mean per trace: bias\n95 % interval\nmean of |error|", "", "",
        TableCell.error(.countError, of: summary.figures),
        TableCell.error(.countErrorPercent, of: summary.figures),
      ],
    ]
  }

  /// The columns of the summary.
  static var countColumns: [TableColumn<Row<CountSummary>>] {
    [
      .init("traces", rank: 1) { "\($0.score.recordings)" },
      .init("stated") { "\($0.score.total.stated)" },
      .init("detected") { "\($0.score.total.detected)" },
      .init("error %") { TableCell.signed($0.score.total.percentError, 1) },
      .init("sum of |error| %") { TableCell.value($0.score.percentAbsoluteError, 1) },
    ]
  }
}
