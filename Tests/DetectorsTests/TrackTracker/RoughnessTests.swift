import Testing
import TraceModel

@testable import Detectors

/// The noise of a track from the track itself, and what the tracker makes of fixes without accuracy.
@Suite struct RoughnessTests {
  private static let frame = LocalFrame(latitude: 46, longitude: 14)

  private static func position(_ east: Double, _ north: Double) -> Position {
    let place = frame.position(of: PlanarVector(east: east, north: north))
    return Position(latitude: place.latitude, longitude: place.longitude)
  }

  /// A run around a loop at 1 Hz: metres east and north.
  private static func loop(
    _ seconds: Int, radius: Double = 25, speed: Double = 3.5
  ) -> [PlanarVector] {
    (0..<seconds).map { second in
      let angle = Double(second) * speed / radius
      return PlanarVector(east: radius * Math.cos(angle), north: radius * Math.sin(angle))
    }
  }

  private static func noisy(_ way: [PlanarVector], sigma: Double, seed: UInt64) -> [PlanarVector] {
    var random = SeededGenerator(seed: seed)
    // Twelve uniform numbers have a variance of one.
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + random.unit() } }
    return way.map {
      PlanarVector(east: $0.east + sigma * normal(), north: $0.north + sigma * normal())
    }
  }

  private static func roughness(_ way: [PlanarVector]) -> Roughness {
    var roughness = Roughness()
    for (second, point) in way.enumerated() {
      roughness.add(
        position(point.east, point.north),
        at: TraceInstant(nanoseconds: Int64(second) * 1_000_000_000))
    }
    return roughness
  }

  @Test(arguments: [0.3, 0.7, 1.5])
  func whiteNoiseIsMeasured(sigma: Double) {
    let found = (0..<20).map { seed in
      Self.roughness(Self.noisy(Self.loop(600), sigma: sigma, seed: UInt64(seed))).sigma
    }
    // The curve of the loop hides a little of it.
    let mean = found.reduce(0, +) / Double(found.count)
    #expect(abs(mean - sigma) < 0.2 * sigma, "\(mean)")
  }

  @Test func aSmoothLoopIsNotRough() {
    #expect(Self.roughness(Self.loop(600)).sigma == 0.05)
  }

  @Test func anOutlierMakesNoTrackRough() {
    var way = Self.loop(600)
    way[500].east += 200
    #expect(Self.roughness(way).sigma < 0.3)
    #expect(Roughness().sigma == 0.05)
  }

  // MARK: The tracker

  private static func distance(
    _ way: [PlanarVector], preset: String, speed: Double = .nan
  ) throws -> Double {
    let parameters = try #require(TrackDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
    var detector = TrackDetector(parameters)
    var splits: [Detection<TrackEvent>] = []
    for (second, point) in way.enumerated() {
      let place = frame.position(of: point)
      var fix = Fix(latitude: place.latitude, longitude: place.longitude)
      fix.speed = speed
      let time = TraceInstant(nanoseconds: Int64(second) * 1_000_000_000)
      detector.ingest(fix, measured: time, arrived: time, into: &splits)
    }
    return detector.distance
  }

  /// A finished track is taken as it is: smoothing would cut the loop short.
  @Test func aSmoothTrackIsTheSumOfItsLines() throws {
    let way = Self.loop(600)
    let (ours, plain) = (
      try Self.distance(way, preset: "default"), try Self.distance(way, preset: "raw")
    )
    #expect(abs(ours / plain - 1) < 0.01, "\(ours), \(plain)")
  }

  @Test func aRoughTrackIsLessThanHalfAsWrong() throws {
    let way = Self.loop(1200)
    let walked = 1199 * 3.5
    for seed in UInt64(0)..<5 {
      let noisy = Self.noisy(way, sigma: 1, seed: seed)
      let errors = try ["default", "raw"].map { try Self.distance(noisy, preset: $0) - walked }
      #expect(errors[1] > 0 && abs(errors[0]) < errors[1] / 2, "\(errors)")
    }
  }

  /// Without an accuracy of its own, a speed tells only whether somebody stands.
  @Test func aSpeedOfUnknownAccuracyMakesNoDistance() throws {
    let way = Self.loop(600)
    let plain = try Self.distance(way, preset: "raw")
    for speed in [1.0, 3.5, 10] {
      let ours = try Self.distance(way, preset: "default", speed: speed)
      #expect(abs(ours / plain - 1) < 0.002, "\(speed): \(ours), \(plain)")
    }
    #expect(try Self.distance(way, preset: "default", speed: 0) == 0)
  }
}
