import Diagnostics
import Evaluation
import History
import Scoring

extension HistoryReport {
  /// The newest runs and the main figures; with selected entries or figures, a table of each.
  package func tables(_ screen: Screen = Screen()) -> String {
    HistoryTables(report: self, screen: screen).render()
  }
}

extension TableColumn {
  /// A column of text, which is wrapped if the table is too wide.
  fileprivate static func text(_ title: String, _ cell: @escaping (Item) -> String) -> Self {
    TableColumn(heading: TextTable.Column(title, .left, isText: true), cell: cell)
  }
}

private struct HistoryTables {
  let report: HistoryReport
  let screen: Screen

  private static let mostFigures = 20
  private static let mostChanges = 10
  private static let mostBranches = 3
  private static let mostSentences = 3

  func render() -> String {
    let parts =
      report.isDetailed ? groups.map(text(ofGroup:)) : [figures, newestRuns].filter { !$0.isEmpty }
    return screen.wrapped(heading) + (report.isDetailed ? "" : outcomes + lastChanges)
      + parts.map { "\n" + $0 }.joined() + note
  }

  private var heading: String {
    let times = report.runs.map(\.time)
    guard let first = times.min(), let last = times.max() else {
      return "\(report.path): no runs\n"
    }
    let days = [first, last].map(day).uniqued().joined(separator: " to ")
    let machines = counted(Set(report.runs.map(\.machine)).count, "machine")
    return "\(counted(report.runs.count, "run")) \(branchesShown) \(machines), \(days), in "
      + "\(report.path)\n" + branchesHidden + order
  }

  /// Empty for the order of time.
  private var order: String {
    guard let (known, repository) = report.commits else { return "" }
    let rest = report.runs.count - known
    return "Order: by commit, from git in \(inLine(repository)), not by time"
      + (rest > 0 ? "; \(counted(rest, "run")) of unknown commits by time" : "") + "\n"
  }

  /// `of branch main on`; only `of` if no run has a branch.
  private var branchesShown: String {
    let (shown, hidden) = (report.branches.shown, report.branches.hidden)
    guard shown.count == 1 else { return "of \(shown.count) branches on" }
    if let name = shown[0].name { return "of branch \(inLine(name)) on" }
    return hidden.isEmpty ? "of" : "without a branch on"
  }

  private var branchesHidden: String {
    let hidden = report.branches.hidden
    guard !hidden.isEmpty else { return "" }
    let names = hidden.map { "\(inLine(HistoryBranches.text($0.name))) (\($0.runs))" }
    let count = hidden.reduce(0) { $0 + $1.runs }
    return "Not shown: \(counted(count, "run")) of other branches, "
      + "\(listed(names, most: Self.mostBranches)); --branch NAME or --all-branches shows them\n"
  }

  private var note: String {
    guard !report.series.isEmpty else { return "" }
    let kinds = Set(report.series.map(\.kind))
    var lines = [""]
    if kinds.contains(.accuracy) {
      lines.append(
        "Runs repeat exactly: each difference comes from the code, the suite or its options.")
    }
    if kinds.contains(.timing) {
      let percent = number(100 * ChangeTest.falseAlarmProbability)
      lines.append(
        "Timing: changes by a sequential test on each machine. At most \(percent) % of histories without a "
          + "change ever show one in any of their series (here \(counted(report.testedSeries, "series", "series")) with "
          + "\(ChangeTest.fewestValues) runs or more). Runs of one day may be alike (\(days)).")
      let fewDays = 2..<ChangeTest.fewestDays
      if report.series.contains(where: { $0.kind == .timing && fewDays ~= $0.days.count }) {
        lines.append(
          "With several runs per day, a change shows only after \(ChangeTest.fewestDays) days.")
      }
    }
    return screen.wrapped(lines.joined(separator: "\n") + "\n")
  }

  /// `12 on ci, 3 on laptop`.
  private var days: String {
    let timed = report.series.filter { $0.kind == .timing }
    return listed(
      timed.inGroups(by: \.machine).map { group in
        let days = group.reduce(into: Set<Int>()) { $0.formUnion($1.days) }
        return "\(counted(days.count, "day")) on \(inLine(group[0].machine ?? "-"))"
      }, most: Self.mostBranches)
  }

  private var newestRuns: String {
    let changes = report.series.flatMap { series in
      series.changes.map { series.points[$0.index].run.id }
    }
    let counts = Dictionary(changes.map { ($0, 1) }, uniquingKeysWith: +)
    let shown = Array(report.shown.reversed())
    let columns: [TableColumn<HistoryRun>] = [
      .init("time (UTC)", .left) { minute($0.time) },
      .init("commit", .left) { short(commit: $0.commit) },
      .init("branch", .left, rank: 3) { inLine($0.branch ?? "-") },
      .init("from", .left) { $0.source.rawValue },
      .init("verdict", .left, rank: 1) { inLine($0.verdict ?? "-") },
      .init("suite", .left, rank: 2) { inLine($0.suite) },
      .init("machine", .left, rank: 2) { inLine($0.machine) },
      .init("changed\nfigures") { "\(counts[$0.id] ?? 0)" },
    ]
    let title = shown.count < report.runs.count ? "The newest \(shown.count) runs:" : "Runs:"
    return shown.isEmpty ? "" : TextTable(title, shown, columns).render(screen)
  }

