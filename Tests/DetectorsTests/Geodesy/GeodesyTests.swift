import TestSupport
import Testing
import TraceModel

@testable import Detectors

@Suite struct GeodesyTests {
  struct Leg: Decodable {
    let latitude1, longitude1, latitude2, longitude2, length: Double

    var allowed: Double { max(15e-9, 1e-10 * length) }
    var distance: Double {
      Geodesy.distance(
        latitude: latitude1, longitude: longitude1, toLatitude: latitude2, longitude: longitude2)
    }
    var reverse: Double {
      Geodesy.distance(
        latitude: latitude2, longitude: longitude2, toLatitude: latitude1, longitude: longitude1)
    }
    var geodesic: Double { Geodesic(latitude1, longitude1, latitude2, longitude2).length }
  }

  @Test func distancesAreGeographicLibs() throws {
    let legs = try Fixtures.cases(of: "geodesics.json", as: Leg.self)
    #expect(legs.count == 198)
    for leg in legs {
      #expect(abs(leg.distance - leg.length) <= leg.allowed, "\(leg)")
      #expect(abs(leg.reverse - leg.length) <= leg.allowed, "\(leg)")
      // The solver itself leaves rounding only.
      #expect(abs(leg.geodesic - leg.length) <= 15e-9 + 1e-14 * leg.length, "\(leg)")
    }
  }

  // One degree of the equator is a π/180; a quarter of a meridian is the one of WGS84
  // (10,001,965.729 m, NGA.STND.0036); the antipode is over the pole.
  @Test(arguments: [
    (0.0, 0.0, 0.0, 1.0, 111_319.490_793_273_58, 1e-7),
    (0.0, 0.0, 90.0, 0.0, 10_001_965.729_312, 1e-5),
    (0.0, 0.0, 0.0, 180.0, 20_003_931.458_625, 1e-5),
    (0.0, 0.0, 0.0, 540.0, 20_003_931.458_625, 1e-5),
    (12.0, 34.0, 12.0, 34.0, 0.0, 0.0),
    (90.0, 0.0, 90.0, 77.0, 0.0, 15e-9),
  ])
  func knownDistances(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, length: Double,
    tolerance: Double
  ) {
    let found = Geodesy.distance(
      latitude: latitude1, longitude: longitude1, toLatitude: latitude2, longitude: longitude2)
    #expect(abs(found - length) <= tolerance)
  }

