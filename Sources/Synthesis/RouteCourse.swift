import TraceModel

extension Course {
  /// Returns a walk along a bent street with waypoints exactly 52 m apart and circles of 60 m
  /// around them. One waypoint lies 45 m off the street. The walker stops at some, passes the
  /// others, and ends more than 150 m behind the last.
  static func route(subject: Int, random: inout SeededGenerator) -> Course {
    var street = Street(random: &random)
    let count = 6 + Int(random.unit() * 3)
    let aside = 2 + Int(random.unit() * Double(count - 4))
    // Odd subjects start outside all circles, even ones inside.
    let approach = subject % 2 == 1 ? random.uniform(95...120) : random.uniform(20...35)
    street.walk(approach)
    for rank in 0..<count {
      if rank == aside {
        street.placeAside(Street.asideDistance, random: &random)
      } else {
        if rank > 0, rank != aside + 1 { street.bendAndWalk(Street.spacing, random: &random) }
        street.place()
      }
    }
    street.bendAndWalk(random.uniform(230...260), random: &random)
    return street.course(random: &random)
  }
}

/// A street: straight pieces with corners, and waypoints along it.
private struct Street {
  static let spacing = 52.0
  static let asideDistance = 45.0
  private static let origin = GeodeticPoint(degreesLatitude: 52.0907, longitude: 5.1214)

  private var corners: [(length: Double, turn: Double)] = []
  private var length = 0.0
  private let heading: Double
  private var waypoints: [(way: Double, aside: Double)] = []

  init(random: inout SeededGenerator) { heading = random.uniform(0...(2 * .pi)) }

  mutating func walk(_ metres: Double) {
    corners.append((metres, 0))
    length += metres
  }

  /// Adds a corner of 10 to 40 degrees and a straight piece.
  mutating func bendAndWalk(_ metres: Double, random: inout SeededGenerator) {
    let turn = Math.radians(random.uniform(10...40)) * (random.chance(0.5) ? 1 : -1)
    corners.append((metres, turn))
    length += metres
  }

  mutating func place() { waypoints.append((length, 0)) }

  /// Adds a waypoint next to the middle of a straight piece, equally far from the previous and the
  /// next one.
  mutating func placeAside(_ distance: Double, random: inout SeededGenerator) {
    let half = (Street.spacing * Street.spacing - distance * distance).squareRoot()
    bendAndWalk(2 * half, random: &random)
    waypoints.append((length - half, random.chance(0.5) ? distance : -distance))
  }

  func course(random: inout SeededGenerator) -> Course {
    let path = GroundPath(from: Street.origin, heading: heading, pieces: walkedPieces)
    let profile = pace(random: &random, to: path.length)
    return Course(
      motion: Receiver.Motion(path: path, profile: profile),
      opened: random.uniform(18...28), end: profile.time, places: places)
  }

  /// The middle of the street with sharp corners, on which the waypoints are measured.
  private var places: [Place] {
    let pieces = corners.flatMap {
      [GroundPath.Piece(length: 0, turn: $0.turn), .straight($0.length)]
    }
    let line = GroundPath(from: Street.origin, heading: heading, pieces: pieces)
    return waypoints.enumerated().map { rank, waypoint in
      let square = line.heading(at: waypoint.way) + .pi / 2
      let point = line.point(at: waypoint.way).moved(
        east: waypoint.aside * Math.sin(square), north: waypoint.aside * Math.cos(square))
      return Place(
        id: Int32(rank + 1), latitude: Math.degrees(point.latitude),
        longitude: Math.degrees(point.longitude), radius: 60, rank: Int32(rank))
    }
  }

  /// The same with corners rounded to 6 m, as walked.
  private var walkedPieces: [GroundPath.Piece] {
    let radius = 6.0
    var pieces: [GroundPath.Piece] = []
    for (index, corner) in corners.enumerated() {
      let nextTurn = index + 1 < corners.count ? corners[index + 1].turn : 0
      let cut = radius * (Math.tan(corner.turn.magnitude / 2) + Math.tan(nextTurn.magnitude / 2))
      if corner.turn != 0 { pieces.append(.bend(radius: radius, turn: corner.turn)) }
      pieces.append(.straight(corner.length - cut))
    }
    return pieces
  }

  /// Returns the pace, with stops of 20 to 60 s at about half of the waypoints, a few metres before
  /// or behind them.
  private func pace(random: inout SeededGenerator, to end: Double) -> SpeedProfile {
    let speed = random.uniform(1.2...1.45)
    let speeds = (speed - 0.15)...(speed + 0.15)
    var profile = SpeedProfile()
    for (index, waypoint) in waypoints.enumerated() where index % 2 == 1 {
      let target = waypoint.way + random.uniform(-8...8)
      guard target > profile.way + 1 else { continue }
      profile.go(to: target, speeds: speeds, random: &random)
      profile.stand(for: random.uniform(20...60))
    }
    profile.go(to: end, speeds: speeds, random: &random)
    profile.stand(for: 20)
    return profile
  }
}
