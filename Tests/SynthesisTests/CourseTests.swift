import TestSupport
import Testing
import TraceModel

@testable import Synthesis

@Suite struct CourseTests {
  static let specs =
    Synthesizer.corpus.filter(\.kind.isCourse) + [ScenarioSpec(unchecked: .ride, subject: 1)]
  static let routes = specs.filter { $0.kind == .route }

  private func value(_ task: ReferenceTask, _ trace: Trace) throws -> Double {
    let events = try #require(trace.header.reference(task)).events
    #expect(events.count == 1)
    return try #require(events.first).value
  }

  /// The stated distance against the sum of chords along the path between the app's opening and
  /// the end, less the same over the pause.
  @Test(arguments: specs)
  func distanceIsTheLengthOfThePath(_ spec: ScenarioSpec) throws {
    let course = PositionScenario(spec).course
    // The bends of the streets are tighter than those of the roads.
    let chord = spec.kind == .route ? 0.02 : 0.25
    func length(_ interval: ClosedRange<Double>) -> Double {
      let start = course.profile.way(at: interval.lowerBound)
      let end = course.profile.way(at: interval.upperBound)
      guard end > start else { return 0 }
      return GroundPathTests.measuredLength(of: course.path, from: start, to: end, chord: chord)
    }
    let measured = length(course.opened...course.end) - (course.pause.map(length) ?? 0)
    let stated = try value(.distance, MadeTraces.trace(spec))
    #expect((measured / stated - 1).magnitude < 1e-9)
    switch spec.kind {
    case .trackRun: #expect((stated - 4000).magnitude < 1e-6)
    case .roadRun: #expect((stated - 10_000).magnitude < 1e-6)
    case .ride: #expect((stated - 20_000).magnitude < 1e-6)
    default: #expect((400...900).contains(stated))
    }
  }

  @Test(arguments: specs)
  func movingTimeCountsWhatMoves(_ spec: ScenarioSpec) throws {
    let course = PositionScenario(spec).course
    let step = 0.01
    var moving = 0.0
    for index in 0..<Int(course.end / step) {
      let time = (Double(index) + 0.5) * step
      if time < course.opened || course.pause?.contains(time) == true { continue }
      if course.profile.speed(at: time) > 0 { moving += step }
    }
    #expect((try value(.movingTime, MadeTraces.trace(spec)) - moving).magnitude < 0.1)
  }

  @Test(arguments: specs.filter { $0.kind != .route })
  func splitsAreCrossedAtWholeKilometres(_ spec: ScenarioSpec) throws {
    let course = PositionScenario(spec).course
    let events = try #require(MadeTraces.trace(spec).header.reference(.split)).events
    #expect(events.count == [.trackRun: 4, .roadRun: 10, .ride: 20][spec.kind])
    for (index, event) in events.enumerated() {
      #expect(event.value == Double(index + 1) * 1000)
      #expect((course.counted(at: event.onset.seconds) - event.value).magnitude < 1e-6)
      #expect(course.counted(at: event.onset.seconds - 0.01) < event.value)
    }
  }

