import Digests
import Scoring
import Detectors
import Foundation
import HDF5
import Replay
@testable import Evaluation
import Diagnostics
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

/// Tests the protocol of external detectors in traces/FORMAT.md.
@Suite struct ExecProtocolTests {
  // MARK: Input

  /// A child that records its input, and answers with the contents of the file `answer`.
  private static let recorder = """
    printf 'shadowbox-detector/1\\nname scribe\\nversion 2.1 beta\\nchannel CHANNEL\\ntask TASK\\n'
    printf 'parameter gain 1.5 0 10 - how much\\nparameter wait 0.25 0 1 s\\nthreshold gain\\nready\\n'
    while IFS= read -r line; do
      echo "$line" >> read
      case $line in end*) cat answer; echo done;; esac
    done
    """

  private func bench(
    _ channel: String = "user_acceleration", _ task: String = "punch"
  ) throws -> ExecBench {
    try ExecBench(
      Self.recorder.replacing("CHANNEL", with: channel).replacing("TASK", with: task))
  }

  private func trace() -> Trace {
    var trace = Trace(header: TraceHeader(id: "a b", origin: .synthetic))
    var vectors = VectorColumns()
    vectors.append(Vector3(x: 0.1, y: -0.0, z: 1e-10), measured: -5, arrived: 10)
    vectors.append(Vector3(x: .nan, y: .infinity, z: 16_777_216), measured: 20, arrived: 30)
    vectors.append(Vector3(x: 1, y: 2, z: 3), measured: 25, arrived: 40)
    trace.set(.vector(vectors), for: .userAcceleration)
    var fixes = FixColumns()
    fixes.append(Fix(latitude: 46.05, longitude: 14.5, speed: -1), measured: 0, arrived: 0)
    trace.set(.fix(fixes), for: .location)
    var scalars = ScalarColumns()
    scalars.append(Scalar(value: 101_325.25), measured: 7, arrived: 7)
    trace.set(.scalar(scalars), for: .pressure)
    var beats = HeartbeatColumns()
    beats.append(Heartbeat(peer: 3), measured: 8, arrived: 9)
    trace.set(.heartbeat(beats), for: .heartbeat)
    var touches = TouchColumns()
    touches.append(Touch(x: 0.1, y: .nan, phase: .began, pointer: 2), measured: 4, arrived: 5)
    touches.append(Touch(x: 7, y: 8.5, phase: .cancelled), measured: 30, arrived: 30)
    trace.set(.touch(touches), for: .touch)
    var actions = ActionColumns()
    actions.append(.arm, measured: 30, arrived: 30)
    actions.append(.disarm, measured: 50, arrived: 50)
    trace.set(.action(actions), for: .action)
    trace.header.places = [
      Place(id: 7, latitude: 46.5, longitude: 14.25, radius: .nan, rank: 0)
    ]
    trace.header.end = TraceInstant(nanoseconds: 60)
    return trace
  }

