import Detectors
import Replay
import Testing
import TraceModel

/// Heartbeats come by network.
@Suite struct HeartbeatDeliveryTests {
  /// A heartbeat per second for 100 s, each with a reading and a fix.
  private var group: Trace {
    let seconds = Array(Int64(0)..<100)
    var trace = trace(samples: seconds.map { $0 * 1000 }, end: 200_000)
    let times = TimeColumns(measured: seconds.map { $0 * 1_000_000_000 })
    trace.set(
      .heartbeat(
        HeartbeatColumns(times: times, values: seconds.map { Heartbeat(peer: 1, sequence: $0) })),
      for: .heartbeat)
    trace.set(
      .fix(FixColumns(times: times, values: seconds.map { _ in Fix(latitude: 46, longitude: 15) })),
      for: .location)
    return trace
  }

  @Test(arguments: ["network-good", "network-poor"])
  func networksConcernHeartbeatsAlone(name: String) throws {
    let preset = try #require(Delivery.preset(named: name)).delivery
    let (delivered, report) = preset.apply(to: group, seed: 3)
    #expect(delivered[.userAcceleration] == group[.userAcceleration])
    #expect(delivered[.location]?.arrivedTimes == nil)
    let block = try #require(delivered[.heartbeat])
    let arrived = try #require(block.arrivedTimes)
    let least = Int64((preset.delay * 1e9).rounded())
    #expect(zip(block.measuredTimes, arrived).allSatisfy { $1 - $0 >= least })
    #expect(report[.location]?.longestWait == 0)
    #expect(try #require(report[.heartbeat]?.longestWait) > least)
  }

  @Test func sleepingAppsKeepThemByTheirOwnRule() {
    let sleepy = delivery {
      ($0.awake, $0.asleep) = (60, 20)
      ($0.sensorsAsleep, $0.locationAsleep, $0.networkAsleep) = (.drop, .deliver, .hold)
    }
    let (delivered, report) = sleepy.apply(to: group)
    // Asleep from 60 s until 80 s: twenty of each.
    #expect(report[.userAcceleration]?.dropped == 20)
    #expect(report[.location]?.delivered == 100 && report[.location]?.held == 0)
    #expect(report[.heartbeat]?.held == 20)
    #expect(times(delivered, .heartbeat)[60] == [60_000, 80_000])
    #expect(times(delivered, .heartbeat)[80] == [80_000, 80_000])
  }
}
