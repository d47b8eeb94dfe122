import AppEngines
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
          + "\(outcomeText)that differ, in \(counted(runs, "run"))"
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
      let (lost, found) = (entry.lostReferences.count, entry.foundReferences.count)
      return Self.row(
        [CIText.place(entry.name, entry.origin), "\(own.count) of \(entry.runs)"]
          + Self.counts(of: flips)
          + ["\(lost)", "\(found)", "\(min(lost, found))"])
    }
    return [
      .table(
        "\(counted(flipCount, "detection")) that differ",
        [
          "entry", "traces>", "lost>", "gained>", "moved, changed>", "references lost>",
          "references found>",
          "cancel>",
        ], rows, "entries with flips")
    ]
  }

  private var outcomeText: String {
    let count = outcomes.count(where: \.differs)
    return count == 0 ? "" : "and \(counted(count, "outcome")) "
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
    let outcomes = outcomes.filter(\.differs)
    return [
      MarkdownDocument.Part.folded(
        "Outcomes that differ (\(outcomes.count))", ["entry", "outcome", "base>", "head>"],
        outcomes.map { pair in
          Self.row([
            CIText.place(pair.entry, pair.origin), pair.one.title(of: pair.person),
            pair.shown.base, pair.shown.head,
          ])
        }, "outcomes"),
      .folded(
        "Figures that differ (\(figures.count))",
        ["entry", "figure", "base>", "head>", "change>", "p, adjusted>"], figures, "figures"),
      .folded(
        "Flips by trace (\(traces.count { !$0.list.flips.isEmpty }))",
        ["entry", "trace", "subject", "lost>", "gained>", "moved, changed>"],
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
      let values = CIText.pair(figure.base, figure.head, figure.unit)
      return row([
        CIText.place(entry.name, entry.origin), figure.name, values.0, values.1,
        CIText.signed(figure.difference.value, figure.unit),
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
      let values = CIText.pair(one.base, one.head, "1")
      return row([
        CIText.place(trace.entry, trace.origin), trace.trace, one.name, values.0, values.1,
      ])
    }
  }

  private static func flipRows(_ trace: TraceFlips) -> [String] {
    trace.list.flips.map { flip in
      let moved = flip.change.flatMap { $0.what == "moved" ? "\($0.base) -> \($0.head)" : nil }
      return row([
        CIText.place(trace.entry, trace.origin), trace.trace,
        moved ?? CIText.seconds(flip.onset), moved == nil ? flip.text : "moved", flip.outcome,
        CIText.signed(flip.margin, "1"),
      ])
    }
  }
}
