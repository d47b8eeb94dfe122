@testable import Evaluation
import Foundation
import HDF5
import Testing
@testable import TraceFormats
import TraceModel

/// What goes wrong must be told: the right exit status, a message that says where and what to do,
/// and no partial file.
@Suite struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String] = [:]
    var arguments: [String]
    var status: Int32
    /// All of them must be in what it says on standard error.
    var messages: [String]
    var fileLimit: Int?
    /// What may be there afterwards, besides the files of the case.
    var leaves: [String] = []

    var testDescription: String { name }
  }

  private static let csv = "t,ax,ay,az\n0,1,2,3\n0.01,4,5,6\n"
  private static let map = ["--map", "time=t,x=ax,y=ay,z=az", "--gravity", "removed"]
  private static func suite(_ entry: String, traces: String = "good.h5") -> String {
    "schema: shadowbox-suite/1\ntraces:\n  all: [\(traces)]\nentries:\n  - \(entry)\n"
  }

  static let cases: [Case] = [
    // Files that are no traces.
    Case(
      name: "truncated trace", arguments: ["info", "truncated.h5"], status: 65,
      messages: ["truncated.h5", "expected"]),
    Case(
      name: "foreign HDF5", arguments: ["replay", "foreign.h5"], status: 65,
      messages: ["foreign.h5", "schema", "shadowbox-trace/1"]),
    Case(
      name: "empty trace", files: ["empty.h5": ""], arguments: ["info", "empty.h5"], status: 65,
      messages: ["empty.h5"]),
    Case(
      name: "text as a trace", files: ["text.h5": "hello"], arguments: ["replay", "text.h5"],
      status: 65, messages: ["text.h5", "HDF5"]),
    Case(
      name: "absent trace", arguments: ["replay", "nowhere.h5"], status: 74,
      messages: ["nowhere.h5"]),
    // CSV.
    Case(
      name: "empty CSV", files: ["a.csv": ""], arguments: ["convert", "a.csv", "-o", "a.h5"] + map,
      status: 65, messages: ["a.csv"]),
    Case(
      name: "missing column", files: ["a.csv": csv],
      arguments: [
        "convert", "a.csv", "-o", "a.h5", "--map", "time=t,x=ax,y=ay,z=up", "--gravity", "removed",
      ], status: 65, messages: ["a.csv:1", "up", "ax"]),
    Case(
      name: "no mapping", files: ["a.csv": csv], arguments: ["convert", "a.csv", "-o", "a.h5"],
      status: 64, messages: ["--map"]),
    Case(
      name: "gravity not stated", files: ["a.csv": csv],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--map", "time=t,x=ax,y=ay,z=az"], status: 64,
      messages: ["a.csv: ", "--gravity"]),
    Case(
      name: "NaN is damage", files: ["a.csv": csv + "0.02,nan,5,6\n0.03,7,8,9\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 5,
      messages: ["a.csv:4", "1 damaged"], leaves: ["a.h5"]),
    Case(
      name: "NaN stated as missing", files: ["a.csv": csv + "0.02,nan,5,6\n0.03,7,8,9\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--nan-is-missing"] + map, status: 0,
      messages: ["1 missing"], leaves: ["a.h5"]),
    Case(
      name: "strict stops at damage", files: ["a.csv": csv + "0.02,nan,5,6\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--strict"] + map, status: 65,
      messages: ["a.csv:4"]),
    Case(
      name: "damaged number", files: ["a.csv": csv + "0.02,4x,5,6\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 5,
      messages: ["a.csv:4", "4x"], leaves: ["a.h5"]),
    Case(
      name: "too few cells", files: ["a.csv": csv + "0.02,4\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 5, messages: ["a.csv:4"],
      leaves: ["a.h5"]),
    Case(
      name: "backward time is kept", files: ["a.csv": csv + "0.005,4,5,6\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 0,
      messages: ["1 backward times", "--sort"], leaves: ["a.h5"]),
    Case(
      name: "duplicated time is kept", files: ["a.csv": csv + "0.01,4,5,6\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 0,
      messages: ["1 duplicated times"], leaves: ["a.h5"]),
    Case(
      name: "dates read as numbers",
      files: ["a.csv": "t,ax,ay,az\n2022-05-01T10:00:03Z,1,2,3\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 65,
      messages: ["a.csv:2", "time=t[iso]"]),
    Case(
      name: "a hand that is none", files: ["a.csv": "t,ax,ay,az,h\n0,1,2,3,0.0\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--columns", "handedness=h"] + map, status: 0,
      messages: ["handedness \"0.0\" is not"], leaves: ["a.h5"]),
    Case(
      name: "parameter given twice",
      arguments: ["replay", "good.h5", "--parameters", "threshold=2g,threshold=3g"], status: 64,
      messages: ["threshold is given twice"]),
    Case(
      name: "option for another format",
      arguments: ["convert", "good.h5", "-o", "x.h5", "--strict"],
      status: 64, messages: ["--strict", "native"]),
    Case(
      name: "output of an unknown kind", files: ["a.csv": csv],
      arguments: ["convert", "a.csv", "-o", "a.gpx"] + map, status: 64, messages: ["a.gpx", ".h5"]),
    Case(
      name: "parts of one name", files: ["a.csv": "t,ax,ay,az,r\n0,1,2,3,p/q\n0,1,2,3,p-q\n"],
      arguments: ["convert", "a.csv", "-o", "parts", "--split-by", "r"] + map, status: 65,
      messages: ["a-p/q", "a-p-q", "column r"], leaves: ["parts"]),
    Case(
      name: "unknown format", files: ["a.xyz": csv],
      arguments: ["convert", "a.xyz", "-o", "a.h5"], status: 64,
      messages: ["a.xyz", "--map 'time=t[s],x=ax[m/s2|g],y=ay[m/s2|g],z=az[m/s2|g]'"]),
    Case(
      name: "unknown content", files: ["a.xyz": "hello"],
      arguments: ["convert", "a.xyz", "-o", "a.h5"], status: 65,
      messages: ["a.xyz", "begins with \"hello\"", "--from"]),
    Case(
      name: "wrong mapping", files: ["a.csv": csv],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--map", "time=t,q=ax"], status: 64,
      messages: ["q", "target"]),

    Case(
      name: "labels of another trace",
      files: ["a.csv": csv, "l.tsv": "filename\tonset\toffset\tevent_label\nb\t0\t0\tjab\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, status: 65,
      messages: ["l.tsv", "labels of a", "--id"]),

    // GPX.
    Case(
      name: "truncated GPX", files: ["a.gpx": "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"4"],
      arguments: ["convert", "a.gpx", "-o", "a.h5"], status: 65, messages: ["a.gpx:1"]),
    Case(
      name: "GPX that is none", files: ["a.gpx": "<foo></foo>"],
      arguments: ["convert", "a.gpx", "-o", "a.h5"], status: 65, messages: ["a.gpx:1", "gpx"]),
    Case(
      name: "GPX without times",
      files: [
        "a.gpx":
          "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"4\" lon=\"5\"/></trkseg></trk></gpx>"
      ],
      arguments: ["convert", "a.gpx", "-o", "a.h5"], status: 65,
      messages: ["time", "--assume-interval"]),

    // Replay.
    Case(
      name: "backward time in replay", arguments: ["replay", "backward.h5"], status: 65,
      messages: ["backward", "--sort"]),
    Case(
      name: "duplicated time in replay", arguments: ["replay", "duplicated.h5"], status: 0,
      messages: ["3 readings"]),
    Case(
      name: "gravity in the way", arguments: ["replay", "gravity.h5"], status: 65,
      messages: ["user_acceleration", "--gravity-filter"]),
    Case(
      name: "wrong gravity filter",
      arguments: ["replay", "gravity.h5", "--gravity-filter", "magic"], status: 64,
      messages: ["magic", "lowpass"]),
    Case(
      name: "unknown detector", arguments: ["replay", "good.h5", "--detector", "punsh"],
      status: 64, messages: ["punsh", "did you mean punch?"]),
    Case(
      name: "unknown preset", arguments: ["replay", "good.h5", "--detector", "punch/hitTat"],
      status: 64, messages: ["hitTat", "did you mean hitThat?"]),
    Case(
      name: "unknown parameter", arguments: ["replay", "good.h5", "--parameters", "treshold=2g"],
      status: 64, messages: ["did you mean threshold?"]),
    Case(
      name: "parameter out of range",
      arguments: ["replay", "good.h5", "--parameters", "refractory=-1s"],
      status: 64, messages: ["refractory", "0.0 to 60.0 s"]),
    Case(
      name: "parameter with a wrong unit",
      arguments: ["replay", "good.h5", "--parameters", "threshold=2km"],
      status: 64, messages: ["threshold", "m/s2"]),
    Case(
      name: "unknown delivery", arguments: ["replay", "good.h5", "--delivery", "android-batchd"],
      status: 64, messages: ["--delivery", "did you mean android-batched?"]),
    Case(
      name: "delivery without a value",
      arguments: ["replay", "good.h5", "--delivery", "harsh:lost"], status: 64,
      messages: ["harsh:lost", "NAME:key=value"]),
    Case(
      name: "delivery with nothing behind its colon",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "--delivery", "harsh:"], status: 64,
      messages: ["harsh:", "NAME:key=value"]),
    Case(
      name: "unknown key of a delivery",
      arguments: ["replay", "good.h5", "--delivery", "harsh:los=1"], status: 64,
      messages: ["did you mean lost?"]),
    Case(
      name: "delivery out of range",
      arguments: ["replay", "good.h5", "--delivery", "harsh:lost=1.5"], status: 64,
      messages: ["lost", "0.0 to 1.0,"]),
    Case(
      name: "delivery with a wrong unit",
      arguments: ["replay", "good.h5", "--delivery", "harsh:tick=5m"], status: 64,
      messages: ["tick", "ms"]),
    Case(
      name: "delivery with a key twice",
      arguments: ["replay", "good.h5", "--delivery", "harsh:lost=0,lost=1"], status: 64,
      messages: ["lost is given twice"]),
    Case(
      name: "delivery of nobody's",
      arguments: ["replay", "good.h5", "--delivery", "harsh:queue=phones"], status: 64,
      messages: ["queue", "all, sensors, location, network"]),
    Case(
      name: "seed without a delivery", arguments: ["replay", "good.h5", "--delivery-seed", "3"],
      status: 64, messages: ["--delivery-seed", "--delivery"]),
    Case(
      name: "seed that is none",
      arguments: ["replay", "good.h5", "--delivery", "harsh", "--delivery-seed", "x"],
      status: 64, messages: ["delivery-seed"]),
    Case(
      name: "seed for a suite without a delivery",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "--delivery-seed", "3"], status: 64,
      messages: ["no entry has a delivery"]),
    Case(
      name: "device rate of nothing", arguments: ["replay", "good.h5", "--device-rate", "0Hz"],
      status: 64, messages: ["--device-rate", "50Hz"]),
    Case(
      name: "device rate in seconds", arguments: ["replay", "good.h5", "--device-rate", "20ms"],
      status: 64, messages: ["--device-rate", "50Hz"]),
    Case(
      name: "backward times under a delivery",
      arguments: ["replay", "backward.h5", "--delivery", "harsh"], status: 65,
      messages: ["backward", "--sort"]),
    Case(
      name: "detector for another channel",
      arguments: ["replay", "good.h5", "--detector", "track"],
      status: 65, messages: ["location"]),
    Case(
      name: "unknown option", arguments: ["replay", "good.h5", "--fast"], status: 64,
      messages: ["--fast"]),
    Case(name: "unknown command", arguments: ["fly"], status: 64, messages: ["fly"]),

    // Suites.
    Case(
      name: "absent suite", arguments: ["run", "nowhere.yml"], status: 74,
      messages: ["nowhere.yml", "no such file"]),
    Case(
      name: "suite that is no YAML", files: ["s.yml": "a: [b"], arguments: ["run", "s.yml"],
      status: 65, messages: ["s.yml"]),
    Case(
      name: "empty suite", files: ["s.yml": ""], arguments: ["run", "s.yml"], status: 65,
      messages: ["s.yml", "empty"]),
    Case(
      name: "keys that are there twice",
      files: ["s.yml": suite("{detector: punch, traces: all, traces: all}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "twice: traces"]),
    Case(
      name: "aliases that multiply",
      files: [
        "s.yml": "a: &a0 [x]\n"
          + (1...40).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
          + "? [*a40]\n: y\n"
      ], arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:2", "no alias"]),
    Case(
      name: "an alias as a value",
      files: [
        "s.yml": suite("{detector: punch, traces: &t all}\n  - {detector: track, traces: *t}")
      ],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:6", "no alias"]),
    Case(
      name: "lists in lists without end",
      files: ["s.yml": "a: " + String(repeating: "[", count: 50_000)],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:1"]),
    Case(
      name: "control characters in a suite",
      files: ["s.yml": suite("{detector: \"\\e[31m\\a\", traces: all}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "\\u{1b}[31m\\u{7}"]),
    Case(
      name: "a suite that nobody wrote",
      files: ["s.yml": "name: " + String(repeating: "x", count: 1 << 20)],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml", "1 MiB"]),
    Case(
      name: "misspelt key",
      files: ["s.yml": suite("{detector: punch, traces: all, tolerence: 1 s}")],
      arguments: ["run", "s.yml"], status: 65,
      messages: ["s.yml:5", "did you mean tolerance?"]),
    Case(
      name: "unknown preset in a suite",
      files: ["s.yml": suite("{detector: punch, preset: hit, traces: all}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "hitThat"]),
    Case(
      name: "unknown delivery in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, delivery: harch}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "did you mean harsh?"]),
    Case(
      name: "unknown key of a delivery in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, delivery: {preset: harsh, lots: 1}}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "did you mean lost?"]),
    Case(
      name: "delivery out of range in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, delivery: {lost: 2}}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "lost", "0.0 to 1.0"]),
    Case(
      name: "wrong seed of a delivery in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, delivery: {seed: one}}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "seed"]),
    Case(
      name: "list of deliveries in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, delivery: [harsh]}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "delivery as a name"]),
    Case(
      name: "wrong device rate in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all, device_rate: fast}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "device_rate", "50 Hz"]),
    Case(
      name: "unknown trace set", files: ["s.yml": suite("{detector: punch, traces: al}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["did you mean all?"]),
    Case(
      name: "trace that is not there",
      files: ["s.yml": suite("{detector: punch, traces: all}", traces: "gone-*.h5")],
      arguments: ["run", "s.yml"], status: 74, messages: ["s.yml:3", "gone-*.h5"]),
    Case(
      name: "wrong tolerance",
      files: ["s.yml": suite("{detector: punch, traces: all, tolerance: wide}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "tolerance"]),
    Case(
      name: "damaged trace in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all}", traces: "truncated.h5")],
      arguments: ["run", "s.yml"], status: 65, messages: ["truncated.h5"]),
    Case(
      name: "entry asked for is not there",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "--only", "punch/best"], status: 64,
      messages: ["punch/default"]),

    Case(
      name: "entry without a name",
      files: ["s.yml": suite("{name: '', detector: punch, traces: all}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "name"]),
    Case(
      name: "gravity filter of no length",
      files: [
        "s.yml": suite("{detector: punch, traces: all, gravity_filter: {time_constant: 0 s}}")
      ],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "above zero"]),
    Case(
      name: "unknown gravity filter",
      files: ["s.yml": suite("{detector: punch, traces: all, gravity_filter: highpass}")],
      arguments: ["run", "s.yml"], status: 65, messages: ["s.yml:5", "lowpass"]),

    // Outputs.
    Case(
      name: "results over a trace that is read",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "good.h5"], status: 64, messages: ["good.h5", "also read"]),
    Case(
      name: "log over the suite", files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "r.h5", "--log", "s.yml"], status: 64,
      messages: ["s.yml", "also read"]),
    Case(
      name: "log and results in one file",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "r.h5", "--log", "r.h5"], status: 64,
      messages: ["two files"]),
    Case(
      name: "conversion over its input", files: ["a.csv": csv],
      arguments: ["convert", "a.csv", "-o", "./a.csv"] + map, status: 64, messages: ["also read"]),
    Case(
      name: "trace without a name", files: ["a.csv": csv],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--id", ""] + map, status: 64,
      messages: ["--id"]),
    Case(
      name: "labels in milliseconds",
      files: ["a.csv": csv, "l.tsv": "filename\tonset\toffset\tevent_label\na\t5\t5\tjab\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, status: 65,
      messages: ["l.tsv", "within the 0.01 s", "the first at 5.0 s", "milliseconds"]),
    Case(
      name: "one label outside",
      files: [
        "a.csv": csv,
        "l.tsv": "filename\tonset\toffset\tevent_label\na\t0\t0\tjab\na\t.5\t.5\tjab\n",
      ],
      arguments: ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, status: 5,
      messages: ["1 labels lie outside", "1 reference punches"], leaves: ["a.h5"]),
    Case(
      name: "what options replace is said",
      arguments: ["convert", "labelled.h5", "-o", "x.h5", "--without", "punch"], status: 0,
      messages: ["replaced: reference punch (1 events)"], leaves: ["x.h5"]),
    Case(
      name: "results over a trace of an entry that is not run",
      files: [
        "s.yml": """
        schema: shadowbox-suite/1
        traces: {one: [good.h5], other: [long.h5]}
        entries:
          - {name: a, detector: punch, traces: one}
          - {name: b, detector: punch, traces: other}
        """
      ],
      arguments: ["run", "s.yml", "--only", "a", "-o", "long.h5"], status: 64,
      messages: ["long.h5", "also read"]),
    Case(
      name: "log and results in one file by two names",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "r.h5", "--log", "./r.h5"], status: 64,
      messages: ["two files"]),
    Case(
      name: "nothing but damage", files: ["a.csv": "t,ax,ay,az\nx,1,2,3\ny,1,2,3\n"],
      arguments: ["convert", "a.csv", "-o", "a.h5"] + map, status: 65,
      messages: ["all 2 records", "a.csv:2"]),
    Case(
      name: "output in a folder that cannot be made",
      arguments: ["synth", "punches", "-o", "/proc/no/p.h5"], status: 74,
      messages: ["/proc/no", "cannot make the folder"]),
    Case(
      name: "output is a device", files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "/dev/null"], status: 74,
      messages: ["/dev/null", "no regular file"]),
    Case(
      name: "output is a folder", files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "."], status: 74, messages: ["folder"]),
    Case(
      name: "results where nothing can be written",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "/proc/results.h5"], status: 74,
      messages: ["/proc/results.h5"]),
    Case(
      name: "trace larger than files may be", arguments: ["synth", "punches", "-o", "p.h5"],
      status: 74, messages: ["p.h5"], fileLimit: 64),
    Case(
      name: "results larger than files may be",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      arguments: ["run", "s.yml", "-o", "r.h5"], status: 74, messages: ["r.h5"], fileLimit: 8),
    Case(
      name: "CSV larger than files may be",
      arguments: ["convert", "long.h5", "-o", "long.csv"], status: 74, messages: ["long.csv"],
      fileLimit: 8),
    Case(
      name: "scenario out of its range",
      arguments: ["synth", "walking", "--duration", "9h", "-o", "w.h5"], status: 64,
      messages: ["duration", "3600"]),
    Case(
      name: "unknown scenario", arguments: ["synth", "flying", "-o", "w.h5"], status: 64,
      messages: ["flying", "walking"]),
  ]

  @Test func aFolderWithoutARecordingIsNamed() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path("notes"), withIntermediateDirectories: true)
    let empty = try Program.run(["info", "notes"], in: scratch.url)
    #expect(empty.status == 65)
    #expect(empty.errors.contains("notes: expected the files of one recording, found an empty"))
    try scratch.write("x\n", to: "notes/readme.md")
    let other = try Program.run(["info", "notes"], in: scratch.url)
    #expect(other.status == 65)
    #expect(other.errors.contains("notes/readme.md: expected a recording of a known format"))
    #expect(empty.output.isEmpty && other.output.isEmpty)
  }

  @Test(arguments: cases)
  func isTold(_ row: Case) throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    for (name, text) in row.files { try scratch.write(text, to: name) }
    let before = scratch.names
    let outcome = try Program.run(row.arguments, in: scratch.url, fileLimit: row.fileLimit)
    #expect(outcome.status == row.status, "\(outcome.errors)")
    for message in row.messages {
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    if row.status != 0, row.status != 5 { #expect(outcome.output.isEmpty) }
    #expect(scratch.names == (before + row.leaves).sorted())
    #expect(try scratch.filesInFolders() == 0)
  }

  private static let traces = MadeFiles { try writeTraces(to: $0) }

  /// Traces that the cases share: a good one, and each kind of bad one.
  private static func writeTraces(to scratch: Scratch) throws {
    func write(_ id: String, _ channel: Channel, _ times: [Int64]) throws {
      var header = TraceHeader(id: id, origin: .recorded)
      header.end = TraceInstant(nanoseconds: times.max() ?? 0)
      header.references = [ReferenceSet(task: .punch, events: [])]
      var trace = Trace(header: header)
      var columns = VectorColumns()
      for time in times {
        columns.append(Vector3(x: Float(time), y: 0.1, z: 0.2), measured: time, arrived: time)
      }
      trace.set(.vector(columns), for: channel)
      try NativeTrace.write(trace, to: scratch.path("\(id).h5"))
    }
    try write("good", .userAcceleration, [0, 10, 20])
    try write("backward", .userAcceleration, [0, 10, 5])
    try write("duplicated", .userAcceleration, [0, 10, 10])
    try write("gravity", .acceleration, [0, 10, 20])
    try write("long", .userAcceleration, (0..<5000).map { $0 * 7919 })
    var labelled = try NativeTrace.read(scratch.path("good.h5"))
    labelled.header.references = [
      ReferenceSet(task: .punch, events: [ReferenceEvent(onset: .zero)])
    ]
    try NativeTrace.write(labelled, to: scratch.path("labelled.h5"))
    try scratch.bytes(of: "good.h5").prefix(1500)
      .write(to: scratch.url.appending(path: "truncated.h5"))
    let foreign = try HDF5File.create(atomicallyAt: scratch.path("foreign.h5"))
    let data = try foreign.root().createDataset("data", of: Double.self, shape: [3])
    try data.write([1.0, 2, 3])
    try data.close()
    try foreign.commit()
  }

  /// What the message recommends works.
  @Test func sortingMendsBackwardTimes() throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    let sort = try Program.run(
      ["convert", "backward.h5", "--sort", "-o", "sorted.h5"], in: scratch.url)
    #expect(sort.status == 0, "\(sort.errors)")
    #expect(sort.errors.contains("3 readings"))
    #expect(try Program.run(["replay", "sorted.h5"], in: scratch.url).status == 0)
  }

  /// The link stays a link, whether or not there is something behind it.
  @Test func outputsFollowLinks() throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    try scratch.write("", to: "target.h5")
    for (link, target) in [("a.h5", "target.h5"), ("b.h5", "new.h5")] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(link), withDestinationPath: target)
      let outcome = try Program.run(["convert", "good.h5", "-o", link], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path(link)) == target)
      #expect(try Program.run(["info", target], in: scratch.url).status == 0)
    }
  }

  /// Nobody hears it, and nothing else happens.
  @Test(arguments: ["2>&-", "2>/dev/full", "2>&- <&-"])
  func standardErrorThatIsGoneIsNoFailure(redirection: String) throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    for (arguments, status) in [("replay good.h5", Int32(0)), ("replay nowhere.h5", 74)] {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "\"$0\" \(arguments) \(redirection)", Program.executable]
      process.currentDirectoryURL = scratch.url
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == status)
    }
  }

  @Test func aReaderThatGoesAwayIsNoFailureAndAFullDiskIsOne() throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    for (command, status) in [
      ("{ \"$0\" info long.h5; echo $? >&2; } 2>status | true", "0"),
      ("\"$0\" info long.h5 >/dev/full 2>/dev/null; echo $? >status", "74"),
    ] {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", command, Program.executable]
      process.currentDirectoryURL = scratch.url
      process.standardInput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      let text = String(decoding: try scratch.bytes(of: "status"), as: UTF8.self)
      #expect(text == status + "\n")
    }
  }

  @Test func aResultThatWasThereSurvivesAFailure() throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    try scratch.write("precious", to: "p.h5")
    let outcome = try Program.run(
      ["synth", "punches", "-o", "p.h5", "--force"], in: scratch.url, fileLimit: 64)
    #expect(outcome.status == 74)
    #expect(try scratch.bytes(of: "p.h5") == Data("precious".utf8))
  }
}
