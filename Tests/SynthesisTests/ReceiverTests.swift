import TestSupport
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
    #expect(accuracies.filter { $0 < 20 }.count > accuracies.count / 2)
  }

  /// Over many seeds, standing: the errors have the variance and the correlation that the receiver
  /// states, the claimed accuracy holds about 68 %, speed is Doppler's, and positions are held.
  @Test(arguments: [Receiver.Device.phone, .watch])
  func errorsMatchTheStatedAccuracy(_ device: Receiver.Device) throws {
    let start = GeodeticPoint(degreesLatitude: 47, longitude: 8)
    var profile = SpeedProfile()
    profile.stand(for: 300)
    let motion = Receiver.Motion(
      path: GroundPath(from: start, heading: 0, pieces: [.straight(1)]), profile: profile)
    var random = SeededGenerator(seed: 5)
    let receiver = Receiver(.open, on: device, random: &random)
    var (square, lagged, pairs, speed, inside, clear) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var held = 0.0
    let lag = 30
    for _ in 0..<1200 {
      let columns = receiver.fixes(of: motion, opened: 1, end: 80, rate: 1, random: &random)
      let north = columns.values.map {
        (Math.radians($0.latitude) - start.latitude) * WGS84.meridianRadius(start.latitude)
      }
      for (index, fix) in columns.values.enumerated() where index > 0 {
        clear += 1
        square += north[index] * north[index]
        speed += fix.speed * fix.speed
        // The first one is measured with the second's predecessor.
        if index > 1, north[index] == north[index - 1] { held += 1 }
        let point = GeodeticPoint(degreesLatitude: fix.latitude, longitude: fix.longitude)
        if point.distance(to: start) <= fix.horizontalAccuracy { inside += 1 }
        if index + lag < columns.count {
          lagged += north[index] * north[index + lag]
          pairs += 1
        }
      }
    }
    // Up to 80 s there are neither gaps nor episodes nor invalid fixes.
    let white = receiver.standingWhite * receiver.white
    let roughness =
      receiver.slowRoughness * receiver.slowRoughness
      + receiver.quickRoughness * receiver.quickRoughness
    // The mean square of a log-normal size.
    let variance =
      receiver.correlated * receiver.correlated + white * white * Math.exp(2 * roughness)
    #expect((square / clear / variance - 1).magnitude < 0.1)
    // Two low passes of half of the time each: (1 + t/T) exp(-t/T), and their size varies too.
    let passes = Double(lag) / (receiver.correlationTime / 2)
    let sky = Double(lag) / 30
    let size = Math.exp(0.25 * ((1 + sky) * Math.exp(-sky) - 1))
    let correlation =
      receiver.correlated * receiver.correlated * (1 + passes) * Math.exp(-passes) * size
    #expect((lagged / pairs / correlation - 1).magnitude < 0.2)
    // A watch in the open states at least 2 m.
    let claim = inside / clear
    #expect(device == .phone ? (claim - 0.68).magnitude < 0.07 : claim > 0.65, "\(claim)")
    // Two axes.
    let doppler = receiver.doppler * receiver.standingDoppler
    #expect(((speed / clear / 2).squareRoot() / doppler - 1).magnitude < 0.03)
    #expect((held / clear - receiver.heldShare).magnitude < 0.02)
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
      #expect(((turn - turn.rounded()) * 360).magnitude < 150)
      #expect((0..<360.0).contains(fix.course))
    }
    let isWatch = Subject(number: spec.subject).receiver == .watch
    #expect(worst > (isWatch ? 0.005 : 0.1) && worst < 3.5)
  }
}
