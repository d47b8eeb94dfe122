import AppEngines
import WorkoutApp
import TestSupport
import Testing
import TraceModel

@Suite struct EncodedPolylineTests {
  typealias Point = Coordinate

  private struct Figures: Decodable {
    var lines: [Line]
  }

  private struct Line: Decodable {
    var precision: Int
    /// Latitude and longitude.
    var points: [[Double]]
    var text: String
  }

  /// `polyline` 2.0.4, and the example of the format's documentation:
  /// `Tests/Fixtures/workout_figures.py`.
  @Test func agreesWithOthers() throws {
    let lines = try Fixtures.read("workout_figures.json", as: Figures.self).lines
    #expect(lines.count == 7)
    #expect(lines[0].text == "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "the documentation's")
    for line in lines + [Line(precision: 5, points: [], text: "")] { try check(line) }
  }

  private func check(_ line: Line) throws {
    let precision: EncodedPolyline.Precision = line.precision == 5 ? .five : .six
    let points = line.points.map { Point(latitude: $0[0], longitude: $0[1]) }
    #expect(try EncodedPolyline.encode(points, precision: precision) == line.text)
    let decoded = try EncodedPolyline.decode(line.text, precision: precision)
    #expect(decoded.count == points.count)
    let tolerance = precision == .five ? 0.5e-5 : 0.5e-6
    for (left, right) in zip(decoded, points) {
      #expect(abs(left.latitude - right.latitude) <= tolerance * 1.0001, "\(line)")
      #expect(abs(left.longitude - right.longitude) <= tolerance * 1.0001, "\(line)")
    }
  }

  @Test(arguments: EncodedPolyline.Precision.allCases, [1, 2, 3] as [UInt64])
  func goesRound(precision: EncodedPolyline.Precision, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int(random.uniform(0...40))
      let scale = precision == .five ? 1e5 : 1e6
      let points = (0..<count).map { _ in
        Point(
          latitude: (random.uniform(-90...90) * scale).rounded() / scale,
          longitude: (random.uniform(-180...180) * scale).rounded() / scale)
      }
      let text = try EncodedPolyline.encode(points, precision: precision)
      #expect(try EncodedPolyline.decode(text, precision: precision) == points, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("_p~iF", "the text's end"), ("_p~iF~ps|", "the text's end"), ("_p~iF ps|U", "byte 32"),
    ("~~~~~~~~~~~~", "a longer one"), ("_p~iF~ps|é", "byte 195"),
    ("_gdtjD_oiivI", "900.0, 1800.0"),
  ])
  func damagedTextIsRefused(text: String, found: String) throws {
    let error = try #require(throws: TraceError.self) { try EncodedPolyline.decode(text) }
    #expect(error.found == found)
  }

  @Test(arguments: [(91.0, 0.0), (0, 181), (Double.nan, 0), (0, .infinity)])
  func positionsOffTheEarthAreRefused(latitude: Double, longitude: Double) throws {
    let points = [
      Point(latitude: 0, longitude: 0), Point(latitude: latitude, longitude: longitude),
    ]
    let error = try #require(throws: TraceError.self) { try EncodedPolyline.encode(points) }
    #expect(error.place == "point 2")
  }
}
