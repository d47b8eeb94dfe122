@testable import Detectors
@testable import Evaluation
@testable import Results
import Foundation
import HDF5
import Scoring
import Testing
import TraceFormats
import TraceModel

/// The table of the runs and the tables of their events, written and read again.
@Suite struct RunTableTests {
  private typealias Measured = Detectors.Measurement

  private static let provenance = SuiteResult.Provenance(
    suite: "s", suiteSHA256: "11", dataCommit: "", toolchain: "t", detectionLogSHA256: "22")

  private func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64(seconds * 1e9))
  }

  /// - Parameters:
  ///   - onsets: of the references in seconds; nil = the trace has none.
  ///   - found: the onsets of the detections; each is reported 0.1 s later.
  private func run(
    _ id: String, entry: String = "punch/x", onsets: [Double]?, found: [Double],
    measured: [Measured] = []
  ) -> RunRecord {
    var header = TraceHeader(id: id, origin: .recorded)
    header.end = instant(600)
    (header.subject, header.activity) = ("p-" + id, "walking")
    if let onsets {
      let events = onsets.map { ReferenceEvent(onset: instant($0), label: "jab", value: 100) }
      header.references = [ReferenceSet(task: .punch, events: events, valueUnits: "m s-2")]
    }
    let detections = found.map {
      DetectionRecord(
        onset: instant($0), emitted: instant($0 + 0.1), newestMeasured: instant($0 + 0.1),
        kind: "punch", label: "jab", originalLabel: "", value: 90)
    }
    let judgement = EventJudgement(
      references: header.references.first?.events ?? [], detections: detections,
      tolerance: .standard, duration: header.duration)
    var run = RunRecord(
      entry: entry, detector: "punch", preset: "x",
      parameters: [ResolvedParameter(name: "threshold", value: .number(30), unit: "m/s2")],
      seed: .max, header: header, traceSHA256: String(repeating: "0f", count: 32), task: .punch,
      readings: 60_000, detections: detections, measurements: measured, score: .events(judgement),
      detectorTime: .zero)
    run.thresholdParameter = "threshold"
    run.detectionScores = found.map { $0 + 30 }
    run.newestReadings = found.indices.map { $0 * 10 }
    return run
  }

  private func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: "runs-\(UUID()).h5").path
  }

  private func written<Answer>(
    _ runs: [RunRecord], _ body: (String) throws -> Answer
  ) throws -> Answer {
    let path = path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ResultsFile.write(SuiteResult(provenance: Self.provenance, host: nil, runs: runs), to: path)
    return try body(path)
  }

  private func bytes(_ runs: [RunRecord]) throws -> Int {
    try written(runs) { try Data(contentsOf: URL(filePath: $0)).count }
  }

  // MARK: Size

  /// A trace without detections takes at most 4 kB. What a file takes at any rate is in two files of
  /// different length alike.
  @Test(arguments: [[], nil, [1, 2, 3]] as [[Double]?])
  func aTraceWithoutDetectionsIsSmall(onsets: [Double]?) throws {
    func quiet(_ count: Int) -> [RunRecord] {
      (0..<count).map { run("recording-of-a-day-\($0)", onsets: onsets, found: []) }
    }
    let (few, many) = (try bytes(quiet(250)), try bytes(quiet(500)))
    #expect((many - few) / 250 <= 4096, "\(few) and \(many) bytes")
    #expect(many / 500 <= 4096, "\(many) bytes")
  }

  /// One more detection is one more row, in any trace.
  @Test func aDetectionIsARow() throws {
    let quiet = (0..<200).map { run("t\($0)", onsets: nil, found: []) }
    let loud = (0..<200).map { run("t\($0)", onsets: nil, found: [Double($0 + 1)]) }
    let (few, many) = (try bytes(quiet), try bytes(loud))
    #expect((many - few) / 200 <= 256, "\(few) and \(many) bytes")
  }

  /// No dataset is empty, and no group but those of all results.
  @Test func nothingEmptyIsWritten() throws {
    let runs = [
      run("a", onsets: nil, found: []), run("b", entry: "other", onsets: [5], found: []),
      run("c", entry: "third", onsets: [5], found: [5]),
    ]
    try written(runs) { path in
      let root = try HDF5File.open(path).root()
      #expect(try root.openGroup("events").links() == ["other", "third"])
      let events = try root.openGroup("events")
      #expect(try events.openGroup("other").links() == ["references"])
      #expect(
        try events.openGroup("third").links() == ["detections", "latency", "references"])
      for name in ["runs", "settings", "events/other/references", "events/third/detections"] {
        let group = try name.split(separator: "/").reduce(root) { try $0.openGroup(String($1)) }
        for column in try group.links() {
          #expect(try group.openDataset(column).count > 0, "\(name)/\(column)")
        }
      }
    }
  }

  @Test func aFileWithoutRunsIsWritten() throws {
    try written([]) { path throws in
      #expect(try MeasuredResults(reading: path).runs.isEmpty)
      #expect(try ResultsContents.reading(path, .runs).runs.isEmpty)
    }
  }

  // MARK: Reading

  /// What is read is what was written, in runs before and after others, and one without events.
  @Test func theRunsAreReadAsTheyWere() throws {
    let measured = [Measured("distance", 12.5, unit: "m")]
    let runs = [
      run("z", onsets: [1, 20], found: [1, 9]),
      run("a", onsets: [3], found: [], measured: measured),
      run("m", onsets: [2, 30, 40], found: [40]),
      run("n", entry: "a%/b", onsets: nil, found: [7]),
      run("o", entry: "a%/b", onsets: nil, found: []),
    ]
    let results = try written(runs) { try MeasuredResults(reading: $0) }
    #expect(results.schema == "shadowbox-results/5")
    // By entry, then by trace, as groups are.
    #expect(results.runs.map(\.trace) == ["n", "o", "a", "m", "z"])
    for found in results.runs {
      let run = try #require(runs.first { $0.traceID == found.trace })
      #expect(found.entry == run.entry && found.subject == run.subject)
      #expect((found.origin, found.activity, found.task) == ("recorded", "walking", "punch"))
      #expect(found.traceSHA256 == run.traceSHA256)
      #expect(found.detections.map(\.record) == run.detections)
      #expect(found.detections.map(\.score) == run.detectionScores)
      #expect(found.detections.map(\.newestReading) == run.newestReadings)
      #expect(found.references.map(\.onset) == (run.references?.events ?? []).map(\.onset))
      #expect((found.threshold, found.thresholdUnit) == (30, "m/s2"))
      #expect(found.facts["policy_seed"] == "18446744073709551615")
      #expect(found.facts["gravity_removal"] == "none" && found.facts["entry"] == nil)
      #expect(found.tolerance == .standard)
      #expect(found.measurements == Dictionary(run.measurements.map { ($0.name, $0.value) }) { $1 })
      for figure in run.score.figures {
        #expect(found.figures[figure.name]?.value == figure.value, "\(figure.name)")
      }
    }
    // Partners are counted within their run, although the file counts within the entry.
    #expect(results.runs.map { $0.detections.map(\.reference) } == [[nil], [], [], [2], [0, nil]])
    #expect(
      results.runs.map { $0.references.map(\.isFound) } == [
        [], [], [false], [false, false, true], [true, false],
      ])
  }

  /// With the counts behind the figures.
  @Test func theFiguresOfRunsAreReadAsTheyWere() throws {
    let runs = [
      run("a", onsets: [1, 20], found: [1, 9]), run("b", onsets: nil, found: []),
      run("c", onsets: [3], found: [3]),
    ]
    let rows = try written(runs) { try ResultsContents.reading($0, .runs).runs }
    #expect(rows.map(\.subject) == ["p-a", "p-b", "p-c"])
    #expect(rows.allSatisfy { $0.name == "punch/x" && $0.origin == "recorded" })
    for (row, run) in zip(rows, runs) {
      for figure in run.score.figures where figure.value != nil {
        let read = try #require(row.figures.first { $0.name == figure.name }, "\(figure.name)")
        #expect(read.value == figure.value && read.unit == figure.unit, "\(figure.name)")
        #expect(read.estimate.method == figure.estimate.method, "\(figure.name)")
        #expect(read.interval?.lower == figure.interval?.lower, "\(figure.name)")
        #expect(read.interval?.upper == figure.interval?.upper, "\(figure.name)")
        #expect(read.estimate.clusters == figure.estimate.clusters, "\(figure.name)")
        if figure.estimate.method != nil {
          #expect(read.estimate.count == figure.estimate.count, "\(figure.name)")
        }
      }
    }
  }

  /// In the file a partner is a row of the other table.
  @Test func partnersAreRowsOfTheirTables() throws {
    let runs = [run("a", onsets: [1, 20], found: [1]), run("b", onsets: [5, 9], found: [3, 9])]
    try written(runs) { path in
      let events = try HDF5File.open(path).root().openGroup("events").openGroup("punch%2Fx")
      func column(_ name: String, _ table: String) throws -> [Int32] {
        try events.openGroup(table).openDataset(name).read()
      }
      #expect(try column("run", "detections") == [0, 1, 1])
      #expect(try column("match_index", "detections") == [0, -1, 3])
      #expect(try column("run", "references") == [0, 0, 1, 1])
      #expect(try column("match_index", "references") == [0, -1, -1, 2])
      #expect(try column("run", "latency") == [0, 1])
    }
  }

  /// Two detectors may measure the same in different units, and classes may be called like bounds.
  @Test func columnNamesAreUnique() throws {
    var header = TraceHeader(id: "c", origin: .recorded)
    header.end = instant(600)
    let events = ["lo", "lo_lo", "a/b"].map { ReferenceEvent(onset: instant(5), label: $0) }
    header.references = [ReferenceSet(task: .punch, events: events, valueUnits: "m s-2")]
    let named = RunRecord(
      entry: "e", detector: "punch", preset: "x", header: header, task: .punch, detections: [],
      measurements: [],
      score: .events(
        EventJudgement(
          references: events, detections: [], tolerance: .standard, duration: header.duration)))
    let runs = [
      run("a", onsets: nil, found: [], measured: [Measured("far", 1, unit: "m")]),
      run("b", entry: "f", onsets: nil, found: [], measured: [Measured("far", 2, unit: "km")]),
      named,
    ]
    try written(runs) { path in
      let table = try HDF5File.open(path).root().openGroup("runs")
      let far: [Double] = try table.openDataset("measured_far").read()
      #expect(far[0] == 1 && far[1].isNaN)
      #expect(try table.openDataset("measured_far_2").textAttribute("units") == "km")
      let results = try MeasuredResults(reading: path)
      #expect(results.runs.map { $0.measurements["far"] } == [nil, 2, 1])
      let rows = try ResultsContents.reading(path, .runs).runs
      let values = try #require(rows.first { $0.name == "e" }?.figures)
      let found = Dictionary(values.map { ($0.name, $0) }) { first, _ in first }
      for name in ["recall_lo", "recall_lo_lo", "recall_a/b"] {
        #expect(found[name]?.value == 0, "\(name)")
      }
      #expect(found["recall"]?.value == 0 && found["recall"]?.interval != nil)
    }
  }

  /// Entries and classes have names of people's choice, which may be longer than netCDF takes.
  @Test func anyNamesAreReadAgain() throws {
    let long = String(repeating: "exec:python3 tools/x/", count: 20)
    let labels = [long, long + "!", "a/b", "hi", "x", "x_lo", "\n"]
    var header = TraceHeader(id: "c", origin: .recorded)
    header.end = instant(600)
    let events = labels.map { ReferenceEvent(onset: instant(5), label: $0) }
    header.references = [ReferenceSet(task: .punch, events: events, valueUnits: "m s-2")]
    let judgement = EventJudgement(
      references: events, detections: [], tolerance: .standard, duration: header.duration)
    let classes = RunRecord(
      entry: "classes", detector: "punch", preset: "x", header: header, task: .punch,
      detections: [], measurements: [], score: .events(judgement))
    let entries = ["a/b", "..", long, long + "!", "x_2"]
    let runs = entries.map { run("t", entry: $0, onsets: [1], found: [1, 9]) } + [classes]
    try written(runs) { path in
      let results = try MeasuredResults(reading: path)
      #expect(Set(results.runs.map(\.entry)) == Set(entries + ["classes"]))
      #expect(results.runs.filter { $0.entry != "classes" }.allSatisfy { $0.detections.count == 2 })
      let figures = try #require(results.runs.first { $0.entry == "classes" }).figures
      for label in labels { #expect(figures["recall_\(label)"]?.value == 0, "\(label)") }
      let root = try HDF5File.open(path).root()
      let names = try root.openGroup("events").links() + root.openGroup("runs").links()
      #expect(names.allSatisfy { $0.utf8.count <= 255 })
    }
  }

  /// The list of columns that use a scale is then longer than an attribute in a header can be.
  @Test func manyClassesAreColumns() throws {
    var header = TraceHeader(id: "c", origin: .recorded)
    header.end = instant(600)
    let events = (0..<600).map { ReferenceEvent(onset: instant(0.5 * Double($0)), label: "c\($0)") }
    header.references = [ReferenceSet(task: .punch, events: events, valueUnits: "m s-2")]
    let judgement = EventJudgement(
      references: events, detections: [], tolerance: .standard, duration: header.duration)
    let run = RunRecord(
      entry: "e", detector: "punch", preset: "x", header: header, task: .punch, detections: [],
      measurements: [], score: .events(judgement))
    try written([run]) { path throws in
      let figures = try #require(MeasuredResults(reading: path).runs.first?.figures)
      #expect((0..<600).allSatisfy { figures["recall_c\($0)"]?.value == 0 })
    }
  }

  /// Other parameters are another row of settings.
  @Test func settingsAreSharedByRuns() throws {
    var other = run("c", onsets: nil, found: [])
    other.parameters = [ResolvedParameter(name: "threshold", value: .number(40), unit: "m/s2")]
    let runs = ["a", "b"].map { run($0, onsets: nil, found: []) } + [other]
    try written(runs) { path in
      let root = try HDF5File.open(path).root()
      #expect(try root.openGroup("runs").openDataset("setting").read(Int32.self) == [0, 0, 1])
      #expect(try root.openGroup("settings").openDataset("setting").count == 2)
      #expect(try MeasuredResults(reading: path).runs.map(\.threshold) == [30, 30, 40])
    }
  }

  // MARK: Damage

  /// A file of two runs, with columns in place of the right ones.
  private func refusal(
    runs: [HDF5Column] = [], events: [HDF5Column] = [], settings: Int = 1
  ) throws -> String {
    func replaced(_ columns: [HDF5Column], by others: [HDF5Column]) -> [HDF5Column] {
      let names = others.map(\.name)
      return columns.filter { !names.contains($0.name) } + others
    }
    func integers(_ name: String, _ values: [Int32]) -> HDF5Column {
      .integers(name, values, note: "")
    }
    let table = HDF5Contents.table(
      "run",
      replaced(
        [
          integers("setting", [0, 0]), .texts("entry", ["e", "e"]), .texts("trace", ["a", "b"]),
          .floats("recall", [0.5, nil]),
        ], by: runs))
    let detections = HDF5Contents.table(
      "event",
      replaced(
        [integers("run", [0, 1, 1]), .times("onset", [1, 2, 3]), .times("emitted", [1, 2, 3])],
        by: events))
    let references = HDF5Contents.table(
      "reference", [integers("run", [0, 1]), .times("onset", [1, 2])])
    let entry = HDF5Contents(groups: [("detections", detections), ("references", references)])
    let contents = HDF5Contents(groups: [
      ("runs", table),
      (
        "settings",
        .table("setting", [.texts("detector", [String](repeating: "d", count: settings))])
      ), ("events", HDF5Contents(groups: [("e", entry)])),
    ])
    let path = path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try contents.write(to: path, schema: "shadowbox-results/5", dataCommit: "")
    do {
      _ = try ResultsContents.reading(path, .events)
      return ""
    } catch {
      return "\(error)".replacing(path, with: "")
    }
  }

  @Test func damagedTablesAreRefused() throws {
    func integers(_ name: String, _ values: [Int32]) -> HDF5Column {
      .integers(name, values, note: "")
    }
    #expect(try refusal() == "")
    let faults: [(said: String, place: String, found: String)] = [
      (try refusal(runs: [integers("setting", [0, 7])]), "/runs/setting", "found 7"),
      (try refusal(runs: [integers("setting", [0, -1])]), "/runs/setting", "found -1"),
      (
        try refusal(events: [integers("run", [0, 1, 2])]), "/events/e/detections/run", "found 2"
      ),
      (
        try refusal(events: [integers("run", [1, 0, 1])]), "/events/e/detections/run",
        "found 0 in row 1"
      ),
      (
        try refusal(events: [integers("match_index", [1, -1, -1])]),
        "/events/e/detections/match_index", "found 1"
      ),
      (
        try refusal(events: [integers("match_index", [0, 1, 5])]),
        "/events/e/detections/match_index", "found 5"
      ),
    ]
    for (said, place, found) in faults {
      #expect(said.contains(place) && said.contains(found), "\(place): \(said)")
    }
  }

  /// A program of the time of results/4 wrote it, see Tests/Fixtures/results/expected.py.
  @Test func groupsOfRunsAreReadAsBefore() throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/results/run-4.h5").path
    let results = try MeasuredResults(reading: fixture)
    #expect(results.schema == "shadowbox-results/4" && results.runs.count == 3)
    for run in results.runs {
      #expect(run.facts["detector"] == "punch" && run.threshold == 40 && run.tolerance != nil)
      #expect(run.references.count { $0.isFound } == run["true_positives"].map { Int($0) })
      #expect(run.detections.count { $0.outcome == "true_positive" } > 0)
      #expect(run.detections.allSatisfy { $0.score != nil && $0.newestReading != nil })
    }
    let runs = try ResultsContents.reading(fixture, .runs).runs
    #expect(runs.map(\.subject) == results.runs.map(\.subject))
  }
}
