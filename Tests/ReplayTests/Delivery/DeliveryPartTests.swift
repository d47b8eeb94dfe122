import Detectors
import Replay
import Testing
import TraceModel

let millisecond: Int64 = 1_000_000

/// A delivery with some of its parts.
func delivery(_ change: (inout Delivery) -> Void) -> Delivery {
  var delivery = Delivery()
  change(&delivery)
  return delivery
}

/// (measured, arrived) in ms.
func times(_ trace: Trace, _ channel: Channel = .userAcceleration) -> [[Int64]] {
  guard let block = trace[channel] else { return [] }
  let measured = block.measuredTimes
  let arrived = block.arrivedTimes ?? measured
  return block.range.map { [measured[$0] / millisecond, arrived[$0] / millisecond] }
}

/// Each part of a delivery by itself, without chance, against what was computed by hand.
@Suite struct DeliveryPartTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var delivery: Delivery
    /// Measured, ms.
    var samples: [Int64]
    var end: Int64
    /// Measured and arrived, ms.
    var expected: [[Int64]]
    var undelivered = 0
    var dropped = 0
    var held = 0
    var lost = 0
    var duplicated = 0
    var late = 0

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    // Queue. Full with three: the readings at 0, 10, 20 arrive with the third; the fourth and
    // fifth wait for a sixth that never comes.
    Case(
      name: "batch by count", delivery: delivery { $0.batchCount = 3 },
      samples: [0, 10, 20, 30, 40], end: 100, expected: [[0, 20], [10, 20], [20, 20]],
      undelivered: 2),
    // 25 ms after the first reading in the queue; the reading at 25 is still in it, and the one at
    // 60 starts the next, which is delivered at 85.
    Case(
      name: "batch by latency", delivery: delivery { $0.batchLatency = 0.025 },
      samples: [0, 10, 25, 60, 70], end: 100,
      expected: [[0, 25], [10, 25], [25, 25], [60, 85], [70, 85]]),
    // Whichever is first: full at 10; then the latency, 30 + 25 = 55, with one reading.
    Case(
      name: "batch by count or latency",
      delivery: delivery {
        $0.batchCount = 2
        $0.batchLatency = 0.025
      }, samples: [0, 10, 30, 60, 61], end: 100,
      expected: [[0, 10], [10, 10], [30, 55], [60, 61], [61, 61]]),
    Case(
      name: "batch that the end cuts off", delivery: delivery { $0.batchLatency = 0.025 },
      samples: [0, 80], end: 104, expected: [[0, 25]], undelivered: 1),
    Case(
      name: "batch delivered at the very end", delivery: delivery { $0.batchLatency = 0.025 },
      samples: [0, 80], end: 105, expected: [[0, 25], [80, 105]]),
    Case(
      name: "readings at one time fill a queue in their order",
      delivery: delivery { $0.batchCount = 2 }, samples: [5, 5, 5, 9], end: 10,
      expected: [[5, 5], [5, 5], [5, 9], [9, 9]]),
    // Ticks every 16 ms from zero; a reading at a tick is fetched by it.
    Case(
      name: "ticks", delivery: delivery { $0.tick = 0.016 }, samples: [0, 1, 16, 17, 40, 49],
      end: 60, expected: [[0, 0], [1, 16], [16, 16], [17, 32], [40, 48]], undelivered: 1),
    Case(
      name: "ticks before zero", delivery: delivery { $0.tick = 0.016 }, samples: [-17, -16, -1],
      end: 60, expected: [[-17, -16], [-16, -16], [-1, 0]]),

    // Transport.
    Case(
      name: "delay", delivery: delivery { $0.delay = 0.03 }, samples: [0, 10, 71], end: 100,
      expected: [[0, 30], [10, 40]], undelivered: 1),
    Case(
      name: "all lost", delivery: delivery { $0.lost = 1 }, samples: [0, 10], end: 20,
      expected: [], lost: 2),
    Case(
      name: "all twice", delivery: delivery { $0.duplicated = 1 }, samples: [0, 10], end: 20,
      expected: [[0, 0], [0, 0], [10, 10], [10, 10]], duplicated: 2),
    Case(
      name: "all late",
      delivery: delivery {
        $0.late = 1
        $0.lateDelay = 0.015
      }, samples: [0, 10, 20], end: 30, expected: [[0, 15], [10, 25]], undelivered: 1, late: 3),

    // Suspension: awake 0..<20, asleep 20..<30, awake again from 30, the cycle is 30 long.
    Case(
      name: "held until the app wakes up",
      delivery: delivery {
        $0.awake = 0.02
        $0.asleep = 0.01
      }, samples: [0, 19, 20, 25, 29, 30, 49, 50, 59], end: 100,
      expected: [
        [0, 0], [19, 19], [20, 30], [25, 30], [29, 30], [30, 30], [49, 49], [50, 60], [59, 60],
      ], held: 5),
    Case(
      name: "lost to an app that sleeps",
      delivery: delivery {
        $0.awake = 0.02
        $0.asleep = 0.01
        $0.sensorsAsleep = .drop
      }, samples: [0, 19, 20, 25, 29, 30, 49, 50, 59], end: 100,
      expected: [[0, 0], [19, 19], [30, 30], [49, 49]], dropped: 5),
    Case(
      name: "the newest are held",
      delivery: delivery {
        $0.awake = 0.02
        $0.asleep = 0.01
        $0.holdLimit = 2
      }, samples: [20, 25, 29, 31, 55], end: 100,
      expected: [[25, 30], [29, 30], [31, 31], [55, 60]], dropped: 1, held: 3),
    Case(
      name: "never awake",
      delivery: delivery {
        $0.asleep = 0.01
        $0.sensorsAsleep = .drop
      }, samples: [0, 5, 10], end: 100, expected: [], dropped: 3),
    Case(
      name: "sleep that the end cuts off",
      delivery: delivery {
        $0.awake = 0.02
        $0.asleep = 0.01
      }, samples: [5, 25], end: 29, expected: [[5, 5]], undelivered: 1, held: 1),
    Case(
      name: "another group sleeps",
      delivery: delivery {
        $0.awake = 0.02
        $0.asleep = 0.01
        $0.sensorsAsleep = .deliver
        $0.locationAsleep = .drop
      }, samples: [0, 25], end: 100, expected: [[0, 0], [25, 25]]),

    // Clock: measured times change, arrivals do not.
    Case(
      name: "clock step", delivery: delivery { ($0.clockStep, $0.clockStepAt) = (-0.05, 0.01) },
      samples: [0, 9, 10, 60], end: 100, expected: [[0, 0], [9, 9], [-40, 10], [10, 60]]),
    // 100,000 millionths are a tenth.
    Case(
      name: "clock drift", delivery: delivery { $0.clockDrift = 100_000 }, samples: [0, 10, 100],
      end: 200, expected: [[0, 0], [11, 10], [110, 100]]),

    // Together, in their order: on the way for 10 ms, then two fill the queue, then the timer
    // (32 ms) fetches them; the clock is wrong at last.
    Case(
      name: "several parts",
      delivery: delivery {
        ($0.delay, $0.batchCount, $0.tick) = (0.01, 2, 0.032)
        ($0.clockStep, $0.clockStepAt) = (1, 0.03)
      }, samples: [0, 10, 20, 30], end: 100,
      expected: [[0, 32], [10, 32], [20, 64], [1030, 64]]),
  ]

  @Test(arguments: cases)
  func agreesWithValuesComputedByHand(_ row: Case) throws {
    let (delivered, report) = row.delivery.apply(
      to: trace(samples: row.samples, end: row.end))
    #expect(times(delivered) == row.expected)
    let counts = try #require(report[.userAcceleration])
    #expect(counts.recorded == row.samples.count)
    #expect(counts.delivered == row.expected.count)
    #expect(counts.undelivered == row.undelivered)
    #expect(counts.dropped == row.dropped)
    #expect(counts.held == row.held)
    #expect(counts.lost == row.lost)
    #expect(counts.duplicated == row.duplicated)
    #expect(counts.late == row.late)
    #expect(counts.throttled == 0)
    #expect(delivered.header.info(.userAcceleration)?.count == row.expected.count)
    #expect(delivered.header.end.nanoseconds == row.end * millisecond)
  }

  /// A late reading is overtaken: two of four are late by 25 ms and come after the one behind.
  @Test func aLateReadingIsOvertaken() throws {
    let samples: [Int64] = [0, 10, 20, 30]
    let late = delivery { ($0.late, $0.lateDelay) = (0.5, 0.025) }
    var seen: Set<[[Int64]]> = []
    for seed in UInt64(0)..<256 {
      let (delivered, report) = late.apply(to: trace(samples: samples, end: 100), seed: seed)
      let found = times(delivered)
      let expected = found.count { $0[1] == $0[0] + 25 }
      #expect(found.allSatisfy { $0[1] == $0[0] || $0[1] == $0[0] + 25 }, "seed \(seed)")
      #expect(found.map { $0[1] } == found.map { $0[1] }.sorted(), "seed \(seed)")
      #expect(report[.userAcceleration]?.late == expected, "seed \(seed)")
      seen.insert(found)
    }
    // All sixteen ways to choose the late ones.
    #expect(seen.count == 16)
    #expect(seen.contains([[10, 10], [20, 20], [0, 25], [30, 55]]))
  }

  /// What starts a loss does not depend on its length, and a loss takes so many in a row.
  @Test func lossesTakeWholeBursts() throws {
    let samples = Array(stride(from: Int64(0), to: 2000, by: 1))
    func left(_ burst: Double) throws -> [Int64] {
      let lossy = delivery { ($0.lost, $0.lostBurst) = (0.02, burst) }
      return times(lossy.apply(to: trace(samples: samples, end: 2000), seed: 9).trace)
        .map { $0[0] }
    }
    let single = Set(samples).subtracting(try left(1)).sorted()
    #expect(single.count > 20)
    var expected: [Int64] = []
    var next: Int64 = 0
    for start in single where start >= next {
      expected += (start..<min(start + 5, 2000))
      next = start + 5
    }
    #expect(Set(samples).subtracting(try left(5)).sorted() == expected)
    // n p / (1 - p + n p) = 0.1 / 1.08 of all: 185 of 2,000, with a standard deviation of 27.
    #expect(abs(expected.count - 185) < 100)
  }

  @Test func jitterKeepsTheOrderAndHasItsMean() throws {
    // 10 ms apart with a mean of 1 ms: that one waits for another is rare, so the mean is kept.
    let samples = Array(stride(from: Int64(0), to: 200_000, by: 10))
    let jittery = delivery { ($0.delay, $0.jitter) = (0.002, 0.001) }
    let (delivered, report) = jittery.apply(to: trace(samples: samples, end: 300_000), seed: 4)
    let block = try #require(delivered[.userAcceleration])
    let arrived = try #require(block.arrivedTimes)
    #expect(arrived == arrived.sorted())
    #expect(block.measuredTimes == samples.map { $0 * millisecond })
    let waits: [Int64] = zip(block.measuredTimes, arrived).map { $1 - $0 }.sorted()
    #expect(waits[0] >= 2 * millisecond)
    #expect(waits.last == report[.userAcceleration]?.longestWait)
    let milliseconds: [Double] = waits.map { Double($0) / 1e6 }
    let mean: Double = milliseconds.reduce(0, +) / 20_000
    // Median 3 (2^(1/4) - 1) = 0.5676 means, mean 1; 20,000 draws, standard error 0.01 of each.
    #expect(abs(milliseconds[10_000] - 2.5676) < 0.04)
    #expect(abs(mean - 3) < 0.06)
    // p99: 3 (100^(1/4) - 1) = 6.487.
    #expect(abs(milliseconds[19_800] - 8.487) < 0.6)
  }

  /// In each cycle the app sleeps for as long, and begins up to half of its waking time earlier.
  @Test func sleepComesEarlierByItsSpread() throws {
    let sleepy = delivery {
      ($0.awake, $0.asleep, $0.sleepSpread) = (0.1, 0.05, 0.5)
      $0.sensorsAsleep = .drop
    }
    let samples = Array(Int64(0)..<15_000)
    let (delivered, report) = sleepy.apply(to: trace(samples: samples, end: 15_000), seed: 2)
    let left = Set(times(delivered).map { $0[0] })
    var starts: Set<Int64> = []
    for cycle in Int64(0)..<100 {
      let gone = (cycle * 150..<(cycle + 1) * 150).filter { !left.contains($0) }
      #expect(gone.count == 50)
      let first = try #require(gone.first) - cycle * 150
      #expect((50...100).contains(first))
      #expect(gone.last == cycle * 150 + first + 49)
      starts.insert(first)
    }
    #expect(starts.count > 20)
    #expect(report[.userAcceleration]?.dropped == 5000)
  }
}

