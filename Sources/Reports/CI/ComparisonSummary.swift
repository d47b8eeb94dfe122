import Diagnostics
package import Evaluation
import Scoring
import TraceModel

extension ResultComparison {
  /// The Markdown summary of a job: the verdict, the flips, the changed inputs, and folded details.
  package func markdown(limit: Int) -> String {
    let runs = entries.reduce(0) { $0 + $1.runs }
    let verdict =
      if runs == 0 {
        "Nothing was compared"
      } else if isIdentical {
        "No difference in \(counted(runs, "run"))"
      } else {
        "\(counted(flipCount, "detection")) and \(counted(measurementCount, "measurement")) "
          + "that differ, in \(counted(runs, "run"))"
      }
    let obstacle =
      obstacles.isEmpty
      ? [] : ["**Not compared**: \(counted(obstacles.count, "part")), listed below.", ""]
    return MarkdownDocument(
      head: [
        OutputKind.summaryMark, "## \(verdict)", "", "- Base: \(Self.text(base))",
        "- Head: \(Self.text(head))", "",
      ] + obstacle, parts: obstacleParts + countParts + changeParts + detailParts,
      remedy: "`compare -o` writes all of it to a file."
    ).text(limit: limit)
  }

  private var measurementCount: Int { traces.reduce(0) { $0 + $1.measurements.count } }

  private static func text(_ results: MeasuredResults) -> String {
    CIText.source(
      results.path.isEmpty ? results.suite : results.path, commit: results.commit,
      version: results.toolVersion)
  }

  private var obstacleParts: [MarkdownDocument.Part] {
    guard !obstacles.isEmpty else { return [] }
    return [
      .table(
        "Not compared", ["entry", "trace", "why"],
        obstacles.map { Self.row([$0.entry ?? "all", $0.trace ?? "all", $0.reason]) },
        "parts that were not compared")
    ]
  }

  private static func row(_ cells: [String]) -> String {
    MarkdownText.row(cells.map(MarkdownText.escaped))
  }

  var countParts: [MarkdownDocument.Part] {
    guard flipCount > 0 else { return [] }
    let rows = entries.compactMap { entry -> String? in
      let own = traces(of: entry)
      let flips = own.flatMap(\.list.flips)
      guard !flips.isEmpty else { return nil }
      return Self.row(
        [CIText.place(entry.name, entry.origin), "\(own.count) of \(entry.runs)"]
          + Self.counts(of: flips)
          + ["\(entry.lostReferences.count)", "\(entry.foundReferences.count)"])
    }
    return [
      .table(
        "\(counted(flipCount, "detection")) that differ",
        [
          "entry", "traces>", "lost>", "gained>", "moved>", "references lost>", "references found>",
        ], rows, "entries with flips")
    ]
  }

  /// A longer list is folded.
  private static let shownChanges = 12

  /// The changed inputs, which are the most frequent cause.
  var changeParts: [MarkdownDocument.Part] {
    guard !changes.isEmpty else { return [] }
    let rows = changes.map { change in
      let isDigest = ["commit", "suite digest"].contains(change.name)
      let values = [change.base, change.head].map { isDigest ? CIText.short(commit: $0) : $0 }
      return Self.row([change.entry ?? "all", change.name] + values)
    }
    let columns = ["entry", "name", "base", "head"]
    return [
      rows.count > Self.shownChanges
        ? .folded("Changed inputs (\(rows.count))", columns, rows, "changes")
        : .table("Changed inputs", columns, rows, "changes")
    ]
  }

  var detailParts: [MarkdownDocument.Part] {
    let figures = entries.flatMap(Self.figureRows)
    let flips = traces.flatMap(Self.flipRows)
    return [
      MarkdownDocument.Part.folded(
        "Figures that differ (\(figures.count))",
        ["entry", "figure", "base>", "head>", "change>", "p, adjusted>"], figures, "figures"),
      .folded(
        "Flips by trace (\(traces.count { !$0.list.flips.isEmpty }))",
        ["entry", "trace", "subject", "lost>", "gained>", "moved>"],
        traces.compactMap(Self.traceRow), "traces with flips"),
      .folded(
        "Measurements that differ (\(measurementCount))",
        ["entry", "trace", "measurement", "base>", "head>"], traces.flatMap(Self.measurementRows),
        "measurements"),
      .folded(
        "Every flip (\(flips.count))",
        ["entry", "trace", "time, s>", "change", "outcome", "margin>"], flips, "flips"),
    ].filter { !$0.rows.isEmpty }
  }

  private static func figureRows(_ entry: Entry) -> [String] {
    zip(entry.figures, entry.probabilities).filter { !$0.0.isEqual }.map { figure, probability in
      row([
        CIText.place(entry.name, entry.origin), figure.name, CIText.value(figure.base, figure.unit),
        CIText.value(figure.head, figure.unit), CIText.signed(figure.difference.value, figure.unit),
        probability.adjusted.map { fixed($0, 4) } ?? "-",
      ])
    }
  }

  private static func traceRow(_ trace: TraceFlips) -> String? {
    guard !trace.list.flips.isEmpty else { return nil }
    return row(
      [CIText.place(trace.entry, trace.origin), trace.trace, trace.subject]
        + counts(of: trace.list.flips))
  }

  private static func counts(of flips: [Flip]) -> [String] {
    Flip.Kind.allCases.map { kind in "\(flips.count { $0.kind == kind })" }
  }

  private static func measurementRows(_ trace: TraceFlips) -> [String] {
    trace.measurements.map { one in
      row([
        CIText.place(trace.entry, trace.origin), trace.trace, one.name,
        CIText.value(one.base, "1"), CIText.value(one.head, "1"),
      ])
    }
  }

  private static func flipRows(_ trace: TraceFlips) -> [String] {
    trace.list.flips.map { flip in
      let times = [flip.base, flip.head].compactMap { $0.map { CIText.seconds($0.record.onset) } }
      return row([
        CIText.place(trace.entry, trace.origin), trace.trace, times.joined(separator: " -> "),
        flip.kind.rawValue, flip.outcome, CIText.signed(flip.margin, "1"),
      ])
    }
  }
}
