import Diagnostics
import Evaluation
package import History
import Results
import Scoring

/// What `history` prints: runs, and series of figures with their change points.
package struct HistoryReport: Sendable {
  package let path: String
  /// The runs of the branches that are shown, the oldest first.
  package let runs: [HistoryRun]
  let branches: HistoryBranches
  /// The series that are asked for.
  package let series: [HistorySeries]
  package let trials: [HistoryTrial]
  /// Only the newest runs are listed; nil = all. Change points rest on all runs.
  package let last: Int?
  /// Whether single entries or figures are asked for.
  package let isDetailed: Bool

  /// What to print of a history.
  package struct Selection: Sendable {
    /// Empty = all.
    package var entries: [String] = []
    /// Empty = the main ones in tables and pictures, all in JSON and CSV.
    package var metrics: [String] = []
    package var branch: HistoryBranchChoice
    package var last: Int?
    package var onlyMain = false

    package init(
      entries: [String] = [], metrics: [String] = [], branch: HistoryBranchChoice = .busiest,
      last: Int? = nil, onlyMain: Bool = false
    ) {
      (self.entries, self.metrics, self.last) = (entries, metrics, last)
      (self.branch, self.onlyMain) = (branch, onlyMain)
    }

    fileprivate func chosen(of series: [HistorySeries]) -> [HistorySeries] {
      let own = series.filter { entries.isEmpty || entries.contains($0.name.entry) }
      if !metrics.isEmpty { return own.filter { metrics.contains($0.name.metric) } }
      return onlyMain ? HistoryReport.main(of: own) : own
    }

    /// - Throws: wrong use for a name that none of the series has.
    fileprivate func check(_ series: [HistorySeries], _ place: String) throws {
      for (what, wanted, known) in [
        ("entry", entries, series.map(\.name.entry)),
        ("metric", metrics, series.map(\.name.metric)),
      ] {
        for name in wanted where !known.contains(name) {
          throw Failure.unknown(what, name, known: known.uniqued().sorted(), place: place)
        }
      }
    }
  }

  /// - Throws: wrong use for a branch that the history does not have, or an entry or a metric that
  ///   what is shown of it does not have.
  package init(_ store: HistoryStore, _ selection: Selection) throws {
    path = store.path
    let known = try store.runs()
    branches = try HistoryBranches(of: known, selection.branch, store.path)
    runs = known.filter(branches.shows)
    let all = try Self.series(store, branches)
    try selection.check(all, branches.place(in: store.path))
    series = selection.chosen(of: all)
    trials = try store.trials()
    last = selection.last
    isDetailed = !selection.entries.isEmpty || !selection.metrics.isEmpty
  }

  private static func series(
    _ store: HistoryStore, _ branches: HistoryBranches
  ) throws -> [HistorySeries] {
    guard branches.shown.count == 1 else { return try store.allSeries() }
    return try store.allSeries(ofBranch: branches.shown[0].name)
  }

  /// What a first look wants: a few figures of accuracy, in the order of ``ResultsInfo``, and all of
  /// timing. Where nothing could be found, precision says nothing.
  static func main(of series: [HistorySeries]) -> [HistorySeries] {
    let headlines = ResultsInfo.headlines
    let empty = series.filter {
      $0.name.metric == FigureDefinition.references.name
        && $0.points.allSatisfy { $0.figure.value == 0 }
    }.map(\.group)
    let ranked = series.compactMap { series -> (rank: Int, series: HistorySeries)? in
      if series.kind == .timing { return (headlines.count, series) }
      let isVoid =
        series.name.metric == FigureDefinition.precision.name
        && empty.contains(series.group)
      return isVoid ? nil : headlines.firstIndex(of: series.name.metric).map { ($0, series) }
    }
    return ranked.inGroups(by: \.series.group).flatMap { group in
      group.indices.sorted { (group[$0].rank, $0) < (group[$1].rank, $1) }
        .map { group[$0].series }
    }
  }

  /// The runs that are listed, the newest last.
  var shown: [HistoryRun] { last.map { Array(runs.suffix($0)) } ?? runs }

  var shownIDs: Set<String> { Set(shown.map(\.id)) }
}

extension HistoryReport {
  package func json() throws -> String { try jsonDocument(document, .history, inputs: []) }

  /// What the picture shows, see ``PictureDrawer``.
  package func picture() -> Picture { Picture(.history, document) }

  private var document: JSONObject {
    let shownIDs = shownIDs
    return [
      "path": path, "branches": branches.all.map(\.document),
      "false_alarm_probability": ChangeTest.falseAlarmProbability,
      "runs": shown, "series": series.map { $0.document(of: shownIDs) }, "trials": trials,
    ]
  }

  /// A row per figure of a run.
  package func csv() -> String {
    let shownIDs = shownIDs
    return csvTable(
      [
        "time", "commit", "branch", "machine", "source", "verdict", "suite", "tool_version", "run",
        "entry", "origin", "figure", "value", "lower", "upper", "unit", "method", "count", "kind",
        "is_change",
      ], series.flatMap { $0.rows(of: shownIDs) })
  }
}

extension HistoryBranches.Branch {
  fileprivate var document: JSONObject { ["branch": name, "runs": runs, "is_shown": isShown] }
}

extension HistorySeries {
  /// The figures of an entry, on recorded or synthetic traces, of one suite on one branch.
  var group: [String?] { [branch, suite, name.entry, name.origin] }

  fileprivate func document(of runs: Set<String>) -> JSONObject {
    [
      "entry": name.entry, "origin": name.origin, "figure": name.metric, "unit": unit,
      "kind": kind, "suite": suite, "branch": branch, "machine": machine,
      "points": points.filter { runs.contains($0.run.id) }.map { point -> JSONObject in
        [
          "run": point.run.id, "value": point.figure.value, "lower": point.figure.lower,
          "upper": point.figure.upper, "method": point.figure.method, "count": point.figure.count,
        ]
      },
      "changes": changes.map { change -> JSONObject in
        [
          "run": points[change.index].run.id, "commit": points[change.index].run.commit,
          "time": points[change.index].run.time, "seen_run": points[change.seenAt].run.id,
          "runs_until_seen": change.seenAt - change.index + 1, "before": change.before,
          "after": change.after, "is_other_suite": hasOtherSuite(at: change.index),
        ]
      },
    ]
  }

  fileprivate func rows(of runs: Set<String>) -> [JSONObject] {
    let starts = Set(changes.map(\.index))
    return points.indices.filter { runs.contains(points[$0].run.id) }.map { index in
      let (run, figure) = (points[index].run, points[index].figure)
      return [
        "time": run.time.description, "commit": run.commit, "branch": run.branch,
        "machine": run.machine, "source": run.source.rawValue, "verdict": run.verdict,
        "suite": run.suite, "tool_version": run.toolVersion, "run": run.id,
        "entry": figure.entry, "origin": figure.origin, "figure": figure.metric,
        "value": figure.value, "lower": figure.lower, "upper": figure.upper, "unit": figure.unit,
        "method": figure.method, "count": figure.count, "kind": figure.kind.rawValue,
        "is_change": starts.contains(index) ? 1 : 0,
      ]
    }
  }
}