  @Test func noStepWhereTheFormulasMeet() {
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    var flat = 0
    for _ in 0..<500 {
      let latitude = generator.uniform(-79...79)
      let longitude = generator.uniform(-180...180)
      let angle = generator.uniform(0...(2 * .pi))
      let frame = LocalFrame(latitude: latitude, longitude: longitude)
      for length in [49.99, 50.0, 50.01] {
        let end = frame.position(
          of: PlanarVector(east: length * Math.sin(angle), north: length * Math.cos(angle)))
        let leg = Leg(
          latitude1: latitude, longitude1: longitude, latitude2: end.latitude,
          longitude2: end.longitude, length: length)
        if leg.distance != leg.geodesic { flat += 1 }
        #expect(abs(leg.distance - leg.geodesic) <= 15e-9, "seed \(seed): \(leg)")
      }
    }
    // The comparison is between two formulas, not of one with itself.
    #expect(flat > 500)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude, 91, -90.000001,
  ])
  func invalidPositionsHaveNoDistance(value: Double) {
    #expect(Geodesy.distance(latitude: value, longitude: 0, toLatitude: 0, longitude: 0).isNaN)
    #expect(Geodesy.distance(latitude: 0, longitude: 0, toLatitude: value, longitude: 0).isNaN)
    #expect(
      Geodesy.initialBearing(latitude: value, longitude: 0, toLatitude: 0, longitude: 0).isNaN)
    if !value.isFinite {
      #expect(Geodesy.distance(latitude: 0, longitude: value, toLatitude: 0, longitude: 0).isNaN)
      #expect(Geodesy.distance(latitude: 0, longitude: 0, toLatitude: 0, longitude: value).isNaN)
    }
    #expect(!Geodesy.isValid(latitude: value, longitude: 0))
  }

  @Test func anyFinitePositionHasADistance() {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let latitude = generator.uniform(-90...90)
      let longitude = generator.uniform(-1e300...1e300)
      // Near the antipode, where the iteration gives up.
      let spread = Math.exp(generator.uniform(-32...2.3))
      let found = Geodesy.distance(
        latitude: latitude, longitude: 0,
        toLatitude: max(-90, min(90, -latitude + spread * generator.uniform(-1...1))),
        longitude: 180 + spread * generator.uniform(-1...1))
      #expect(found > 1.8e7 && found < 20_003_931.458_626, "seed \(seed)")
      let wild = Geodesy.distance(
        latitude: latitude, longitude: longitude, toLatitude: -latitude, longitude: 0)
      #expect(wild >= 0 && wild < 20_003_931.458_626, "seed \(seed)")
    }
  }

  // The formula of the compass, by hand: the four winds, and a point across the date line.
  @Test(arguments: [
    (0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 90.0), (0.0, 0.0, -1.0, 0.0, 180.0),
    (0.0, 0.0, 0.0, -1.0, 270.0), (0.0, 179.5, 0.0, -179.5, 90.0), (5.0, 6.0, 5.0, 6.0, 0.0),
    // sin 90° cos 60° = 0.5 east, cos 30° sin 60° = 0.75 north.
    (30.0, 0.0, 60.0, 90.0, 33.690_067_525_979_785),
    (60.0, 0.0, 30.0, -90.0, 286.102_113_751_985_93),
  ])
  func bearings(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, degrees: Double
  ) {
    let found = Geodesy.initialBearing(
      latitude: latitude1, longitude: longitude1, toLatitude: latitude2, longitude: longitude2)
    #expect(abs(found - degrees) < 1e-12)
  }

  @Test func bearingsStayBelow360() {
    // A hair west of north: -1e-14 + 360 rounds to 360.
    let found = Geodesy.initialBearing(
      latitude: 0, longitude: 0, toLatitude: 89, longitude: -1e-14)
    #expect(found >= 0 && found < 360)
  }

  @Test func localFrameAgreesWithTheGeodesic() {
    let seed: UInt64 = 3
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let frame = LocalFrame(
        latitude: generator.uniform(-75...75), longitude: generator.uniform(-180...180))
      let offset = PlanarVector(
        east: generator.uniform(-700...700), north: generator.uniform(-700...700))
      let position = frame.position(of: offset)
      #expect(abs(position.longitude) <= 180, "seed \(seed)")
      let back = frame.offset(latitude: position.latitude, longitude: position.longitude)
      #expect(
        abs(back.east - offset.east) < 1e-6 && abs(back.north - offset.north) < 1e-6,
        "seed \(seed)")
      let length = Geodesy.distance(
        latitude: frame.latitude, longitude: frame.longitude, toLatitude: position.latitude,
        longitude: position.longitude)
      #expect(abs(length - offset.length) <= 5e-4 * offset.length, "seed \(seed) \(frame)")
    }
  }

  @Test func localFrameOfNoPosition() {
    let nowhere = LocalFrame(latitude: .nan, longitude: 0).offset(latitude: 1, longitude: 1)
    #expect(nowhere.east.isNaN && nowhere.north.isNaN)
    let frame = LocalFrame(latitude: 0, longitude: 0)
    #expect(frame.offset(latitude: 0, longitude: .infinity).east.isNaN)
    #expect(frame.position(of: PlanarVector(east: .infinity, north: 0)).longitude.isNaN)
  }

  @Test(arguments: [
    // start, end, distance, fraction
    (-10.0, 5.0, 10.0, 5.0, 5.0, 0.5), (1.0, 1.0, 4.0, 5.0, 2.0.squareRoot(), 0.0),
    (4.0, 5.0, 1.0, 1.0, 2.0.squareRoot(), 1.0), (3.0, 4.0, 3.0, 4.0, 5.0, 0.0),
  ])
  func closestApproach(
    east1: Double, north1: Double, east2: Double, north2: Double, distance: Double,
    fraction: Double
  ) {
    let found = PlanarVector.closestApproach(
      from: PlanarVector(east: east1, north: north1), to: PlanarVector(east: east2, north: north2))
    #expect(abs(found.distance - distance) < 1e-12)
    #expect(abs(found.fraction - fraction) < 1e-12)
  }
}
