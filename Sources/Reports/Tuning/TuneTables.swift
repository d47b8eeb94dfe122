import Detectors
import Diagnostics
package import Evaluation
package import Scoring
import TraceModel
import Tuning

/// The tables of `tune --full`.
package struct TuneTables {
  let outcome: TuneOutcome
  let screen: Screen

  package init(outcome: TuneOutcome, screen: Screen = Screen()) {
    (self.outcome, self.screen) = (outcome, screen)
  }

  static let remedy = "a wider terminal or --format json shows them"

  package func render() -> String {
    // Without a choice there are no figures of one.
    if outcome.refusal == .fewPeople { return summary(allNotes: true) }
    return [keep + headline + parameters, figures, activities, folds, pareto, notes]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The verdict and the warnings, a line each; a bad verdict is coloured.
  private var notes: String {
    budget + people + verdict + ruledOut + notes(outcome.warnings)
  }

  /// The last note has the number of those that are left out.
  private func notes(_ shown: [String]) -> String {
    let more = outcome.warnings.count - shown.count
    return shown.enumerated().map { index, note in
      let others =
        more > 0 && index == shown.count - 1 ? "; \(counted(more, "more note")): --full" : ""
      return screen.wrapped("Note: \(note)\(others).", indent: 2) + "\n"
    }.joined()
  }

  /// Whether the result is what is expected of a tuning.
  private var isPlainSuccess: Bool { outcome.isSuccess && !outcome.verdict.contains(", but ") }

  /// The headline has the other refusals.
  private var verdict: String {
    guard outcome.refusal == nil || outcome.refusal == .notBetter else { return "" }
    let text = screen.wrapped("Result: \(outcome.verdict).", indent: 2) + "\n"
    return outcome.isSuccess ? text : screen.bad(text)
  }

  private var ruledOut: String {
    outcome.ruledOut.map { screen.wrapped($0 + ".", indent: 2) + "\n" } ?? ""
  }

  /// The scored part of the recordings, if much of them is not scored.
  var hours: String { screen.wrapped(exposureNote([(nil, outcome.measured.exposure)]), indent: 2) }

  // MARK: Summary

  /// The short result of `tune`: the choice and its figures, the first note and those on the plateau.
  package func summary(allNotes: Bool = false) -> String {
    let title = "Tuning of \(outcome.measured.choice.title): \(outcome.plan.objective.summary)"
    let plateau = outcome.plateauWarnings
    let first = outcome.warnings.prefix(1).filter { !plateau.contains($0) }
    return keep + headline + screen.heading(screen.wrapped(title)) + "\n" + chosen
      + summaryFigures
      + options + worst + budget + people + (isPlainSuccess ? "" : verdict)
      + notes(allNotes ? outcome.warnings : first + plateau)
  }

  /// The loss, or why nothing is written, and the choice.
  package var answer: String { keep + headline + chosen }

  /// The tuned parameters, with the values of the preset.
  private var chosen: String {
    let preset = presetValues
    let parts = outcome.parameters.filter { $0.origin == .tuned }.map { parameter in
      let plateau = parameter.name == outcome.span.parameter ? outcome.result.choice?.plateau : nil
      let facts = [
        preset[parameter.name].map { "preset \(text($0))" },
        plateau.map { "about as good: \(span($0.lower, $0.upper))" },
      ].compactMap(\.self).joined(separator: "; ")
      let unit = parameter.unit.isEmpty ? "" : " " + parameter.unit
      return "\(parameter.name) \(text(parameter.value))\(unit)"
        + (facts.isEmpty ? "" : " (\(facts))")
    }
    guard outcome.refusal != .fewPeople else { return "" }
    let list = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    return screen.wrapped("Chosen: \(list)", indent: 2) + "\n"
  }

  private var keep: String {
    guard outcome.shownChoice != nil, outcome.holdsPreset else { return "" }
    // The plateau has no threshold beyond the budget.
    let budget =
      outcome.plan.objective.budget == nil
      ? ""
      : outcome.boundOfPreset.map {
        ", and keeps the budget (at most \(fixed($0, 1)) false/h on average, as below)"
      }
        ?? " and keeps the budget"
    return screen.wrapped(
      "Keep the preset: its \(outcome.span.parameter) is about as good as the chosen one\(budget).",
      indent: 2) + "\n"
  }

  /// The figures of the choice and of the tuned preset. Those on the same recordings are too good, and only
  /// for want of others, or where the loss is theirs.
  private var summaryFigures: String {
    let own = "preset \(outcome.measured.choice.preset)"
    var hidden = Set(outcome.presets.map(\.name)).subtracting([own])
    if outcome.result.crossValidated != nil, outcome.loss?.isCrossValidated != false {
      hidden.insert(TuneOutcome.ofSameRecordings)
    }
    return TextTable(
      "", outcome.namedSettings.filter { !hidden.contains($0.name) },
      [
        .init("", .left) { $0.name.replacing("\n", with: " ") },
        .init("recall (95 % CI)", .left) { TableCell.inline($0.recall, 3) },
        .init("precision", rank: 1) {
          TableCell.value($0.hasReferences ? $0.counts.precision.estimate : nil, 3)
        },
        .init("false/h (95 % CI)", .left) { TableCell.inline($0.falseAlarms, 1) },
      ], hasRule: false, remedy: "--full shows them"
    ).render(screen)
  }

  /// The activity with the most false alarms per hour.
  private var worst: String {
    let all = outcome.activities
    guard outcome.shownChoice != nil else { return "" }
    if all.count == 1, !all[0].activity.isEmpty {
      return screen.wrapped(
        "Only activity: \(inLine(all[0].activity)). Others are not tested.", indent: 2) + "\n"
    }
    guard let worst = all.worst else { return "" }
    let how = outcome.result.folds.isEmpty ? "biased" : "cross-validated"
    let rate = TableCell.inline(worst.estimate, 1)
    return screen.wrapped(
      "Worst activity (\(how)): \(inLine(worst.activity)), \(rate) false/h", indent: 2) + "\n"
  }

  // MARK: Parameters

  private var parameters: String {
    let choice = outcome.result.choice
    let resampled = outcome.result.spread?.interval
    let preset = presetValues
    func ofThreshold(
      _ parameter: ParameterFile.Parameter, _ cell: (ThresholdChoice) -> String
    ) -> String { parameter.name == outcome.span.parameter ? choice.map(cell) ?? "" : "" }
    return TextTable(
      "\(outcome.measured.choice.title) on \(outcome.measured.name), tuned for "
        + outcome.plan.objective.summary, outcome.parameters,
      [
        .init("parameter", .left) { $0.name },
        .init("chosen") {
          $0.name == outcome.span.parameter && choice == nil ? "none" : text($0.value)
        },
        .init("unit", .left) { $0.unit }, .init("preset") { preset[$0.name].map(text) ?? "" },
        .init("searched", .left, rank: 3) { searched($0.name) },
        .init("plateau", rank: 2) { ofThreshold($0) { span($0.plateau.lower, $0.plateau.upper) } },
        .init("over folds", rank: 1) { foldSpan($0.name) },
        .init("over resamples\n95 %", rank: 4) {
          ofThreshold($0) { _ in resampled.map { span($0.lower, $0.upper) } ?? "" }
        },
      ], remedy: Self.remedy
    ).render(screen)
  }

  private var presetValues: ParameterSettings {
    Dictionary(
      outcome.measured.detector.parameters(ofPreset: outcome.measured.choice.preset)
        .map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  private func searched(_ name: String) -> String {
    if name == outcome.span.parameter {
      let range = outcome.span.range
      let ends = "\(number(range.lowerBound))..\(number(range.upperBound))"
      return outcome.span.points.map { "\(ends), \($0.count) values" } ?? "\(ends), all"
    }
    guard let dimension = outcome.plan.space.dimensions.first(where: { $0.name == name }) else {
      return outcome.measured.choice.overrides[name] == nil ? "" : "stated"
    }
    let parts = dimension.summary.split(separator: "=", maxSplits: 1)
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// The choices of the folds; empty for a parameter that was not searched.
  private func foldSpan(_ name: String) -> String {
    let values = outcome.result.folds.compactMap { fold in
      fold.outcome.choice.flatMap {
        name == outcome.span.parameter ? .number($0.threshold) : fold.settings[name]
      }
    }
    let numbers = values.compactMap(\.double)
    if let low = numbers.min(), let high = numbers.max() { return span(low, high) }
    return Set(values.map(\.description)).sorted().joined(separator: ", ")
  }

  private func span(_ lower: Double, _ upper: Double) -> String {
    lower == upper ? text(.number(lower)) : "\(text(.number(lower)))-\(text(.number(upper)))"
  }

  func text(_ value: ParameterValue) -> String {
    value.double.map { number(rounded($0)) } ?? "\(value)"
  }
}

extension TuneOutcome {
  /// The folds; if there are many, the last row sums up some of them, which have no common choice.
  var shownFolds: [(fold: TuneSetting, isOne: Bool)] {
    let folds = foldSettings
    let shown = ShownFolds(folds.map(\.counts))
    let others = shown.others.map { folds[$0] }
    let sum = TuneSetting(
      shown.nameOfOthers, others.map(\.counts).reduce(EventCounts(), +),
      nanoseconds: others.map(\.score.pooled.scoredNanoseconds).reduce(0, +))
    return shown.single.map { (folds[$0], true) } + (others.isEmpty ? [] : [(sum, false)])
  }

  var activities: [ActivityRate] {
    activityRates.map {
      ActivityRate(activity: $0, rate: $1.pooled.falseAlarms, estimate: $1.rate(\.falseAlarms))
    }
  }

  /// Whether the result is better than the null detector and the presets, and within the budget.
  var isSuccess: Bool {
    refusal == nil && equalPresets.isEmpty
      && result.crossValidated.map { plan.objective.allows($0.counts, hours: $0.hours) } ?? true
  }
}

/// The groups that tables list separately: those with references first, then those with the most false
/// alarms. The others share a row; `--format json` lists all.
package struct ShownFolds {
  /// Positions among the groups, in their order.
  package let single: [Int]
  package let others: [Int]

  /// The most rows that a table should have and that fit into a picture.
  package static let most = 30

  package init(_ counts: [EventCounts], most: Int = Self.most) {
    func rank(_ position: Int) -> (Int, Int, Int) {
      let counts = counts[position]
      return (counts.recall.trials > 0 ? 0 : 1, -counts.falsePositives, position)
    }
    let ranked = counts.indices.sorted { rank($0) < rank($1) }
    let shown = counts.count > most ? most - 1 : counts.count
    single = ranked.prefix(shown).sorted()
    others = ranked.dropFirst(shown).sorted()
  }

  /// E.g. `310 others`.
  package var nameOfOthers: String { "\(others.count) others" }
}
