import Detectors
import Diagnostics
import Evaluation
import Scoring
import TraceModel
import Tuning

extension TuneTables {
  // MARK: Figures

  var figures: String {
    let lead = [TableColumn<TuneSetting>("figures", .left) { $0.name }]
    let own: [TableColumn<TuneSetting>] = [
      .init("hours", rank: 4) { fixed($0.hours, 3) },
      .init("recall") { TableCell.estimate($0.recall, 3) },
      .init("precision\nof this mix", rank: 2) {
        $0.hasReferences
          ? TableCell.estimate($0.score.proportion(\.precision), 3) : TableCell.undefined
      },
      .init("F1", rank: 3) { TableCell.value($0.hasReferences ? $0.counts.f1.estimate : nil, 3) },
      .init("false/h") { TableCell.estimate($0.falseAlarms, 1) },
      .init("latency ms\np50/p90", rank: 3) { TableCell.milliseconds($0.score.pooled.latency) },
    ]
    let table = TextTable(
      "Figures, 95 % intervals below", outcome.namedSettings,
      lead + TableColumn.counts(\.counts) + own, remedy: Self.remedy)
    return table.render(screen) + options + hours + screen.wrapped(intervals + optimism + chance)
  }

  private var intervals: String {
    let estimates = outcome.namedSettings.flatMap { [$0.recall, $0.falseAlarms] }
    let clusters = outcome.grouping.clusterKind == .people ? "people" : "recordings"
    let kind = outcome.grouping.kind.rawValue
    return "Cross-validated: each \(kind) is scored with parameters tuned without it. "
      + "Same recordings: scored on those that it is tuned on, which is biased.\n"
      + intervalNote(estimates, clusters) + " false/h: false alarms per hour.\n"
  }

  private var optimism: String {
    guard let difference = outcome.result.optimism else { return "" }
    func signed(_ value: Double?, _ decimals: Int) -> String {
      value.map { ($0 > 0 ? "+" : "") + fixed($0, decimals) } ?? "not defined"
    }
    let alarms = signed(difference.falseAlarmsPerHour.map { -$0 }, 1)
    return "Optimism (same recordings - cross-validated): recall "
      + "\(signed(difference.recall, 3)), false alarms per hour \(alarms).\n"
  }

  private var chance: String {
    guard let chance = outcome.result.chance else { return "" }
    let level = TableCell.value(chance.recall, 3)
    return "\(chance.hits) of \(chance.references) references are hit; recall at chance: \(level) "
      + (outcome.result.folds.isEmpty
        ? "(no test, because these hits chose the threshold).\n"
        : "(\(fixed(100 * chance.share, 1)) % of \(chance.shifts) shifts hit as many; seed "
          + "\(outcome.plan.seed)).\n")
  }

  // MARK: Parts

  var activities: String {
    TextTable(
      "False alarms by activity, "
        + (outcome.result.folds.isEmpty ? "same recordings (biased)" : "cross-validated"),
      outcome.activities, ActivityRate.columns { $0 }
    ).render(screen)
  }

  var folds: String {
    let rows = outcome.shownFolds
    guard !rows.isEmpty else { return "" }
    let kind = outcome.grouping.kind.rawValue
    typealias Column = TableColumn<(fold: TuneSetting, isOne: Bool)>
    let lead = [Column(kind, .left) { $0.fold.name }]
    let own: [Column] = [
      .init("hours", rank: 3) { fixed($0.fold.hours, 3) },
      .init("recall") { TableCell.value($0.fold.counts.recall.estimate, 3) },
      .init("false/h") { TableCell.value($0.fold.falseAlarms.value, 1) },
      .init(outcome.span.parameter, rank: 1) {
        $0.isOne ? $0.fold.threshold.map { text(.number($0)) } ?? "none" : ""
      },
    ]
    let settings = searchedNames.map { name in
      Column(name, rank: 1) { $0.isOne ? value(name, of: $0.fold.parameters) : "" }
    }
    return TextTable(
      "Cross-validation: each \(kind) with parameters tuned without it", rows,
      lead + Column.counts(\.fold.counts) + own + settings, remedy: Self.remedy
    ).render(screen)
  }

  private var searchedNames: [String] { outcome.plan.space.dimensions.map(\.name) }

  private func value(_ name: String, of settings: ParameterSettings) -> String {
    settings[name].map { text($0) } ?? "preset"
  }

  private static let frontRows = 8

  var pareto: String {
    let front = outcome.result.pareto
    guard !front.isEmpty else { return "" }
    let shown = CurvePoints.evenly(front.count, most: Self.frontRows).map { front[$0] }
    let own: [TableColumn<ParetoPoint>] = [
      .init("recall") { TableCell.value($0.counts.recall.estimate, 3) },
      .init("false/h") { TableCell.value($0.falseAlarms.estimate, 1) },
      .init("latency ms\np50", rank: 1) {
        TableCell.value($0.medianLatency.map { Double($0) / 1e6 }, 0)
      },
      .init(outcome.span.parameter) { text(.number($0.threshold)) },
    ]
    let table = TextTable(
      "Pareto front, same recordings (biased)", shown,
      own + searchedNames.map { name in .init(name, rank: 2) { value(name, of: $0.settings) } })
    let more = front.count - shown.count
    return table.render(screen) + (more > 0 ? "\(more) further points are in --format json.\n" : "")
  }
}
