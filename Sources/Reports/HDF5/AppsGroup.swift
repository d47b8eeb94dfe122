package import Evaluation
import Apps
package import HDF5
import TraceModel

/// The group `/apps` of a results file: the outcomes and events of each app.
package enum AppsGroup {
  package static func write(_ apps: [AppRecord], to root: HDF5Group) throws(HDF5Error) {
    guard !apps.isEmpty else { return }
    // A code has the same meaning in all of the file.
    let vocabulary = Vocabulary(apps)
    let group = try root.createGroup("apps")
    for app in apps {
      try write(app, vocabulary, to: group.createGroup(ResultsFile.escaped(app.entry)))
    }
  }

  private struct Vocabulary {
    let names: [String]
    let units: [String]
    let kinds: [String]

    init(_ apps: [AppRecord]) {
      let outcomes = apps.flatMap(\.outcomes)
      let events = apps.flatMap(\.events)
      names = Array(Set(outcomes.map(\.name)))
      units = Array(Set(outcomes.map { unit($0.unit) } + events.map { unit($0.unit) }))
      kinds = Array(Set(events.map(\.kind)))
    }
  }

  private static func write(
    _ app: AppRecord, _ vocabulary: Vocabulary, to group: HDF5Group
  ) throws(HDF5Error) {
    try group.setAttribute("app", app.facts.app)
    try group.setAttribute("preset", app.facts.preset)
    try group.setAttribute("policy", app.facts.script ?? "the traces' own actions")
    try group.setAttribute("network", app.facts.network)
    try group.setAttribute("seed", app.facts.seed)
    // The text of a value that is a name, e.g. the winner's.
    for outcome in app.outcomes {
      guard let text = outcome.text else { continue }
      let suffix = outcome.person.map { "_\($0.index)" } ?? ""
      try group.setAttribute("text_\(outcome.name)\(suffix)", text)
    }
    try writePeople(app.people, to: group.createGroup("people"))
    try writeOutcomes(app.outcomes, vocabulary, to: group.createGroup("outcomes"))
    try writeEvents(app.events, vocabulary, to: group.createGroup("events"))
  }

  private static func writePeople(
    _ people: [AppRecord.Person], to group: HDF5Group
  ) throws(HDF5Error) {
    for (index, person) in people.enumerated() {
      try group.setAttribute("name_\(index)", person.name)
      try group.setAttribute("trace_\(index)", person.traceID)
      try group.setAttribute("trace_sha256_\(index)", person.traceSHA256)
    }
    var table = ColumnTable(group, dimension: "person", count: people.count)
    try table.times("start", people.map(\.start.nanoseconds))
    try table.codes(
      "origin", people.map(\.origin.rawValue), of: TraceOrigin.allCases.map(\.rawValue))
    try table.finish()
  }

  private static func writeOutcomes(
    _ outcomes: [AppOutcome], _ vocabulary: Vocabulary, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "outcome", count: outcomes.count)
    try table.codes("name", outcomes.map(\.name), of: vocabulary.names)
    try table.integers(
      "person", outcomes.map { Int32(clamping: $0.person?.index ?? -1) },
      note: "number in people; -1 = of the whole run", missing: -1)
    try table.floats("value", outcomes.map { $0.value ?? .nan }, unit: "")
    try table.codes("unit", outcomes.map { unit($0.unit) }, of: vocabulary.units)
    try table.finish()
  }

  private static func writeEvents(
    _ events: [AppEvent], _ vocabulary: Vocabulary, to group: HDF5Group
  ) throws(HDF5Error) {
    var table = ColumnTable(group, dimension: "event", count: events.count)
    try table.times("time", events.map(\.time.nanoseconds))
    try table.integers(
      "person", events.map { Int32(clamping: $0.person.index) }, note: "number in people",
      missing: nil)
    try table.codes("kind", events.map(\.kind), of: vocabulary.kinds)
    try table.floats("value", events.map { $0.value ?? .nan }, unit: "")
    try table.codes("unit", events.map { unit($0.unit) }, of: vocabulary.units)
    try table.integers("place", events.map { $0.place ?? -1 }, note: "-1 = none", missing: -1)
    try table.finish()
  }

  private static func unit(_ unit: String) -> String { unit.isEmpty ? "1" : unit }
}
