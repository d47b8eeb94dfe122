package import Evaluation
package import Diagnostics
package import Detectors
package import Scoring
package import TraceModel
package import Tuning

/// What `tune` prints for people.
package struct TuneTables {
  package let outcome: TuneOutcome
  package let report: TuneReport

  package init(outcome: TuneOutcome, report: TuneReport) {
    self.outcome = outcome
    self.report = report
  }

  package func render() -> String {
    [parameters, figures, activities, folds, pareto, notes].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  // MARK: Parameters

  private var parameters: String {
    var table = TextTable(
      "\(outcome.measured.choice.title) on \(report.data), tuned for\n\(report.objective)",
      [
        .init("parameter", .left), .init("chosen"), .init("unit", .left), .init("preset"),
        .init("searched", .left), .init("plateau"), .init("over folds"),
        .init("over resamples\n95 %"),
      ])
    let preset = presetValues
    for parameter in report.parameters {
      let isThreshold = parameter.name == outcome.span.parameter
      let range = isThreshold ? report.threshold : nil
      table.add([
        parameter.name, isThreshold && range == nil ? "none" : text(parameter.value),
        parameter.unit,
        preset[parameter.name].map { text($0) } ?? "", searched(parameter.name),
        range.map { span($0.plateau) } ?? "",
        range.flatMap { $0.folds.map(span) } ?? foldSpan(parameter.name),
        range.flatMap { $0.resamples?.interval.map { span(.init($0.lower, $0.upper)) } } ?? "",
      ])
    }
    return table.render()
  }

  private var presetValues: [String: ParameterFile.Value] {
    Dictionary(
      outcome.measured.detector.parameters(ofPreset: outcome.measured.choice.preset)
        .map { ($0.name, .init($0.value)) }, uniquingKeysWith: { $1 })
  }

  private func searched(_ name: String) -> String {
    if name == outcome.span.parameter {
      let range = outcome.span.range
      let ends =
        "\(ParameterValue.number(range.lowerBound))..\(ParameterValue.number(range.upperBound))"
      return outcome.span.points.map { "\(ends), \($0.count) values" } ?? "\(ends), all"
    }
    guard let dimension = outcome.plan.space.dimensions.first(where: { $0.name == name }) else {
      return outcome.measured.choice.overrides[name] == nil ? "" : "stated"
    }
    let parts = dimension.summary.split(separator: "=", maxSplits: 1)
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// What the folds chose of a parameter that was searched.
  private func foldSpan(_ name: String) -> String {
    let values = report.folds.compactMap { $0.parameters[name] }
    let numbers = values.compactMap { value -> Double? in
      if case .number(let number) = value { number } else { nil }
    }
    if let low = numbers.min(), let high = numbers.max() { return span(.init(low, high)) }
    return Set(values.map(\.text)).sorted().joined(separator: ", ")
  }

  private func span(_ bounds: TuneReport.Bounds) -> String {
    bounds.lower == bounds.upper
      ? text(.number(bounds.lower))
      : "\(text(.number(bounds.lower)))-\(text(.number(bounds.upper)))"
  }

  private func text(_ value: ParameterFile.Value) -> String {
    if case .number(let number) = value {
      "\(ParameterValue.number(rounded(number)))"
    } else {
      value.text
    }
  }

  // MARK: Figures

  private var figures: String {
    var table = TextTable(
      "How good it is, 95 % intervals below",
      [
        .init("figures", .left), .init("refs"), .init("TP"), .init("FP"), .init("FN"),
        .init("hours"), .init("recall"), .init("precision"), .init("F1"), .init("false/h"),
        .init("latency ms\np50/p90"),
      ])
    var resubstitution = report.resubstitution
    resubstitution.name = "on the data tuned on\n(too good)"
    table.add(row(resubstitution))
    if var crossValidated = report.crossValidated {
      crossValidated.name =
        "held out by \(report.groupedBy)\n"
        + (report.isOptimistic ? "(optimistic)" : "(what to expect)")
      table.add(row(crossValidated))
    }
    if var last = report.testSet {
      last.name = "hold-out, looked at once"
      table.add(row(last))
    }
    for preset in report.presets { table.add(row(preset)) }
    return table.render() + optimism + chance
  }

  private func row(_ setting: TuneReport.Setting) -> [String] {
    let (counts, recall) = (setting.counts, setting["recall"])
    let mark = recall.method == .bootstrap ? "*" : ""
    let hasReferences = counts.recall.trials > 0
    return [
      setting.name, "\(counts.recall.trials)", "\(counts.truePositives)",
      "\(counts.falsePositives)", "\(counts.falseNegatives)", fixed(setting.hours, 3),
      cell(recall, 3) + mark, hasReferences ? cell(setting["precision"], 3) : "-",
      hasReferences ? setting["f1"].value.map { fixed($0, 3) } ?? "-" : "-",
      cell(setting["false_alarms_per_hour"], 1),
      setting["latency_p50"].value.map {
        "\(fixed($0 * 1000, 0))/"
          + (setting["latency_p90"].value.map { fixed($0 * 1000, 0) } ?? "-")
      } ?? "-",
    ]
  }

  private func cell(_ estimate: Estimate, _ decimals: Int) -> String {
    guard let value = estimate.value else { return "-" }
    return fixed(value, decimals)
      + (estimate.interval.map {
        "\n\(fixed($0.lower, decimals))-\(fixed($0.upper, decimals))"
      } ?? "")
  }

  private var optimism: String {
    let intervals =
      "Intervals: Wilson's of independent events; * over resampled groups (\(report.resamples) times, "
      + "seed \(report.seed)); false/h: Garwood's.\n"
    guard let difference = report.optimism else { return intervals }
    func text(_ estimate: Estimate, _ decimals: Int, sign: Double = 1) -> String {
      guard let value = estimate.value.map({ sign * $0 }) else { return "not defined" }
      let ends = estimate.interval.map { [sign * $0.lower, sign * $0.upper].sorted() }
      return (value > 0 ? "+" : "") + fixed(value, decimals)
        + (ends.map { " (\(fixed($0[0], decimals)) to \(fixed($0[1], decimals)))" } ?? "")
    }
    return intervals + "Optimism, tuned on less held out: recall " + text(difference.recall, 3)
      + ", false alarms per hour " + text(difference.falseAlarmsPerHour, 1, sign: -1) + ".\n"
  }

  private var chance: String {
    guard let chance = report.chance else { return "" }
    let probability = chance.pValue < 0.001 ? "< 0.001" : "= " + fixed(chance.pValue, 3)
    return
      "\(chance.hits) of \(chance.detections) detections are hits; as many blind shots would have "
      + "\(fixed(chance.expectedHits, 1)) "
      + (report.folds.isEmpty
        ? "(no test: the threshold was chosen by these very hits).\n" : "(p \(probability)).\n")
  }

  // MARK: Parts

  private var activities: String {
    var table = TextTable(
      "False alarms by activity, " + (report.folds.isEmpty ? "on the data tuned on" : "held out"),
      [
        .init("activity", .left), .init("hours"), .init("false"), .init("false/h"),
        .init("95 % interval"), .init("bound if none"),
      ])
    for one in report.falseAlarmsByActivity {
      table.add([
        one.activity.isEmpty ? "not stated" : one.activity, fixed(one.hours, 3), "\(one.count)",
        one.falseAlarmsPerHour.value.map { fixed($0, 1) } ?? "-",
        one.falseAlarmsPerHour.interval.map { "\(fixed($0.lower, 1))-\(fixed($0.upper, 1))" }
          ?? "-",
        one.falseAlarmsPerHourUpperIfNone.map { "< \(fixed($0, 1))" } ?? "",
      ])
    }
    return table.render()
  }

  private var folds: String {
    guard !report.folds.isEmpty else { return "" }
    let names = outcome.plan.space.dimensions.map(\.name)
    var table = TextTable(
      "Each \(report.groupedBy) by what was tuned without it",
      [
        .init(report.groupedBy, .left), .init("refs"), .init("TP"), .init("FP"), .init("FN"),
        .init("hours"), .init("recall"), .init("false/h"), .init(outcome.span.parameter),
      ] + names.map { .init($0) })
    let shown = ShownFolds(report.folds.map(\.counts))
    for fold in shown.single.map({ report.folds[$0] }) {
      table.add(
        row(fold.name, fold.counts, fold.hours) + [
          fold.threshold.map { text(.number($0)) } ?? "none"
        ] + names.map { fold.parameters[$0].map { text($0) } ?? "preset" })
    }
    if !shown.others.isEmpty {
      let others = shown.others.map { report.folds[$0] }
      let counts = others.reduce(EventCounts()) { $0 + $1.counts }
      let hours = others.reduce(0) { $0 + $1.hours }
      table.add(row(shown.nameOfOthers, counts, hours) + [""] + names.map { _ in "" })
    }
    return table.render()
  }

  private func row(_ name: String, _ counts: EventCounts, _ hours: Double) -> [String] {
    let rate = PoissonRate(count: counts.falsePositives, hours: hours).estimate
    return [
      name, "\(counts.recall.trials)", "\(counts.truePositives)", "\(counts.falsePositives)",
      "\(counts.falseNegatives)", fixed(hours, 3),
      counts.recall.estimate.map { fixed($0, 3) } ?? "-", rate.map { fixed($0, 1) } ?? "-",
    ]
  }

  private static let frontRows = 8

  private var pareto: String {
    guard !report.pareto.isEmpty else { return "" }
    let names = outcome.plan.space.dimensions.map(\.name)
    var table = TextTable(
      "What can be had for what (Pareto front, on the data tuned on)",
      [.init("recall"), .init("false/h"), .init("latency ms\np50"), .init(outcome.span.parameter)]
        + names.map { .init($0) })
    for point in shownFront {
      table.add(
        [
          point["recall"].value.map { fixed($0, 3) } ?? "-",
          point["false_alarms_per_hour"].value.map { fixed($0, 1) } ?? "-",
          point["latency_p50"].value.map { fixed($0 * 1000, 0) } ?? "-",
          point.threshold.map { text(.number($0)) } ?? "-",
        ] + names.map { point.parameters[$0].map { text($0) } ?? "preset" })
    }
    let more = report.pareto.count - shownFront.count
    return table.render() + (more > 0 ? "\(more) further points are in --format json.\n" : "")
  }

  /// Evenly over the front, its ends among them.
  private var shownFront: [TuneReport.Setting] {
    let count = report.pareto.count
    guard count > Self.frontRows else { return report.pareto }
    return (0..<Self.frontRows).map { report.pareto[$0 * (count - 1) / (Self.frontRows - 1)] }
  }

  private var notes: String {
    (["Verdict: \(report.verdict)."] + report.warnings.map { "Note: \($0)." })
      .joined(separator: "\n") + "\n"
  }
}
