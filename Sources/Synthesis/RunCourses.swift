import TraceModel

extension Course {
  /// Returns ten laps of a standard track with a minute of standing before and after.
  static func trackRun(random: inout SeededGenerator) -> Course {
    let laps = 10
    let pieces = (0..<laps).flatMap { _ in RunningTrack.lap }
    let start = GeodeticPoint(degreesLatitude: 60.1699, longitude: 24.9384)
    let path = GroundPath(from: start, heading: random.uniform(0...(2 * .pi)), pieces: pieces)
    let speed = random.uniform(3.7...4.1)
    var profile = SpeedProfile()
    profile.stand(for: 60)
    profile.go(to: path.length, speeds: (speed - 0.2)...(speed + 0.2), random: &random)
    profile.stand(for: 60)
    return Course(
      motion: Receiver.Motion(path: path, profile: profile),
      opened: random.uniform(18...28), end: profile.time, splitLength: 1000)
  }

  /// Returns ten counted kilometres on roads: three stops at lights, and one pause in which the
  /// person keeps walking.
  static func roadRun(random: inout SeededGenerator) -> Course {
    let counted = 10_000.0
    let pausedAt = random.uniform(4_200...5_800).rounded()
    let pausedWay = random.uniform(60...110).rounded()
    let length = counted + pausedWay
    let start = GeodeticPoint(degreesLatitude: 47.3769, longitude: 8.5417)
    let path = GroundPath(
      from: start, heading: random.uniform(0...(2 * .pi)),
      pieces: roads(length: length, random: &random))

    var profile = SpeedProfile()
    func run(to target: Double) { profile.go(to: target, speeds: 2.6...3.6, random: &random) }
    /// The lights are at random positions.
    func runToLight(near way: Double) {
      run(to: way + random.uniform(-300...300))
      profile.stand(for: random.uniform(20...60))
    }
    profile.stand(for: 40)
    runToLight(near: 1_900)
    runToLight(near: 3_700)
    run(to: pausedAt)
    let pause = wander(pausedWay, on: &profile, random: &random)
    runToLight(near: 7_900)
    run(to: path.length)
    profile.stand(for: 30)
    return Course(
      motion: Receiver.Motion(path: path, profile: profile),
      opened: random.uniform(18...28), end: profile.time, pause: pause, splitLength: 1000)
  }

  /// Returns twenty kilometres on roads by bicycle, with five stops at lights.
  static func ride(random: inout SeededGenerator) -> Course {
    let length = 20_000.0
    let start = GeodeticPoint(degreesLatitude: 55.6761, longitude: 12.5683)
    let path = GroundPath(
      from: start, heading: random.uniform(0...(2 * .pi)),
      pieces: roads(length: length, radii: 25...200, random: &random))
    var profile = SpeedProfile()
    profile.stand(for: 45)
    for way in [1_800.0, 5_200, 9_000, 13_400, 17_600] {
      profile.go(to: way + random.uniform(-500...500), speeds: 5...9, random: &random)
      profile.stand(for: random.uniform(15...75))
    }
    profile.go(to: path.length, speeds: 5...9, random: &random)
    profile.stand(for: 30)
    return Course(
      motion: Receiver.Motion(path: path, profile: profile),
      opened: random.uniform(18...28), end: profile.time, splitLength: 1000)
  }

  /// Pauses the recording, walks a short distance, and resumes it.
  private static func wander(
    _ metres: Double, on profile: inout SpeedProfile, random: inout SeededGenerator
  ) -> ClosedRange<Double> {
    profile.stand(for: 3)
    let start = profile.time
    profile.stand(for: random.uniform(5...10))
    profile.go(to: profile.way + metres, speeds: 1.1...1.4, random: &random)
    profile.stand(for: random.uniform(20...50))
    let end = profile.time
    profile.stand(for: 4)
    return start...end
  }

  /// Returns straights and bends with a total of exactly `length` metres.
  private static func roads(
    length: Double, radii: ClosedRange<Double> = 12...120, random: inout SeededGenerator
  ) -> [GroundPath.Piece] {
    var pieces: [GroundPath.Piece] = []
    var left = length
    while left > 700 {
      let straight = GroundPath.Piece.straight(random.uniform(60...450))
      let angle = Math.radians(random.uniform(15...110)) * (random.chance(0.5) ? 1 : -1)
      let bend = GroundPath.Piece.bend(radius: random.uniform(radii), turn: angle)
      pieces += [straight, bend]
      left -= straight.length + bend.length
    }
    return pieces + [.straight(left)]
  }
}

/// The standard 400 m track (World Athletics, Track and Field Facilities Manual): straights of
/// 84.39 m and bends measured 0.30 m outside of a kerb of 36.50 m; the last tenth of a millimetre
/// of the bend is adjusted so that a lap is exactly 400 m.
enum RunningTrack {
  static let straight = 84.39
  static let bendRadius = (400 - 2 * straight) / (2 * .pi)

  /// A lap to the left, from the beginning of a straight.
  static var lap: [GroundPath.Piece] {
    let half: [GroundPath.Piece] = [
      .straight(straight), .bend(radius: bendRadius, turn: -.pi),
    ]
    return half + half
  }
}
