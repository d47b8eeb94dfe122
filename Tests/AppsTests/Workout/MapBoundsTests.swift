import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

extension Workout.MapBounds {
  func contains(_ point: Coordinate) -> Bool {
    guard south <= point.latitude, point.latitude <= north else { return false }
    return west <= east
      ? west <= point.longitude && point.longitude <= east
      : point.longitude >= west || point.longitude <= east
  }
}

@Suite struct MapBoundsTests {
  private func bounds(_ points: [(Double, Double)]) -> Workout.MapBounds? {
    Workout.MapBounds(
      around: points.map { Coordinate(latitude: $0.0, longitude: $0.1) })
  }

  typealias Row = (
    points: [(Double, Double)], south: Double, north: Double, west: Double, east: Double
  )

  static let oneOrTwo: [Row] = [
    ([(46.0, 14.0), (47.0, 16.0)], 45.9, 47.1, 13.8, 16.2),
    ([(10.0, 20.0)], 9.999, 10.001, 19.999, 20.001),
    ([(0.0, 179.0), (1.0, -179.0)], -0.1, 1.1, 178.8, -178.8),
    ([(0.0, 180.0), (0.0, -180.0)], -0.001, 0.001, 179.999, -179.999),
    ([(90.0, 0.0)], 89.999, 90.0, -0.001, 0.001),
    ([(Double.nan, 5.0), (1.0, 2.0), (1.0, 400.0)], 0.999, 1.001, 1.999, 2.001),
  ]

  static let round: [Row] = [
    ([(0.0, 0.0), (0.0, 120.0), (0.0, -120.0)], -0.001, 0.001, -144.0, 144.0),
    ([(0.0, 0.0), (0.0, 90.0), (0.0, 180.0), (0.0, -90.0)], -0.001, 0.001, -117.0, -153.0),
    (
      [(0.0, 0.0), (0.0, 60.0), (0.0, 120.0), (0.0, 180.0), (0.0, -60.0), (0.0, -120.0)], -0.001,
      0.001, -180.0, 180.0
    ),
  ]

  @Test func boundsHoldThePointsWithAnInset() throws {
    for row in Self.oneOrTwo + Self.round {
      let found = try #require(bounds(row.points))
      let expected = [row.south, row.north, row.west, row.east]
      for (left, right) in zip([found.south, found.north, found.west, found.east], expected) {
        #expect(abs(left - right) < 1e-9, "\(found), expected \(expected)")
      }
    }
  }

  @Test func nothingHasNoBounds() {
    #expect(bounds([]) == nil)
    #expect(bounds([(.nan, 0), (91, 0)]) == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func everyPointIsInsideAndTheWidthIsLeast(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let center = random.uniform(-180...180)
      let spread = random.uniform(0...100)
      let points = (0..<Int(random.uniform(1...20))).map { _ in
        let longitude = center + random.uniform(-spread...spread)
        return Coordinate(
          latitude: random.uniform(-90...90),
          longitude: longitude > 180
            ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        )
      }
      let found = try #require(Workout.MapBounds(around: points))
      #expect(points.allSatisfy(found.contains), "seed \(seed)")
      let width = found.east - found.west + (found.west <= found.east ? 0 : 360)
      #expect(width <= max(2 * spread * 1.2, 2 * spread + 0.002) + 1e-9, "seed \(seed)")
    }
  }
}
