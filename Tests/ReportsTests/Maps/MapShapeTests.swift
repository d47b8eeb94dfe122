import Detectors
import Foundation
import Testing
import TraceModel

@testable import Reports

private func at(_ longitude: Double, _ latitude: Double, _ altitude: Double? = nil) -> MapPosition {
  MapPosition(latitude: latitude, longitude: longitude, altitude: altitude)
}

private func corners(_ parts: [[MapPosition]]) -> [[[Double]]] {
  parts.map { $0.map { [$0.longitude, $0.latitude] } }
}

@Suite struct MapShapeTests {
  /// Expected by hand: a line and its parts.
  @Test(
    arguments: [
      ([], []),
      ([[1, 2]], []),
      ([[1, 2], [3, 4]], [[[1, 2], [3, 4]]]),
      // Halfway over the line.
      ([[179, 10], [-179, 20]], [[[179, 10], [180, 15]], [[-180, 15], [-179, 20]]]),
      ([[-179, 10], [178, 40]], [[[-179, 10], [-180, 20]], [[180, 20], [178, 40]]]),
      // There and back.
      (
        [[179, 0], [-179, 0], [179, 0]],
        [[[179, 0], [180, 0]], [[-180, 0], [-179, 0], [-180, 0]], [[180, 0], [179, 0]]]
      ),
      // On the line itself: no position twice, no part of one position.
      ([[179, 0], [180, 1], [-179, 2]], [[[179, 0], [180, 1]], [[-180, 1], [-179, 2]]]),
      (
        [[179, 0], [180, 1], [-180, 1], [-179, 2]],
        [[[179, 0], [180, 1]], [[-180, 1], [-179, 2]]]
      ),
      ([[180, 0], [-180, 0]], []),
      ([[180, 0], [-179, 1]], [[[-180, 0], [-179, 1]]]),
      // Half of the Earth does not cross.
      ([[-90, 0], [90, 0]], [[[-90, 0], [90, 0]]]),
    ] as [([[Double]], [[[Double]]])])
  func linesAreCutAtTheAntimeridian(line: [[Double]], parts: [[[Double]]]) {
    #expect(corners(MapShape.parts(of: line.map { at($0[0], $0[1]) })) == parts)
  }

  @Test func aCutHasAnAltitude() throws {
    let parts = MapShape.parts(of: [at(179, 0, 100), at(-178, 0, 400)])
    #expect(parts.map { $0.map(\.altitude) } == [[100, 200], [200, 400]])
  }

  /// Against the geodesic, whose radius differs by less than 0.6 %.
  @Test(arguments: [(14.5, 46.0, 25.0), (-70, -33, 1000), (0, 0, 60), (100, 78, 500)])
  func aCircleHasItsRadius(longitude: Double, latitude: Double, radius: Double) throws {
    let center = at(longitude, latitude)
    let ring = try #require(MapShape.circle(around: center, radiusMeters: radius))
    #expect(ring.first == ring.last && ring.count == 49)
    for corner in ring {
      let meters = Geodesy.distance(
        latitude: latitude, longitude: longitude, toLatitude: corner.latitude,
        longitude: corner.longitude)
      #expect(abs(meters / radius - 1) < 0.007, "\(meters)")
    }
    // Counterclockwise: its signed area is positive.
    let area = zip(ring, ring.dropFirst()).reduce(0) { sum, pair in
      sum + (pair.0.longitude - longitude) * (pair.1.latitude - latitude)
        - (pair.1.longitude - longitude) * (pair.0.latitude - latitude)
    }
    #expect(area > 0)
  }

  @Test(
    arguments: [
      (179.9999, 0, 60), (10, 90, 60), (10, 89.9999, 60), (10, -90, 5), (10, 10, 0), (10, 10, .nan),
      (10, 10, -5), (10, 10, .infinity), (-180, 10, 5),
    ] as [(Double, Double, Double)])
  func invalidCirclesAreLeftOut(longitude: Double, latitude: Double, radius: Double) {
    #expect(MapShape.circle(around: at(longitude, latitude), radiusMeters: radius) == nil)
  }

  @Test func aPathIsStraightBetweenItsPoints() {
    func path(_ points: [(Int64, Double, Double)]) -> (Int64) -> [Double] {
      let path = MapPath(points.map { ($0.0, at($0.1, $0.2)) })
      return { time in
        let position = path.position(at: TraceInstant(nanoseconds: time))
        return [position.longitude, position.latitude]
      }
    }
    let plain = path([(10, 0, 0), (20, 10, 20), (40, 10, 40)])
    #expect(plain(15) == [5, 10] && plain(20) == [10, 20] && plain(30) == [10, 30])
    #expect(plain(0) == [0, 0] && plain(.min) == [0, 0] && plain(.max) == [10, 40])
    // Out of order, and two points with one time.
    let mixed = path([(20, 10, 20), (10, 0, 0), (20, 30, 20)])
    #expect(mixed(15) == [5, 10] && mixed(20) == [30, 20])
    // The shorter way.
    let across = path([(0, 179, 0), (10, -179, 0)])
    #expect(across(2) == [179.4, 0] && across(8) == [-179.4, 0])
    #expect(MapPath([(time: Int64, position: MapPosition)]()).isEmpty)
  }
}

@Suite struct MapTextTests {
  @Test(
    arguments: [
      (46.0, "46.0"), (46.123456789012345, nil), (-0.5, "-0.5"), (0, "0.0"),
      (1e-5, "0.00001"), (-1.25e-7, "-0.000000125"), (5e-324, nil), (1e16, "10000000000000000.0"),
      (1.5e17, "150000000000000000.0"), (-1.2345678901234567e16, "-12345678901234568.0"),
      (.greatestFiniteMagnitude, nil),
    ] as [(Double, String?)])
  func decimalsHaveNoExponent(value: Double, text: String?) {
    let found = MapText.decimal(value)
    #expect(Double(found) == value)
    #expect(found.allSatisfy { "-.0123456789".contains($0) }, "\(found)")
    if let text { #expect(found == text) }
  }

  @Test func decimalsReadBack() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { #expect(Double(MapText.decimal(value)) == value) }
    }
  }

  /// Against Foundation's reader.
  @Test(arguments: [
    "", "plain é 李 🏃", "\"\\/", "\u{0}\u{1}\u{1F}\u{7F}\u{85}\u{9F}", "\n\t\r",
    "\u{2028}\u{2029}",
    "</script><!--", "]]>", "\u{FFFE}\u{10FFFF}",
  ])
  func textsAreJSON(text: String) throws {
    let json = MapText.json(text)
    let found = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
    #expect(found == [text])
    #expect(!json.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test func coloursOfKMLAreReversed() {
    #expect(MapColor.rejected.web == "#d55e00")
    #expect(MapColor.rejected.kml() == "ff005ed5")
    #expect(MapColor.accepted.kml(opacity: "20") == "20b27200")
  }
}
