import Detectors
import Foundation
import HikeSamples
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// Faults that are put into the app on purpose: the counts and the invariants show them.
@Suite struct HikePlantedTests {
  private let hike = SimulatedHikeTests()

  /// A walk along a route, and then the same once more.
  private func twice() throws -> Trace {
    var trace = try hike.trace(1)
    guard case .fix(let once) = trace[.location] else { return trace }
    var columns = once
    let shift = trace.header.end.nanoseconds + 60_000_000_000
    for index in once.range {
      columns.append(
        once[index], measured: once.measured(at: index).nanoseconds + shift,
        arrived: once.arrived(at: index).nanoseconds + shift)
    }
    trace.set(.fix(columns), for: .location)
    trace.header.end = trace.header.end.advanced(byNanoseconds: shift)
    return trace
  }

  /// A phone whose detector prompts again at a visited waypoint checks in twice.
  @Test(arguments: [false, true]) func aSecondVisitIsSeen(isPlanted: Bool) throws {
    let trace = try twice()
    let total = Double(trace.header.places.count)
    let simulation = try hike.play([trace], preset: "freeOrder", isSound: !isPlanted) {
      guard isPlanted, let walk = $0.people[0].engine.walk else { return }
      var parameters = $0.people[0].engine.rules.detection
      parameters.revisits = true
      $0.people[0].engine.walk?.detector = CheckInDetector(parameters, places: walk.places)
    }.simulation
    let count = try #require(hike.value("visits_twice", simulation))
    #expect(SimulatedHike.faultCounts.contains("visits_twice"))
    #expect((count > 0) == isPlanted && hike.value("visits", simulation) == total + count)
    let found = simulation.violations.contains { $0.hasSuffix("phone: a visit is recorded twice") }
    #expect(found == isPlanted, "\(simulation.violations)")
  }

  /// A server that stores a check-in twice.
  @Test func aSecondCheckInIsSeen() throws {
    var server = HikeServer(content: HikeSample.content())
    var effects: [HikeServer.Effect] = []
    let checkIn = HikeCheckIn(location: "1", route: "7", timestamp: WallTime(seconds: 1))
    let upload = HikeUpload(
      stamp: RequestStamp(epoch: 1, number: 1), device: "a", checkIns: [checkIn])
    try server.handle(.checkIns(upload), at: .zero, into: &effects)
    let bytes = try JSONEncoder.ofStates.encode(server)
    var state = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let stored = try #require(state["checkIns"] as? [Any])
    state["checkIns"] = stored + stored
    let planted = try JSONDecoder.ofStates.decode(
      HikeServer.self, from: JSONSerialization.data(withJSONObject: state))
    #expect(server.violations == [])
    #expect(planted.violations == ["a check-in is stored twice or out of order"])
  }
}
