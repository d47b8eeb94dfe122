import Detectors
import TestSupport
import Testing
import TraceModel

@Suite struct ResampleCommandTests {
  @Test func fillsHolesAndKeepsGaps() throws {
    let bench = try StepBench()
    let outcome = try bench.run("resample motion.h5 -o out.h5 --rate 100Hz --max-gap 150ms")
    let trace = try bench.trace("out.h5")
    #expect(trace[.userAcceleration]?.count == 3000 - 199)
    #expect(
      trace.header.info(.userAcceleration)?.attributes["resampling"]
        == "linear to 100.0 Hz, gaps over 0.15 s kept")
    #expect(trace.header.reference(.punch)?.events.count == 3)
    #expect(outcome.errors.contains("2794 readings at 100.00 Hz -> 2801"), "\(outcome.errors)")
    #expect(outcome.errors.contains("1 gap kept, the longest 2.000 s"), "\(outcome.errors)")
    try bench.run("resample motion.h5 -o full.h5 --rate 100Hz --max-gap 150ms --fill-gaps")
    #expect(try bench.trace("full.h5")[.userAcceleration]?.count == 3000)
    try bench.expectRepeatable("resample motion.h5 --rate 33Hz --method akima")
  }

  @Test func otherChannelsOnlyWhenAsked() throws {
    let bench = try StepBench()
    try bench.run("resample walk.h5 -o out.h5 --rate 2Hz --channels location")
    #expect(try bench.trace("out.h5")[.location]?.count == 2399)
    #expect(try bench.trace("out.h5").header.epoch == "2024-06-07T12:00:00Z")
  }

  /// The channel records the parameters of the gravity filter, as with `convert`.
  @Test(arguments: ["resample gravity.h5 -o out.h5 --rate 100Hz", "convert gravity.h5 -o out.h5"])
  func removesGravityWithTheParametersGiven(command: String) throws {
    let bench = try StepBench()
    try bench.run("\(command) --remove-gravity --gravity-cutoff 1Hz --gravity-freeze 0.5g")
    let parameters = GravityFilter.Parameters(
      timeConstant: 1 / (2 * .pi), freezeBand: 0.5 * standardGravity)
    let info = try bench.trace("out.h5").header.info(.userAcceleration)
    #expect(info?.attributes["gravity_removal"] == GravityFilter(parameters).name)
    #expect((info?.attributes["resampling"] != nil) == command.hasPrefix("resample"))
    try bench.run("\(command) --remove-gravity")
    let plain = try bench.trace("out.h5").header.info(.userAcceleration)
    #expect(plain?.attributes["gravity_removal"] == GravityFilter().name)
  }

  static let cases: [StepCase] = [
    StepCase("resample motion.h5 -o x.h5 --rate 0", 64, "--rate 0", "50Hz"),
    StepCase("resample motion.h5 -o x.h5 --rate fast", 64, "--rate fast"),
    StepCase("resample motion.h5 -o x.h5 --rate 50Hz --max-gap 0s", 64, "--max-gap 0s"),
    StepCase("resample motion.h5 -o x.h5 --rate 50Hz --method wild", 64, "wild", "akima"),
    StepCase("resample motion.h5 -o x.h5 --rate 50Hz --channels speed", 64, "speed"),
    StepCase("resample motion.h5 -o x.h5 --rate 50Hz --channels location", 64, "user_acceleration"),
    StepCase("resample walk.h5 -o x.h5 --rate 1Hz", 65, "location", "--channels"),
    StepCase(
      "resample walk.h5 -o x.h5 --rate 1Hz --channels location --method cubic", 65, "walk.h5",
      "linear"),
    StepCase("resample backward.h5 -o x.h5 --rate 50Hz", 65, "backward.h5", "--sort"),
    StepCase("resample motion.h5 -o motion.h5 --rate 50Hz", 64, "also read"),
    StepCase("resample motion.h5 -o x.csv --rate 50Hz", 64, "x.csv", ".h5"),
    StepCase("resample motion.h5 -o x.h5 --rate 50Hz --remove-gravity", 65, "acceleration"),
    StepCase(
      "resample gravity.h5 -o x.h5 --rate 50Hz --gravity-cutoff 1Hz", 64, "--remove-gravity"),
    StepCase(
      "convert gravity.h5 -o x.h5 --remove-gravity --gravity-cutoff 0", 64, "--gravity-cutoff 0"),
    StepCase("convert gravity.h5 -o x.h5 --gravity-freeze 1g", 64, "--remove-gravity"),
    StepCase("resample text.h5 -o x.h5 --rate 50Hz", 65, "text.h5"),
    StepCase("resample none.h5 -o x.h5 --rate 50Hz", 74, "none.h5"),
  ]

  @Test(arguments: cases) func reportsBadInput(_ row: StepCase) throws { try row.check() }
}
