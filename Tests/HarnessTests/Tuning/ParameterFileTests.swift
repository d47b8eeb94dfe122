@testable import Evaluation
import Diagnostics
import Foundation
import Detectors
import TestSupport
import Testing
import TraceModel

@testable import Harness

@Suite struct ParameterFileTests {
  private static func text(
    schema: String = "shadowbox-parameters/1", detector: String = "punch",
    preset: String = "default", _ parameters: String...
  ) -> String {
    """
    {"schema": "\(schema)", "detector": "\(detector)", "preset": "\(preset)",
     "parameters": [\(parameters.joined(separator: ","))], "provenance": {"anything": [1, null]}}
    """
  }

  private static func parameter(
    _ name: String, _ value: String, _ unit: String, _ origin: String = "tuned"
  ) -> String {
    #"{"name": "\#(name)", "value": \#(value), "unit": "\#(unit)", "origin": "\#(origin)"}"#
  }

  private let threshold = parameter("threshold", "41.5", "m/s2")

  private func choice(_ text: String) throws -> DetectorChoice {
    try ParameterFile.parse(Data(text.utf8), "a.json").choice(
      "a.json", stated: nil, registry: .builtIn)
  }

  @Test func whatWasTunedOrStatedIsTaken() throws {
    let choice = try choice(
      Self.text(
        threshold, Self.parameter("rule", #""axes""#, "", "stated"),
        Self.parameter("refractory", "0.32", "s", "preset")))
    #expect(choice.detector == "punch")
    #expect(choice.overrides == ["threshold": .number(41.5), "rule": .choice("axes")])
  }

  @Test(arguments: [
    ("not JSON", "{", "expected a parameter file"),
    ("another schema", text(schema: "x/9"), "x/9"),
    ("no detector", #"{"schema":"shadowbox-parameters/1"}"#, "no key detector"),
    (
      "no such parameter", text(parameter("treshold", "3", "m/s2")), "did you mean threshold"
    ),
    ("out of range", text(parameter("threshold", "-3", "m/s2")), "expected 0.0 to"),
    ("another unit", text(parameter("threshold", "3", "g")), "expected unit"),
    (
      "a preset that has changed", text(parameter("refractory", "0.41", "s", "preset")),
      "Tune again"
    ),
    ("no such detector", text(detector: "pnch"), "did you mean punch"),
    (
      "twice", text(parameter("rule", #""axes""#, ""), parameter("rule", #""axes""#, "")),
      "duplicate parameter rule"
    ),
  ])
  func refusals(name: String, text: String, message: String) {
    do {
      _ = try choice(text)
      Issue.record("\(name): taken")
    } catch {
      let error = error as? Failure
      #expect(error?.kind == .badData, "\(name)")
      #expect(error?.description.contains(message) ?? false, "\(name): \(error?.description ?? "")")
    }
  }

  /// `run`, a suite and `replay` name the file, and take the rate that it was tuned at.
  @Test func aFileIsNamedAndHasItsRate() throws {
    let scratch = try Scratch()
    let rated = Self.text(threshold).replacing(
      "\"provenance\"", with: "\"device_rate_hz\": 20, \"provenance\"")
    try scratch.write(rated, to: "b.json")
    let trace = Fixtures.traces.appending(path: "synthetic/running-s01.h5").path
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: [\(trace)]}\nentries:\n"
        + "  - {detector: punch, traces: all, parameters: b.json, gravity_filter: lowpass}\n",
      to: "suite.yml")
    let options = ["--parameters", "b.json", "--gravity-filter", "lowpass"]
    for input in [[trace] + options, ["suite.yml"]] {
      let outcome = try Program.run(
        ["run", "-o", "r.h5", "--format", "json"] + input, in: scratch.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
      let run = try #require((try outcome.object["runs"] as? [[String: Any]])?.first)
      #expect(run["entry"] as? String == "punch/default + b.json")
      #expect(run["device_rate_hz"] as? Double == 20)
    }
    let replay = try Program.run(
      ["replay", trace, "--device-rate", "25Hz"] + options, in: scratch.url)
    #expect(
      replay.errors.contains("b.json was tuned at a device rate of 20 Hz, not 25 Hz"),
      "\(replay.errors)")
    #expect(throws: Failure.self) {
      try choice(rated.replacing("_hz\": 20", with: "_hz\": 0"))
    }
  }

  /// A missing or wrong parameter file is reported with the line of the suite.
  @Test func aSuiteTellsWhereItNamesTheFile() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "a.h5")
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [a.h5]}
      entries:
        - {detector: punch, traces: all, parameters: 512 ms}
      """, to: "suite.yml")
    let fault = try #require(Harness.fault(inSuite: scratch.path("suite.yml")))
    #expect(
      fault == "\(scratch.path("suite.yml")):4: \(scratch.path("512 ms")): cannot be read as a "
        + "parameter file: No such file or directory")
  }

  /// The program of a parameter file is found relative to the suite, like that of an entry.
  @Test func programsAreLookedForBesideTheSuite() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      #!/bin/sh
      printf '%s\\n' shadowbox-detector/1 'name beat' 'version 1' 'channel user_acceleration' \
        'task punch' 'parameter threshold 30 0 2000 m/s2 magnitude' 'threshold threshold' ready
      while read -r word rest; do if [ "$word" = end ]; then echo done; fi; done
      """, to: "beat.sh", permissions: 0o755)
    let bytes = Data(Self.text(detector: "exec:./beat.sh", threshold).utf8)
    let file = try ParameterFile.parse(bytes, "a.json")
    let registry = Harness.registry()
    let stated = "exec:./beat.sh"
    registry.trust(stated, relativeTo: scratch.url.path)
    let choice = try file.choice(
      "a.json", stated: stated, registry: registry, relativeTo: scratch.url.path)
    #expect(choice.overrides == ["threshold": .number(41.5)])
    #expect(throws: Failure.self) {
      try file.choice("a.json", stated: stated, registry: registry)
    }
  }

  /// A parameter file alone never starts a program.
  @Test(arguments: [
    ["replay", "TRACE", "--parameters", "sent.json"],
    ["replay", "TRACE", "--parameters", "sent.json", "--detector", "punch"],
    ["run", "TRACE", "--parameters", "sent.json", "-o", "r.h5"],
    ["sweep", "TRACE", "--parameters", "sent.json"],
    ["tune", "TRACE", "--parameters", "sent.json", "--detector", "exec:./other.sh"],
    ["bench", "TRACE", "--parameters", "sent.json"],
    ["run", "suite.yml", "-o", "r.h5"],
  ])
  func noProgramOfAFileIsStarted(arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.write("#!/bin/sh\n: > started\n", to: "beat.sh", permissions: 0o755)
    try scratch.write(Self.text(detector: "exec:./beat.sh", threshold), to: "sent.json")
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s01-left.h5").path
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: [\(trace)]}\nentries:\n"
        + "  - {detector: punch, traces: all, parameters: sent.json}\n", to: "suite.yml")
    let outcome = try Program.run(
      arguments.map { $0 == "TRACE" ? trace : $0 }, in: scratch.url)
    #expect([64, 65].contains(outcome.status) && outcome.errors.contains("sent.json"))
    #expect(outcome.errors.contains("exec:./beat.sh"), "\(outcome.errors)")
    #expect(!scratch.names.contains("started"))
  }

  /// Damaged files are refused or read, and never more than that.
  @Test(arguments: 0..<20) func fuzzed(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = Array(Self.text(threshold).utf8)
    for _ in 0..<100 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes.suffix(30), at: place)
        default: bytes = Array(bytes.prefix(place))
        }
      }
      do {
        _ = try ParameterFile.parse(Data(bytes), "a.json").choice(
          "a.json", stated: nil, registry: .builtIn)
      } catch {
        #expect((error as? Failure)?.kind == .badData, "seed \(seed)")
      }
    }
  }
}
