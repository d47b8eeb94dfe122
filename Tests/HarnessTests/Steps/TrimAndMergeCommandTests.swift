import TestSupport
import Testing
import TraceModel

@Suite struct TrimCommandTests {
  @Test func cutsAndMovesTheZero() throws {
    let bench = try StepBench()
    let outcome = try bench.run("trim motion.h5 -o out.h5 --from 10.005s --to 20s")
    let trace = try bench.trace("out.h5")
    #expect(trace.earliestMeasuredForTest == 0)
    #expect(trace.header.epoch == "2024-06-07T12:00:10.080Z")
    #expect(trace.header.end == TraceInstant(nanoseconds: 9_920_000_000))
    #expect(
      trace.header.reference(.punch)?.events.map(\.onset.nanoseconds) == [4_920_000_000])
    #expect(outcome.errors.contains("cut: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("2 events of punch"), "\(outcome.errors)")
    #expect(outcome.errors.contains("time zero is at 10.080 s of motion.h5"), "\(outcome.errors)")
    try bench.expectRepeatable("trim motion.h5 --from 3s")
  }

  @Test func instantsAreTimesOfTheWallClock() throws {
    let bench = try StepBench()
    try bench.run("trim walk.h5 -o a.h5 --from 100s --to 200s")
    try bench.run(
      "trim walk.h5 -o b.h5 --from 2024-06-07T14:01:40+02:00 --to 2024-06-07T12:03:20Z")
    #expect(try bench.scratch.bytes(of: "a.h5") == bench.scratch.bytes(of: "b.h5"))
  }

  static let cases: [StepCase] = [
    StepCase("trim motion.h5 -o x.h5", 64, "--from"),
    StepCase("trim motion.h5 -o x.h5 --from 20s --to 10s", 64, "--from 20s", "--to 10s"),
    StepCase("trim motion.h5 -o x.h5 --from 40s", 65, "--from 40s", "30.0 s"),
    StepCase("trim motion.h5 -o x.h5 --from 20.5s --to 21s", 65, "none", "2794 readings"),
    StepCase("trim motion.h5 -o x.h5 --from noon", 64, "--from noon", "10s"),
    StepCase("trim motion.h5 -o x.h5 --from=-1s", 64, "--from -1s"),
    StepCase("trim motion.h5 -o x.h5 --from 2024-06-07T12:00:10", 64, "zone"),
    StepCase("trim unknown.h5 -o x.h5 --from 2024-06-07T12:00:10Z", 65, "wall clock", "10s"),
    StepCase("trim motion.h5 -o x.h5 --channels location", 64, "location", "user_acceleration"),
    StepCase("trim motion.h5 -o ./motion.h5 --from 1s", 64, "also read"),
    StepCase("trim text.h5 -o x.h5 --from 1s", 65, "text.h5"),
  ]

  @Test(arguments: cases) func reportsBadInput(_ row: StepCase) throws { try row.check() }
}

@Suite struct MergeCommandTests {
  /// A trace that is cut in two and merged has the same bytes.
  @Test(arguments: ["motion.h5", "walk.h5"])
  func undoesACut(name: String) throws {
    let bench = try StepBench()
    try bench.run("trim \(name) -o a.h5 --to 12.345s")
    try bench.run("trim \(name) -o b.h5 --from 12.345s")
    try bench.run("merge b.h5 a.h5 -o whole.h5")
    #expect(try bench.scratch.bytes(of: "whole.h5") == bench.scratch.bytes(of: name))
  }

  @Test func appendsWhereClocksAreNotKnown() throws {
    let bench = try StepBench()
    try bench.run("merge unknown.h5 unknown.h5 --append --gap 2s -o out.h5")
    let trace = try bench.trace("out.h5")
    #expect(trace[.userAcceleration]?.count == 2 * 2794)
    #expect(trace.header.end == TraceInstant(nanoseconds: 62_000_000_000))
    #expect(!trace.header.isEpochKnown)
    #expect(trace.header.reference(.punch)?.events.map(\.onset.seconds) == [5, 15, 25, 37, 47, 57])
  }

  @Test func mergesDifferentChannels() throws {
    let bench = try StepBench()
    let outcome = try bench.run("merge unknown.h5 walk.h5 --same-start --id both -o out.h5")
    let trace = try bench.trace("out.h5")
    #expect(trace.header.channels.map(\.channel) == [.userAcceleration, .location])
    #expect(trace.header.id == "both")
    #expect(outcome.errors.contains("ignore zone"), "\(outcome.errors)")
  }

  @Test func duplicatesAreTakenOnce() throws {
    let bench = try StepBench()
    try bench.run("trim motion.h5 -o a.h5 --to 16s")
    try bench.run("trim motion.h5 -o b.h5 --from 14s")
    let outcome = try bench.run("merge a.h5 b.h5 --drop-duplicates -o whole.h5")
    #expect(outcome.errors.contains("200 duplicate readings"), "\(outcome.errors)")
    #expect(try bench.scratch.bytes(of: "whole.h5") == bench.scratch.bytes(of: "motion.h5"))
  }

  static let cases: [StepCase] = [
    StepCase("merge motion.h5 -o x.h5", 64, "two parts"),
    StepCase("merge motion.h5 motion.h5 -o x.h5", 65, "--drop-duplicates"),
    StepCase("merge motion.h5 unknown.h5 -o x.h5", 65, "unknown.h5", "--append", "--same-start"),
    StepCase("merge motion.h5 unknown.h5 --append -o x.h5", 64, "--gap"),
    StepCase("merge motion.h5 walk.h5 --gap 2s -o x.h5", 64, "--append"),
    StepCase("merge motion.h5 walk.h5 --append --gap soon -o x.h5", 64, "--gap soon"),
    StepCase(
      "merge motion.h5 walk.h5 --append --gap 1s --same-start -o x.h5", 64, "one of the two"),
    StepCase("merge walk.h5 synthetic.h5 -o x.h5", 65, "synthetic.h5", "synthetic"),
    StepCase("merge motion.h5 walk.h5 -o walk.h5", 64, "also read"),
    StepCase("merge motion.h5 text.h5 -o x.h5", 65, "text.h5"),
  ]

  @Test(arguments: cases) func reportsBadInput(_ row: StepCase) throws { try row.check() }
}

extension Trace {
  fileprivate var earliestMeasuredForTest: Int64? {
    header.channels.compactMap { self[$0.channel]?.measuredTimes.min() }.min()
  }
}
