import Detectors
import Evaluation
package import HDF5
import Results
import Scoring
import Tuning

/// Writes a tuning by the conventions of ``ResultsFile``. Equal tunings give equal bytes.
package enum TuningFile {
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ exports: TuneExports, to path: String) throws(HDF5Error) {
    try TuningContents(outcome: exports.outcome, commandLine: exports.commandLine).contents
      .write(to: path, schema: "shadowbox-tuning/3", dataCommit: exports.dataCommit)
  }
}

private struct TuningContents {
  let outcome: TuneOutcome
  let commandLine: [String]

  private var result: TuningResult { outcome.result }
  /// The unit of the threshold.
  private var unit: String { outcome.span.unit.rawValue }

  var contents: HDF5Contents {
    let facts: JSONObject = [
      "search": outcome.searchTexts.joined(separator: " "), "threshold": outcome.span.parameter,
      "threshold_units": unit.isEmpty ? "1" : unit,
      "chosen_threshold": result.choice?.threshold ?? .nan,
      "scored_hours": result.resubstitution.hours,
      "command_line": commandLine.joined(separator: " "),
      "refusal": outcome.refusal?.rawValue ?? "", "accepts_loss": outcome.acceptsLoss,
    ]
    return HDF5Contents(
      attributes: outcome.facts + facts, figures: outcome.measured.exposure.figures,
      groups: [
        ("trials", trials), ("folds", folds), ("curve", curve), ("pareto", pareto),
        (
          "figures",
          HDF5Contents(groups: outcome.figuresOfSettings.map { ($0, HDF5Contents(figures: $1)) })
        ),
        ("resamples", .table("resample", [threshold(result.spread?.thresholds ?? [])])),
      ])
  }

  private func threshold(_ values: [Double?]) -> HDF5Column {
    .floats("threshold", values, unit: unit)
  }

  private var trials: HDF5Contents {
    let choices = result.trials.map(\.outcome.choice)
    let own: [HDF5Column] = [
      threshold(choices.map(\.?.threshold)),
      .floats("plateau_lower", choices.map(\.?.plateau.lower), unit: unit),
      .floats("plateau_upper", choices.map(\.?.plateau.upper), unit: unit),
      .floats("objective", choices.map(\.?.value)),
      .floats("best_objective", choices.map(\.?.bestValue)),
    ]
    return .table(
      "trial",
      [.codes("origin", result.trials.map(\.origin))]
        + columns(of: result.trials.map(\.settings)) + own + .counts(choices.map(\.?.counts)))
  }

  private var folds: HDF5Contents {
    let folds = result.folds.map { outcome.setting(of: $0) }
    return .table(
      "fold",
      [.codes("group", folds.map(\.name))] + columns(of: folds.map(\.parameters))
        + [threshold(folds.map(\.threshold))] + .counts(folds.map(\.counts))
        + [.floats("hours", folds.map(\.hours), unit: "h")])
  }

  private var curve: HDF5Contents {
    let curve = result.curve.pooled
    return .table(
      "step",
      [threshold(curve.thresholds)] + .counts(curve.thresholds.indices.map { curve.counts(at: $0) })
        + [
          .integers(
            "is_within_budget", result.isWithinBudget.map { $0 ? 1 : 0 },
            note: "1 = the threshold is within the budget of false alarms")
        ], attributes: ["is_exact": curve.isExact, "upper": curve.upper])
  }

  private var pareto: HDF5Contents {
    let points = result.pareto
    let latencies = points.map { $0.medianLatency.map { Double($0) / 1e9 } }
    return .table(
      "point",
      columns(of: points.map(\.settings)) + [threshold(points.map(\.threshold))]
        + .counts(points.map(\.counts))
        + .estimates("false_alarms_per_hour", points.map { Estimate($0.falseAlarms) }, unit: "h-1")
        + [.floats("latency_p50", latencies, unit: "s")])
  }

  /// A column per parameter: numbers and flags as numbers, choices as codes. NaN or `preset` = preset.
  private func columns(of settings: [ParameterSettings]) -> [HDF5Column] {
    var names = HDF5Names()
    return Set(result.trials.flatMap(\.settings.keys)).sorted().map { name in
      let column = names.next("parameter_" + name.replacing("-", with: "_"))
      let values = settings.map { $0[name] }
      let numbers = values.map { value -> Double? in
        switch value {
        case .number(let number)?: number
        case .flag(let flag)?: flag ? 1 : 0
        case .choice?, .profiles?, nil: nil
        }
      }
      let isChoice = zip(values, numbers).contains { $0 != nil && $1 == nil }
      return isChoice
        ? .codes(column, values.map { $0.map { "\($0)" } ?? "preset" }) : .floats(column, numbers)
    }
  }
}
