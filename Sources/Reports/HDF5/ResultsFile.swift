import Apps
import Detectors
package import Evaluation
package import HDF5
import Scoring
import TraceModel

/// Writes results as HDF5, by the same conventions as native traces: one 1-D dataset per column,
/// one dimension scale per group, codes with `flag_values` and `flag_meanings`, no strings in
/// datasets, NaN for undefined figures. A code has the same meaning in all of a file.
///
/// ```
/// /                       schema, suite, versions, hashes, parameters and seeds of each entry
/// /summary                dimensions entry, origin, activity, class: figures over the traces, each a
///                         dataset, with _lo, _hi, _events, _clusters and _method
/// /latency                dimensions entry, origin, bin: counts of emitted - onset
/// /confusion              dimensions entry, origin, class, detected: matched events
/// /delays/<entry>/<origin>_<figure>               dimension step: the share that has come by a delay
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
  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ result: SuiteResult, to path: String) throws(HDF5Error) {
    try result.contents.write(
      to: path, schema: "shadowbox-results/4", dataCommit: result.provenance.dataCommit)
  }
}

extension SuiteResult {
  fileprivate var contents: HDF5Contents {
    let entries = runs.inGroups(by: \.entry)
    let vocabulary = Vocabulary()
    let grid = SummaryGrid(summaries)
    let runGroups = entries.map { runs in
      (runs[0].entry, HDF5Contents(groups: runs.map { ($0.traceID, $0.contents(vocabulary)) }))
    }
    let appGroups = apps.map { ($0.entry, $0.contents(vocabulary)) }
    let seeds = entries.compactMap { runs in runs[0].seed.map { (runs[0].entry, $0) } }
    let parameters = entries.map { ($0[0].entry, $0[0].parameters) }
    return HDF5Contents(
      attributes: [
        "suite": provenance.suite, "suite_sha256": provenance.suiteSHA256,
        "toolchain": provenance.toolchain, "detection_log_sha256": provenance.detectionLogSHA256,
        "parameters": Dictionary(uniqueKeysWithValues: parameters),
        "seed": Dictionary(uniqueKeysWithValues: seeds),
        "suite_definition": suite?.definition(), "inputs": inputs.isEmpty ? nil : inputs,
      ],
      groups: [
        ("summary", grid.contents), ("runs", HDF5Contents(groups: runGroups)),
      ] + grid.distributions + (apps.isEmpty ? [] : [("apps", HDF5Contents(groups: appGroups))])
        + (host.map { [("host", hostContents($0))] } ?? []))
  }

  private func hostContents(_ host: Host) -> HDF5Contents {
    HDF5Contents(
      attributes: [
        "operating_system": host.operatingSystem, "processors": host.processors,
        "threads": host.threads, "wall_seconds": host.wallSeconds,
      ],
      groups: summaries.inGroups(by: \.entry).map { parts in
        let own = speeds.filter { $0.entry == parts[0].entry }
        return (parts[0].entry, HDF5Contents(attributes: own.reduce([:]) { $0 + $1.attributes }))
      })
  }
}

extension RunRecord {
  fileprivate func contents(_ vocabulary: Vocabulary) -> HDF5Contents {
    let tolerance = score.eventOutcomes?.tolerance
    let scores = HDF5Contents(
      attributes: [
        "tolerance_early_ns": tolerance?.early.nanoseconds,
        "tolerance_late_ns": tolerance?.late.nanoseconds,
        "tolerance_origin": tolerance?.origin.rawValue,
      ], figures: score.figures)
    var contents = HDF5Contents(
      attributes: facts,
      groups: [
        ("detections", detectionTable(vocabulary)), ("references", referenceTable(vocabulary)),
        ("scores", scores),
        ("measurements", HDF5Contents(figures: measurements.map(\.figure))),
      ])
    if case .events(let judgement) = score {
      contents.groups.append(("latency", LatencyHistogram(judgement.score.latencies).table))
    }
    if !deliveryFigures.isEmpty {
      let figures = deliveryFigures.map(\.figure)
      contents.groups.append(("delivery", HDF5Contents(figures: figures)))
    }
    return contents
  }

