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
  package static let schema = "shadowbox-tuning/2"

  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ exports: TuneExports, to path: String) throws(HDF5Error) {
    let (result, span) = (exports.outcome.result, exports.outcome.span)
    let unit = span.unit.rawValue
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.writeOrigin(schema: schema, dataCommit: exports.dataCommit)
    try root.setAttribute("command_line", exports.commandLine.joined(separator: " "))
    try write(exports.report, to: root)
    try root.setAttribute("threshold", span.parameter)
    try root.setAttribute("threshold_units", unit.isEmpty ? "1" : unit)
    try root.setAttribute("chosen_threshold", result.choice?.threshold ?? .nan)
    try root.setAttribute("scored_hours", result.resubstitution.hours)
    let names = Set(result.trials.flatMap(\.settings.keys)).sorted()
    try writeTrials(result, names, unit, to: root.createGroup("trials"))
    try writeFolds(result, names, unit, to: root.createGroup("folds"))
    try writeCurve(result.curve, unit, to: root.createGroup("curve"))
    var resamples = ColumnTable(
      try root.createGroup("resamples"), dimension: "resample",
      count: result.spread?.thresholds.count ?? 0)
    try resamples.floats("threshold", result.spread?.thresholds ?? [], unit: unit)
    try resamples.finish()
    try writePareto(result.pareto, names, unit, to: root.createGroup("pareto"))
    try root.close()
    try file.commit()
  }

  private static func write(_ report: TuneReport, to root: HDF5Group) throws(HDF5Error) {
    try root.setAttribute("detector", report.detector)
    try root.setAttribute("preset", report.preset)
    try root.setAttribute("data", report.data)
    try root.setAttribute("objective", report.objective)
    try root.setAttribute("search", report.search.joined(separator: " "))
    try root.setAttribute("grouped_by", report.groupedBy)
    try root.setFlag("is_optimistic", report.isOptimistic)
    try root.setAttribute("verdict", report.verdict)
    try root.setAttribute("seed", report.seed)
    try root.setAttribute("resamples", Int64(report.resamples))
  }

  private static func writeTrials(
    _ result: TuningResult, _ names: [String], _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    let trials = result.trials
    let choices = trials.map(\.outcome.choice)
    var table = ColumnTable(group, dimension: "trial", count: trials.count)
    try table.codes(
      "origin", trials.map(\.origin.rawValue), of: TrialOrigin.allCases.map(\.rawValue))
    try write(trials.map(\.settings), names, to: &table)
    try table.floats("threshold", choices.map { $0?.threshold ?? .nan }, unit: unit)
    try table.floats("plateau_lower", choices.map { $0?.plateau.lower ?? .nan }, unit: unit)
    try table.floats("plateau_upper", choices.map { $0?.plateau.upper ?? .nan }, unit: unit)
    try table.floats("objective", choices.map { $0?.value ?? .nan }, unit: "")
    try table.floats("best_objective", choices.map { $0?.bestValue ?? .nan }, unit: "")
    try table.counts(choices.map { $0?.counts })
    try table.finish()
  }

  private static func writeFolds(
    _ result: TuningResult, _ names: [String], _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    let folds = result.folds
    var table = ColumnTable(group, dimension: "fold", count: folds.count)
    try table.codes("group", folds.map(\.group))
    try write(folds.map { $0.outcome.choice == nil ? [:] : $0.settings }, names, to: &table)
    try table.floats(
      "threshold", folds.map { $0.outcome.choice?.threshold ?? .nan }, unit: unit)
    try table.counts(
      folds.map { fold in
        fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] }
      })
    try table.floats(
      "hours", folds.map { $0.recordings.reduce(0) { $0 + result.hours[$1] } }, unit: "h")
    try table.finish()
  }

  private static func writeCurve(
    _ curve: ThresholdCurve, _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    try group.setFlag("is_exact", curve.isExact)
    try group.setAttribute("upper", curve.upper)
    var table = ColumnTable(group, dimension: "step", count: curve.count)
    try table.floats("threshold", curve.thresholds, unit: unit)
    try table.counts(curve.thresholds.indices.map { curve.counts(at: $0) })
    try table.finish()
  }

  private static func writePareto(
    _ points: [ParetoPoint], _ names: [String], _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "point", count: points.count)
    try write(points.map(\.settings), names, to: &table)
    try table.floats("threshold", points.map(\.threshold), unit: unit)
    try table.counts(points.map(\.counts))
    try table.estimates(
      "false_alarms_per_hour", points.map { Estimate($0.falseAlarms) }, unit: "h-1")
    try table.floats(
      "latency_p50", points.map { $0.medianLatency.map { Double($0) / 1e9 } ?? .nan }, unit: "s")
    try table.finish()
  }

  /// A column per parameter: numbers and flags as numbers, choices as codes. An absent value is that
  /// of the preset, and NaN or `preset`.
  private static func write(
    _ settings: [ParameterSettings], _ names: [String], to table: inout ColumnTable
  ) throws(HDF5Error) {
    for name in names {
      let values = settings.map { $0[name] }
      let isChoice = values.contains { value in
        if case .choice? = value { true } else { false }
      }
      let column = "parameter_" + name.replacing("-", with: "_")
      if isChoice {
        try table.codes(column, values.map { $0.map { "\($0)" } ?? "preset" })
      } else {
        try table.floats(
          column,
          values.map { value in
            switch value {
            case .number(let number)?: number
            case .flag(let flag)?: flag ? 1 : 0
            case .choice?, nil: .nan
            }
          }, unit: "")
      }
    }
  }
}
