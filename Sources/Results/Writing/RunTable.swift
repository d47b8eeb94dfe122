package import Detectors
import Evaluation
import HDF5
package import Scoring
import TraceModel

/// The runs as one table: a row for each run, in their order, and a column for each fact and each figure.
///
/// A figure that a run does not have is NaN, like an undefined one. The inputs besides the trace are in
/// a separate table, because nearly all runs of an entry share them.
struct RunTable {
  private let runs: [RunRecord]
  /// A row for each different set of inputs, in the order of first use.
  private let settings: [[String]]
  /// The row of each run in `settings`.
  private let rows: [Int32]

  init(_ runs: [RunRecord]) {
    self.runs = runs
    var positions: [[String]: Int32] = [:]
    var settings: [[String]] = []
    rows = runs.map { run in
      let texts = Self.setting(of: run).map(\.text)
      if let known = positions[texts] { return known }
      settings.append(texts)
      positions[texts] = Int32(clamping: settings.count - 1)
      return Int32(clamping: settings.count - 1)
    }
    self.settings = settings
  }

  var settingTable: HDF5Contents {
    guard let first = runs.first else { return HDF5Contents() }
    let names = Self.setting(of: first).map(\.name)
    return .table(
      "setting",
      names.enumerated().map { column, name in .texts(name, settings.map { $0[column] }) })
  }

  var contents: HDF5Contents {
    guard !runs.isEmpty else { return HDF5Contents() }
    let facts = facts
    var titles = FigureTitles(taken: ["run"] + facts.map(\.name))
    let figures =
      titles.columns(runs.map(\.score.figures), .table)
      + titles.columns(
        runs.map { $0.measurements.map(\.figure) }, .table, prefix: "measured_",
        part: "measurements")
      + titles.columns(
        runs.map { $0.deliveryFigures.map(\.figure) }, .table, prefix: "readings_", part: "delivery"
      )
    return .table("run", facts + figures)
  }

  /// The inputs besides the trace as texts, because a seed may need all 64 bits; empty = none.
  static func setting(of run: RunRecord) -> [(name: String, text: String)] {
    [
      ("entry", run.entry), ("detector", run.detector), ("preset", run.preset),
      ("parameters", jsonLine(run.parameters)), ("program_name", run.program?.name ?? ""),
      ("program_version", run.program?.version ?? ""),
      ("program_files", run.program.map { jsonLine($0.files) } ?? ""),
      ("policy", run.policy ?? "the trace's own actions"),
      ("policy_seed", run.seed.map(String.init) ?? ""), ("delivery", run.delivery),
      ("delivery_seed", run.deliverySeed.map(String.init) ?? ""), ("rate", run.rate),
      ("threshold_parameter", run.thresholdParameter ?? ""),
    ]
  }

  // MARK: Facts

  private var facts: [HDF5Column] {
    [
      .integers("setting", rows, note: "row of /settings: what went in besides the trace"),
      .texts("entry", runs.map(\.entry)), .texts("trace", runs.map(\.traceID)),
      .texts("trace_sha256", runs.map(\.traceSHA256)),
      .texts("origin", runs.map(\.origin.rawValue)), .texts("subject", runs.map(\.subject)),
      .texts("activity", runs.map(\.activity)), .codes("task", runs.map(\.task.rawValue)),
      .codes("gravity_removal", runs.map { $0.gravityRemoval ?? "none" }),
      .times("duration", runs.map(\.duration.nanoseconds)),
      .counts("readings", runs.map(\.readings), note: "readings of the detector's channel"),
      .counts("detections", runs.map(\.detections.count), note: "of all kinds"),
      .flags(
        "is_reference_known", runs.map { $0.references != nil },
        note: "0 = the trace has no reference of the task"),
      .codes("reference_definition", runs.map { $0.references?.definition ?? "" }),
      .codes("reference_unit", runs.map { $0.references?.valueUnits ?? "" }),
    ] + sampling + tolerances
  }

  /// The slower sensor, where a run has one.
  private var sampling: [HDF5Column] {
    let samplings = runs.map(\.sampling)
    guard samplings.contains(where: { $0 != nil }) else { return [] }
    return [
      .floats("device_rate", samplings.map(\.?.rate), unit: "Hz"),
      .counts("device_rate_recorded", samplings.map(\.?.recorded), note: "readings recorded"),
      .counts("device_rate_taken", samplings.map(\.?.taken), note: "readings of the slower sensor"),
    ]
  }

  /// How references and detections are matched, where events are scored.
  private var tolerances: [HDF5Column] {
    let tolerances = runs.map(\.score.eventOutcomes?.tolerance)
    guard tolerances.contains(where: { $0 != nil }) else { return [] }
    return [
      .counts(
        "tolerance_early", tolerances.map { $0.map { Int(clamping: $0.early.nanoseconds) } },
        note: "a detection may be so much earlier", unit: "ns"),
      .counts(
        "tolerance_late", tolerances.map { $0.map { Int(clamping: $0.late.nanoseconds) } },
        note: "a detection may be so much later", unit: "ns"),
      .codes("tolerance_origin", tolerances.map { $0?.origin.rawValue ?? "none" }),
    ]
  }
}

extension Measurement {
  package var figure: Figure { Figure(name, value, unit: unit) }
}
