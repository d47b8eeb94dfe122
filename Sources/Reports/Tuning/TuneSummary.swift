import Detectors
import Diagnostics
package import Evaluation
import Scoring
import TraceModel
import Tuning

/// The short result that `tune` prints: what was chosen, and how good it is.
package struct TuneSummary {
  private let tables: TuneTables

  package init(outcome: TuneOutcome, report: TuneReport, screen: Screen = Screen()) {
    tables = TuneTables(outcome: outcome, report: report, screen: screen)
  }

  private var outcome: TuneOutcome { tables.outcome }
  private var screen: Screen { tables.screen }

  package func render() -> String {
    let title = "Tuning of \(outcome.measured.choice.title): \(outcome.plan.objective.summary)"
    return screen.heading(screen.wrapped(title)) + "\n" + chosen + figures + worst + verdict
      + warnings
  }

  /// The parameters that were tuned, with those of the preset.
  private var chosen: String {
    let preset = outcome.measured.detector.parameters(ofPreset: outcome.measured.choice.preset)
    let parts = outcome.parameters.filter { $0.origin == .tuned }.map { parameter in
      let before = preset.first { $0.name == parameter.name }
        .map { " (preset \(tables.text($0.value)))" }
      let unit = parameter.unit.isEmpty ? "" : " " + parameter.unit
      return "\(parameter.name) \(tables.text(parameter.value))\(unit)\(before ?? "")"
    }
    let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    return screen.wrapped("Chosen: \(text)", indent: 2) + "\n"
  }

  /// The figures of the choice and of the preset that was tuned.
  private var figures: String {
    var table = TextTable(
      "",
      [
        .init("", .left), .init("recall (95 % CI)", .left), .init("precision", rank: 1),
        .init("false/h (95 % CI)", .left),
      ])
    table.hasRule = false
    table.remedy = "--full shows them"
    let own = "preset \(outcome.measured.choice.preset)"
    let presets = Set(outcome.presets.map(\.name)).subtracting([own])
    for figures in outcome.namedFigures where !presets.contains(figures.name) {
      let (counts, rate) = (figures.counts, figures.falseAlarms)
      table.add([
        figures.name.replacing("\n", with: " "),
        TableCell.inline(counts.recall.estimate, figures.recallInterval, 3),
        TableCell.value(figures.hasReferences ? counts.precision.estimate : nil, 3),
        TableCell.inline(rate.estimate, rate.interval, 1),
      ])
    }
    return table.render(screen)
  }

  /// The activity with the most false alarms per hour.
  private var worst: String {
    let rates = outcome.activityRates.filter { !$0.activity.isEmpty && $0.rate.count > 0 }
    guard
      let worst = rates.max(by: { ($0.rate.estimate ?? 0) < ($1.rate.estimate ?? 0) })
    else { return "" }
    let how = outcome.result.folds.isEmpty ? "biased" : "cross-validated"
    return screen.wrapped(
      "Worst activity (\(how)): \(inLine(worst.activity)), "
        + "\(TableCell.inline(worst.rate.estimate, worst.rate.interval, 1)) false/h", indent: 2)
      + "\n"
  }

  private var verdict: String { tables.verdict }

  /// The first one; --full prints the others.
  private var warnings: String {
    let all = outcome.warnings
    guard let first = all.first else { return "" }
    let name = all.count > 1 ? "Note 1 of \(all.count)" : "Note"
    return screen.wrapped("\(name): \(first).", indent: 2) + "\n"
  }
}
