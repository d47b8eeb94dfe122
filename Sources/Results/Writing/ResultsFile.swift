import AppEngines
import Detectors
package import Evaluation
package import HDF5
import Scoring
import TraceModel

/// Writes results as HDF5, by the same conventions as native traces: one 1-D dataset per column,
/// one dimension scale per group, codes with `flag_values` and `flag_meanings`, texts only for names,
/// NaN for undefined figures. A code has the same meaning everywhere in a file.
///
/// `docs/results-schema.md` lists the groups. Without `/host` equal results give equal bytes.
package enum ResultsFile {
  static let schema = "shadowbox-results/5"

  /// - Throws: ``HDF5Error``; then no new file is left, and an old one stays.
  package static func write(_ result: SuiteResult, to path: String) throws(HDF5Error) {
    try result.contents.write(to: path, schema: schema, dataCommit: result.provenance.dataCommit)
  }
}

extension SuiteResult {
  fileprivate var contents: HDF5Contents {
    let entries = runs.inGroups(by: \.entry)
    let vocabulary = Vocabulary()
    let grid = SummaryGrid(summaries)
    let table = RunTable(runs)
    let rows = runs.enumerated().map { (row: $0.offset, run: $0.element) }
    let events = rows.inGroups(by: \.run.entry).map { rows in
      (rows[0].run.entry, HDF5Contents(groups: EventTables(rows, vocabulary).groups))
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
        ("summary", grid.contents), ("runs", table.contents), ("settings", table.settingTable),
        ("events", HDF5Contents(groups: events.filter { !$0.1.groups.isEmpty })),
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

/// The texts of all runs, so that a code has the same meaning everywhere in the file.
struct Vocabulary {
  let kinds = HDF5Vocabulary()
  let labels = HDF5Vocabulary()
  let originalLabels = HDF5Vocabulary()
  /// Of the outcomes of apps.
  let names = HDF5Vocabulary()
  let appKinds = HDF5Vocabulary()
  let units = HDF5Vocabulary()
}

extension AppRecord {
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
        .codes("goal", outcomes.map(\.goal)),
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

  /// With the text of each outcome that is a name, e.g. the winner.
  private var attributes: JSONObject {
    let attributes: JSONObject = [
      "app": facts.app, "preset": facts.preset, "policy": facts.script ?? "the traces' own actions",
      "network": facts.network, "seed": facts.seed,
    ]
    let faults = facts.faults.isEmpty ? nil : facts.faults.joined(separator: " ")
    let rules = facts.rules.isEmpty ? nil : facts.rules.joined(separator: ",")
    let unmet = unmetFaults.isEmpty ? nil : unmetFaults.joined(separator: " ")
    let all = attributes.adding("faults", faults).adding("unmet_faults", unmet)
      .adding("rules", rules)
    return outcomes.reduce(all) { attributes, outcome in
      let suffix = outcome.person.map { "_\($0.index)" } ?? ""
      return attributes.adding("text_\(outcome.name)\(suffix)", outcome.text)
    }
  }

  private var peopleTable: HDF5Contents {
    .table(
      "person",
      [.times("start", people.map(\.start.nanoseconds)), .codes("origin", people.map(\.origin))],
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