/// The location service.
@Suite struct LocationThrottleTests {
  /// A walk north: a fix at each time (ms), so many metres along.
  private func walk(_ fixes: [(Int64, Double)], end: Int64 = 1_000_000) -> Trace {
    var header = TraceHeader(id: "walk", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: end * millisecond)
    var trace = Trace(header: header)
    var columns = FixColumns()
    for (time, meters) in fixes {
      // At the equator a degree of latitude is 110,574.4 m on WGS84.
      columns.append(
        Fix(latitude: meters / 110_574.4, longitude: 15), measured: time * millisecond,
        arrived: time * millisecond)
    }
    trace.set(.fix(columns), for: .location)
    return trace
  }

  private func kept(_ delivery: Delivery, _ trace: Trace) throws -> ([Int64], Int) {
    let (delivered, report) = delivery.apply(to: trace)
    return (times(delivered, .location).map { $0[0] }, report[.location]?.throttled ?? -1)
  }

  @Test func countsTheIntervalFromTheLastDelivered() throws {
    let trace = walk([(0, 0), (1000, 0), (4999, 0), (5000, 0), (9000, 0), (10_000, 0), (16_000, 0)])
    let (times, throttled) = try kept(delivery { $0.minInterval = 5 }, trace)
    #expect(times == [0, 5000, 10_000, 16_000])
    #expect(throttled == 3)
  }