  /// One row per series, those with the newest changes first.
  private var figures: String {
    let main = HistoryReport.main(of: report.series)
    let changed = main.compactMap { series in since(series).map { (series, rank($0)) } }
      .sorted { $0.1 > $1.1 }.map(\.0)
    let rows = (changed + main.filter { since($0) == nil }).prefix(Self.mostFigures)
    guard !rows.isEmpty else { return "" }
    let columns: [TableColumn<HistorySeries>] = [
      .text("entry") { inLine(title(of: $0)) }, .text("figure") { inLine(figure($0)) },
      .init("before") { $0.changes.last.map { short($0.before) } ?? "-" },
      .init("newest") { short($0.points.last?.figure.value) },
      .init("since", .left, rank: 1) { since($0).map { day($0.time) } ?? "-" },
      .init("commit", .left) { since($0).map { short(commit: $0.commit) } ?? "-" },
      .init("of runs", rank: 2) { "\($0.points.count)" },
    ]
    let more = report.series.count - rows.count
    return TextTable("Main figures, and their last changes:", rows, columns).render(screen)
      + (more > 0
        ? screen.wrapped("\(counted(more, "further figure")): --entry, --metric or --format csv\n")
        : "")
  }

  /// A sentence for each of the newest changes.
  private var lastChanges: String {
    let changed = HistoryReport.main(of: report.series).compactMap { series in
      series.changes.last.map { (series: series, change: $0) }
    }.sorted {
      rank($0.series.points[$0.change.index].run) > rank($1.series.points[$1.change.index].run)
    }
    return changed.prefix(Self.mostSentences).map { series, change in
      let place = inLine(title(of: series))
      return screen.wrapped(
        "\(word(change, series)): \(place), \(text(of: change, in: series)).", indent: 2) + "\n"
    }.joined()
  }

  /// A sentence for what the newest run that changed an app's outcomes has begun or ended: a no is a yes, or
  /// there is something to count, and the other way round. The history does not know which of them is good.
  private var outcomes: String {
    typealias Turned = (series: HistorySeries, change: ChangePoint)
    let turned = report.series.compactMap { series -> Turned? in
      guard series.name.metric.hasPrefix(Self.outcome), ["yes", "count"].contains(series.unit),
        let change = series.changes.last, (change.before == 0) != (change.after == 0)
      else { return nil }
      return (series, change)
    }
    guard let newest = turned.map({ rank($0.series.points[$0.change.index].run) }).max(),
      let run = turned.lazy.map({ $0.series.points[$0.change.index].run })
        .first(where: { rank($0) == newest })
    else { return "" }
    let entries = turned.filter { $0.series.points[$0.change.index].run.id == run.id }
      .inGroups { title(of: $0.series) }
    let texts = entries.map { group in
      let begun = group.filter { $0.change.before == 0 }
      let figures = (begun + group.filter { $0.change.before != 0 }).map { series, change in
        let values = [change.before, change.after].map { value in
          series.unit == "yes" ? (value == 0 ? "no" : "yes") : short(value)
        }
        let name = series.name.metric.dropFirst(Self.outcome.count).replacing("_", with: " ")
        return "\(inLine(String(name))) \(values[0]) -> \(values[1])"
      }
      return "\(inLine(title(of: group[0].series))): "
        + listed(figures, most: Self.mostChanges)
    }
    let isOther = turned.contains { series, change in
      series.points[change.index].run.id == run.id && series.hasOtherSuite(at: change.index)
    }
    return screen.wrapped(
      "Changed: outcomes of apps, \(day(run.time)) \(short(commit: run.commit)): "
        + texts.joined(separator: "; ") + (isOther ? Self.otherSuite : "") + ".", indent: 2) + "\n"
  }

  private static let outcome = "outcome."
  private static let otherSuite = ", but the suite or its options changed too"

  /// `Better` or `Worse`; `Changed` where neither direction is.
  private func word(_ change: ChangePoint, _ series: HistorySeries) -> String {
    guard let before = change.before, let after = change.after, before != after else {
      return "Changed"
    }
    let better =
      series.kind == .timing
      ? (series.name.metric.contains("real_time_factor") ? .higher : .lower)
      : FigureCatalogue.compared.first { $0.name == series.name.metric }?.better ?? .neither
    guard better != .neither else { return "Changed" }
    return (after > before) == (better == .higher) ? "Better" : "Worse"
  }

  private func since(_ series: HistorySeries) -> HistoryRun? {
    series.changes.last.map { series.points[$0.index].run }
  }

  private func rank(_ run: HistoryRun) -> Int { report.ranks[run.id] ?? 0 }

