import Diagnostics
package import Evaluation
import Scoring

extension MeasuredResults {
  /// The Markdown summary: the figures of each entry. Unmarked intervals are for new people.
  package func markdown(limit: Int) -> String {
    let entries = entryFigures
    let origin = CIText.origin(commit: commit, version: toolVersion)
    let hasMeans = entries.contains { $0.figures.contains(where: \.isMeanOverPeople) }
    let title = runs.isEmpty ? "Nothing was measured" : counted(runs.count, "run")
    return MarkdownDocument(
      head: [
        OutputKind.summaryMark, "## \(title) of suite \(MarkdownText.escaped(suite))", "",
        "\(MarkdownText.escaped(path)) (\(MarkdownText.escaped(origin)))", "",
      ],
      parts: [
        .table(
          "Figures", ["entry", "runs>", "figure", "value>", "95 % interval>"],
          entries.flatMap(Self.rows), "figures")
      ].filter { !$0.rows.isEmpty } + (hasMeans ? [Self.meansNote] : []),
      remedy: "All figures are in the results file."
    ).text(limit: limit)
  }

  private static let meansNote = MarkdownDocument.Part(head: [
    "Figures other than shares and rates of events, such as latency_p50, are means over people, as in "
      + "`compare`. `run` pools all events.", "",
  ])

  private static func rows(_ entry: ResultComparison.Entry) -> [String] {
    entry.figures.map { figure in
      let interval = CIText.interval(figure.headEstimate)
      return MarkdownText.row(
        [
          CIText.place(entry.name, entry.origin), "\(entry.runs)", figure.name,
          CIText.value(figure.head, figure.unit), interval.isEmpty ? "-" : interval,
        ].map(MarkdownText.escaped))
    }
  }
}

extension Estimate {
  var newPeopleInterval: Interval? { method?.population == .newPeople ? interval : nil }
}
