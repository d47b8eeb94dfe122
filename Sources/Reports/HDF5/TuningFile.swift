package import Diagnostics
internal import Detectors
package import HDF5
internal import Scoring
package import Tuning

/// Writes a tuning as HDF5, by the conventions of ``ResultsFile``.
///
/// ```
/// /                 schema, versions, seed, objective and search as attributes
/// /trials           dimension trial: settings, best threshold and counts of each, on all data
/// /folds            dimension fold: a group each, what was chosen without it, and its counts
/// /curve            dimension step: the chosen settings over all thresholds, on all data
/// /resamples        dimension resample: thresholds chosen on resampled groups, ascending
/// /pareto           dimension point: the front of recall, false alarms and latency
/// ```
///
/// Undefined figures are NaN. Equal tunings give equal bytes.
package enum TuningFile {
  package static let schema = "shadowbox-tuning/1"

  /// - Parameters:
  ///   - threshold: the name of the parameter whose thresholds were looked at, in `unit`.
  ///   - provenance: further attributes of the root.
  /// - Throws: ``HDF5Error``; no file is left behind then, and one that was there stays.
  package static func write(
    _ result: TuningResult, threshold: String, unit: String,
    provenance: [(name: String, value: String)], to path: String
  ) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.setAttribute("Conventions", "CF-1.8")
    try root.setAttribute("schema", schema)
    try root.setAttribute("threshold_parameter", threshold)
    for (name, value) in provenance { try root.setAttribute(name, value) }
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
    try write(choices.map { $0?.counts ?? EventCounts() }, to: &table)
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
    try write(
      folds.map { fold in
        fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] }
      }, to: &table)
    try table.floats(
      "hours", folds.map { $0.recordings.reduce(0) { $0 + result.hours[$1] } }, unit: "h")
    try table.finish()
  }

  private static func writeCurve(
    _ curve: ThresholdCurve, _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    try group.setAttribute("is_exact", Int64(curve.isExact ? 1 : 0))
    try group.setAttribute("upper", curve.upper)
    var table = ColumnTable(group, dimension: "step", count: curve.count)
    try table.floats("threshold", curve.thresholds, unit: unit)
    try write(curve.thresholds.indices.map { curve.counts(at: $0) }, to: &table)
    try table.finish()
  }

  private static func writePareto(
    _ points: [ParetoPoint], _ names: [String], _ unit: String, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "point", count: points.count)
    try write(points.map(\.settings), names, to: &table)
    try table.floats("threshold", points.map(\.threshold), unit: unit)
    try write(points.map(\.counts), to: &table)
    try table.floats(
      "false_alarms_per_hour", points.map { $0.falseAlarms.estimate ?? .nan }, unit: "h-1")
    try table.floats(
      "latency_p50", points.map { $0.medianLatency.map { Double($0) / 1e9 } ?? .nan }, unit: "s")
    try table.finish()
  }

  /// A column for each parameter: numbers and flags as numbers, choices as codes. What was not
  /// named keeps the preset's value, and is NaN or `preset`.
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

  private static func write(
    _ counts: [EventCounts], to table: inout ColumnTable
  ) throws(HDF5Error) {
    let columns: [(String, [Int], String)] = [
      ("true_positives", counts.map(\.truePositives), "references that were found"),
      ("false_positives", counts.map(\.falsePositives), "detections without a reference"),
      ("false_negatives", counts.map(\.falseNegatives), "references that were missed"),
    ]
    for (name, values, note) in columns {
      try table.integers(name, values.map { Int32(clamping: $0) }, note: note, missing: nil)
    }
  }
}
