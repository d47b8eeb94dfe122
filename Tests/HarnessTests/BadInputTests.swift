import Files
import Foundation
import HDF5
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// What goes wrong must be told: the right exit status, a message that says where and what to do,
/// and no partial file.
@Suite struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String]
    var arguments: [String]
    var status: Int32
    /// All of them must be in what it says on standard error.
    var messages: [String]
    var fileLimit: Int?
    /// What may be there afterwards, besides the files of the case.
    var leaves: [String]

    init(
      _ name: String, files: [String: String] = [:], _ arguments: [String], _ status: Int32,
      _ messages: String..., fileLimit: Int? = nil, leaves: [String] = []
    ) {
      (testDescription, self.files, self.arguments) = (name, files, arguments)
      (self.status, self.messages, self.fileLimit) = (status, messages, fileLimit)
      self.leaves = leaves
    }
  }

  /// A suite whose entry for the punch detector has further keys; the messages name its line.
  private static func entry(_ name: String, _ keys: String, _ messages: String...) -> Case {
    var test = Case(
      name, files: ["s.yml": suite("{detector: punch, traces: all, \(keys)}")], ["run", "s.yml"],
      65, "s.yml:5")
    test.messages += messages
    return test
  }

  private static let csv = "t,ax,ay,az\n0,1,2,3\n0.01,4,5,6\n"
  private static let map = ["--map", "time=t,x=ax,y=ay,z=az", "--gravity", "removed"]
  private static func suite(_ entry: String, traces: String = "good.h5") -> String {
    "schema: shadowbox-suite/1\ntraces:\n  all: [\(traces)]\nentries:\n  - \(entry)\n"
  }

  /// A profile whose aliases multiply, each after a line end of YAML 1.1.
  private static func bomb(_ before: String) -> Case {
    let lists = (1...9).map { level in
      let names = Array(repeating: "\(before)*a\(level - 1)", count: 9)
      return "  x\(level): &a\(level) [\(names.joined(separator: ","))]\n"
    }
    return Case(
      "aliases after \(before.unicodeScalars.map { $0.value })",
      files: [
        "day.yml": "schema: shadowbox-day/1\nactivities:\n  x0: &a0 [1]\n" + lists.joined()
          + "  ? [\(before)*a9]\n  : 1\n"
      ],
      ["run", "good.h5", "--detector", "punch", "--profile", "day.yml", "-o", "o.h5"], 65,
      "day.yml:", "no alias")
  }

  static let cases: [Case] = [
    // Files that are no traces.
    Case("truncated trace", ["info", "truncated.h5"], 65, "truncated.h5", "expected"),
    Case(
      "foreign HDF5", ["replay", "foreign.h5"], 65, "foreign.h5", "schema", "shadowbox-trace/1"),
    Case("empty trace", files: ["empty.h5": ""], ["info", "empty.h5"], 65, "empty.h5"),
    Case(
      "text as a trace", files: ["text.h5": "hello"], ["replay", "text.h5"], 65, "text.h5", "HDF5"),
    Case("absent trace", ["replay", "nowhere.h5"], 74, "nowhere.h5"),
    // CSV.
    Case("empty CSV", files: ["a.csv": ""], ["convert", "a.csv", "-o", "a.h5"] + map, 65, "a.csv"),
    Case(
      "missing column", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "a.h5", "--map", "time=t,x=ax,y=ay,z=up", "--gravity", "removed"],
      65, "a.csv:1", "up", "ax"),
    Case("no mapping", files: ["a.csv": csv], ["convert", "a.csv", "-o", "a.h5"], 64, "--map"),
    Case(
      "gravity not stated", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "a.h5", "--map", "time=t,x=ax,y=ay,z=az"], 64, "a.csv: ",
      "--gravity"),
    Case(
      "NaN is damage", files: ["a.csv": csv + "0.02,nan,5,6\n0.03,7,8,9\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 5, "a.csv:4", "1 damaged", leaves: ["a.h5"]),
    Case(
      "NaN stated as missing", files: ["a.csv": csv + "0.02,nan,5,6\n0.03,7,8,9\n"],
      ["convert", "a.csv", "-o", "a.h5", "--nan-is-missing"] + map, 0, "1 missing",
      leaves: ["a.h5"]),
    Case(
      "strict stops at damage", files: ["a.csv": csv + "0.02,nan,5,6\n"],
      ["convert", "a.csv", "-o", "a.h5", "--strict"] + map, 65, "a.csv:4"),
    Case(
      "damaged number", files: ["a.csv": csv + "0.02,4x,5,6\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 5, "a.csv:4", "4x", leaves: ["a.h5"]),
    Case(
      "too few cells", files: ["a.csv": csv + "0.02,4\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 5, "a.csv:4", leaves: ["a.h5"]),
    Case(
      "backward time is kept", files: ["a.csv": csv + "0.005,4,5,6\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 0, "1 backward time", "--sort", leaves: ["a.h5"]),
    Case(
      "duplicated time is kept", files: ["a.csv": csv + "0.01,4,5,6\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 0, "1 duplicated time", leaves: ["a.h5"]),
    Case(
      "dates read as numbers", files: ["a.csv": "t,ax,ay,az\n2022-05-01T10:00:03Z,1,2,3\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 65, "a.csv:2", "time=t[iso]"),
    Case(
      "a hand that is none", files: ["a.csv": "t,ax,ay,az,h\n0,1,2,3,0.0\n"],
      ["convert", "a.csv", "-o", "a.h5", "--columns", "handedness=h"] + map, 0,
      "handedness \"0.0\" is not", leaves: ["a.h5"]),
    Case(
      "parameter given twice", ["replay", "good.h5", "--parameters", "threshold=2g,threshold=3g"],
      64, "threshold is given twice"),
    Case(
      "option for another format", ["convert", "good.h5", "-o", "x.h5", "--strict"], 64,
      "--strict", "native"),
    Case(
      "output of an unknown kind", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "a.gpx"] + map, 64, "a.gpx", ".h5"),
    Case(
      "parts of one name", files: ["a.csv": "t,ax,ay,az,r\n0,1,2,3,p/q\n0,1,2,3,p-q\n"],
      ["convert", "a.csv", "-o", "parts", "--split-by", "r"] + map, 65, "a-p/q", "a-p-q",
      "column r", leaves: ["parts"]),
    Case(
      "unknown format", files: ["a.xyz": csv], ["convert", "a.xyz", "-o", "a.h5"], 64, "a.xyz",
      "--map 'time=t[s],x=ax[m/s2|g],y=ay[m/s2|g],z=az[m/s2|g]'"),
    Case(
      "unknown content", files: ["a.xyz": "hello"], ["convert", "a.xyz", "-o", "a.h5"], 65,
      "a.xyz", "begins with \"hello\"", "--from"),
    Case(
      "wrong mapping", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "a.h5", "--map", "time=t,q=ax"], 64, "q", "target"),

    Case(
      "labels of another trace",
      files: ["a.csv": csv, "l.tsv": "filename\tonset\toffset\tevent_label\nb\t0\t0\tjab\n"],
      ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, 65, "l.tsv", "labels of a",
      "--id"),

    // GPX.
    Case(
      "truncated GPX", files: ["a.gpx": "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"4"],
      ["convert", "a.gpx", "-o", "a.h5"], 65, "a.gpx:1"),
    Case(
      "GPX that is none", files: ["a.gpx": "<foo></foo>"], ["convert", "a.gpx", "-o", "a.h5"], 65,
      "a.gpx:1", "gpx"),
    Case(
      "GPX without times",
      files: [
        "a.gpx":
          "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"4\" lon=\"5\"/></trkseg></trk></gpx>"
      ],
      ["convert", "a.gpx", "-o", "a.h5"], 65, "time", "--assume-interval"),

    // Replay.
    Case("backward time in replay", ["replay", "backward.h5"], 65, "backward", "--sort"),
    Case("duplicated time in replay", ["replay", "duplicated.h5"], 0, "3 readings"),
    Case(
      "gravity in the way", ["replay", "gravity.h5"], 65, "user_acceleration", "--gravity-filter"),
    Case(
      "wrong gravity filter", ["replay", "gravity.h5", "--gravity-filter", "magic"], 64, "magic",
      "lowpass"),
    Case(
      "unknown detector", ["replay", "good.h5", "--detector", "punsh"], 64, "punsh",
      "did you mean punch?"),
    Case(
      "unknown preset", ["replay", "good.h5", "--detector", "punch/hitTat"], 64, "hitTat",
      "did you mean hitThat?"),
    Case(
      "unknown parameter", ["replay", "good.h5", "--parameters", "treshold=2g"], 64,
      "did you mean threshold?"),
    Case(
      "parameter out of range", ["replay", "good.h5", "--parameters", "refractory=-1s"], 64,
      "refractory", "0.0 to 60.0 s"),
    Case(
      "parameter with a wrong unit", ["replay", "good.h5", "--parameters", "threshold=2km"], 64,
      "threshold", "m/s2"),
    Case(
      "unknown delivery", ["replay", "good.h5", "--delivery", "android-batchd"], 64, "--delivery",
      "did you mean android-batched?"),
    Case(
      "delivery without a value", ["replay", "good.h5", "--delivery", "harsh:lost"], 64,
      "harsh:lost", "NAME:key=value"),
    Case(
      "delivery with nothing behind its colon",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "--delivery", "harsh:"], 64, "harsh:", "NAME:key=value"),
    Case(
      "unknown key of a delivery", ["replay", "good.h5", "--delivery", "harsh:los=1"], 64,
      "did you mean lost?"),
    Case(
      "delivery out of range", ["replay", "good.h5", "--delivery", "harsh:lost=1.5"], 64, "lost",
      "0.0 to 1.0,"),
    Case(
      "delivery with a wrong unit", ["replay", "good.h5", "--delivery", "harsh:tick=5m"], 64,
      "tick", "ms"),
    Case(
      "delivery with a key twice", ["replay", "good.h5", "--delivery", "harsh:lost=0,lost=1"], 64,
      "lost is given twice"),
    Case(
      "delivery of nobody's", ["replay", "good.h5", "--delivery", "harsh:queue=phones"], 64,
      "queue", "all, sensors, location, network"),
    Case(
      "seed without a delivery", ["replay", "good.h5", "--delivery-seed", "3"], 64,
      "--delivery-seed", "--delivery"),
    Case(
      "seed that is none", ["replay", "good.h5", "--delivery", "harsh", "--delivery-seed", "x"],
      64, "delivery-seed"),
    Case(
      "seed for a suite without a delivery",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "--delivery-seed", "3"], 64, "no entry has a delivery"),
    Case(
      "device rate of nothing", ["replay", "good.h5", "--device-rate", "0Hz"], 64, "--device-rate",
      "50Hz"),
    Case(
      "device rate in seconds", ["replay", "good.h5", "--device-rate", "20ms"], 64,
      "--device-rate", "50Hz"),
    Case(
      "backward times under a delivery", ["replay", "backward.h5", "--delivery", "harsh"], 65,
      "backward", "--sort"),
    Case(
      "detector for another channel", ["replay", "good.h5", "--detector", "track"], 65, "location"),
    Case("unknown option", ["replay", "good.h5", "--fast"], 64, "--fast"),
    Case("unknown command", ["fly"], 64, "fly"),

    // Suites.
    Case("absent suite", ["run", "nowhere.yml"], 74, "nowhere.yml", "No such file"),
    Case("suite that is no YAML", files: ["s.yml": "a: [b"], ["run", "s.yml"], 65, "s.yml"),
    Case(
      "NUL in a suite's name",
      files: [
        "s.yml": "schema: shadowbox-suite/1\nname: \"a\\0b\"\ntraces: {all: good.h5}\n"
          + "entries: [{detector: punch, traces: all}]\n"
      ], ["run", "s.yml"], 65, "s.yml:2",
      "name as text"),
    Case(
      "range wider than numbers", ["sweep", "good.h5", "--threshold", "threshold=-1e308..1e308"],
      64,
      "expected values from 0"),
    Case("empty suite", files: ["s.yml": ""], ["run", "s.yml"], 65, "s.yml", "empty"),
    entry("keys that are there twice", "traces: all", "duplicates: traces"),
    entry("parameters without a value", "parameters: ", "the name of a parameter file, found none"),
    Case(
      "aliases that multiply",
      files: [
        "s.yml": "a: &a0 [x]\n"
          + (1...40).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
          + "? [*a40]\n: y\n"
      ],
      ["run", "s.yml"], 65, "s.yml:2", "no alias"),
    Case(
      "an alias as a value",
      files: [
        "s.yml": suite("{detector: punch, traces: &t all}\n  - {detector: track, traces: *t}")
      ],
      ["run", "s.yml"], 65, "s.yml:6:31", "no alias"),
    bomb("\u{2028}"), bomb("\u{2029}"), bomb("\u{85}"),
    Case(
      "tags without end",
      files: ["s.yml": (1...60_000).map { "%TAG !a\($0)! x\n" }.joined() + "---\na: 1\n"],
      ["run", "s.yml"], 65, "s.yml:1", "no %TAG"),
    Case(
      "keys of keys", files: ["s.yml": String(repeating: "? ", count: 900) + "x"],
      ["run", "s.yml"], 65, "s.yml:1:3", "text as a key"),
    Case(
      "lists in lists without end",
      files: ["s.yml": "a: " + String(repeating: "[", count: 50_000)], ["run", "s.yml"], 65,
      "s.yml:1"),
    Case(
      "control characters in a suite",
      files: ["s.yml": suite("{detector: \"\\e[31m\\a\", traces: all}")], ["run", "s.yml"], 65,
      "s.yml:5", "\\u{1b}[31m\\u{7}"),
    Case(
      "a suite that nobody wrote",
      files: ["s.yml": "name: " + String(repeating: "x", count: 1 << 20)], ["run", "s.yml"], 65,
      "s.yml", "1 MiB"),
    entry("misspelt key", "tolerence: 1 s", "did you mean tolerance?"),
    Case(
      "unknown preset in a suite",
      files: ["s.yml": suite("{detector: punch, preset: hit, traces: all}")], ["run", "s.yml"], 65,
      "s.yml:5", "hitThat"),
    entry("unknown delivery in a suite", "delivery: harch", "did you mean harsh?"),
    entry(
      "unknown key of a delivery in a suite", "delivery: {preset: harsh, lots: 1}",
      "did you mean lost?"),
    entry("delivery out of range in a suite", "delivery: {lost: 2}", "lost", "0.0 to 1.0"),
    entry("wrong seed of a delivery in a suite", "delivery: {seed: one}", "seed"),
    entry("list of deliveries in a suite", "delivery: [harsh]", "delivery as a name"),
    entry("wrong device rate in a suite", "device_rate: fast", "device_rate", "50 Hz"),
    Case(
      "unknown trace set", files: ["s.yml": suite("{detector: punch, traces: al}")],
      ["run", "s.yml"], 65, "did you mean all?"),
    Case(
      "trace that is not there",
      files: ["s.yml": suite("{detector: punch, traces: all}", traces: "gone-*.h5")],
      ["run", "s.yml"], 74, "s.yml:3", "gone-*.h5"),
    entry("wrong tolerance", "tolerance: wide", "tolerance"),
    Case(
      "damaged trace in a suite",
      files: ["s.yml": suite("{detector: punch, traces: all}", traces: "truncated.h5")],
      ["run", "s.yml"], 65, "truncated.h5"),
    Case(
      "entry asked for is not there", files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "--only", "punch/best"], 64, "punch/default"),

    Case(
      "entry without a name", files: ["s.yml": suite("{name: '', detector: punch, traces: all}")],
      ["run", "s.yml"], 65, "s.yml:5", "name"),
    Case(
      "gravity filter of no length",
      files: [
        "s.yml": suite("{detector: punch, traces: all, gravity_filter: {time_constant: 0 s}}")
      ],
      ["run", "s.yml"], 65, "s.yml:5", "above zero"),
    entry("unknown gravity filter", "gravity_filter: highpass", "lowpass"),

    // Outputs.
    Case(
      "results over a trace that is read",
      files: ["s.yml": suite("{detector: punch, traces: all}")], ["run", "s.yml", "-o", "good.h5"],
      64, "good.h5", "also read"),
    Case(
      "log over the suite", files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "r.h5", "--log", "s.yml"], 64, "s.yml", "also read"),
    Case(
      "log and results in one file", files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "r.h5", "--log", "r.h5"], 64, "a different file for each output"),
    Case(
      "conversion over its input", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "./a.csv"] + map, 64, "also read"),
    Case(
      "trace without a name", files: ["a.csv": csv],
      ["convert", "a.csv", "-o", "a.h5", "--id", ""] + map, 64, "--id"),
    Case(
      "labels in milliseconds",
      files: ["a.csv": csv, "l.tsv": "filename\tonset\toffset\tevent_label\na\t5\t5\tjab\n"],
      ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, 65, "l.tsv",
      "within the 0.01 s", "the first at 5.0 s", "milliseconds"),
    Case(
      "one label outside",
      files: [
        "a.csv": csv,
        "l.tsv": "filename\tonset\toffset\tevent_label\na\t0\t0\tjab\na\t.5\t.5\tjab\n",
      ],
      ["convert", "a.csv", "-o", "a.h5", "--reference", "l.tsv"] + map, 5,
      "1 label outside the recording",
      "1 reference punch", leaves: ["a.h5"]),
    Case(
      "what options replace is said",
      ["convert", "labelled.h5", "-o", "x.h5", "--without", "punch"], 0,
      "replaced: reference punch (1 event)", leaves: ["x.h5"]),
    Case(
      "results over a trace of an entry that is not run",
      files: [
        "s.yml": """
        schema: shadowbox-suite/1
        traces: {one: [good.h5], other: [long.h5]}
        entries:
          - {name: a, detector: punch, traces: one}
          - {name: b, detector: punch, traces: other}
        """
      ],
      ["run", "s.yml", "--only", "a", "-o", "long.h5"], 64, "long.h5", "also read"),
    Case(
      "log and results in one file by two names",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "r.h5", "--log", "./r.h5"], 64, "a different file for each output"),
    Case(
      "nothing but damage", files: ["a.csv": "t,ax,ay,az\nx,1,2,3\ny,1,2,3\n"],
      ["convert", "a.csv", "-o", "a.h5"] + map, 65, "all 2 records", "a.csv:2"),
    Case(
      "output in a folder that cannot be made", ["synth", "punches", "-o", "/proc/no/p.h5"], 74,
      "/proc/no", "cannot create the folder"),
    Case(
      "output is a device", files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "/dev/null"], 74, "/dev/null", "another kind of file"),
    Case(
      "output is a folder", files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "."], 74, "folder"),
    Case(
      "results where nothing can be written",
      files: ["s.yml": suite("{detector: punch, traces: all}")],
      ["run", "s.yml", "-o", "/proc/results.h5"], 74, "/proc/results.h5"),
    Case(
      "trace larger than files may be", ["synth", "punches", "-o", "p.h5"], 74, "p.h5",
      fileLimit: 64),
    Case(
      "results larger than files may be",
      files: ["s.yml": suite("{detector: punch, traces: all}")], ["run", "s.yml", "-o", "r.h5"],
      74, "r.h5", fileLimit: 8),
    Case(
      "CSV larger than files may be", ["convert", "long.h5", "-o", "long.csv"], 74, "long.csv",
      fileLimit: 8),
    Case(
      "scenario out of its range", ["synth", "walking", "--duration", "9h", "-o", "w.h5"], 64,
      "duration", "3600"),
    Case("unknown scenario", ["synth", "flying", "-o", "w.h5"], 64, "flying", "walking"),
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

  @Test(.longer, arguments: LongTests.everyOther(cases))
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

  /// The link stays a link. One to a missing file may lead anywhere: only --force follows it.
  @Test func outputsFollowLinks() throws {
    let scratch = try Scratch()
    try BadInputTests.traces.copy(to: scratch)
    try scratch.write("", to: "target.h5")
    for (link, target, cause) in [
      ("a.h5", "target.h5", "which is empty"), ("b.h5", "new.h5", "which does not exist"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(link), withDestinationPath: target)
      let convert = ["convert", "good.h5", "-o", link]
      let refused = try Program.run(convert, in: scratch.url)
      #expect(refused.status == 64 && refused.errors.contains(cause), "\(refused.errors)")
      #expect(TracePath.size(of: scratch.path(target)) == 0)
      let outcome = try Program.run(convert + ["--force"], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path(link)) == target)
      #expect(try Program.run(["info", target], in: scratch.url).status == 0)
    }
  }

  /// The message is lost, and nothing else happens.
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
