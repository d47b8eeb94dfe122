package import TraceModel

/// A position in degrees, WGS84.
package struct Position: Hashable, Sendable, Codable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  package init(_ fix: Fix) { self.init(latitude: fix.latitude, longitude: fix.longitude) }

  /// Whether a device may report it: see ``Geodesy/isValid(latitude:longitude:)``.
  package var isValid: Bool { Geodesy.isValid(latitude: latitude, longitude: longitude) }

  /// Returns the distance in metres; NaN if one of the two is no position.
  package func distance(to other: Position) -> Double {
    Geodesy.distance(
      latitude: latitude, longitude: longitude, toLatitude: other.latitude,
      longitude: other.longitude)
  }
}

/// A fix with the time at which it was measured.
struct TimedFix: Sendable, Codable {
  var fix: Fix
  var time: TraceInstant
}

/// A plane that touches the ellipsoid at an anchor: metres east and north of it.
///
/// Latitude and longitude are scaled by the radii of curvature at the anchor. The error is 1e-4 of
/// the distance within a kilometre below 79° of latitude. Use it for vectors between near points,
/// not for lengths that are summed.
///
/// ```swift
/// let offset = LocalFrame(latitude: 47, longitude: 8).offset(latitude: 47.001, longitude: 8)
/// offset.north  // 111.2
/// ```
public struct LocalFrame: Hashable, Sendable, Codable {
  /// The latitude in degrees.
  public let latitude: Double
  /// The longitude in degrees.
  public let longitude: Double
  private let metersPerDegreeNorth: Double
  private let metersPerDegreeEast: Double

  /// - Parameters: the anchor in degrees. All results are NaN if it is not a valid position.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    let isPosition = abs(latitude) <= 90 && longitude.isFinite
    let radii = CurvatureRadii(latitude: isPosition ? latitude : .nan)
    metersPerDegreeNorth = Math.radians(radii.meridian)
    metersPerDegreeEast = Math.radians(radii.parallel)
  }

  /// Returns the offset from the anchor in metres, east and north.
  public func offset(latitude: Double, longitude: Double) -> PlanarVector {
    let difference =
      longitude.isFinite ? Geodesy.longitudeDifference(self.longitude, longitude) : .nan
    return PlanarVector(
      east: difference * metersPerDegreeEast,
      north: (latitude - self.latitude) * metersPerDegreeNorth)
  }

  /// Returns the position at an offset, in degrees; longitude in -180...180. The inverse of
  /// ``offset(latitude:longitude:)``.
  public func position(of offset: PlanarVector) -> (latitude: Double, longitude: Double) {
    let east = longitude + offset.east / metersPerDegreeEast
    return (
      latitude + offset.north / metersPerDegreeNorth,
      east.isFinite ? Geodesy.longitudeDifference(0, east) : .nan
    )
  }
}

/// A vector in a ``LocalFrame``: metres (or metres per second) east and north.
public struct PlanarVector: Hashable, Sendable, Codable {
  public var east: Double
  public var north: Double

  public init(east: Double, north: Double) {
    self.east = east
    self.north = north
  }

  public static let zero = PlanarVector(east: 0, north: 0)

  public var length: Double { (east * east + north * north).squareRoot() }

  /// Returns the distance of the origin from the segment between two points, and the position of
  /// the nearest point on the segment (0 at `start`, 1 at `end`).
  static func closestApproach(
    from start: PlanarVector, to end: PlanarVector
  ) -> (distance: Double, fraction: Double) {
    let step = PlanarVector(east: end.east - start.east, north: end.north - start.north)
    let squared = step.east * step.east + step.north * step.north
    let projection = -(start.east * step.east + start.north * step.north)
    let fraction = squared > 0 ? min(max(projection / squared, 0), 1) : 0
    let nearest = PlanarVector(
      east: start.east + fraction * step.east, north: start.north + fraction * step.north)
    return (nearest.length, fraction)
  }
}
