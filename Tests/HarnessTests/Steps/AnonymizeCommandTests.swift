import Detectors
import TestSupport
import Testing
import TraceModel

@Suite struct AnonymizeCommandTests {
  @Test func cutsTheEndsAndSaysSo() throws {
    let bench = try StepBench()
    let outcome = try bench.run("anonymize walk.h5 -o out.h5")
    let trace = try bench.trace("out.h5")
    let fixes = try #require(trace[.location].flatMap { FixColumns($0) })
    // At 2 m/s the first fix beyond 200 m is the 101st, at 202 m minus the rounding of a degree.
    #expect(fixes.count == 1200 - 2 * 101 || fixes.count == 1200 - 2 * 100)
    #expect(trace.header.id == "anonymous" && trace.header.subject.isEmpty)
    #expect(trace.header.source.contains("cut within 200.0 m of start and end"))
    #expect(trace.header.source.contains("id, subject dropped"))
    for text in ["not hidden", "--shift-time", "of location"] {
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
    try bench.expectRepeatable("anonymize walk.h5 --radius 100m --shift-time")
    try bench.expectRepeatable("anonymize walk.h5 --move --seed 4")
  }

  @Test func homesAndFactsThatStay() throws {
    let bench = try StepBench()
    try bench.run(
      "anonymize walk.h5 -o out.h5 --home 46.0108,14.5 --radius 0.5km --keep subject --id w7")
    let trace = try bench.trace("out.h5")
    #expect(trace.header.subject == "Ann" && trace.header.id == "w7")
    let fixes = try #require(trace[.location].flatMap { FixColumns($0) })
    for position in fixes.range {
      let meters = Geodesy.distance(
        latitude: 46.0108, longitude: 14.5, toLatitude: fixes[position].latitude,
        longitude: fixes[position].longitude)
      #expect(meters > 500)
    }
    #expect(!trace.header.source.contains("46"), "\(trace.header.source)")
  }

  @Test func aMoveIsNeitherStoredNorRepeated() throws {
    let bench = try StepBench()
    try bench.run("anonymize walk.h5 -o a.h5 --move --shift-time")
    try bench.run("anonymize walk.h5 -o b.h5 --move --shift-time")
    let traces = try ["a.h5", "b.h5"].map { try bench.trace($0) }
    let fixes = traces.compactMap { $0[.location].flatMap { FixColumns($0) } }
    #expect(fixes.map(\.count) == [1200, 1200])
    #expect(fixes[0][0].latitude != fixes[1][0].latitude)
    #expect(traces.allSatisfy { !$0.header.isEpochKnown && $0.header.seed == nil })
    #expect(traces[0].header.source.contains("moved and turned as a whole"))
  }

  static let cases: [StepCase] = [
    StepCase("anonymize walk.h5 -o x.h5 --radius 0m", 64, "--radius 0m"),
    StepCase("anonymize walk.h5 -o x.h5 --radius 5km", 65, "walk", "--radius", "--move"),
    StepCase("anonymize walk.h5 -o x.h5 --home here", 64, "--home here", "46.0511,14.5051"),
    StepCase("anonymize walk.h5 -o x.h5 --home 91,0", 64, "--home 91,0"),
    StepCase("anonymize walk.h5 -o x.h5 --seed 3", 64, "--move"),
    StepCase("anonymize walk.h5 -o x.h5 --keep name", 64, "name", "subject"),
    StepCase("anonymize walk.h5 -o x.h5 --keep id --id a", 64, "--id"),
    StepCase("anonymize walk.h5 -o walk.h5", 64, "also read"),
    StepCase("anonymize text.h5 -o x.h5", 65, "text.h5"),
  ]

  @Test(arguments: cases) func reportsBadInput(_ row: StepCase) throws { try row.check() }
}