  // MARK: Entries

  /// The series of each entry on a machine: the columns of a table.
  private var groups: [[HistorySeries]] { report.series.inGroups { $0.group + [$0.machine] } }

  private func text(ofGroup group: [HistorySeries]) -> String {
    let marks = group.map { series in Set(series.changes.map { series.points[$0.index].run.id }) }
    let values = group.map { series in
      Dictionary(
        series.points.map { ($0.run.id, $0.figure) }, uniquingKeysWith: { first, _ in first })
    }
    let runs = report.shown.reversed().filter { run in values.contains { $0[run.id] != nil } }
    var columns: [TableColumn<HistoryRun>] = [
      .init("time (UTC)", .left) { minute($0.time) },
      .init("commit", .left) { short(commit: $0.commit) },
    ]
    for (index, series) in group.enumerated() {
      columns.append(
        .init(inLine(figure(series)).replacing(" per ", with: "\nper "), rank: index) { run in
          guard let figure = values[index][run.id] else { return "" }
          return short(figure.value) + (marks[index].contains(run.id) ? "*" : " ")
        })
    }
    let table = TextTable(
      "\(inLine(title(of: group[0]))):", runs, columns,
      remedy: "--metric or --format csv shows them")
    let isMarked = marks.contains { !$0.isDisjoint(with: report.shownIDs) }
    return table.render(screen)
      + screen.wrapped(changes(of: group, isMarked ? "Changes (* above):" : "Changes:"), indent: 2)
  }

  private func changes(of group: [HistorySeries], _ title: String) -> String {
    let all = group.flatMap { series in series.changes.map { (series, $0) } }
      .sorted { rank($0.0.points[$0.1.index].run) > rank($1.0.points[$1.1.index].run) }
    guard !all.isEmpty else {
      let count = group.map(\.points.count).max() ?? 0
      return "No change in \(counted(count, "run")).\n"
    }
    let more = all.count - Self.mostChanges
    return "\(title)\n"
      + all.prefix(Self.mostChanges).map { "  \(text(of: $1, in: $0))\n" }.joined()
      + (more > 0 ? "  and \(more) older\n" : "")
  }

  private func text(of change: ChangePoint, in series: HistorySeries) -> String {
    let run = series.points[change.index].run
    let (before, after) = different(change.before, change.after)
    var text = "\(day(run.time)) \(short(commit: run.commit)): \(inLine(figure(series))) "
    text += "\(before) -> \(after)" + (series.unit == "1" ? "" : percent(change))
    if series.hasOtherSuite(at: change.index) { text += Self.otherSuite }
    if series.kind == .timing {
      text += ", seen after \(counted(change.seenAt - change.index + 1, "run"))"
    }
    return text
  }

  /// Empty where it says nothing: of a change from or to 0.
  private func percent(_ change: ChangePoint) -> String {
    guard let before = change.before, let after = change.after, after != 0 else { return "" }
    let rise = 100 * (after - before) / abs(before)
    return abs(rise) >= 0.05 && rise.isFinite
      ? " (\(rise > 0 ? "+" : "")\(fixed(rise, 1)) %)" : ""
  }

  // MARK: Texts

  private func title(of series: HistorySeries) -> String {
    series.name.entry + (series.name.origin.isEmpty ? "" : " (\(series.name.origin))")
      + (hasSeveralSuites ? " of \(series.suite.isEmpty ? "no suite" : series.suite)" : "")
      + (report.branches.shown.count > 1 ? " on \(series.branch ?? "no branch")" : "")
      + (series.machine.map { " on \($0)" } ?? "")
  }

  private var hasSeveralSuites: Bool { Set(report.series.map(\.suite)).count > 1 }

  /// The name of a figure with its unit, unless the name has it.
  private func figure(_ series: HistorySeries) -> String {
    let name = series.name.metric.replacing("_", with: " ")
    switch series.unit {
    case "1", "", "h-1": return name
    default: return name.hasPrefix("\(series.unit) ") ? name : "\(name) (\(series.unit))"
    }
  }

  private func minute(_ time: HistoryTime) -> String {
    String(time.description.prefix(16).replacing("T", with: " "))
  }

  private func day(_ time: HistoryTime) -> String { String(time.description.prefix(10)) }

  /// Ten digits of a hash; 20 characters of another name.
  private func short(commit: String) -> String {
    let (hash, rest) = (commit.prefix { $0.isHexDigit }, commit.drop { $0.isHexDigit })
    guard !commit.isEmpty else { return "-" }
    let isHash = hash.count >= 20 && (rest.isEmpty || rest.hasPrefix("-"))
    let text = isHash ? hash.prefix(10) + rest : commit.prefix(20)
    return inLine(String(text))
  }

  private func short(_ value: Double?) -> String { value.map { number(rounded($0)) } ?? "-" }

  /// Two numbers, with all digits if their short forms are equal.
  private func different(_ left: Double?, _ right: Double?) -> (String, String) {
    toldApart(left, right, short)
  }
}
