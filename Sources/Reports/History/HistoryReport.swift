import Diagnostics
import Evaluation
package import History
import Results
import Scoring

/// The output of `history`: runs, and series of figures with their change points.
package struct HistoryReport: Sendable {
  package let path: String
  /// The runs of the shown branches, the oldest first.
  package let runs: [HistoryRun]
  /// The places of the runs.
  let ranks: [String: Int]
  /// The runs whose commits git knows, and its folder; nil = the runs are in the order of time.
  let commits: (known: Int, repository: String)?
  let branches: HistoryBranches
  package let series: [HistorySeries]
  package let trials: [HistoryTrial]
  /// The series of timing among which the probability of a false alarm is divided.
  let testedSeries: Int
  /// The number of newest runs to list; nil = all. Change points use all runs.
  package let last: Int?
  /// Whether entries or figures are selected.
  package let isDetailed: Bool

  package struct Selection: Sendable {
    /// Empty = all.
    package var entries: [String] = []
    /// Empty = the main figures in tables and pictures, all in JSON and CSV.
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

    /// - Throws: wrong use for an unknown name.
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

  /// - Throws: wrong use for an unknown branch, or an entry or metric that the shown branches lack.
  package init(
    _ store: HistoryStore, _ selection: Selection,
    _ found: (order: HistoryOrder, repository: String?)
  ) throws {
    path = store.path
    let (order, byTime) = (found.order, try store.runs())
    let known = order.sorted(byTime)
    branches = try HistoryBranches(of: known, selection.branch, store.path)
    runs = known.filter(branches.shows)
    ranks = Dictionary(zip(runs.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
    let isByTime = runs == byTime.filter(branches.shows)
    let count = runs.count(where: order.knows)
    commits = isByTime ? nil : found.repository.map { (count, $0) }
    let shown = branches.shown
    let all =
      try shown.count == 1
      ? store.allSeries(ofBranch: shown[0].name, order: order) : store.allSeries(order: order)
    try selection.check(all, branches.place(in: store.path))
    series = selection.chosen(of: all)
    trials = try store.trials()
    testedSeries = try store.testedSeries()
    last = selection.last
    isDetailed = !selection.entries.isEmpty || !selection.metrics.isEmpty
  }

  /// A few figures of accuracy, as in ``ResultsInfo``, and all of timing. No precision without references.
  static func main(of series: [HistorySeries]) -> [HistorySeries] {
    let headlines = ResultsInfo.headlines
    let empty = series.filter {
      $0.name.metric == FigureDefinition.references.name
        && $0.points.allSatisfy { $0.figure.value == 0 }
    }.map(\.group)
    let ranked = series.compactMap { series -> (rank: Int, series: HistorySeries)? in
      if series.kind == .timing { return (headlines.count, series) }
      let isVoid =
        series.name.metric == FigureDefinition.precision.name && empty.contains(series.group)
      return isVoid ? nil : headlines.firstIndex(of: series.name.metric).map { ($0, series) }
    }
    return ranked.inGroups(by: \.series.group).flatMap { group in
      group.indices.sorted { (group[$0].rank, $0) < (group[$1].rank, $1) }.map { group[$0].series }
    }
  }

  /// The listed runs, the newest last.
  var shown: [HistoryRun] { last.map { Array(runs.suffix($0)) } ?? runs }
  var shownIDs: Set<String> { Set(shown.map(\.id)) }
}

extension HistoryReport {
  package func json() throws -> String { try jsonDocument(document, .history, inputs: []) }
  package func picture() -> Picture { Picture(.history, document) }

  private var document: JSONObject {
    let shownIDs = shownIDs
    return [
      "path": path,
      "branches": branches.all.map { branch -> JSONObject in
        ["branch": branch.name, "runs": branch.runs, "is_shown": branch.isShown]
      },
      "false_alarm_probability": ChangeTest.falseAlarmProbability,
      "tested_series": testedSeries, "blocks": "days of a machine",
      "autocorrelation": ChangeTest.autocorrelation,
      "order": commits == nil ? "time" : "commits", "runs_by_commit": commits?.known,
      "runs": shown, "series": series.map { $0.document(of: shownIDs) }, "trials": trials,
    ]
  }

  package func csv() -> String {
    let shownIDs = shownIDs
    typealias Row = (run: HistoryRun, figure: HistoryFigure, isChange: Bool)
    let rows = series.flatMap { series in
      let starts = Set(series.changes.map(\.index))
      return series.points.enumerated().filter { shownIDs.contains($1.run.id) }
        .map { Row($1.run, $1.figure, starts.contains($0)) }
    }
    return csvTable(
      rows,
      [
        ("time", { $0.run.time.description }), ("commit", { $0.run.commit }),
        ("branch", { $0.run.branch }), ("machine", { $0.run.machine }),
        ("source", { $0.run.source.rawValue }), ("verdict", { $0.run.verdict }),
        ("suite", { $0.run.suite }), ("tool_version", { $0.run.toolVersion }),
        ("run", { $0.run.id }), ("entry", { $0.figure.entry }),
        ("origin", { $0.figure.origin }), ("figure", { $0.figure.metric }),
        ("value", { $0.figure.value }), ("lower", { $0.figure.lower }),
        ("upper", { $0.figure.upper }), ("unit", { $0.figure.unit }),
        ("method", { $0.figure.method }), ("count", { $0.figure.count }),
        ("kind", { $0.figure.kind.rawValue }), ("is_change", { $0.isChange ? 1 : 0 }),
      ])
  }
}

extension HistorySeries {
  /// The figures of an entry, on recorded or synthetic traces, of one suite on one branch.
  var group: [String?] { [branch, suite, name.entry, name.origin] }

  fileprivate func document(of runs: Set<String>) -> JSONObject {
    [
      "entry": name.entry, "origin": name.origin, "figure": name.metric, "unit": unit,
      "kind": kind, "suite": suite, "branch": branch, "machine": machine,
      "days": days.count,
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
}

/// The branches of a history to show. They measure different code, so they never share a series.
package enum HistoryBranchChoice: Sendable {
  /// The branch with the most runs, and of these the one with the newest run.
  case busiest
  /// The runs of one branch; nil = those without a branch.
  case one(String?)
  /// All, in separate series.
  case all

  /// The name for runs without a branch. No branch of git has it.
  package static let none = "-"
}

struct HistoryBranches: Sendable {
  struct Branch: Sendable {
    /// nil = runs without a branch.
    let name: String?
    let runs: Int
    let isShown: Bool
  }

  /// The branch with the newest run first.
  let all: [Branch]

  /// - Parameter runs: the oldest first.
  /// - Throws: wrong use for an unknown branch, unless there are no runs.
  init(of runs: [HistoryRun], _ choice: HistoryBranchChoice, _ path: String) throws {
    let counts = Dictionary(runs.map { ($0.branch, 1) }, uniquingKeysWith: +)
    let names = runs.reversed().map(\.branch).uniqued()
    let most = names.max { counts[$0, default: 0] < counts[$1, default: 0] }
    if case .one(let name) = choice, !runs.isEmpty, !names.contains(name) {
      throw Failure.unknown(
        "branch", Self.text(name), known: names.map(Self.text).sorted(), place: path)
    }
    all = names.map { name in
      let isShown =
        switch choice {
        case .busiest: name == most
        case .one(let wanted): name == wanted
        case .all: true
        }
      return Branch(name: name, runs: counts[name, default: 0], isShown: isShown)
    }
  }

  var shown: [Branch] { all.filter(\.isShown) }
  var hidden: [Branch] { all.filter { !$0.isShown } }
  static func text(_ name: String?) -> String { name ?? HistoryBranchChoice.none }

  /// The path with the shown branch, for messages.
  func place(in path: String) -> String {
    guard !hidden.isEmpty, let name = shown.first?.name else { return path }
    return "\(path), branch \(name)"
  }

  func shows(_ run: HistoryRun) -> Bool { shown.contains { $0.name == run.branch } }
}
