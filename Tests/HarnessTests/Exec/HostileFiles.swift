import Digests
import Files
import Foundation
import HDF5
import Synthesis
import TestSupport
import Testing
import TraceFormats

/// Files of each kind with the program `exec:./child` wherever a text is, and the commands that read them.
struct HostileFiles {
  private let scratch: Scratch
  private static let program = "exec:./child"

  init(_ scratch: Scratch) { self.scratch = scratch }

  /// Writes the files of a kind.
  func commands(reading kind: InputKind) throws -> [[String]] {
    switch kind {
    case .suite: []
    case .results: results
    case .sweep: try container("shadowbox-sweep/2")
    case .tuning: try container("shadowbox-tuning/3")
    case .comparison: try container("shadowbox-comparison/1")
    case .parameters: try parameters()
    case .profiles: try profiles()
    case .day: try day()
    case .scenarios: try scenarios()
    case .decisions: try decisions()
    case .history: history
    case .module: try module()
    case .trace: trace
    case .recording: try recording()
    case .labels: try labels()
    case .recordingTable: try recordingTable()
    case .cache: try cache()
    case .earlierOutput: try earlierOutput()
    }
  }

  private static func repeating(_ file: String) -> [[String]] {
    [
      ["rerun", file], ["report", file, "-o", "page.html"],
      ["compare", file, file, "--report", "page.html"],
    ]
  }

  private var results: [[String]] {
    Self.repeating("r.h5") + [
      ["gate", "--base-results", "r.h5", "--head-results", "r.h5"], ["info", "r.h5"],
      ["history", "add", "r.h5", "--history", "h.db"], ["export", "r.h5", "-o", "r.md"],
      ["plan", "--from", "r.h5", "--entry", "one", "--recall", "0.1"],
      ["plan", "--from", "r.json", "--entry", "one", "--recall", "0.1"],
      ["report", "r.json", "-o", "page.html"], ["run", "r.h5", "-o", "o.h5"],
    ]
  }

  /// A file with the facts of results, whatever its schema says.
  private func container(_ schema: String) throws -> [[String]] {
    let definition = """
      {"schema": "shadowbox-suite/1", "name": "s", "traces": {"all": ["short.h5"]}, "entries": [
      {"name": "one", "detector": "\(Self.program)", "preset": "default", "traces": ["all"]}]}
      """
    let digest = try FileDigest.sha256(of: scratch.path("short.h5"))
    let inputs = #"[{"role": "trace", "path": "short.h5", "sha256": "\#(digest)"}]"#
    let names = ["suite", "detector", "preset", "data", "toolchain", "data_commit", "base", "head"]
    try HDF5Contents(
      attributes: [
        HDF5Attribute("schema", schema), HDF5Attribute("suite_definition", definition),
        HDF5Attribute("inputs", inputs),
      ] + names.map { HDF5Attribute($0, Self.program) }, scalars: [], groups: []
    ).write(to: scratch.path("x.h5"))
    return Self.repeating("x.h5") + [["info", "x.h5"], ["run", "x.h5", "-o", "o.h5"]]
  }

