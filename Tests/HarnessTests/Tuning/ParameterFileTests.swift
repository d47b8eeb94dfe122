import Detectors
@testable import Evaluation
import Diagnostics
import Foundation
import Testing
import TraceModel

@testable import Harness

@Suite struct ParameterFileTests {
  private func text(
    schema: String = "shadowbox-parameters/1", detector: String = "punch",
    preset: String = "default", parameters: String
  ) -> String {
    """
    {"schema": "\(schema)", "detector": "\(detector)", "preset": "\(preset)",
     "parameters": [\(parameters)], "provenance": {"anything": [1, null]}}
    """
  }

  private let threshold =
    #"{"name": "threshold", "value": 41.5, "unit": "m/s2", "origin": "tuned"}"#

  private func choice(_ text: String) throws -> DetectorChoice {
    try ParameterFile.parse(Data(text.utf8), "a.json").choice("a.json", registry: .builtIn)
  }

  @Test func whatWasTunedOrStatedIsTaken() throws {
    let rule = #"{"name": "rule", "value": "axes", "unit": "", "origin": "stated"}"#
    let refractory = #"{"name": "refractory", "value": 0.4, "unit": "s", "origin": "preset"}"#
    let choice = try choice(text(parameters: [threshold, rule, refractory].joined(separator: ",")))
    #expect(choice.detector == "punch")
    #expect(choice.overrides == ["threshold": .number(41.5), "rule": .choice("axes")])
  }

  @Test(arguments: [
    ("not JSON", "{", "expected a parameter file"),
    ("another schema", #"{"schema":"x/9","detector":"punch","preset":"d","parameters":[]}"#, "x/9"),
    ("no detector", #"{"schema":"shadowbox-parameters/1"}"#, "no key detector"),
    (
      "no such parameter",
      #"{"schema":"shadowbox-parameters/1","detector":"punch","preset":"default","parameters":"#
        + #"[{"name":"treshold","value":3,"unit":"m/s2","origin":"tuned"}]}"#,
      "did you mean threshold"
    ),
    (
      "out of range",
      #"{"schema":"shadowbox-parameters/1","detector":"punch","preset":"default","parameters":"#
        + #"[{"name":"threshold","value":-3,"unit":"m/s2","origin":"tuned"}]}"#, "expected 0.0 to"
    ),
    (
      "another unit",
      #"{"schema":"shadowbox-parameters/1","detector":"punch","preset":"default","parameters":"#
        + #"[{"name":"threshold","value":3,"unit":"g","origin":"tuned"}]}"#, "expected unit"
    ),
    (
      "a preset that has changed",
      #"{"schema":"shadowbox-parameters/1","detector":"punch","preset":"default","parameters":"#
        + #"[{"name":"refractory","value":0.41,"unit":"s","origin":"preset"}]}"#, "Tune again"
    ),
    (
      "no such detector",
      #"{"schema":"shadowbox-parameters/1","detector":"pnch","preset":"default","parameters":[]}"#,
      "did you mean punch"
    ),
    (
      "twice",
      #"{"schema":"shadowbox-parameters/1","detector":"punch","preset":"default","parameters":"#
        + #"[{"name":"rule","value":"axes","unit":"","origin":"tuned"},"#
        + #"{"name":"rule","value":"axes","unit":"","origin":"tuned"}]}"#,
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

  /// What a suite names and is not there, or is no parameter file, is told with the suite's line.
  @Test func aSuiteTellsWhereItNamesTheFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "suite-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let suite = folder.appending(path: "suite.yml")
    try Data().write(to: folder.appending(path: "a.h5"))
    let text = """
      schema: shadowbox-suite/1
      traces: {all: [a.h5]}
      entries:
        - {detector: punch, traces: all, parameters: 512 ms}
      """
    try text.write(to: suite, atomically: true, encoding: .utf8)
    let fault = try #require(Harness.fault(inSuite: suite.path))
    #expect(
      fault == "\(suite.path):4: \(folder.path)/512 ms: cannot be read as a parameter file: "
        + "No such file or directory")
  }

  /// A program is looked for beside what names the file, as that of a suite's entry is.
  @Test func programsAreLookedForBesideTheSuite() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      #!/bin/sh
      printf '%s\\n' shadowbox-detector/1 'name beat' 'version 1' 'channel user_acceleration' \
        'task punch' 'parameter threshold 30 0 2000 m/s2 magnitude' 'threshold threshold' ready
      while read -r word rest; do if [ "$word" = end ]; then echo done; fi; done
      """, to: "beat.sh")
    let path = scratch.path("beat.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let bytes = Data(text(detector: "exec:./beat.sh", parameters: threshold).utf8)
    let file = try ParameterFile.parse(bytes, "a.json")
    let registry = Harness.registry
    let choice = try file.choice("a.json", registry: registry, relativeTo: scratch.url.path)
    #expect(choice.overrides == ["threshold": .number(41.5)])
    #expect(throws: Failure.self) { try file.choice("a.json", registry: registry) }
  }

  /// Damaged files are refused or read, and never more than that.
  @Test(arguments: 0..<20) func fuzzed(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = Array(text(parameters: threshold).utf8)
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
        _ = try ParameterFile.parse(Data(bytes), "a.json").choice("a.json", registry: .builtIn)
      } catch {
        #expect((error as? Failure)?.kind == .badData, "seed \(seed)")
      }
    }
  }
}
