import Detectors
import Evaluation
package import HDF5
import Scoring
import Tuning

/// Writes a tuning as HDF5, by the conventions of ``ResultsFile``.
///
/// ```
/// /                 schema, versions, seed, objective and search as attributes
/// /trials           dimension trial: settings, best threshold and counts of each, on all data
/// /folds            dimension fold: for each group the choice without it, and its counts
/// /curve            dimension step: the chosen settings at all thresholds, on all data
/// /resamples        dimension resample: thresholds chosen on resampled groups, ascending
/// /pareto           dimension point: the front of recall, false alarms and latency
/// ```
///
/// Undefined figures are NaN. Equal tunings give equal bytes.
package enum TuningFile {
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ exports: TuneExports, to path: String) throws(HDF5Error) {
    var contents = TuningContents(outcome: exports.outcome).contents
    contents.attributes = contents.attributes.adding(
      "command_line", exports.commandLine.joined(separator: " "))
    try contents.write(
      to: path, schema: "shadowbox-tuning/2", dataCommit: exports.dataCommit)
  }
}

private struct TuningContents {
  let outcome: TuneOutcome

  private var result: TuningResult { outcome.result }
  /// Of the threshold.
  private var unit: String { outcome.span.unit.rawValue }

  var contents: HDF5Contents {
    let thresholds = result.spread?.thresholds ?? []
    var contents: HDF5Contents = [
      "trials": trials, "folds": folds, "curve": curve, "pareto": pareto,
      "resamples": .table("resample", [.floats("threshold", thresholds, unit: unit)]),
    ]
    contents.attributes = attributes
    return contents
  }

  private var attributes: JSONObject {
    [
      "detector": outcome.measured.choice.detector, "preset": outcome.measured.choice.preset,
      "data": outcome.measured.name, "objective": outcome.plan.objective.summary,
      "search": outcome.searchTexts.joined(separator: " "),
      "grouped_by": outcome.grouping.kind.rawValue,
      "is_optimistic": outcome.grouping.isOptimistic, "verdict": outcome.verdict,
      "seed": outcome.plan.seed, "resamples": outcome.plan.resamples,
      "threshold": outcome.span.parameter, "threshold_units": unit.isEmpty ? "1" : unit,
      "chosen_threshold": result.choice?.threshold ?? .nan,
      "scored_hours": result.resubstitution.hours,
    ]
  }

  private var trials: HDF5Contents {
    let choices = result.trials.map(\.outcome.choice)
    let origins = HDF5Column.codes(
      "origin", result.trials.map(\.origin.rawValue), of: TrialOrigin.allCases.map(\.rawValue))
    let own: [HDF5Column] = [
      .floats("threshold", choices.map(\.?.threshold), unit: unit),
      .floats("plateau_lower", choices.map(\.?.plateau.lower), unit: unit),
      .floats("plateau_upper", choices.map(\.?.plateau.upper), unit: unit),
      .floats("objective", choices.map(\.?.value)),
      .floats("best_objective", choices.map(\.?.bestValue)),
    ]
    return .table(
      "trial",
      [origins] + columns(of: result.trials.map(\.settings)) + own
        + .counts(choices.map(\.?.counts)))
  }

  private var folds: HDF5Contents {
    let folds = result.folds
    let hours = folds.map { $0.recordings.reduce(0) { $0 + result.hours[$1] } }
    let counts = folds.map { fold in
      fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] }
    }
    let settings = folds.map { $0.outcome.choice == nil ? [:] : $0.settings }
    return .table(
      "fold",
      [.codes("group", folds.map(\.group))] + columns(of: settings)
        + [.floats("threshold", folds.map(\.outcome.choice?.threshold), unit: unit)]
        + .counts(counts) + [.floats("hours", hours, unit: "h")])
  }

  private var curve: HDF5Contents {
    let curve = result.curve
    return .table(
      "step",
      [.floats("threshold", curve.thresholds, unit: unit)]
        + .counts(curve.thresholds.indices.map { curve.counts(at: $0) }),
      attributes: ["is_exact": curve.isExact, "upper": curve.upper])
  }

  private var pareto: HDF5Contents {
    let points = result.pareto
    let latencies = points.map { $0.medianLatency.map { Double($0) / 1e9 } }
    return .table(
      "point",
      columns(of: points.map(\.settings))
        + [.floats("threshold", points.map(\.threshold), unit: unit)]
        + .counts(points.map(\.counts))
        + .estimates(
          "false_alarms_per_hour", points.map { Estimate($0.falseAlarms) }, unit: "h-1")
        + [.floats("latency_p50", latencies, unit: "s")])
  }

  /// A column per parameter: numbers and flags as numbers, choices as codes. An absent value is that
  /// of the preset, and NaN or `preset`.
  private func columns(of settings: [ParameterSettings]) -> [HDF5Column] {
    Set(result.trials.flatMap(\.settings.keys)).sorted().map { name in
      let column = "parameter_" + name.replacing("-", with: "_")
      let values = settings.map { $0[name] }
      let numbers = values.map { value -> Double? in
        switch value {
        case .number(let number)?: number
        case .flag(let flag)?: flag ? 1 : 0
        case .choice?, nil: nil
        }
      }
      let isChoice = zip(values, numbers).contains { $0 != nil && $1 == nil }
      return isChoice
        ? .codes(column, values.map { $0.map { "\($0)" } ?? "preset" })
        : .floats(column, numbers)
    }
  }
}
