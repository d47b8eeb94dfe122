import Detectors
import Diagnostics
import Evaluation
import Scoring
import TraceModel
import Tuning

/// The figures of a setting, as a row has them.
struct TuneFigures {
  var name: String
  var counts: EventCounts
  var hours: Double
  var recallOverGroups: Interval?
  var latency: TimePercentiles?

  init(_ name: String, _ figures: OperatingFigures, latency: TimePercentiles? = nil) {
    self.name = name
    counts = figures.counts
    hours = figures.hours
    recallOverGroups = figures.recallOverGroups?.interval
    self.latency = latency
  }

  init(_ name: String, _ score: EventScore) {
    self.name = name
    counts = score.counts
    hours = score.falseAlarms.hours
    latency = score.latency
  }

  var recallInterval: Interval? { recallOverGroups ?? counts.recall.interval }
  var hasReferences: Bool { counts.recall.trials > 0 }
  var falseAlarms: PoissonRate { PoissonRate(count: counts.falsePositives, hours: hours) }
}

extension TuneOutcome {
  /// The figures of the choice and of the presets: cross-validated first, because new data are like
  /// those.
  var namedFigures: [TuneFigures] {
    var all: [TuneFigures] = []
    if let validated = result.crossValidated {
      all.append(
        TuneFigures(
          grouping.isOptimistic ? "cross-validated\n(optimistic)" : "cross-validated", validated))
    }
    if let testSet { all.append(TuneFigures("test set", testSet.score)) }
    all.append(
      TuneFigures(
        "resubstitution\n(biased)", result.resubstitution, latency: resubstitution?.latency))
    return all + presets.map { TuneFigures($0.name, $0.score) }
  }
}

extension TuneTables {
  // MARK: Figures

  var figures: String {
    var table = TextTable(
      "Figures, 95 % intervals below",
      [
        .init("figures", .left), .init("refs", rank: 3), .init("TP", rank: 3),
        .init("FP", rank: 3), .init("FN", rank: 3), .init("hours", rank: 4), .init("recall"),
        .init("precision", rank: 1), .init("F1", rank: 1), .init("false/h"),
        .init("latency ms\np50/p90", rank: 2),
      ])
    table.remedy = "a wider terminal or --format json shows them"
    for figures in outcome.namedFigures { table.add(row(figures)) }
    return table.render(screen) + screen.wrapped(intervals + optimism + chance)
  }

  private func row(_ figures: TuneFigures) -> [String] {
    let (counts, recall) = (figures.counts, figures.counts.recall)
    let mark = figures.recallOverGroups == nil || recall.estimate == nil ? "" : "*"
    func ifReferences(_ cell: String) -> String {
      figures.hasReferences ? cell : TableCell.undefined
    }
    return [
      figures.name, "\(recall.trials)", "\(counts.truePositives)", "\(counts.falsePositives)",
      "\(counts.falseNegatives)", fixed(figures.hours, 3),
      TableCell.estimate(recall.estimate, figures.recallInterval, 3) + mark,
      ifReferences(TableCell.proportion(counts.precision)),
      ifReferences(TableCell.value(counts.f1.estimate, 3)), TableCell.rate(figures.falseAlarms),
      TableCell.milliseconds(figures.latency),
    ]
  }

  private var intervals: String {
    "Cross-validated: each \(outcome.grouping.kind.rawValue) is scored with parameters tuned "
      + "without it. Resubstitution: scored on the traces that it is tuned on, which is biased.\n"
      + "Intervals: Wilson's of independent events; * over resampled groups "
      + "(\(outcome.plan.resamples) resamples, seed \(outcome.plan.seed)); false/h (false alarms per "
      + "hour): Garwood's.\n"
  }

  private var optimism: String {
    guard let difference = outcome.result.optimism else { return "" }
    func signed(_ value: Double?, _ ends: (Double, Double)?, _ decimals: Int) -> String {
      guard let value else { return "not defined" }
      return (value > 0 ? "+" : "") + fixed(value, decimals)
        + (ends.map { " (\(fixed($0.0, decimals)) to \(fixed($0.1, decimals)))" } ?? "")
    }
    let recall = difference.recallOverGroups?.interval
    let alarms = difference.falseAlarmsOverGroups?.interval
    return "Optimism (resubstitution - cross-validated): recall "
      + signed(difference.recall, recall.map { ($0.lower, $0.upper) }, 3)
      + ", false alarms per hour "
      + signed(
        difference.falseAlarmsPerHour.map { -$0 }, alarms.map { (-$0.upper, -$0.lower) }, 1) + ".\n"
  }