  @Test(arguments: [
    (
      "user_acceleration", "punch",
      """
      sample 0 -5 10 0.10000000149011612 -0.0 1.000000013351432e-10
      sample 1 20 30 nan inf 16777216.0
      action 2 30 arm
      sample 3 25 40 1.0 2.0 3.0
      action 4 50 disarm
      end 5 60
      """
    ),
    (
      "location", "visit",
      """
      sample 0 0 0 46.05 14.5 nan nan -1.0 nan nan
      action 1 30 arm
      action 2 50 disarm
      end 3 60
      """
    ),
    (
      "pressure", "ascent",
      "sample 0 7 7 101325.25 nan\naction 1 30 arm\naction 2 50 disarm\nend 3 60"
    ),
    (
      "heartbeat", "presence", "sample 0 8 9 3 -1\naction 1 30 arm\naction 2 50 disarm\nend 3 60"
    ),
    (
      "touch", "drop",
      """
      sample 0 4 5 0.1 nan began 2
      sample 1 30 30 7.0 8.5 cancelled 0
      action 2 30 arm
      action 3 50 disarm
      end 4 60
      """
    ),
  ])
  func whatAChildIsSent(channel: String, task: String, lines: String) throws {
    let bench = try bench(channel, task)
    try NativeTrace.write(trace(), to: bench.scratch.path("t.h5"))
    try bench.scratch.write("", to: "answer")
    let outcome = try Program.run(
      ["replay", "t.h5", "--detector", "exec:./child", "--parameters", "wait=500ms"],
      in: bench.scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("exec:./child: gain 1.5, wait 0.5 s\n"))
    #expect(
      try bench.scratch.text(of: "read") == """
        shadowbox-detector/1
        start a b
        parameter gain 1.5
        parameter wait 0.5
        place 7 46.5 14.25 nan 0
        \(lines)

        """)
  }

  /// What a child reads beside its channel has the numbers of one order with the rest, and a detection
  /// may rest on it. A companion that the trace lacks is left out.
  @Test func whatAChildIsSentOfCompanions() throws {
    let bench = try bench("user_acceleration\\ncompanion pressure\\ncompanion rotation_rate")
    try NativeTrace.write(trace(), to: bench.scratch.path("t.h5"))
    try bench.scratch.write("detect 0 7\n", to: "answer")
    let outcome = try Program.run(
      ["replay", "t.h5", "--detector", "exec:./child", "--format", "csv"], in: bench.scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let read = try bench.scratch.text(of: "read").split(separator: "\n").dropFirst(5)
    #expect(
      Array(read) == [
        "companion 0 pressure 7 7 101325.25 nan",
        "sample 1 -5 10 0.10000000149011612 -0.0 1.000000013351432e-10",
        "sample 2 20 30 nan inf 16777216.0", "action 3 30 arm", "sample 4 25 40 1.0 2.0 3.0",
        "action 5 50 disarm", "end 6 60",
      ])
    #expect(outcome.output.contains("a b,0.000000007,0.000000007,punch"), "\(outcome.output)")
  }

  @Test(arguments: [
    ("companion user_acceleration", "companions other than the channel"),
    ("companion pressure\\ncompanion pressure", "each companion once"),
    ("companion action", "a channel"), ("companion", "a channel"),
  ])
  func companionsThatCannotBeAreRefused(lines: String, message: String) throws {
    let bench = try bench("user_acceleration\\n\(lines)")
    try NativeTrace.write(trace(), to: bench.scratch.path("t.h5"))
    try bench.scratch.write("", to: "answer")
    let outcome = try Program.run(
      ["replay", "t.h5", "--detector", "exec:./child"], in: bench.scratch.url)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  // MARK: Output

  /// A detection is emitted at the arrival of the input that it names: a sample, an action, the end.
  @Test func whatAChildAnswersBecomesDetections() throws {
    let bench = try bench()
    try NativeTrace.write(trace(), to: bench.scratch.path("t.h5"))
    try bench.scratch.write(
      "detect 1 -5\r\ndetect 1 20 label=hook original=left-hook value=-1.5e3 place=7\n"
        + "detect 2 25 kind=prompt\ndetect 5 60\nmeasure distance 12.5 m\nmeasure count 3 -\n",
      to: "answer")
    let rows = [
      "a b,-5.0,30.0,punch,,,,", "a b,20.0,30.0,punch,hook,left-hook,-1500,7",
      "a b,25.0,30.0,prompt,,,,", "a b,60.0,60.0,punch,,,,",
    ]
    for batch in ["1", "4096"] {
      let outcome = try Program.run(
        [
          "replay", "t.h5", "--detector", "exec:./child", "--format", "json", "--batch", batch,
        ], in: bench.scratch.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
      let document = try outcome.decoded(Replayed.self)
      #expect(document.events.map(\.row) == rows)
      #expect(document.measurements.map(\.row) == ["distance 12.5 m", "count 3 "])
    }
  }

  private struct Replayed: Decodable {
    struct Event: Decodable {
      var trace: String
      /// Seconds.
      var onset: Double
      /// Seconds.
      var emitted: Double
      var kind: String
      var label: String
      var originalLabel: String
      var value: Double?
      var place: Int32?

      var row: String {
        "\(trace),\((onset * 1e9).rounded()),\((emitted * 1e9).rounded()),\(kind),\(label),\(originalLabel),"
          + "\(value.map { "\(Int($0))" } ?? ""),\(place.map(String.init) ?? "")"
      }
    }
    struct Figure: Decodable {
      var name: String
      var value: Double
      var unit: String

      var row: String { "\(name) \(ParameterValue.number(value)) \(unit)" }
    }
    var events: [Event]
    var measurements: [Figure]
  }

  @Test func aChildIsListedWithItsParameters() throws {
    let bench = try bench()
    let outcome = try Program.run(
      ["info", "--detectors", "--detector", "exec:./child"], in: bench.scratch.url)
    #expect(
      outcome.output == """
        exec:./child (reads user_acceleration, scored on punch)
          scribe, version 2.1 beta, threshold: gain
            gain=1.5 (0 to 10): how much
            wait=0.25s (0 to 1): \n
        """)
    #expect(bench.processes.isEmpty)
  }

  @Test(arguments: [
    ("gain=11", 64, "parameter gain: expected 0.0 to 10.0, found 11"),
    ("gian=1", 64, "unknown parameter of detector exec:./child \"gian\"; did you mean gain?"),
  ])
  func parametersAreChecked(parameters: String, status: Int, says: String) throws {
    let bench = try bench()
    let outcome = try Program.run(
      ["replay", "t.h5", "--detector", "exec:./child", "--parameters", parameters],
      in: bench.scratch.url)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(says))
  }

  // MARK: Provenance

  /// A result identifies the program and its files by their digests.
  @Test func aResultNamesTheProgram() throws {
    let bench = try bench()
    try bench.scratch.write("", to: "answer")
    try bench.scratch.write("weights", to: "model")
    let suite = try bench.scratch.text(of: "s.yml")
    try bench.scratch.write(
      suite.replacing("./child", with: "./child --model=model nothing"), to: "s.yml")
    let outcome = try bench.run(["--format", "json"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let document = try outcome.decoded(Ran.self)
    let program = ProgramRecord(
      name: "scribe", version: "2.1 beta",
      files: [
        .init(name: "./child", sha256: try FileDigest.sha256(of: bench.scratch.path("child"))),
        // printf weights | sha256sum
        .init(
          name: "model",
          sha256: "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"),
      ])
    #expect(document.runs.map(\.program) == [program])
    let file = try HDF5File.open(bench.scratch.path("out/results.h5"))
    let settings = try file.root().openGroup("settings")
    func text(_ name: String) throws -> String {
      try #require(settings.openDataset(name).readTexts(most: 1).first)
    }
    #expect(try text("program_name") == "scribe")
    #expect(try text("program_version") == "2.1 beta")
    let files = try text("program_files")
    #expect(
      try JSONDecoder().decode([ProgramRecord.File].self, from: Data(files.utf8)) == program.files)
  }

  private struct Ran: Decodable {
    struct Run: Decodable {
      var program: ProgramRecord?
    }
    var runs: [Run]
  }
}
