import Apps
import Testing
import TraceModel

@Suite struct EncodedPolylineTests {
  typealias Point = Workout.Coordinate

  /// The first is the example of the format's documentation; the others were made by
  /// `Tests/Python/make_workout_figures.py` with `polyline` 2.0.4.
  static let examples: [(EncodedPolyline.Precision, [(Double, Double)], String)] = [
    (.five, [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)], "_p~iF~ps|U_ulLnnqC_mqNvxq`@"),
    (.five, [(-28.1867576, -118.7112809)], "ff`kDnxpsU"),
    (
      .five,
      [
        (5.7411207, -45.6657682), (4.8571185, -45.6508968), (3.9321099, -45.7836054),
        (3.0718207, -46.6021794),
      ], "_i`b@`bvuG~skD}{AhtsDl|Xx_gD`{~C"
    ),
    (.six, [(-60.1916862, -94.098752)], "j{xxqB~rinrD"),
    (
      .six,
      [
        (12.3364718, -35.1286386), (13.288982, -36.0354733), (14.0059189, -36.4562547),
        (13.2944291, -37.2206702),
      ], "ot}oV|ra_bA{jcy@bdjv@qgwj@zytXbslj@|~sm@"
    ),
    (
      .five, [(90, 180), (-90, -180), (0, 0), (1e-5, -1e-5)],
      "_cidP_gsia@~fsia@~ngtcA_cidP_gsia@A@"
    ),
    (
      .six, [(90, 180), (-90, -180), (0, 0), (1e-5, -1e-5)],
      "_gdtjD_oiivI~niivI~~ssmT_gdtjD_oiivISR"
    ),
    (.five, [], ""),
  ]

  @Test(arguments: examples.indices) func agreesWithOthers(index: Int) throws {
    let (precision, pairs, text) = Self.examples[index]
    let points = pairs.map { Point(latitude: $0.0, longitude: $0.1) }
    #expect(try EncodedPolyline.encode(points, precision: precision) == text)
    let decoded = try EncodedPolyline.decode(text, precision: precision)
    #expect(decoded.count == points.count)
    let tolerance = precision == .five ? 0.5e-5 : 0.5e-6
    for (left, right) in zip(decoded, points) {
      #expect(abs(left.latitude - right.latitude) <= tolerance * 1.0001)
      #expect(abs(left.longitude - right.longitude) <= tolerance * 1.0001)
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