  @Test func countsTheDistanceFromTheLastDelivered() throws {
    let trace = walk([
      (0, 0), (1000, 9), (2000, 10.1), (3000, 0.5), (4000, 19), (5000, .nan), (6000, 21), (7000, 0),
    ])
    let (times, throttled) = try kept(delivery { $0.minDistance = 10 }, trace)
    // 0.5 m is 9.6 m away from 10.1 m, 19 m is 8.9 m, 21 m is 10.9 m, and 0 is 21 m from that.
    #expect(times == [0, 2000, 6000, 7000])
    #expect(throttled == 4)
  }

  @Test func bothMustHold() throws {
    let trace = walk([(0, 0), (1000, 50), (5000, 5), (6000, 11), (11_000, 12), (12_000, 30)])
    let both = delivery { ($0.minInterval, $0.minDistance) = (5, 10) }
    #expect(try kept(both, trace).0 == [0, 6000, 12_000])
  }

  @Test func anInvalidFixNeverStartsADistance() throws {
    let trace = walk([(0, .nan), (1000, 0), (2000, 3), (3000, 20)])
    #expect(try kept(delivery { $0.minDistance = 10 }, trace).0 == [1000, 3000])
    #expect(try kept(delivery { $0.minInterval = 1 }, trace).0 == [0, 1000, 2000, 3000])
  }

  @Test func sensorsAreNotThrottled() throws {
    let trace = trace(samples: [0, 1, 2], end: 10)
    let (delivered, report) = delivery { $0.minInterval = 5 }.apply(to: trace)
    #expect(delivered == trace)
    #expect(report[.userAcceleration]?.delivered == 3)
  }
}
