import AppEngines
import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The output of `compare`: the changed inputs, the flips, and the figures that differ.
package struct ComparisonTables {
  let comparison: ResultComparison
  let screen: Screen
  /// Further changes and obstacles are counted.
  private static let most = 10

  package init(_ comparison: ResultComparison, screen: Screen = Screen()) {
    (self.comparison, self.screen) = (comparison, screen)
  }

  package func render() -> String {
    let sides = [("base", comparison.base), ("head", comparison.head)]
      .map { screen.wrapped("\($0): \(Self.title($1))\n", indent: 2) }.joined()
    return sides + changes + obstacles + entries + summary + speeds
  }

  static func title(_ results: MeasuredResults) -> String {
    "\(results.path) (\(origin(version: results.toolVersion, commit: results.commit)))"
  }

  /// `version 0.1.0, commit 0123456789ab-dirty`.
  static func origin(version: String, commit: String) -> String {
    let parts = commit.split(separator: "-", maxSplits: 1)
    let short = parts.enumerated().map { $0.offset == 0 ? $0.element.prefix(12) : $0.element }
    let text = commit.isEmpty ? "" : ", commit " + inLine(short.joined(separator: "-"))
    return "version \(inLine(version))" + text
  }

  // MARK: What went in

  /// Without digests and commits, which are for programs.
  private var changes: String {
    let groups = comparison.changes.filter { $0.name != "suite digest" && $0.name != "commit" }
      .inGroups { [$0.name, $0.base, $0.head] }
    let lines = groups.map { group in
      let first = group[0]
      let names = group.compactMap(\.entry)
      let own = first.entry == nil ? "" : names.count > 3 ? " (\(names.count) entries)" : ""
      let lead = names.isEmpty || names.count > 3 ? "" : names.joined(separator: ", ") + ": "
      return
        "Changed: \(lead)\(first.name) \(Self.value(first.base)) -> \(Self.value(first.head))\(own)\n"
    }
    return screen.wrapped(Self.limited(lines, "change").joined(), indent: 2)
  }

  private static func value(_ text: String) -> String {
    guard !text.isEmpty else { return "none" }
    let text = inLine(text)
    return text.count > 60 ? String(text.prefix(57)) + "..." : text
  }

  private static func limited(_ lines: [String], _ what: String) -> [String] {
    guard lines.count > most else { return lines }
    return lines.prefix(most) + [
      "\(counted(lines.count - most, "further \(what)")): --format json\n"
    ]
  }

  private var obstacles: String {
    let groups = comparison.obstacles.inGroups { [$0.entry ?? "", $0.reason] }
    let lines = groups.map { group in
      let first = group[0]
      let traces = group.compactMap(\.trace)
      let place =
        traces.isEmpty
        ? "" : traces.count == 1 ? " on \(inLine(traces[0]))" : " on \(traces.count) traces"
      return
        "Not compared: \(first.entry.map { inLine($0) } ?? "the results")\(place): \(first.reason)\n"
    }
    return screen.wrapped(Self.limited(lines, "reason").joined(), indent: 2)
  }

  // MARK: Entries

  private var entries: String {
    comparison.entries.compactMap { entry in
      let traces = comparison.traces(of: entry)
      let outcomes = comparison.outcomes(of: entry)
      guard !traces.isEmpty || !outcomes.isEmpty else { return nil }
      return "\n" + flips(entry, traces) + figures(entry) + table(of: outcomes)
    }.joined()
  }

  /// The outcomes of an app that differ: of each person, then of the whole run.
  private func table(of outcomes: [OutcomeComparison]) -> String {
    guard !outcomes.isEmpty else { return "" }
    return TextTable(
      "", outcomes,
      [
        .init(heading: .init("outcome", .left, isText: true)) {
          inLine($0.one.name) + Self.unit($0.one.unit)
        },
        .init("who", .left) { $0.person.isEmpty ? "all" : inLine($0.person) },
        .init("base") { $0.shown.base }, .init("head") { $0.shown.head },
      ], hasRule: false
    ).render(screen)
  }

  private func flips(
    _ entry: ResultComparison.Entry, _ traces: [ResultComparison.TraceFlips]
  ) -> String {
    let flips = traces.flatMap(\.list.flips)
    let title = screen.heading("\(inLine(entry.name)) (\(inLine(entry.origin)))")
    var lines = [
      "\(title): \(counted(flips.count, "detection")) of \(max(entry.detections.base, entry.detections.head)) "
        + "\(flips.count == 1 ? "differs" : "differ"), on \(traces.count) of "
        + counted(entry.runs, "trace")
    ]
    for (word, own) in flips.byWord {
      let outcomes = own.inGroups(by: \.outcome).map { "\($0.count) \(Self.words($0[0].outcome))" }
      let late = own.count(where: \.isOnlyRetimed)
      let note =
        late == 0 ? "" : " (\(late == own.count ? "all" : "\(late)") only reported at another time)"
      lines.append("  \(word) \(own.count): " + outcomes.joined(separator: ", ") + note)
    }
    if let text = comparison.balance(of: entry).references.text { lines.append("  " + text) }
    let rejudged = traces.reduce(0) { $0 + $1.list.rejudged }
    if rejudged > 0 { lines.append("  judged differently \(rejudged): equal except for the match") }
    let measured = traces.filter { !$0.measurements.isEmpty }
    if !measured.isEmpty {
      // Those of people are outcomes, which have a table.
      let outcomes = Set(comparison.outcomes(of: entry).map(\.one.name))
      let names = measured.flatMap { $0.measurements.map(\.name) }.uniqued()
        .filter { !outcomes.contains($0) }
      if !names.isEmpty {
        lines.append(
          "  measurements differ on \(counted(measured.count, "trace")): "
            + names.joined(separator: ", "))
      }
    }
    if let first = first(traces) { lines.append("  " + first) }
    return screen.wrapped(lines.map { $0 + "\n" }.joined(), indent: 4)
  }

  /// The first reading at which the sides differ, on the first trace with flips.
  private func first(_ traces: [ResultComparison.TraceFlips]) -> String? {
    let candidates = traces.flatMap { trace in trace.list.flips.map { (trace, $0) } }
    guard let trace = candidates.first?.0.trace,
      let (_, flip) = candidates.filter({ $0.0.trace == trace })
        .min(by: { ($0.1.firstTime, $0.1.onset) < ($1.1.firstTime, $1.1.onset) })
    else { return nil }
    let reading = flip.newestReading.map { "reading \($0), " } ?? ""
    let margin = flip.margin.map { ", margin \(number(rounded($0)))" } ?? ""
    let score = flip.detection.score.map { ", score \(number(rounded($0)))" } ?? ""
    return "first: \(inLine(trace)), \(reading)\(CIText.seconds(flip.firstTime)) s: "
      + (flip.word == flip.kind.rawValue ? flip.word : inLine(flip.text) + ",")
      + " \(Self.words(flip.outcome))\(score)\(margin)"
  }

  /// `true_positive` in words.
  static func words(_ outcome: String) -> String { inLine(outcome).replacing("_", with: " ") }

  private func figures(_ entry: ResultComparison.Entry) -> String {
    let rows = zip(entry.figures, entry.probabilities).filter { !$0.0.isEqual }
      .map { (figure: $0, probability: $1) }
    guard !rows.isEmpty else { return "" }
    return TextTable(
      "", rows,
      [
        .init(heading: .init("figure", .left, isText: true)) {
          Self.words($0.figure.name) + Self.unit($0.figure.unit)
        },
        .init("base") { Self.pair($0.figure.base, $0.figure.head).0 },
        .init("head") { Self.pair($0.figure.base, $0.figure.head).1 },
        .init("difference (95 %)", .left) { Self.difference($0.figure.difference) },
        .init("p (Holm)", rank: 2) { row in
          row.probability.adjusted.map { fixed($0, 3) } ?? TableCell.undefined
        },
      ], hasRule: false, remedy: "--format csv shows them"
    ).render(screen)
  }

  /// Figures in 1/h have it in their names.
  static func unit(_ unit: String) -> String {
    ["1", "h-1", "yes", "count", ""].contains(unit) ? "" : " (\(inLine(unit)))"
  }

  static func value(_ value: Double?) -> String {
    guard let value else { return TableCell.undefined }
    return abs(value) < 10 ? fixed(value, 4) : abs(value) < 1000 ? fixed(value, 2) : fixed(value, 1)
  }

  /// Two values, with all digits where fewer would not tell them apart.
  static func pair(_ base: Double?, _ head: Double?) -> (String, String) {
    toldApart(base, head, value)
  }

  private static func signed(_ value: Double) -> String {
    let text = self.value(value)
    return text.hasPrefix("-") ? text : "+" + text
  }

  static func difference(_ estimate: Estimate?) -> String {
    guard let value = estimate?.value else { return TableCell.undefined }
    let bounds = estimate?.interval.map { " (\(signed($0.lower)) to \(signed($0.upper)))" } ?? ""
    let text = signed(value)
    let isHidden = value != 0 && !text.contains { ("1"..."9").contains($0) }
    return (isHidden ? (value > 0 ? "+" : "") + number(rounded(value)) : text) + bounds
  }

  private var summary: String {
    let runs = comparison.entries.reduce(0) { $0 + $1.runs }
    let entries = comparison.entries.map(\.name).uniqued().count
    let scope = "\(counted(runs, "run")) of \(counted(entries, "entry", "entries"))"
    if !comparison.differs {
      return runs == 0 ? "No run was compared.\n" : "No detection differs in \(scope).\n"
    }
    let equal = comparison.entries.filter {
      comparison.traces(of: $0).isEmpty && comparison.outcomes(of: $0).isEmpty
    }
    let rest = equal.isEmpty ? "" : " Equal: \(equal.map(\.name).uniqued().count) other entries."
    return screen.wrapped(
      "\nCompared: \(scope).\(rest) Intervals: 95 %, paired, for new people; none with fewer than 3.\n"
    )
  }

  /// From two runs at different times: not tested.
  private var speeds: String {
    let known = comparison.speeds.filter { $0.ratio != nil }
    guard !known.isEmpty else { return "" }
    return "\n"
      + TextTable(
        "Time per sample in two separate runs (gate measures both in one run)", known,
        [
          .init("entry", .left) { "\(inLine($0.entry)) (\(inLine($0.origin)))" },
          .init("base ns") { TableCell.value($0.base.value, 2) },
          .init("head ns") { TableCell.value($0.head.value, 2) },
          .init("ratio") { TableCell.value($0.ratio, 3) },
        ], hasRule: false
      ).render(screen)
  }
}

extension [Flip] {
  /// The flips by ``Flip/word``: lost, gained and moved ones, then those with a changed value or label.
  var byWord: [(word: String, flips: [Flip])] {
    let kinds = Flip.Kind.allCases.map(\.rawValue)
    let words = kinds + map(\.word).filter { !kinds.contains($0) }.uniqued()
    return words.map { word in (word, filter { $0.word == word }) }.filter { !$0.flips.isEmpty }
  }
}
