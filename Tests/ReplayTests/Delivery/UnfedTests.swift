import Detectors
import Replay
import Testing
import TraceModel

/// The stretches of which an app receives nothing.
@Suite struct UnfedTests {
  private static let second: Int64 = 1_000_000_000

  private func trace(_ block: ChannelBlock, _ channel: Channel, end: Int64 = 600) -> Trace {
    var header = TraceHeader(id: "t", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: end * Self.second)
    var trace = Trace(header: header)
    trace.set(block, for: channel)
    return trace
  }

  private var motion: Trace {
    var columns = VectorColumns()
    for index in 0..<Int64(6000) {
      let time = index * 100_000_000
      columns.append(Vector3(x: 0, y: 0, z: 0), measured: time, arrived: time)
    }
    return trace(.vector(columns), .userAcceleration)
  }

  private var beats: Trace {
    var columns = HeartbeatColumns()
    for index in 0..<Int64(40) {
      let time = index * 5 * Self.second
      columns.append(Heartbeat(peer: 1), measured: time, arrived: time)
    }
    return trace(.heartbeat(columns), .heartbeat)
  }

  private var fixes: Trace {
    var columns = FixColumns()
    for index in 0..<Int64(600) {
      let time = index * Self.second
      columns.append(Fix(latitude: 46, longitude: 14), measured: time, arrived: time)
    }
    return trace(.fix(columns), .location)
  }

  private func unfed(
    _ trace: Trace, _ channel: Channel, _ change: (inout Delivery) -> Void
  ) -> [ClosedRange<Int64>] {
    var delivery = Delivery()
    change(&delivery)
    let unfed = delivery.apply(to: trace).report[channel]?.unfed ?? []
    return unfed.map { $0.lowerBound / Self.second...$0.upperBound / Self.second }
  }

  /// Sensors that a sleep loses are not fed; what it holds is late, but fed.
  @Test func sleep() {
    let lost = unfed(motion, .userAcceleration) {
      ($0.awake, $0.asleep, $0.sensorsAsleep) = (30, 300, .drop)
    }
    #expect(lost == [30...330, 360...600])
    let held = unfed(motion, .userAcceleration) { ($0.awake, $0.asleep) = (30, 100) }
    #expect(held == [550...600], "what arrives after the end is lost")
    let newest = unfed(motion, .userAcceleration) {
      ($0.awake, $0.asleep, $0.holdLimit) = (30, 300, 100)
    }
    #expect(newest == [30...320, 360...600])
  }

  /// A message that a sleep holds does not reach the app in time: the sleep is not fed.
  @Test(arguments: [SleepRule.hold, .drop])
  func sleepingThroughMessages(rule: SleepRule) {
    let slept = unfed(beats, .heartbeat) {
      ($0.awake, $0.asleep, $0.networkAsleep) = (30, 60, rule)
    }
    #expect(slept == [30...90, 120...180])
    #expect(unfed(beats, .heartbeat) { $0.lost = 1 } == [], "losses are what a detector survives")
  }

  /// Losses of up to two readings are no silence, and batches, delays and wrong clocks lose nothing.
  @Test func otherParts() {
    #expect(unfed(motion, .userAcceleration) { $0.lost = 1 } == [0...600])
    let single = unfed(motion, .userAcceleration) { ($0.lost, $0.lostBurst) = (0.0005, 50) }
    #expect(!single.isEmpty && single.allSatisfy { $0.count > 1 })
    #expect(
      unfed(motion, .userAcceleration) {
        ($0.batchCount, $0.delay, $0.clockStep, $0.clockStepAt) = (50, 0.01, 100, 300)
      } == [])
  }

  /// The location service leaves out fixes where nobody moves, but it watches.
  @Test func filtersOfTheLocationService() {
    #expect(unfed(fixes, .location) { $0.minDistance = 10 } == [])
    #expect(unfed(fixes, .location) { $0.minInterval = 60 } == [])
    let asleep = unfed(fixes, .location) {
      ($0.minInterval, $0.awake, $0.asleep, $0.locationAsleep) = (10, 100, 100, .drop)
    }
    #expect(asleep == [100...200, 300...400, 500...600])
  }
}
