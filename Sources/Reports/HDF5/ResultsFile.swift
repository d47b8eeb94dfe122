package import Evaluation
import Diagnostics
package import HDF5
import Scoring
import TraceModel

/// Writes results as HDF5, by the same conventions as native traces: one 1-D dataset per column,
/// one dimension scale per group, codes with `flag_values` and `flag_meanings`, no strings in
/// datasets, NaN for undefined figures. A code has the same meaning in all of a file.
///
/// ```
/// /                       schema, suite, versions, hashes, parameters and seeds of each entry
/// /summary/<entry>/<recorded|synthetic>          figures over the traces, each a scalar with
///                                                 _lo and _hi
/// /runs/<entry>/<trace>                          facts of the run: attributes
///                      /detections               dimension event
///                      /references               dimension reference
///                      /scores                   figures of the trace
///                      /latency                  dimension bin: counts of emitted - onset
///                      /delivery                 what the delivery did to the detector's channel
///                      /measurements             what the detector measured
/// /apps/<entry>                                  how an app was played: attributes
///                      /people                   dimension person: start
///                      /outcomes                 dimension outcome: name, person, value, unit
///                      /events                   dimension event: time, person, kind, value, place
/// /host                   facts of the machine, left out of a deterministic file
/// ```
///
/// Without `/host` equal results give equal bytes.
package enum ResultsFile {
  package static let schema = "shadowbox-results/2"
  /// The outcome of a detection of another kind than the task's.
  private static let notScored = "not_scored"

  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ result: SuiteResult, to path: String) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try writeProvenance(result, to: root)
    let summary = try root.createGroup("summary")
    for (entry, parts) in grouped(result.summaries, by: \.entry) {
      let group = try summary.createGroup(escaped(entry))
      for part in parts {
        let scores = try group.createGroup(part.origin.rawValue)
        try scores.setAttribute("traces", Int64(part.runs.count))
        try scores.setAttribute("hours", part.hours)
        try scores.setAttribute("task", part.task.rawValue)
        if let bootstrap = part.bootstrap {
          try scores.setAttribute("bootstrap_clusters", Int64(bootstrap.clusters))
          try scores.setAttribute("bootstrap_seed", EntrySummary.Bootstrap.seed)
          try scores.setAttribute("bootstrap_resamples", Int64(EntrySummary.Bootstrap.resamples))
        }
        try scores.write(part.figures)
      }
    }
    let vocabulary = Vocabulary(result.runs)
    let runs = try root.createGroup("runs")
    for (entry, parts) in grouped(result.runs, by: \.entry) {
      let group = try runs.createGroup(escaped(entry))
      for run in parts {
        try write(
          run, vocabulary, to: group.createGroup(escaped(run.traceID)), origin: run.origin)
      }
    }
    try AppsGroup.write(result.apps, to: root)
    if let host = result.host { try write(host, of: result, to: root.createGroup("host")) }
    try root.close()
    try file.commit()
  }

  /// Returns a name as a link: what HDF5 reads as a path is escaped as in a URL.
  package static func escaped(_ name: String) -> String {
    if name == "." { return "%2E" }
    var output = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "%": output += "%25"
      case "/": output += "%2F"
      case "\0": output += "%00"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  private static func grouped<Item>(
    _ items: [Item], by key: (Item) -> String
  ) -> [(String, [Item])] {
    var order: [String] = []
    var groups: [String: [Item]] = [:]
    for item in items {
      let name = key(item)
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(item)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  private static func writeProvenance(
    _ result: SuiteResult, to root: HDF5Group
  ) throws(HDF5Error) {
    let provenance = result.provenance
    try root.writeOrigin(schema: schema, dataCommit: provenance.dataCommit)
    try root.setAttribute("suite", provenance.suite)
    try root.setAttribute("suite_sha256", provenance.suiteSHA256)
    try root.setAttribute("toolchain", provenance.toolchain)
    try root.setAttribute("detection_log_sha256", provenance.detectionLogSHA256)
    let entries = grouped(result.runs, by: \.entry)
    let parameters = entries.map { ($0, $1.first?.parameters ?? []) }
    try root.setAttribute(
      "parameters", jsonLine(Dictionary(uniqueKeysWithValues: parameters)))
    let seeds = entries.compactMap { entry, runs in runs.first?.seed.map { (entry, $0) } }
    try root.setAttribute("seed", jsonLine(Dictionary(uniqueKeysWithValues: seeds)))
  }

  private static func write(
    _ run: RunRecord, _ vocabulary: Vocabulary, to group: HDF5Group, origin: TraceOrigin
  ) throws(HDF5Error) {
    try writeFacts(run, to: group, origin: origin)
    try writeDetections(run, vocabulary, to: group.createGroup("detections"))
    try writeReferences(run, vocabulary, to: group.createGroup("references"))
    let scores = try group.createGroup("scores")
    try scores.write(run.score.figures)
    if let tolerance = run.score.eventOutcomes?.tolerance {
      try scores.setAttribute("tolerance_early_ns", tolerance.early.nanoseconds)
      try scores.setAttribute("tolerance_late_ns", tolerance.late.nanoseconds)
      try scores.setAttribute("tolerance_origin", tolerance.origin.rawValue)
    }
    if case .events(let judgement) = run.score {
      try writeLatency(judgement.score.latencies, to: group.createGroup("latency"))
    }
    if !run.deliveryFigures.isEmpty {
      try group.createGroup("delivery").write(run.deliveryFigures.map(\.figure))
    }
    try group.createGroup("measurements").write(run.measurements.map(\.figure))
  }

  /// The attributes of a run: what went in.
  private static func writeFacts(
    _ run: RunRecord, to group: HDF5Group, origin: TraceOrigin
  ) throws(HDF5Error) {
    try group.setAttribute("detector", run.detector)
    try group.setAttribute("preset", run.preset)
    try group.setAttribute("parameters", jsonLine(run.parameters))
    if let program = run.program {
      try group.setAttribute("program_name", program.name)
      try group.setAttribute("program_version", program.version)
      try group.setAttribute("program_files", jsonLine(program.files))
    }
    try group.setAttribute("policy", run.policy ?? "the trace's own actions")
    if let seed = run.seed { try group.setAttribute("policy_seed", seed) }
    try group.setAttribute("gravity_removal", run.gravityRemoval ?? "none")
    try group.setAttribute("delivery", run.delivery)
    if let seed = run.deliverySeed { try group.setAttribute("delivery_seed", seed) }
    if let sampling = run.sampling {
      try group.setAttribute("device_rate_hz", sampling.rate)
      try group.setAttribute("device_rate_recorded", Int64(sampling.recorded))
      try group.setAttribute("device_rate_taken", Int64(sampling.taken))
    }
    try group.setAttribute("rate", run.rate)
    try group.setAttribute("trace", run.traceID)
    try group.setAttribute("trace_sha256", run.traceSHA256)
    try group.setAttribute("origin", origin.rawValue)
    try group.setAttribute("subject", run.subject)
    try group.setAttribute("activity", run.activity)
    try group.setAttribute("duration_ns", run.duration.nanoseconds)
    try group.setAttribute("readings", Int64(run.readings))
    try group.setAttribute("task", run.task.rawValue)
  }

  private static func writeDetections(
    _ run: RunRecord, _ vocabulary: Vocabulary, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "event", count: run.detections.count)
    let records = run.detections
    try table.times("onset", records.map(\.onset.nanoseconds))
    try table.times("emitted", records.map(\.emitted.nanoseconds))
    try table.times("newest_measured", records.map(\.newestMeasured.nanoseconds))
    try table.codes("kind", records.map(\.kind), of: vocabulary.kinds)
    try table.codes("label", records.map(\.label), of: vocabulary.labels)
    try table.codes("original_label", records.map(\.originalLabel), of: vocabulary.originalLabels)
    // The value of a presence event is a silence, whatever the reference's values are.
    let unit = run.task == .presence ? "s" : run.references?.valueUnits ?? ""
    try table.floats("value", records.map(\.value), unit: unit)
    try table.integers(
      "place", records.map { $0.place ?? -1 }, note: "-1 = none", missing: -1)
    if let judged = run.score.eventOutcomes {
      var outcomes = [String](repeating: notScored, count: records.count)
      var matches = [Int32](repeating: -1, count: records.count)
      let positions = records.indices.filter { records[$0].kind == run.task.rawValue }
      for (position, outcome) in zip(positions, judged.detections) {
        outcomes[position] = outcome.rawValue
      }
      for pair in judged.pairs where positions.indices.contains(pair.detection) {
        matches[positions[pair.detection]] = Int32(clamping: pair.reference)
      }
      try table.codes(
        "outcome", outcomes, of: [notScored] + DetectionOutcome.allCases.map(\.rawValue))
      try table.integers(
        "match_index", matches, note: "position in references; -1 = unmatched", missing: -1)
    }
    try table.finish()
  }

  private static func writeReferences(
    _ run: RunRecord, _ vocabulary: Vocabulary, to group: HDF5Group
  ) throws(HDF5Error) {
    let events = run.references?.events ?? []
    try group.setFlag("is_known", run.references != nil)
    try group.setAttribute("definition", run.references?.definition ?? "")
    var table = ColumnTable(group, dimension: "reference", count: events.count)
    try table.times("onset", events.map(\.onset.nanoseconds))
    try table.times("offset", events.map(\.offset.nanoseconds))
    try table.codes("label", events.map(\.label), of: vocabulary.labels)
    try table.codes("original_label", events.map(\.originalLabel), of: vocabulary.originalLabels)
    try table.codes("hand", events.map(\.hand.name), of: Hand.allCases.map(\.name))
    try table.floats("value", events.map(\.value), unit: run.references?.valueUnits ?? "")
    try table.integers("place", events.map { $0.place ?? -1 }, note: "-1 = none", missing: -1)
    if let judged = run.score.eventOutcomes {
      try table.codes(
        "outcome", judged.references.map(\.rawValue),
        of: ReferenceOutcome.allCases.map(\.rawValue))
      var matches = [Int32](repeating: -1, count: events.count)
      for pair in judged.pairs where matches.indices.contains(pair.reference) {
        matches[pair.reference] = Int32(clamping: pair.detection)
      }
      try table.integers(
        "match_index", matches,
        note: "position among the detections of the task's kind; -1 = unmatched", missing: -1)
    }
    try table.finish()
  }

  /// A histogram of the algorithmic latency in bins of 10 ms that cover all of it.
  private static func writeLatency(
    _ latencies: [Int64], to group: HDF5Group
  ) throws(HDF5Error) {
    let histogram = LatencyHistogram(latencies)
    var table = ColumnTable(group, dimension: "bin", count: histogram.counts.count)
    try table.times("lower_edge", histogram.lowerEdges)
    try table.times(
      "upper_edge", histogram.lowerEdges.map { $0.addingClamped(LatencyHistogram.width) })
    try table.integers("count", histogram.counts, note: "matched events", missing: nil)
    try table.finish()
  }

  private static func write(
    _ host: SuiteResult.Host, of result: SuiteResult, to group: HDF5Group
  ) throws(HDF5Error) {
    try group.setAttribute("operating_system", host.operatingSystem)
    try group.setAttribute("processors", Int64(host.processors))
    try group.setAttribute("threads", Int64(host.threads))
    try group.setAttribute("wall_seconds", host.wallSeconds)
    for (entry, parts) in grouped(result.summaries, by: \.entry) {
      let speeds = try group.createGroup(escaped(entry))
      for part in parts {
        try speeds.setAttribute(
          "real_time_factor_\(part.origin.rawValue)", part.realTimeFactor ?? .nan)
      }
    }
  }
}

/// The texts of all runs: a code has the same meaning everywhere in the file.
private struct Vocabulary {
  let kinds: [String]
  let labels: [String]
  let originalLabels: [String]

  init(_ runs: [RunRecord]) {
    let detections = runs.flatMap(\.detections)
    let references = runs.flatMap { $0.references?.events ?? [] }
    kinds = Array(Set(detections.map(\.kind)))
    labels = Array(Set(detections.map(\.label)).union(references.map(\.label)))
    originalLabels = Array(
      Set(detections.map(\.originalLabel)).union(references.map(\.originalLabel)))
  }
}

/// Latencies counted in bins of 10 ms.
package struct LatencyHistogram {
  /// Nanoseconds.
  package static let width: Int64 = 10_000_000
  /// Beyond so many bins the last one takes the rest.
  package static let mostBins = 10_000

  /// Nanoseconds.
  package private(set) var lowerEdges: [Int64] = []
  package private(set) var counts: [Int32] = []

  package init(_ latencies: [Int64]) {
    let bins = latencies.map { Self.bin(of: $0) }
    guard let first = bins.min(), let last = bins.max() else { return }
    let span = min(last.subtractingClamped(first), Int64(Self.mostBins - 1))
    counts = [Int32](repeating: 0, count: Int(span) + 1)
    lowerEdges = (0...span).map { Self.lowerEdge(of: first + $0) }
    for bin in bins { counts[Int(min(bin.subtractingClamped(first), span))] += 1 }
  }

  private static func lowerEdge(of bin: Int64) -> Int64 {
    let (edge, overflow) = bin.multipliedReportingOverflow(by: width)
    return overflow ? (bin < 0 ? .min : .max) : edge
  }

  /// The bin that a latency lies in, rounded down also below zero.
  private static func bin(of latency: Int64) -> Int64 {
    let (quotient, remainder) = latency.quotientAndRemainder(dividingBy: width)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
