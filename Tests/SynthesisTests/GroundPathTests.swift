import Testing
import TraceModel

@testable import Synthesis

@Suite struct GroundPathTests {
  /// GeographicLib 2.1 (Karney, J. Geodesy 87, 2013):
  /// `Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2)['s12']`.
  @Test(arguments: [
    (52.0907, 5.1214, 52.0910, 5.1222, 64.19286966598071),
    (60.1699, 24.9384, 60.1706, 24.9384, 77.99062319188654),
    (0, 0, 0, 0.0005, 55.65974539663679),
    (-33.9, 151.2, -33.8985, 151.198, 248.803004524055),
    (47.3769, 8.5417, 47.3769, 8.5447, 226.55851946203714),
  ])
  func distanceIsTheGeodesic(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ metres: Double) {
    let distance = GeodeticPoint(degreesLatitude: a, longitude: b)
      .distance(to: GeodeticPoint(degreesLatitude: c, longitude: d))
    #expect((distance / metres - 1).magnitude < 1e-9)
  }

  /// Sum of chords, and from two grids the value for a grid of no width (Richardson).
  static func measuredLength(
    of path: GroundPath, from start: Double, to end: Double, chord: Double
  ) -> Double {
    func sum(_ count: Int) -> Double {
      var sum = 0.0
      var last = path.point(at: start)
      for index in 1...count {
        let next = path.point(at: start + (end - start) * Double(index) / Double(count))
        sum += last.distance(to: next)
        last = next
      }
      return sum
    }
    let count = Int(((end - start) / chord).rounded(.up))
    let coarse = sum(count)
    return coarse + (sum(2 * count) - coarse) * 4 / 3
  }

  @Test func lapIs400MetresAndCloses() {
    let start = GeodeticPoint(degreesLatitude: 60.1699, longitude: 24.9384)
    let path = GroundPath(from: start, heading: 1, pieces: RunningTrack.lap + RunningTrack.lap)
    #expect((path.length - 800).magnitude < 1e-10)
    for lap in [0.0, 1] {
      let length = GroundPathTests.measuredLength(
        of: path, from: 400 * lap, to: 400 * (lap + 1), chord: 0.05)
      #expect((length / 400 - 1).magnitude < 1e-9)
    }
    // Straights of constant heading are rhumb lines, which at 60 degrees open the lap by 3 mm.
    #expect(path.point(at: 400).distance(to: start) < 4e-3)
    // Kerb radius 36.50 m plus 0.30 m, straights 84.39 m: the official lap is 400.001 m.
    #expect((RunningTrack.bendRadius - 36.8).magnitude < 3e-4)
    // The straights are as far apart as the bend is wide.
    let middle = path.point(at: RunningTrack.straight / 2)
    let opposite = path.point(at: 200 + RunningTrack.straight / 2)
    #expect((middle.distance(to: opposite) - 2 * RunningTrack.bendRadius).magnitude < 4e-3)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func lengthIsExactAtAnyLatitude(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pieces: [GroundPath.Piece] = []
    for _ in 0..<12 {
      pieces.append(.straight(random.uniform(1...80)))
      pieces.append(.bend(radius: random.uniform(5...90), turn: random.uniform(-2...2)))
    }
    let latitude = random.uniform(-75...75)
    let path = GroundPath(
      from: GeodeticPoint(degreesLatitude: latitude, longitude: 10), heading: 0, pieces: pieces)
    let stated = pieces.reduce(0) { $0 + $1.length }
    #expect((path.length / stated - 1).magnitude < 1e-13)
    let measured = GroundPathTests.measuredLength(of: path, from: 0, to: stated, chord: 0.05)
    #expect((measured / stated - 1).magnitude < 1e-9, "seed \(seed), latitude \(latitude)")
  }

  @Test func standsBeforeTheStartAndBehindTheEnd() {
    let start = GeodeticPoint(degreesLatitude: 10, longitude: 20)
    let path = GroundPath(from: start, heading: 0, pieces: [.straight(50)])
    #expect(path.point(at: -5) == start)
    #expect(path.point(at: 60) == path.point(at: 50))
    #expect((path.point(at: 50).distance(to: start) - 50).magnitude < 1e-8)
  }
}

@Suite struct SpeedProfileTests {
  private func profile(_ seed: UInt64) -> SpeedProfile {
    var random = SeededGenerator(seed: seed)
    var profile = SpeedProfile()
    profile.stand(for: 5)
    profile.go(to: 3, speeds: 1...1.5, random: &random)
    profile.stand(for: 7)
    profile.go(to: 900, speeds: 2.6...3.6, random: &random)
    profile.stand(for: 10)
    return profile
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func wayIsTheIntegralOfSpeed(_ seed: UInt64) {
    let profile = profile(seed)
    let step = 0.002
    var way = 0.0
    var moving = 0.0
    for index in 0..<Int(profile.time / step) {
      let middle = (Double(index) + 0.5) * step
      let speed = profile.speed(at: middle)
      #expect(speed <= 3.6 + 1e-9)
      way += speed * step
      if speed > 0 { moving += step }
      let end = Double(index + 1) * step
      if index % 1000 == 0 {
        #expect((profile.way(at: end) - way).magnitude < 1e-3, "seed \(seed) at \(end) s")
      }
    }
    #expect(profile.way == 900)
    #expect((profile.movingTime(in: 0...profile.time) - moving).magnitude < 0.02)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func timeOfAWayIsItsInverse(_ seed: UInt64) throws {
    let profile = profile(seed)
    for way in [0.5, 3, 3.0001, 100, 555.5, 899.9, 900] {
      let time = try #require(profile.time(reaching: way))
      #expect((profile.way(at: time) - way).magnitude < 1e-9, "seed \(seed), \(way) m")
    }
    #expect(profile.time(reaching: 900.001) == nil)
    // Standing at 3 m: the first instant counts.
    let stop = try #require(profile.time(reaching: 3))
    #expect(profile.speed(at: stop - 0.01) > 0)
    #expect(profile.speed(at: stop + 0.01) == 0)
  }
}
