import Replay
import Testing
import TraceModel

@Suite struct PlaybackClockTests {
  struct Case: Sendable {
    var rate: Double
    var instant: Int64
    var due: Int64
  }

  // The anchor: instant 1,000 is due at 50,000.
  static let cases: [Case] = [
    Case(rate: 1, instant: 1000, due: 50_000),
    Case(rate: 1, instant: 3000, due: 52_000),
    Case(rate: 2, instant: 3000, due: 51_000),
    Case(rate: 0.5, instant: 3000, due: 54_000),
    Case(rate: 8, instant: 1012, due: 50_002),  // 1.5 ns, to the even one
    Case(rate: 1, instant: 0, due: 49_000),
    Case(rate: 1e-6, instant: 1001, due: 1_050_000),
    Case(rate: 1e-6, instant: .max, due: .max),
  ]

  @Test(arguments: cases.indices)
  func dueTimes(index: Int) {
    let row = PlaybackClockTests.cases[index]
    let clock = PlaybackClock(
      rate: row.rate, instant: TraceInstant(nanoseconds: 1000), at: 50_000)
    #expect(clock.due(TraceInstant(nanoseconds: row.instant)) == row.due)
    if row.due != .max, row.rate == 1 {
      #expect(clock.instant(at: row.due).nanoseconds == row.instant)
    }
  }

  @Test func aPausedClockStandsStill() {
    var clock = PlaybackClock(rate: 2, instant: .zero, at: 0)
    clock.pause(at: 500)
    #expect(clock.due(TraceInstant(nanoseconds: 2000)) == nil)
    #expect(clock.instant(at: 9_999_999).nanoseconds == 1000)
    clock.pause(at: 700)
    #expect(clock.instant(at: 800).nanoseconds == 1000)
    clock.resume(at: 10_000)
    #expect(clock.instant(at: 10_000).nanoseconds == 1000)
    #expect(clock.due(TraceInstant(nanoseconds: 2000)) == 10_500)
    clock.resume(at: 12_000)
    #expect(clock.due(TraceInstant(nanoseconds: 2000)) == 10_500)
  }

  @Test func aNewRateCountsFromNowOn() {
    var clock = PlaybackClock(rate: 1, instant: .zero, at: 0)
    clock.setRate(4, at: 1000)
    #expect(clock.instant(at: 1000).nanoseconds == 1000)
    #expect(clock.due(TraceInstant(nanoseconds: 5000)) == 2000)
  }

  @Test func aJumpIsDueNow() {
    var clock = PlaybackClock(rate: 1, instant: .zero, at: 0)
    clock.seek(to: TraceInstant(nanoseconds: 700), at: 100)
    #expect(clock.due(TraceInstant(nanoseconds: 710)) == 110)
    clock.pause(at: 105)
    clock.seek(to: TraceInstant(nanoseconds: 5), at: 106)
    #expect(clock.instant(at: 500).nanoseconds == 5)
    clock.resume(at: 600)
    #expect(clock.due(TraceInstant(nanoseconds: 6)) == 601)
  }

  // The due time of an instant does not depend on when it is asked for, so nothing accumulates.
  @Test func aMillionPeriodsDoNotDrift() {
    let clock = PlaybackClock(rate: 3, instant: .zero, at: 17)
    let instant = TraceInstant(nanoseconds: 1_000_000 * 10_000_000)
    #expect(clock.due(instant) == Int64(3_333_333_333_350))
  }
}
