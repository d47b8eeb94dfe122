import Diagnostics
package import Evaluation
import Scoring
import TraceModel

extension MeasuredResults {
  /// Equals what ``init(reading:)`` reads from the file that ``ResultsFile`` writes of the result.
  package init(_ result: SuiteResult, path: String = "") throws {
    let runs = try result.runs.map { try MeasuredRun($0, path) }
    self.init(
      path: path, schema: ResultsFile.schema, toolVersion: Tool.version,
      toolchain: result.provenance.toolchain, suite: result.provenance.suite,
      suiteSHA256: result.provenance.suiteSHA256, commit: result.provenance.dataCommit,
      runs: RunColumns.order(runs.map { [$0.entry, $0.trace] }).map { runs[$0] })
    definition = result.suite?.definition() ?? ""
    inputs = result.inputs.isEmpty ? "" : jsonLine(result.inputs)
    summaries = SummaryGrid(result.summaries).measured
    // Files have the groups in another order.
    apps = result.apps.map(MeasuredApp.init).sorted { $0.entry < $1.entry }
  }
}

extension MeasuredRun {
  fileprivate init(_ run: RunRecord, _ path: String) throws {
    let settings = RunTable.setting(of: run).filter { !$0.text.isEmpty && $0.name != "entry" }
    var facts = [
      "trace_sha256": run.traceSHA256, "origin": run.origin.rawValue, "subject": run.subject,
      "activity": run.activity, "task": run.task.rawValue,
      "gravity_removal": run.gravityRemoval ?? "none",
    ]
    facts["device_rate_hz"] = run.sampling.map { "\($0.rate)" }
    for setting in settings { facts[setting.name] = setting.text }
    try self.init(
      entry: run.entry, trace: run.traceID, facts: facts,
      tolerance: run.score.eventOutcomes?.tolerance, figures: run.score.figures.map(\.stored),
      measurements: run.measurements.map(\.figure.stored), place: path)
    let partners = Dictionary(run.matches.map { ($0.detection, $0.reference) }) { $1 }
    let scores = run.padded(run.detectionScores, nil)
    let readings = run.padded(run.newestReadings, -1)
    let outcomes = run.detectionOutcomes
    detections = run.detections.indices.map { position in
      // Files do not have these two.
      var record = run.detections[position]
      (record.device, record.score) = (DeviceID(0), nil)
      return MeasuredDetection(
        record, outcome: outcomes[position], reference: partners[position],
        score: scores[position].flatMap { $0.isNaN ? nil : $0 },
        newestReading: readings[position] < 0 ? nil : readings[position])
    }
    let found = run.referenceOutcomes
    guard !found.contains("not_scored") else { return }
    references = zip(run.referenceEvents, found).map {
      MeasuredReference(onset: $0.onset, label: $0.label, isFound: $1 == "hit")
    }
  }
}

extension Figure {
  /// As the table of the runs has it.
  fileprivate var stored: Figure {
    let hasMethod = estimate.method != nil
    var own = Estimate(
      value.flatMap { $0.isNaN ? nil : $0 }, interval, by: estimate.method,
      count: hasMethod ? estimate.count : nil, clusters: hasMethod ? estimate.clusters : nil)
    own.clusterKind = own.clusters == nil ? nil : estimate.clusterKind
    own.assumedCorrelation = hasMethod ? estimate.assumedCorrelation : nil
    return Figure(name, own, unit: unit.isEmpty ? "1" : unit)
  }

  /// As the grid of the summaries has it.
  var inGrid: Figure {
    var figure = stored
    (figure.estimate.clusterKind, figure.estimate.assumedCorrelation) = (nil, nil)
    return figure
  }
}