  @Test(arguments: routes)
  func visitsBeginAndEndOnTheCircle(_ spec: ScenarioSpec) throws {
    let scenario = PositionScenario(spec)
    let course = scenario.course
    let header = MadeTraces.trace(spec).header
    let visits = try #require(header.reference(.visit)).events
    #expect(Set(visits.compactMap(\.place)) == Set(header.places.map(\.id)))
    for visit in visits {
      let place = try #require(header.places.first { $0.id == visit.place })
      #expect(place.radius == 60)
      let centre = GeodeticPoint(degreesLatitude: place.latitude, longitude: place.longitude)
      func distance(_ time: TraceInstant) -> Double {
        course.motion.point(at: time.seconds).distance(to: centre)
      }
      if visit.onset > .zero { #expect((distance(visit.onset) - 60).magnitude < 1e-3) }
      #expect((distance(visit.offset) - 60).magnitude < 1e-3)
      let middle = TraceInstant(
        nanoseconds: (visit.onset.nanoseconds + visit.offset.nanoseconds) / 2)
      #expect(distance(middle) < 60)
    }
    // At every quarter of a second, inside is equivalent to a visit.
    for place in header.places {
      let centre = GeodeticPoint(degreesLatitude: place.latitude, longitude: place.longitude)
      for index in 0..<Int(course.end * 4) {
        let time = instant(Double(index) / 4 + 0.1)
        let inside = course.motion.point(at: time.seconds).distance(to: centre) < 60
        let stated = visits.contains {
          $0.place == place.id && $0.onset <= time && time <= $0.offset
        }
        #expect(inside == stated)
      }
    }
  }

  @Test(arguments: routes)
  func waypointsAre52MetresApartAndOneLiesAside(_ spec: ScenarioSpec) throws {
    let course = PositionScenario(spec).course
    let points = course.places.map {
      GeodeticPoint(degreesLatitude: $0.latitude, longitude: $0.longitude)
    }
    #expect((6...8).contains(points.count))
    #expect(course.places.map(\.rank) == (0..<Int32(points.count)).map { $0 })
    for (here, next) in zip(points, points.dropFirst()) {
      #expect((here.distance(to: next) - 52).magnitude < 1e-3)
    }
    let closest = points.map { point in
      (0...Int(course.path.length * 10)).map { way in
        course.path.point(at: Double(way) / 10).distance(to: point)
      }.min() ?? .infinity
    }
    #expect(closest.filter { $0 < 1 }.count == points.count - 1)
    #expect(closest.filter { ($0 - 45).magnitude < 0.05 }.count == 1, "\(closest)")
    let last = course.path.point(at: course.path.length)
    #expect(points.allSatisfy { last.distance(to: $0) > 150 })
    let isOutside = points.allSatisfy { course.motion.point(at: 0).distance(to: $0) > 60 }
    #expect(isOutside == (spec.subject % 2 == 1))
  }

  @Test func aRideStopsAndKeepsItsPace() throws {
    let spec = try #require(CourseTests.specs.first { $0.kind == .ride })
    let course = PositionScenario(spec).course
    let speeds = (0..<Int(course.end)).map { course.profile.speed(at: Double($0)) }
    #expect(speeds.max().map { (7.5...9 + 1e-9).contains($0) } == true)
    // The start, five lights and the end.
    #expect(speeds.split { $0 > 0 }.count == 7)
    #expect(course.pause == nil && course.splitLength == 1000)
    let header = MadeTraces.trace(spec).header
    #expect(header.activity == "cycling" && header.id.hasPrefix("ride-s"))
  }

  @Test func pauseIsInTheActionsAndHoldsAWalk() throws {
    let spec = try #require(CourseTests.specs.first { $0.kind == .roadRun })
    let course = PositionScenario(spec).course
    let pause = try #require(course.pause)
    guard case .action(let columns)? = MadeTraces.trace(spec)[.action] else {
      Issue.record("no actions")
      return
    }
    #expect(columns.values == [.pause, .resume])
    #expect(
      columns.measuredTimes == [pause.lowerBound, pause.upperBound].map { instant($0).nanoseconds })
    let walked = course.profile.way(at: pause.upperBound) - course.profile.way(at: pause.lowerBound)
    #expect((60...110).contains(walked))
    #expect(course.profile.speed(at: pause.lowerBound) == 0)
    #expect(course.profile.speed(at: pause.upperBound) == 0)
    #expect((course.path.length - walked - 10_000).magnitude < 1e-6)
  }

  @Test func roadRunStopsAndKeepsItsPace() throws {
    let spec = try #require(CourseTests.specs.first { $0.kind == .roadRun })
    let course = PositionScenario(spec).course
    var stands: [Double] = []
    var standing = 0.0
    for second in 0..<Int(course.end) {
      let time = Double(second)
      let speed = course.profile.speed(at: time)
      #expect(speed <= 3.6 + 1e-9)
      if speed == 0 {
        standing += 1
      } else if standing > 0 {
        stands.append(standing)
        standing = 0
      }
    }
    let pause = try #require(course.pause)
    // The start, three lights, and two stands around the walk within the pause.
    #expect(stands.count == 6)
    #expect(stands.filter { (19...62).contains($0) }.count >= 4)
    #expect(pause.upperBound - pause.lowerBound > 60)
  }
}
