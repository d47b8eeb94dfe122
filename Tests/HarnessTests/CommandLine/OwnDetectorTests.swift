@testable import Evaluation
import Foundation
import TestSupport
import Testing

/// A detector that a package adds works in every command that takes a detector.
@Suite(.serialized) struct OwnDetectorTests {
  private let scratch: Scratch

  private static let made = MadeFiles(
    [(1, "punches"), (2, "punches"), (3, "punches"), (4, "walking")].map { person, kind in
      "synth \(kind) --subject \(person) --duration 40s -o traces/p\(person).h5"
    })

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func swing(_ arguments: [String], status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try Program.launch(
      Program.sibling("SwingExample"), arguments + ["--no-progress"], in: scratch.url)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome
  }

  private static let detector = ["--detector", "swing", "--gravity-filter", "lowpass"]

  @Test func replayAndInfo() throws {
    let replay = try swing(
      ["replay", "traces", "--parameters", "threshold=2g", "--format", "json"] + Self.detector)
    #expect(replay.output.contains("\"detector\" : \"swing/default\""))
    let info = try swing(["info", "--detectors", "--detector", "swing"])
    #expect(info.output.hasPrefix("swing (reads user_acceleration, scored on punch)"))
    let plain = try Program.run(["replay", "traces", "--detector", "swing"], in: scratch.url)
    #expect(plain.errors.contains("unknown detector \"swing\""))
  }

  @Test func runTakesSuitesAndTraces() throws {
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [traces/*.h5]}
      entries: [{detector: swing/default, traces: all, gravity_filter: "lowpass:0.7s,0.4g"}]
      """, to: "s.yml")
    let suite = try swing(["run", "s.yml", "--format", "csv", "-o", "a.h5"])
    let traces = try swing(["run", "traces", "--format", "csv", "-o", "b.h5"] + Self.detector)
    #expect(suite.output.contains("swing/default"))
    #expect(suite.output == traces.output)
    let own = try swing(["run", "s.yml", "-o", "c.h5"] + Self.detector, status: 64)
    #expect(own.errors.contains("whose entries name them"))
  }

  @Test func sweepAndTuneAndTheParameterFile() throws {
    let sweep = try swing(
      ["sweep", "traces", "--threshold", "threshold=10..60:3", "--csv", "curve.csv"]
        + Self.detector)
    #expect(sweep.output.contains("swing"))
    let tune = try swing(
      [
        "tune", "traces", "--confidence", "0.5", "--threshold", "threshold=10..60:5", "--search",
        "rest=0.2..0.4:2",
      ]
        + ["--method", "grid", "--resamples", "100", "-o", "swing.json"] + Self.detector)
    #expect(tune.output.contains("swing"))
    let replay = try swing(
      ["replay", "traces/p1.h5", "--parameters", "swing.json", "--gravity-filter", "lowpass"])
    #expect(replay.errors.contains("swing/default: threshold"))
    let run = try swing(
      ["run", "traces", "--parameters", "swing.json", "--gravity-filter", "lowpass", "-o", "r.h5"])
    #expect(run.output.contains("swing/default"))
  }

  /// Exit code 3: a busy machine does not keep up, which is no matter here.
  @Test func bench() throws {
    for arguments in [Self.detector, ["--parameters", "swing.json"]] {
      if arguments != Self.detector {
        try scratch.write(
          """
          {"schema": "shadowbox-parameters/1", "detector": "swing", "preset": "default",
           "parameters": [
             {"name": "threshold", "value": 25, "unit": "m/s2", "origin": "tuned"}]}
          """, to: "swing.json")
      }
      let outcome = try Program.launch(
        Program.sibling("SwingExample"),
        ["bench", "traces", "--devices", "3", "--duration", "200ms", "--format", "json"]
          + arguments, in: scratch.url)
      #expect([0, 3].contains(outcome.status), "\(outcome.errors)")
      #expect(outcome.output.contains("\"detector\" : \"swing/default\""), "\(outcome.output)")
      #expect(!outcome.output.contains("punch/default"))
    }
    let other = try swing(["bench", "--detector", "exec:./x"], status: 70)
    #expect(!other.errors.isEmpty)
  }
}
