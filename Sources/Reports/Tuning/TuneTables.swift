import Detectors
import Diagnostics
package import Evaluation
import Scoring
import TraceModel
import Tuning

/// The tables that `tune --full` prints.
package struct TuneTables {
  package let outcome: TuneOutcome
  package let report: TuneReport
  package var screen = Screen()

  package init(outcome: TuneOutcome, report: TuneReport, screen: Screen = Screen()) {
    self.outcome = outcome
    self.report = report
    self.screen = screen
  }

  package func render() -> String {
    [parameters, figures, activities, folds, pareto, notes].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The verdict and the warnings, a line each; a verdict that is no success is coloured.
  private var notes: String {
    verdict + outcome.warnings.map { screen.wrapped("Note: \($0).", indent: 2) + "\n" }.joined()
  }

  var verdict: String {
    let text = screen.wrapped("Verdict: \(outcome.verdict).", indent: 2) + "\n"
    return outcome.isSuccess ? text : screen.bad(text)
  }

  // MARK: Parameters

  private var parameters: String {
    var table = TextTable(
      "\(outcome.measured.choice.title) on \(outcome.measured.name), tuned for "
        + outcome.plan.objective.summary,
      [
        .init("parameter", .left), .init("chosen"), .init("unit", .left), .init("preset"),
        .init("searched", .left, rank: 3), .init("plateau", rank: 2),
        .init("over folds", rank: 1), .init("over resamples\n95 %", rank: 4),
      ])
    table.remedy = "a wider terminal or --format json shows them"
    let preset = presetValues
    for parameter in outcome.parameters {
      let isThreshold = parameter.name == outcome.span.parameter
      let choice = isThreshold ? outcome.result.choice : nil
      table.add([
        parameter.name, isThreshold && choice == nil ? "none" : text(parameter.value),
        parameter.unit, preset[parameter.name].map { text($0) } ?? "", searched(parameter.name),
        choice.map { span($0.plateau.lower, $0.plateau.upper) } ?? "", foldSpan(parameter.name),
        isThreshold ? resampleSpan : "",
      ])
    }
    return table.render(screen)
  }

  private var presetValues: ParameterSettings {
    Dictionary(
      outcome.measured.detector.parameters(ofPreset: outcome.measured.choice.preset)
        .map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
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

  /// The values that the folds chose; empty for a parameter that was not searched.
  private func foldSpan(_ name: String) -> String {
    let chosen = outcome.result.folds.filter { $0.outcome.choice != nil }
    if name == outcome.span.parameter {
      let thresholds = chosen.compactMap { $0.outcome.choice?.threshold }
      guard let low = thresholds.min(), let high = thresholds.max() else { return "" }
      return span(low, high)
    }
    let values = chosen.compactMap { $0.settings[name] }
    let numbers = values.compactMap { value -> Double? in
      if case .number(let number) = value { number } else { nil }
    }
    if let low = numbers.min(), let high = numbers.max() { return span(low, high) }
    return Set(values.map(\.description)).sorted().joined(separator: ", ")
  }

  private var resampleSpan: String {
    guard outcome.result.choice != nil, let spread = outcome.result.spread,
      let low = spread.quantile(0.025), let high = spread.quantile(0.975)
    else { return "" }
    return span(low, high)
  }

  private func span(_ lower: Double, _ upper: Double) -> String {
    lower == upper ? text(.number(lower)) : "\(text(.number(lower)))-\(text(.number(upper)))"
  }

  func text(_ value: ParameterValue) -> String {
    if case .number(let number) = value {
      "\(ParameterValue.number(rounded(number)))"
    } else {
      "\(value)"
    }
  }
}

extension TuneOutcome {
  /// Whether the result is better than the null detector and within the budget.
  var isSuccess: Bool {
    guard result.verdict.isBetterThanNull else { return false }
    guard let validated = result.crossValidated else { return true }
    return plan.objective.allows(validated.counts, hours: validated.hours)
  }
}
