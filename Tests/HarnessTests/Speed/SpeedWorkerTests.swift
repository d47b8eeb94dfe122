@testable import Evaluation
import Foundation
import HDF5
import Speed
import TestSupport
import Testing

/// The program as one side of a comparison of speed, and the speed that `run` reports.
@Suite struct SpeedWorkerTests {
  private static let made = MadeFiles { scratch in
    let punches = ["synth", "punches", "--duration", "60s", "--seed", "3", "-o", "a.h5"]
    _ = try Program.run(punches, in: scratch.url)
  }

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    return scratch
  }

  /// Starts the program with lines on its standard input.
  private func ask(
    _ requests: String, _ arguments: String, in scratch: Scratch
  ) throws -> Program.Outcome {
    try scratch.write(requests, to: "requests")
    return try Program.launch(
      "sh", ["-c", "\"$0\" \(SpeedMessages.argument) \(arguments) < requests", Program.executable],
      in: scratch.url)
  }

  @Test func answersLineByLine() throws {
    let scratch = try scratch()
    let found = try ask("block 0 2\ncount 1\n", "5000 a.h5 --gravity-filter lowpass", in: scratch)
    #expect(found.status == 0, "\(found.errors)")
    let lines = found.output.split(separator: "\n").map { Array($0.utf8) }
    try #require(lines.count == 3, "\(found.output)")
    let ready = try #require(SpeedMessages.message(SpeedReady.self, of: lines[0]))
    #expect(ready.entries.map(\.entry) == ["punch/default"])
    #expect(ready.entries[0].samples == 5000)
    let block = try #require(SpeedMessages.message(SpeedBlock.self, of: lines[1]))
    #expect(block.processor > 0 && block.wall > 0)
    #expect(SpeedMessages.message(SpeedCounted.self, of: lines[2]) == SpeedCounted(counted: 1))
  }

  /// The digest is that of what is replayed: traces, and how much of them.
  @Test func theDigestIsThatOfTheInputs() throws {
    let scratch = try scratch()
    func digest(_ arguments: String) throws -> String {
      let found = try ask("", arguments, in: scratch)
      let line = Array(found.output.utf8.prefix { $0 != UInt8(ascii: "\n") })
      return try #require(SpeedMessages.message(SpeedReady.self, of: line), "\(found.errors)")
        .entries[0].inputsSha256
    }
    let one = try digest("3000 a.h5 --gravity-filter lowpass")
    #expect(try digest("3000 a.h5 --gravity-filter lowpass --detector punch/hitThat") == one)
    #expect(try digest("2000 a.h5 --gravity-filter lowpass") != one)
  }

  @Test(arguments: ["nonsense\n", "block 9 1\n", "block 0 0\n", "block 0 1 1\n", "\n", "block 0"])
  func aGarbledRequestIsWrongUse(request: String) throws {
    let found = try ask(request, "1000 a.h5 --gravity-filter lowpass", in: scratch())
    #expect(found.status == 64)
    #expect(found.errors.contains("error: \(SpeedMessages.argument): expected a request"))
  }

  @Test(arguments: [
    ("", 64), ("x a.h5", 64), ("0 a.h5", 64), ("1000 none.yml", 74), ("1000 a.h5 --nonsense", 64),
    ("1000 a.h5 --only b", 64),
  ])
  func wrongInputIsReported(arguments: String, status: Int32) throws {
    let found = try ask("", arguments, in: scratch())
    #expect(found.status == status, "\(found.errors)")
    #expect(found.errors.hasPrefix("error: "))
    #expect(found.output.isEmpty)
  }

  @Test func whatIsNotMeasuredHasAReason() throws {
    let scratch = try scratch()
    let found = try ask("", "400 a.h5 --gravity-filter lowpass", in: scratch)
    let line = Array(found.output.utf8.prefix { $0 != UInt8(ascii: "\n") })
    let ready = try #require(SpeedMessages.message(SpeedReady.self, of: line), "\(found.errors)")
    #expect(ready.entries.isEmpty)
    #expect(ready.leftOut.map(\.entry) == ["punch/default"])
    #expect(ready.leftOut[0].reason.hasPrefix("expected 500 samples or more"))
  }

  /// It is no command for people.
  @Test func helpDoesNotNameIt() throws {
    let scratch = try Scratch()
    #expect(!(try Program.run(["--help"], in: scratch.url).output.contains("__")))
  }

  private struct Document: Decodable {
    struct Summary: Decodable {
      struct Speed: Decodable {
        struct Time: Decodable {
          var value: Double?
          var lower: Double?
          var upper: Double?
          var count: Int?
          var unit: String
        }
        var nanosecondsPerSample: Time
        var samples: Int
        var undefined: String?
      }
      var speed: Speed?
    }
    var summaries: [Summary]
  }

  @Test func runReportsNanosecondsPerSample() throws {
    let scratch = try scratch()
    let run = ["run", "a.h5", "--gravity-filter", "lowpass", "-q", "-o"]
    let found = try Program.run(run + ["a.results.h5", "--format", "json"], in: scratch.url)
    let speed = try #require(try found.decoded(Document.self).summaries[0].speed)
    let time = speed.nanosecondsPerSample
    #expect(speed.undefined == nil)
    #expect((time.count, time.unit) == (9, "ns"))
    #expect((5000...6000).contains(speed.samples))
    let (value, lower, upper) = try (
      #require(time.value), #require(time.lower), #require(time.upper)
    )
    #expect(0 < lower && lower <= value && value <= upper)
    let host = try HDF5File.open(scratch.path("a.results.h5")).root()
      .openGroup("host").openGroup("punch%2Fdefault")
    #expect(try host.attribute("nanoseconds_per_sample_synthetic", as: Double.self) == value)

    let table = try Program.run(run + ["b.results.h5", "--full"], in: scratch.url)
    #expect(table.output.contains("Speed on this machine: ns of processor time per sample"))
    let equal = try Program.run(
      run + ["c.results.h5", "--format", "json", "--deterministic"], in: scratch.url)
    #expect(try equal.decoded(Document.self).summaries[0].speed == nil)
    let quiet = try Program.run(
      run + ["d.results.h5", "--full", "--deterministic"], in: scratch.url)
    #expect(!quiet.output.contains("Speed on this machine"))
  }
}
