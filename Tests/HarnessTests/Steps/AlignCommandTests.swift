@testable import Evaluation
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@Suite struct AlignCommandTests {
  /// A recording with a clock that is 2.5 s behind.
  private func writeLate(_ bench: StepBench) throws {
    let trace = StepTraces.motion(seconds: 200)
    try NativeTrace.write(trace, to: bench.scratch.path("long.h5"))
    var late = trace
    late.header.setEpoch(nanoseconds: try #require(trace.header.epochNanoseconds) - 2_500_000_000)
    try NativeTrace.write(late, to: bench.scratch.path("late.h5"))
    late.header.setEpoch(nanoseconds: nil)
    try NativeTrace.write(late, to: bench.scratch.path("dateless.h5"))
  }

  @Test(.longer) func findsTheOffsetAndTakesItOut() throws {
    let bench = try StepBench()
    try writeLate(bench)
    let outcome = try bench.run("align long.h5 late.h5 -o aligned.h5 --format json")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let offset = try #require(found["offset_s"] as? [String: Any])
    #expect(abs(try #require(offset["value"] as? Double) - 2.5) < 1e-4)
    #expect(offset["lower"] is Double && offset["upper"] is Double)
    #expect(found["verdict"] as? String == "aligned")
    #expect(found["windows_used"] as? Int == 10)
    let aligned = try bench.trace("aligned.h5")
    let epoch = try #require(aligned.header.epochNanoseconds)
    let expected = try #require(EpochTime.nanoseconds(of: "2024-06-07T12:00:00Z"))
    #expect(abs(epoch - expected) < 100_000)
    let table = try bench.run("align long.h5 late.h5")
    #expect(table.output.contains("second best"))
    #expect(table.output.contains("n = 10 windows"), "\(table.output)")
    #expect(try bench.run("align long.h5 late.h5 --format csv").output.contains(",aligned,"))
    if LongTests.areWanted { try bench.expectRepeatable("align long.h5 late.h5 --correct-drift") }
  }

  @Test func whereNoClockIsKnownZerosAreCompared() throws {
    let bench = try StepBench()
    try writeLate(bench)
    try bench.run("trim dateless.h5 -o part.h5 --from 30s")
    let outcome = try bench.run("align dateless.h5 part.h5 -o aligned.h5")
    #expect(outcome.output.contains("offset is between the traces' zeros"), "\(outcome.output)")
    let first = try #require(try bench.trace("aligned.h5")[.userAcceleration]?.measuredTimes.first)
    #expect(abs(first - 30_000_000_000) < 100_000)
    let refused = try bench.run("align part.h5 dateless.h5 -o x.h5", 65)
    #expect(refused.errors.contains("in the opposite order"), "\(refused.errors)")
  }

  @Test func whatDoesNotFitIsTold() throws {
    let bench = try StepBench()
    for (name, seed) in [("one.h5", 1), ("other.h5", 2)] as [(String, UInt64)] {
      let trace = StepTraces.motion(seconds: 100, seed: seed)
      try NativeTrace.write(trace, to: bench.scratch.path(name))
    }
    let outcome = try bench.run("align one.h5 other.h5 -o x.h5", 65)
    #expect(outcome.errors.contains("correlation"), "\(outcome.errors)")
    #expect(!bench.scratch.names.contains("x.h5"))
  }

  static let cases: [StepCase] = [
    StepCase("align motion.h5 walk.h5", 65, "motion and walk", "location"),
    StepCase("align motion.h5 gravity.h5 --signal rotation", 65, "rotation"),
    StepCase("align motion.h5 gravity.h5 --signal smell", 64, "smell", "speed"),
    StepCase("align motion.h5 gravity.h5 --rate 0Hz", 64, "--rate 0Hz"),
    StepCase("align motion.h5 gravity.h5 --max-offset 0s", 64, "--max-offset 0s"),
    StepCase("align motion.h5 gravity.h5 --correct-drift", 64, "--output"),
    StepCase("align motion.h5 gravity.h5 -o gravity.h5", 64, "also read"),
    StepCase("align motion.h5 text.h5", 65, "text.h5"),
  ]

  @Test(arguments: cases) func reportsBadInput(_ row: StepCase) throws { try row.check() }
}