  private var chance: String {
    guard let chance = outcome.result.chance else { return "" }
    let probability = chance.pValue < 0.001 ? "< 0.001" : "= " + fixed(chance.pValue, 3)
    return
      "\(chance.hits) of \(chance.detections) detections are hits; chance level: "
      + "\(fixed(chance.expectedHits, 1)) "
      + (outcome.result.folds.isEmpty
        ? "(no test, because these hits chose the threshold).\n" : "(p \(probability)).\n")
  }

  // MARK: Parts

  var activities: String {
    var table = TextTable(
      "False alarms by activity, "
        + (outcome.result.folds.isEmpty ? "resubstitution (biased)" : "cross-validated"),
      [
        .init("activity", .left), .init("hours", rank: 2), .init("false", rank: 1),
        .init("false/h"), .init("95 % interval", rank: 1), .init("bound if none", rank: 3),
      ])
    for (activity, rate) in outcome.activityRates {
      table.add([
        activity.isEmpty ? "not stated" : activity, fixed(rate.hours, 3), "\(rate.count)",
        TableCell.value(rate.estimate, 1), TableCell.range(rate.interval, 1) ?? "-",
        rate.oneSidedUpperBoundOfNone.map { "< \(fixed($0, 1))" } ?? "",
      ])
    }
    return table.render(screen)
  }

  var folds: String {
    let folds = outcome.namedFolds
    guard !folds.isEmpty else { return "" }
    let (kind, names) = (outcome.grouping.kind.rawValue, searchedNames)
    var table = TextTable(
      "Cross-validation: each \(kind) with parameters tuned without it",
      [
        .init(kind, .left), .init("refs", rank: 2), .init("TP", rank: 4), .init("FP", rank: 4),
        .init("FN", rank: 4), .init("hours", rank: 3), .init("recall"), .init("false/h"),
        .init(outcome.span.parameter, rank: 1),
      ] + names.map { .init($0, rank: 1) })
    table.remedy = "a wider terminal or --format json shows them"
    let shown = ShownFolds(folds.map(\.counts))
    for (fold, counts, hours) in shown.single.map({ folds[$0] }) {
      let choice = fold.outcome.choice
      table.add(
        row(fold.group, counts, hours)
          + [choice.map { text(.number($0.threshold)) } ?? "none"]
          + values(names, of: choice == nil ? [:] : fold.settings))
    }
    if !shown.others.isEmpty {
      let others = shown.others.map { folds[$0] }
      let counts = others.reduce(EventCounts()) { $0 + $1.counts }
      let hours = others.reduce(0) { $0 + $1.hours }
      table.add(row(shown.nameOfOthers, counts, hours) + [""] + names.map { _ in "" })
    }
    return table.render(screen)
  }

  private var searchedNames: [String] { outcome.plan.space.dimensions.map(\.name) }

  private func values(_ names: [String], of settings: ParameterSettings) -> [String] {
    names.map { settings[$0].map { text($0) } ?? "preset" }
  }

  private func row(_ name: String, _ counts: EventCounts, _ hours: Double) -> [String] {
    let rate = PoissonRate(count: counts.falsePositives, hours: hours)
    return [
      name, "\(counts.recall.trials)", "\(counts.truePositives)", "\(counts.falsePositives)",
      "\(counts.falseNegatives)", fixed(hours, 3), TableCell.value(counts.recall.estimate, 3),
      TableCell.value(rate.estimate, 1),
    ]
  }

  private static let frontRows = 8

  var pareto: String {
    let front = outcome.result.pareto
    guard !front.isEmpty else { return "" }
    let names = searchedNames
    var table = TextTable(
      "Pareto front, resubstitution (biased)",
      [
        .init("recall"), .init("false/h"), .init("latency ms\np50", rank: 1),
        .init(outcome.span.parameter),
      ] + names.map { .init($0, rank: 2) })
    // Evenly over the front, with both ends.
    let count = min(front.count, Self.frontRows)
    for position in 0..<count {
      let point = front[count < front.count ? position * (front.count - 1) / (count - 1) : position]
      let rate = PoissonRate(count: point.counts.falsePositives, hours: point.hours)
      table.add(
        [
          TableCell.value(point.counts.recall.estimate, 3), TableCell.value(rate.estimate, 1),
          TableCell.value(point.medianLatency.map { Double($0) / 1e6 }, 0),
          text(.number(point.threshold)),
        ] + values(names, of: point.settings))
    }
    let more = front.count - count
    return table.render(screen)
      + (more > 0 ? "\(more) further points are in --format json.\n" : "")
  }
}