  /// What went in.
  private var facts: JSONObject {
    [
      "detector": detector, "preset": preset, "parameters": parameters,
      "program_name": program?.name, "program_version": program?.version,
      "program_files": program?.files, "policy": policy ?? "the trace's own actions",
      "policy_seed": seed, "gravity_removal": gravityRemoval ?? "none", "delivery": delivery,
      "delivery_seed": deliverySeed, "device_rate_hz": sampling?.rate,
      "device_rate_recorded": sampling?.recorded, "device_rate_taken": sampling?.taken,
      "rate": rate, "trace": traceID, "trace_sha256": traceSHA256, "origin": origin.rawValue,
      "subject": subject, "activity": activity, "duration_ns": duration.nanoseconds,
      "readings": readings, "task": task.rawValue,
      "threshold_parameter": thresholdParameter,
    ]
  }

  private func detectionTable(_ vocabulary: Vocabulary) -> HDF5Contents {
    // The value of a presence event is a silence, whatever the reference's values are.
    let unit = task == .presence ? "s" : references?.valueUnits ?? ""
    return .table(
      "event",
      [
        .times("onset", detections.map(\.onset.nanoseconds)),
        .times("emitted", detections.map(\.emitted.nanoseconds)),
        .times("newest_measured", detections.map(\.newestMeasured.nanoseconds)),
        .codes("kind", detections.map(\.kind), in: vocabulary.kinds),
        .codes("label", detections.map(\.label), in: vocabulary.labels),
        .codes("original_label", detections.map(\.originalLabel), in: vocabulary.originalLabels),
        .floats("value", detections.map(\.value), unit: unit), .places(detections.map(\.place)),
      ] + readingColumns + outcomeColumns)
  }

  /// The score of each detection, and the reading at which it was reported.
  private var readingColumns: [HDF5Column] {
    var columns: [HDF5Column] = []
    if !detectionScores.isEmpty || thresholdParameter != nil {
      columns.append(.floats("score", detectionScores, unit: thresholdUnit))
    }
    if newestReadings.count == detections.count {
      columns.append(
        .integers(
          "newest_reading", newestReadings.map { Int32(clamping: $0) },
          note: "position of the newest reading in the detector's channel; -1 = none", missing: -1))
    }
    return columns
  }

  private var thresholdUnit: String {
    parameters.first { $0.name == thresholdParameter }?.unit ?? ""
  }

  /// What became of the detections; nothing where events are not what is scored.
  private var outcomeColumns: [HDF5Column] {
    guard let judged = score.eventOutcomes else { return [] }
    let others = HDF5Vocabulary(["not_scored"] + DetectionOutcome.allCases.map(\.rawValue))
    var outcomes = [String](repeating: "not_scored", count: detections.count)
    let positions = judgedPositions
    for (position, outcome) in zip(positions, judged.detections) {
      outcomes[position] = outcome.rawValue
    }
    return [
      .codes("outcome", outcomes, in: others),
      matchColumn(
        judged.pairs.filter { positions.indices.contains($0.detection) }
          .map { (positions[$0.detection], $0.reference) }, of: detections.count,
        "position in references"),
    ]
  }

  /// The positions of the detections that are judged: those of the task's kind.
  private var judgedPositions: [Int] {
    detections.indices.filter { detections[$0].kind == task.rawValue }
  }

  /// The positions of the partners; -1 = none.
  private func matchColumn(
    _ pairs: [(own: Int, partner: Int)], of count: Int, _ note: String
  ) -> HDF5Column {
    var matches = [Int32](repeating: -1, count: count)
    for (own, partner) in pairs where matches.indices.contains(own) {
      matches[own] = Int32(clamping: partner)
    }
    return .integers("match_index", matches, note: note + "; -1 = unmatched", missing: -1)
  }

  private func referenceTable(_ vocabulary: Vocabulary) -> HDF5Contents {
    let events = references?.events ?? []
    var columns: [HDF5Column] = [
      .times("onset", events.map(\.onset.nanoseconds)),
      .times("offset", events.map(\.offset.nanoseconds)),
      .codes("label", events.map(\.label), in: vocabulary.labels),
      .codes("original_label", events.map(\.originalLabel), in: vocabulary.originalLabels),
      .codes("hand", events.map(\.hand.name), in: HDF5Vocabulary(Hand.allCases.map(\.name))),
      .floats("value", events.map(\.value), unit: references?.valueUnits ?? ""),
      .places(events.map(\.place)),
    ]
    if let judged = score.eventOutcomes {
      let positions = judgedPositions
      columns += [
        .codes("outcome", judged.references),
        matchColumn(
          judged.pairs.filter { positions.indices.contains($0.detection) }
            .map { ($0.reference, positions[$0.detection]) }, of: events.count,
          "position in detections"),
      ]
    }
    return .table(
      "reference", columns,
      attributes: ["is_known": references != nil, "definition": references?.definition ?? ""])
  }
}

