internal import Detectors
internal import TraceModel

/// A move of all positions to another part of the Earth that keeps their distances: a rotation of
/// the sphere that fits the ellipsoid at the source, onto the sphere that fits it at the target.
///
/// On the ellipsoid only rotations about the axis keep distances, and those would keep the
/// latitude. Here they change by less than one in 10⁷ within 100 km and one in 10⁵ within 500 km;
/// ``distortion(of:)`` measures it.
struct RigidMove: Sendable {
  private let source: GaussSphere
  private let target: GaussSphere
  /// The rotation in radians, clockwise.
  private let turn: Double

  /// Creates the move of one anchor to another, with a rotation about it.
  /// - Parameters: degrees; `turn` clockwise. Latitudes within ±89.
  init(from anchor: Position, to target: Position, turn: Double) {
    source = GaussSphere(latitude: anchor.latitude, longitude: anchor.longitude)
    self.target = GaussSphere(latitude: target.latitude, longitude: target.longitude)
    self.turn = Math.radians(turn)
  }

  /// Creates a move to a random place within 60 degrees of the equator, uniform by area, with a
  /// random rotation. The target does not depend on the source.
  init(from anchor: Position, using random: inout SeededGenerator) {
    let sine = random.uniform(-0.75.squareRoot()...0.75.squareRoot())
    let latitude = Math.degrees(Math.atan2(sine, (1 - sine * sine).squareRoot()))
    let target = Position(latitude: latitude, longitude: random.uniform(-180...180))
    self.init(from: anchor, to: target, turn: random.uniform(0...360))
  }

  /// Returns where a position goes, in degrees, and the clockwise rotation of directions there. An
  /// invalid position gives NaN.
  func apply(to position: Position) -> (position: Position, turn: Double) {
    guard position.isOnEarth else { return (Position(latitude: .nan, longitude: .nan), .nan) }
    let start = source.onSphere(latitude: position.latitude, longitude: position.longitude)
    let polar = Self.polar(of: start, from: source.latitude)
    let arc = polar.arc * source.radius / target.radius
    let end = Self.position(arc, polar.bearing + turn, from: target.latitude)
    let moved = target.onEllipsoid(latitude: end.latitude, longitude: end.longitude)
    // Angles are kept, and so is the direction back to the anchor.
    let turned =
      polar.arc < 1e-12
      ? turn
      : Self.bearingBack(from: end, to: target.latitude)
        - Self.bearingBack(from: start, to: source.latitude)
    return (
      Position(latitude: moved.latitude, longitude: moved.longitude), Math.degrees(turned)
    )
  }

  /// Returns the largest relative change of the distance between two of `positions`. Pairs closer
  /// than a metre are ignored. At most 200 positions, evenly chosen, are compared.
  func distortion(of positions: [Position]) -> Double {
    let step = max(1, (positions.count + 199) / 200)
    let chosen = stride(from: 0, to: positions.count, by: step).map { positions[$0] }
    let moved = chosen.map { apply(to: $0).position }
    var worst = 0.0
    for first in chosen.indices {
      for second in chosen.indices[(first + 1)...] {
        let before = chosen[first].distance(to: chosen[second])
        let after = moved[first].distance(to: moved[second])
        if before >= 1 { worst = max(worst, abs(after / before - 1)) }
      }
    }
    return worst
  }

  private typealias Point = (latitude: Double, longitude: Double)

  /// Returns the arc and the bearing of a point, seen from meridian 0 at a latitude.
  private static func polar(of point: Point, from origin: Double) -> (arc: Double, bearing: Double)
  {
    let east = Math.sin(point.longitude) * Math.cos(point.latitude)
    let north =
      Math.cos(origin) * Math.sin(point.latitude) - Math.sin(origin) * Math.cos(point.latitude)
      * Math.cos(point.longitude)
    let up =
      Math.sin(origin) * Math.sin(point.latitude) + Math.cos(origin) * Math.cos(point.latitude)
      * Math.cos(point.longitude)
    return (Math.atan2((east * east + north * north).squareRoot(), up), Math.atan2(east, north))
  }

  private static func position(_ arc: Double, _ bearing: Double, from origin: Double) -> Point {
    let across = Math.sin(arc) * Math.sin(bearing)
    let along = Math.sin(arc) * Math.cos(bearing)
    let outward = Math.cos(arc) * Math.cos(origin) - along * Math.sin(origin)
    let upward = Math.cos(arc) * Math.sin(origin) + along * Math.cos(origin)
    return (
      Math.atan2(upward, (outward * outward + across * across).squareRoot()),
      Math.atan2(across, outward)
    )
  }

  private static func bearingBack(from point: Point, to origin: Double) -> Double {
    Math.atan2(
      -Math.sin(point.longitude) * Math.cos(origin),
      Math.cos(point.latitude) * Math.sin(origin) - Math.sin(point.latitude) * Math.cos(origin)
        * Math.cos(point.longitude))
  }
}
