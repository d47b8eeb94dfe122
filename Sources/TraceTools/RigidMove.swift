internal import Detectors
package import TraceModel

/// Carries positions to another part of the earth, all of them together, so that the distances
/// between them stay: a rotation of the sphere that fits the ellipsoid where they are, onto the one
/// that fits it where they go.
///
/// On the ellipsoid itself only turns around the axis keep distances, and those would keep the
/// latitude. Here they change by less than one in 10⁷ within 100 km and one in 10⁵ within 500 km;
/// ``distortion(of:)`` measures it.
package struct RigidMove: Sendable {
  private let source: GaussSphere
  private let target: GaussSphere
  /// Radians, clockwise.
  private let turn: Double

  /// Brings an anchor to another one, and turns what is around it.
  /// - Parameters: degrees; `turn` clockwise. Latitudes within ±89.
  package init(
    from anchor: (latitude: Double, longitude: Double),
    to target: (latitude: Double, longitude: Double), turn: Double
  ) {
    source = GaussSphere(latitude: anchor.latitude, longitude: anchor.longitude)
    self.target = GaussSphere(latitude: target.latitude, longitude: target.longitude)
    self.turn = Math.radians(turn)
  }

  /// To somewhere within 60 degrees of the equator, every place as likely as any other, turned by
  /// any angle. Where it goes does not depend on where it comes from.
  package init(
    from anchor: (latitude: Double, longitude: Double), using random: inout SeededGenerator
  ) {
    let sine = random.uniform(-0.75.squareRoot()...0.75.squareRoot())
    let latitude = Math.degrees(Math.atan2(sine, (1 - sine * sine).squareRoot()))
    let longitude = random.uniform(-180...180)
    self.init(
      from: anchor, to: (latitude, longitude), turn: random.uniform(0...360))
  }

  /// Where a position goes, in degrees, and by how much directions there turn clockwise.
  /// What is no position is NaN.
  package func apply(
    latitude: Double, longitude: Double
  ) -> (latitude: Double, longitude: Double, turn: Double) {
    guard abs(latitude) <= 90, longitude.isFinite else { return (.nan, .nan, .nan) }
    let start = source.onSphere(latitude: latitude, longitude: longitude)
    let polar = Self.polar(of: start, from: source.latitude)
    let arc = polar.arc * source.radius / target.radius
    let end = Self.position(arc, polar.bearing + turn, from: target.latitude)
    let moved = target.onEllipsoid(latitude: end.latitude, longitude: end.longitude)
    // Angles are kept, and the direction back to the anchor is the same thing before and after.
    let turned =
      polar.arc < 1e-12
      ? turn
      : Self.bearingBack(from: end, to: target.latitude)
        - Self.bearingBack(from: start, to: source.latitude)
    return (moved.latitude, moved.longitude, Math.degrees(turned))
  }

  /// By how much the distance between any two of `positions` changes at most, as a share of it.
  /// Pairs of less than a metre are left out. At most 200 positions, evenly chosen, are looked at.
  package func distortion(of positions: [(latitude: Double, longitude: Double)]) -> Double {
    let step = max(1, (positions.count + 199) / 200)
    let chosen = stride(from: 0, to: positions.count, by: step).map { positions[$0] }
    let moved = chosen.map { apply(latitude: $0.latitude, longitude: $0.longitude) }
    var worst = 0.0
    for first in chosen.indices {
      for second in chosen.indices[(first + 1)...] {
        let before = Geodesy.distance(
          latitude: chosen[first].latitude, longitude: chosen[first].longitude,
          toLatitude: chosen[second].latitude, longitude: chosen[second].longitude)
        let after = Geodesy.distance(
          latitude: moved[first].latitude, longitude: moved[first].longitude,
          toLatitude: moved[second].latitude, longitude: moved[second].longitude)
        if before >= 1 { worst = max(worst, abs(after / before - 1)) }
      }
    }
    return worst
  }

  // MARK: The sphere

  private typealias Point = (latitude: Double, longitude: Double)

  /// Seen from the point on meridian 0 at a latitude: how far, and in which direction.
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
