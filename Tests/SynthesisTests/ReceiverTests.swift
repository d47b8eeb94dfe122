import Testing
import TraceModel

@testable import Synthesis

@Suite struct ReceiverTests {
  private func fixes(_ spec: ScenarioSpec) throws -> FixColumns {
    guard case .fix(let columns)? = MadeTraces.trace(spec)[.location] else {
      throw TraceError(place: spec.id, expected: "fixes", found: "none")
    }
    return columns
  }

  @Test(arguments: CourseTests.specs)
  func firstFixIsStaleAndOthersMayBeLate(_ spec: ScenarioSpec) throws {
    let columns = try fixes(spec)
    let arrivals = try #require(columns.arrivedTimes)
    #expect(columns.measuredTimes.first == 0)
    #expect((15_000_000_000...30_000_000_000).contains(arrivals.first ?? 0))
    let delays = zip(columns.measuredTimes, arrivals).dropFirst().map { $1 - $0 }
    #expect(delays.allSatisfy { $0 >= 40_000_000 && $0 < 10_000_000_000 })
    #expect(delays.contains { $0 > 1_000_000_000 })
  }

  @Test(arguments: CourseTests.specs)
  func hasGapsInvalidFixesAndBadEpisodes(_ spec: ScenarioSpec) throws {
    let columns = try fixes(spec)
    let times = Array(columns.measuredTimes.dropFirst())
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 4_000_000_000 }
    #expect(!gaps.isEmpty)
    #expect(gaps.allSatisfy { $0 <= 80_000_000_000 })
    let invalid = columns.values.filter { $0.horizontalAccuracy < 0 }
    #expect(!invalid.isEmpty && invalid.count < columns.count / 50)
    #expect(invalid.allSatisfy { $0.speed == -1 && $0.course == -1 })
    let accuracies = columns.values.map(\.horizontalAccuracy).filter { $0 > 0 }
    #expect(accuracies.contains { $0 > 30 })
    #expect(accuracies.filter { $0 < 15 }.count > accuracies.count / 2)
  }

  /// Over many seeds: half of the time standing, the errors have the variance and the correlation
  /// that the receiver states, the claimed accuracy holds about 68 %, and speed is Doppler's.
  @Test func errorsAreThoseThatItStates() throws {
    let start = GeodeticPoint(degreesLatitude: 47, longitude: 8)
    var profile = SpeedProfile()
    profile.stand(for: 300)
    let motion = Receiver.Motion(
      path: GroundPath(from: start, heading: 0, pieces: [.straight(1)]), profile: profile)
    var random = SeededGenerator(seed: 5)
    let receiver = Receiver(.open, random: &random)
    var (square, lagged, pairs, speed, inside, clear) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    let lag = 30
    for _ in 0..<400 {
      let columns = receiver.fixes(of: motion, opened: 1, end: 80, rate: 1, random: &random)
      let north = columns.values.map {
        (Math.radians($0.latitude) - start.latitude) * WGS84.meridianRadius(start.latitude)
      }
      for (index, fix) in columns.values.enumerated() where index > 0 {
        clear += 1
        square += north[index] * north[index]
        speed += fix.speed * fix.speed
        let point = GeodeticPoint(degreesLatitude: fix.latitude, longitude: fix.longitude)
        if point.distance(to: start) <= fix.horizontalAccuracy { inside += 1 }
        if index + lag < columns.count {
          lagged += north[index] * north[index + lag]
          pairs += 1
        }
      }
    }
    // Up to 80 s there are neither gaps nor episodes nor invalid fixes.
    let variance = receiver.correlated * receiver.correlated + receiver.white * receiver.white
    #expect((square / clear / variance - 1).magnitude < 0.12)
    let correlation =
      receiver.correlated * receiver.correlated
      * Math.exp(-Double(lag) / receiver.correlationTime)
    #expect((lagged / pairs / correlation - 1).magnitude < 0.2)
    #expect((inside / clear - 0.68).magnitude < 0.03)
    // Two axes.
    #expect(((speed / clear / 2).squareRoot() / receiver.doppler - 1).magnitude < 0.03)
  }

  @Test(arguments: CourseTests.specs)
  func speedAndCourseFollowTheMotion(_ spec: ScenarioSpec) throws {
    let scenario = PositionScenario(spec)
    let columns = try fixes(spec)
    var worst = 0.0
    for (position, fix) in columns.values.enumerated() where fix.speed >= 0 {
      let time = columns.measured(at: position).seconds
      let actual = scenario.course.profile.speed(at: time)
      worst = max(worst, (fix.speed - actual).magnitude)
      guard actual > 1, fix.course >= 0 else { continue }
      let heading = Math.degrees(
        scenario.course.path.heading(at: scenario.course.profile.way(at: time)))
      let turn = (fix.course - heading) / 360
      #expect(((turn - turn.rounded()) * 360).magnitude < 120)
      #expect((0..<360.0).contains(fix.course))
    }
    #expect(worst > 0.1 && worst < 3.5)
  }
}
