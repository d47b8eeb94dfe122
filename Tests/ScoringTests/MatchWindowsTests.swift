import Scoring
import Testing
import TraceModel

@Suite struct MatchWindowsTests {
  private func second(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64(seconds * 1e9))
  }

  private func share(_ onsets: [Double], ignored: [(Double, Double)] = []) -> Double? {
    MatchWindows.share(
      references: onsets.map { ReferenceEvent(onset: second($0)) },
      ignoreZones: ignored.map { IgnoreZone(onset: second($0.0), offset: second($0.1)) },
      tolerance: EventTolerance(early: .seconds(1), late: .seconds(2)), duration: .seconds(100))
  }

  // By hand: a window is 3 s long.
  @Test func isTheUnionOfTheWindows() {
    #expect(share([]) == 0)
    #expect(share([50]) == 0.03)
    #expect(share([50, 51]) == 0.04)
    #expect(share([0, 99.5]) == 0.035)
    // Half of the time is ignored, a reference in it, and a second of another's window.
    #expect(share([10, 50.5], ignored: [(0, 50)]) == 2.5 / 50)
    #expect(share([10], ignored: [(0, 100)]) == nil)
  }

  @Test func aReferenceMayBeAnywhere() {
    let far = ReferenceEvent(onset: TraceInstant(nanoseconds: .max))
    #expect(
      MatchWindows.share(
        references: [far], ignoreZones: [],
        tolerance: EventTolerance(early: .seconds(1), late: .seconds(1)), duration: .seconds(1))
        == 0)
  }
}
