import Testing
import TraceModel

@testable import AppEngines

@Suite struct StampClockTests {
  private func at(_ seconds: Double) -> TraceInstant { .zero.advanced(bySeconds: seconds) }

  @Test func stampsOfAnExactClockStayAsTheyAre() {
    var clock = StampClock(patience: 10)
    // Delivered late, in batches, and out of order.
    for (stamp, arrival) in [(1.0, 1.0), (2, 2.9), (5, 9), (6, 9), (9, 9), (8.5, 9.2), (60, 200)] {
      #expect(clock.time(of: at(stamp), arrived: at(arrival)) == at(stamp))
    }
    #expect(clock.correction == 0)
  }

  @Test(arguments: [0.1, 1.5, 20, 60, 3_600])
  func aClockAheadIsCorrectedAtOnce(error: Double) {
    var clock = StampClock(patience: 10)
    for second in 1...100 {
      let error = second < 50 ? 0 : error
      let stamp = at(Double(second) + error)
      let time = clock.time(of: stamp, arrived: at(Double(second) + 0.02))
      #expect(time >= at(Double(second)) && time <= at(Double(second) + 0.02))
    }
  }

  @Test(arguments: [1.5, 20, 60, 3_600])
  func aClockBehindIsCorrectedAfterThePatience(error: Double) {
    var clock = StampClock(patience: 10)
    for second in 1...100 {
      let stamp = at(Double(second) - (second < 50 ? 0 : error))
      let time = clock.time(of: stamp, arrived: at(Double(second) + 0.02))
      let isRight = abs(time.seconds - Double(second)) <= 0.021
      #expect(isRight == !(50..<60).contains(second), "\(second) s: \(time.seconds)")
    }
  }

  @Test func aClockThatIsSetBackLaterIsFollowed() {
    var clock = StampClock(patience: 0)
    #expect(clock.time(of: at(3_610), arrived: at(10)) == at(10))
    #expect(clock.time(of: at(11), arrived: at(11)) == at(11))
    #expect(clock.correction == 0)
  }

  @Test func aKeptFixDoesNotChangeTheClock() {
    var clock = StampClock(patience: 10)
    #expect(clock.time(of: at(-290), arrived: at(10)) == at(-290))
    #expect(clock.time(of: at(11), arrived: at(11)) == at(11))
    #expect(clock.time(of: at(20), arrived: at(80)) == at(20))
    #expect(clock.time(of: at(80), arrived: at(80)) == at(80))
  }

  @Test func aTimeIsNeverAfterItsArrival() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var clock = StampClock(patience: Double.random(in: 0...20, using: &random))
      var now = Int64.random(in: .min ... .max, using: &random)
      for _ in 0..<20 {
        let stamp = TraceInstant(nanoseconds: .random(in: .min ... .max, using: &random))
        let arrival = TraceInstant(nanoseconds: now)
        #expect(clock.time(of: stamp, arrived: arrival) <= arrival)
        now = now.addingClamped(.random(in: 0...30_000_000_000, using: &random))
      }
    }
  }
}