/// The texts of all runs: a code has the same meaning everywhere in the file.
private struct Vocabulary {
  let kinds = HDF5Vocabulary()
  let labels = HDF5Vocabulary()
  let originalLabels = HDF5Vocabulary()
  /// Of the outcomes of apps.
  let names = HDF5Vocabulary()
  let appKinds = HDF5Vocabulary()
  let units = HDF5Vocabulary()
}

extension LatencyHistogram {
  fileprivate var table: HDF5Contents {
    .table(
      "bin",
      [
        .times("lower_edge", lowerEdges),
        .times("upper_edge", lowerEdges.map { $0.addingClamped(Self.width) }),
        .integers("count", counts, note: "matched events"),
      ])
  }
}

// MARK: Apps

extension AppRecord {
  /// The outcomes and events of the app.
  fileprivate func contents(_ vocabulary: Vocabulary) -> HDF5Contents {
    func units(_ units: [String]) -> HDF5Column {
      .codes("unit", units.map { $0.isEmpty ? "1" : $0 }, in: vocabulary.units)
    }
    let outcomeTable = HDF5Contents.table(
      "outcome",
      [
        .codes("name", outcomes.map(\.name), in: vocabulary.names),
        .integers(
          "person", outcomes.map { Int32(clamping: $0.person?.index ?? -1) },
          note: "number in people; -1 = of the whole run", missing: -1),
        .floats("value", outcomes.map(\.value)), units(outcomes.map(\.unit)),
      ])
    let eventTable = HDF5Contents.table(
      "event",
      [
        .times("time", events.map(\.time.nanoseconds)),
        .integers(
          "person", events.map { Int32(clamping: $0.person.index) }, note: "number in people"),
        .codes("kind", events.map(\.kind), in: vocabulary.appKinds),
        .floats("value", events.map(\.value)), units(events.map(\.unit)),
        .places(events.map(\.place)),
      ])
    return HDF5Contents(
      attributes: attributes,
      groups: [("people", peopleTable), ("outcomes", outcomeTable), ("events", eventTable)])
  }

  /// With the text of each value that is a name, e.g. the winner's.
  private var attributes: JSONObject {
    let attributes: JSONObject = [
      "app": facts.app, "preset": facts.preset,
      "policy": facts.script ?? "the traces' own actions", "network": facts.network,
      "seed": facts.seed,
    ]
    let faults = facts.faults.isEmpty ? nil : facts.faults.joined(separator: " ")
    let unmet = unmetFaults.isEmpty ? nil : unmetFaults.joined(separator: " ")
    let all = attributes.adding("faults", faults).adding("unmet_faults", unmet)
    return outcomes.reduce(all) { attributes, outcome in
      let suffix = outcome.person.map { "_\($0.index)" } ?? ""
      return attributes.adding("text_\(outcome.name)\(suffix)", outcome.text)
    }
  }

  private var peopleTable: HDF5Contents {
    .table(
      "person",
      [
        .times("start", people.map(\.start.nanoseconds)),
        .codes("origin", people.map(\.origin)),
      ],
      attributes: people.enumerated().reduce([:]) { attributes, person in
        attributes.adding("name_\(person.offset)", person.element.name)
          .adding("trace_\(person.offset)", person.element.traceID)
          .adding("trace_sha256_\(person.offset)", person.element.traceSHA256)
      })
  }
}

extension SpeedFigure {
  /// The attributes of an entry's group in `/host`.
  fileprivate var attributes: JSONObject {
    let name = "nanoseconds_per_sample_\(origin.rawValue)"
    let speed: JSONObject = [
      name: time?.median ?? .nan, "\(name)_lo": time?.lower ?? .nan,
      "\(name)_hi": time?.upper ?? .nan, "\(name)_repeats": time?.repeats ?? 0,
      "\(name)_samples": samples,
    ]
    return speed.adding("\(name)_undefined", reason)
  }
}
