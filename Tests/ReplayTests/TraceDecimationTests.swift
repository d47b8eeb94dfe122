import Replay
import Testing
import TraceModel

@Suite struct TraceDecimationTests {
  private func kept(_ samples: [Int64], to rate: Double) -> [Int64] {
    let decimated = trace(samples: samples, end: 10_000)
      .decimated(.userAcceleration, to: rate)
    return times(decimated).map { $0[0] }
  }

  // Samples (ms), rate (Hz), what is left.
  @Test(
    arguments: [
      // 100 Hz to 50 Hz: every second one.
      ([0, 10, 20, 30, 40], 50, [0, 20, 40]),
      // Ticks at 5, 30, 55, 80: the first at or after each.
      ([5, 15, 25, 35, 45, 55, 65, 75, 85], 40, [5, 35, 55, 85]),
      // A gap leaves its ticks empty: after 15 the next is 100, for the tick of 100 (not 20, ...).
      ([0, 5, 10, 15, 100, 105, 119, 120], 50, [0, 100, 120]),
      // No tick twice: 39 is taken for 20, 40 for 40.
      ([0, 1, 39, 40, 41], 50, [0, 39, 40]),
      // Equal times: the first of them.
      ([0, 0, 10, 20, 20, 30], 50, [0, 20]),
      // A rate at or above the trace's own changes nothing, uneven as it may be.
      ([0, 10, 19, 30, 40], 100, [0, 10, 19, 30, 40]),
      ([0, 10, 19, 30, 40], 1000, [0, 10, 19, 30, 40]),
      // The clock is set back by more than a period: the ticks restart there.
      ([0, 10, 20, 30, 5000, 5010, 0, 10, 20], 50, [0, 20, 5000, 0, 20]),
      // A little back is no new start.
      ([0, 10, 20, 15, 30, 40], 50, [0, 20, 40]),
      ([], 50, []), ([7], 50, [7]), ([0, 1000, 2000], 0.5, [0, 2000]), ([0, 1000], 1e-300, [0]),
    ] as [([Int64], Double, [Int64])])
  func takesTheFirstAtOrAfterEachTick(samples: [Int64], rate: Double, expected: [Int64]) {
    #expect(kept(samples, to: rate) == expected)
  }

  @Test func otherChannelsAndTimesStay() throws {
    var whole = trace(samples: [0, 10, 20, 30], actions: [(5, .arm)], end: 40)
    whole.set(
      try #require(whole[.userAcceleration]), for: .userAcceleration,
      attributes: ["gravity_removal": "x"])
    whole.set(try #require(whole[.userAcceleration]), for: .rotationRate)
    let decimated = whole.decimated(.userAcceleration, to: 50)
    #expect(times(decimated).count == 2)
    #expect(decimated.header.info(.userAcceleration)?.attributes == ["gravity_removal": "x"])
    #expect(decimated[.rotationRate] == whole[.rotationRate])
    #expect(decimated[.action] == whole[.action])
    #expect(decimated.header.end == whole.header.end)
    #expect(whole.decimated(.location, to: 1) == whole)
    #expect(whole.decimated(.userAcceleration, to: 100) == whole)
    // Arrivals stay with their readings.
    let late = delivery { $0.delay = 0.003 }.apply(to: whole).trace
    #expect(times(late.decimated(.userAcceleration, to: 50)) == [[0, 3], [20, 23]])
  }

  @Test func extremesDoNotTrap() {
    var columns = VectorColumns()
    for time in [Int64.min, .min + 5, -1, 0, 1, .max - 1, .max, .min, .max] {
      columns.append(Vector3(x: 0, y: 0, z: 0), measured: time, arrived: time)
    }
    var trace = trace(samples: [])
    trace.set(.vector(columns), for: .userAcceleration)
    for rate in [1e-300, 1e-9, 0.1, 50, 1e9, 1e300] {
      let count = trace.decimated(.userAcceleration, to: rate)[.userAcceleration]?.count ?? 0
      #expect((1...9).contains(count))
    }
  }
}