  private func parameters() throws -> [[String]] {
    try scratch.write(
      """
      {"schema": "shadowbox-parameters/1", "detector": "\(Self.program)", "preset": "default",
       "parameters": []}
      """, to: "sent.json")
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: [short.h5]}\nentries:\n"
        + "  - {detector: punch, traces: all, parameters: sent.json}\n", to: "sent.yml")
    let sent = ["short.h5", "--parameters", "sent.json"]
    return [
      ["run", "-o", "o.h5"] + sent, ["replay"] + sent, ["sweep"] + sent, ["tune"] + sent,
      ["bench"] + sent, ["export", "-o", "x.txt", "--as", "audacity"] + sent,
      ["replay", "--detector", "punch"] + sent, ["replay", "--detector", "exec:./other"] + sent,
      ["run", "sent.yml", "-o", "o.h5"],
    ]
  }

  private func profiles() throws -> [[String]] {
    try scratch.write(
      """
      {"schema": "shadowbox-profiles/1", "detector": "\(Self.program)", "people": {
       "\(Self.program)": {"examples": {"\(Self.program)": 1}, "models": {}}}}
      """, to: "sent.json")
    return [
      ["replay", "short.h5", "--detector", "punch", "--parameters", "profile=sent.json"],
      ["replay", "short.h5", "--parameters", "sent.json"],
    ]
  }

  private func day() throws -> [[String]] {
    let program = "\"\(Self.program)\""
    try scratch.write(
      "schema: shadowbox-day/1\nname: \(program)\nactivities: {\(program): 24}\n", to: "day.yml")
    return [
      ["run", "short.h5", "--detector", "punch", "--profile", "day.yml", "-o", "o.h5"],
      ["run", "day.yml", "-o", "o.h5"],
    ]
  }

  private func scenarios() throws -> [[String]] {
    let program = "\"\(Self.program)\""
    for (name, kind) in [("kind.yml", program), ("name.yml", "walking")] {
      try scratch.write(
        """
        schema: shadowbox-scenarios/1
        scenarios: [{name: "exec:child", scenario: \(kind), duration: 10 s}]

        """, to: name)
    }
    return [["synth", "name.yml", "-o", "made"], ["synth", "kind.yml", "-o", "made"]]
  }

  private func decisions() throws -> [[String]] {
    try scratch.write(
      """
      schema: shadowbox-decisions/1
      decisions: [{person: 1, after: "\(Self.program)", do: edit-profile, bio: "\(Self.program)"}]

      """, to: "d.yml")
    let app = ["--app", "fight", "short.h5", "short.h5", "--decisions", "d.yml"]
    return [["replay"] + app, ["shrink"] + app]
  }

  private var history: [[String]] {
    let of = ["--history", "h.db"]
    return [
      ["history", "add", "r.h5"] + of, ["history"] + of,
      ["history", "export", "h.jsonl"] + of, ["history", "import", "h.jsonl"] + of,
      ["gate", "--base-results", "r.h5", "--head-results", "r.h5"] + of,
      ["rerun", "h.db"], ["history", "prune", "--keep", "1"] + of,
    ]
  }

  private func module() throws -> [[String]] {
    try scratch.write("\0asm\(Self.program)", to: "own.wasm")
    let run = ["run", "short.h5", "--detector", "punch", "-o", "o.h5", "--report", "page.html"]
    return [run + ["--module", "own.wasm"], ["report", "r.h5", "--module", "own.wasm"]]
  }

  private var trace: [[String]] {
    [
      ["run", "other.h5", "-o", "o.h5"], ["replay", "other.h5"], ["sweep", "other.h5"],
      ["tune", "other.h5", "--no-cache"], ["enroll", "other.h5", "-o", "p.json"],
      ["info", "other.h5"], ["validate", "other.h5"], ["convert", "other.h5", "-o", "c.csv"],
      ["export", "other.h5", "-o", "x.txt", "--as", "audacity"],
    ] + Self.repeating("other.h5")
  }

  private func recording() throws -> [[String]] {
    let name = Self.program.replacing("/", with: "")
    let rows = (0..<20).map { "\(Double($0) / 100),1,2,3,\(Self.program)\n" }
    try scratch.write("t,x,y,z,\(Self.program)\n" + rows.joined(), to: "\(name).csv")
    try scratch.write(
      "<gpx><trk><name>\(Self.program)</name><trkseg><trkpt lat=\"1\" lon=\"2\">"
        + "<time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>", to: "\(name).gpx")
    return [
      ["info", "./\(name).csv", "./\(name).gpx"], ["validate", "./\(name).gpx"],
      ["convert", "./\(name).csv", "--split-by", Self.program, "-o", "made"] + Workbench.map,
      ["run", "./\(name).csv", "-o", "o.h5"],
    ]
  }

  private func labels() throws -> [[String]] {
    try scratch.write("onset,event_label\n0.5,\(Self.program)\n", to: "l.csv")
    try scratch.write("0.5\t0.6\t\(Self.program)\n", to: "l.txt")
    return ["l.csv", "l.txt"].flatMap { file in
      [
        ["score", "-r", file, "-d", file, "--ignore", file],
        ["convert", "short.h5", "--reference", file, "-o", "made-\(file).h5"],
      ]
    }
  }

  private func recordingTable() throws -> [[String]] {
    try scratch.write("filename,onset,event_label\na,0.5,\(Self.program)\n", to: "l.csv")
    try scratch.write(
      "filename,duration,subject,activity\na,10,\(Self.program),\(Self.program)\n", to: "t.csv")
    return [["score", "-r", "l.csv", "-d", "l.csv", "--files", "t.csv"]]
  }

  /// What is in the cache is of a key, so each file that a command has stored gets another content.
  private func cache() throws -> [[String]] {
    let traces = try (1...4).map { subject in
      let spec = try ScenarioSpec(
        kind: .punches, subject: subject, seed: 1, duration: 10)
      try NativeTrace.write(Synthesizer.trace(spec), to: scratch.path("\(subject).h5"))
      return "\(subject).h5"
    }
    let tune = ["tune"] + traces + ["--cache", "cache", "--accept-loss", "--confidence", "0.5"]
    let outcome = try Program.run(tune, in: scratch.url)
    try #require(outcome.status == 0, "\(outcome)")
    let content = #"shadowbox-cache/3\#n{"detector": "\#(Self.program)"}"#
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache")) {
      try scratch.write(content, to: "cache/" + name)
    }
    return [tune]
  }

  private func earlierOutput() throws -> [[String]] {
    let head = #"<!doctype html><meta name="generator" content="shadowbox"><script>"#
    try scratch.write("\(head)\"\(Self.program)\"</script>", to: "page.html")
    return [
      ["run", "short.h5", "--detector", "punch", "-o", "o.h5", "--report", "page.html", "--force"],
      ["info", "page.html"],
    ] + Self.repeating("page.html")
  }
}
