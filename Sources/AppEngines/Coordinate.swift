import Detectors

/// A position on Earth in degrees, WGS84.
public struct Coordinate: Hashable, Sendable, Codable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Whether the latitude is within ±90 and the longitude within ±180.
  public var isValid: Bool { Geodesy.isValid(latitude: latitude, longitude: longitude) }

  /// The grid spacing of coarse positions in degrees: 1.1 km in north-south direction.
  public static let coarseStep = 0.01

  /// The nearest point of a fixed grid, so that repeated requests from different places disclose no
  /// more.
  public var coarse: Coordinate {
    func rounded(_ degrees: Double) -> Double {
      // Avoid negative zero: its sign would disclose the side of the line.
      (degrees / Coordinate.coarseStep).rounded() * Coordinate.coarseStep + 0
    }
    return Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))
  }

  /// Returns the distance in metres.
  public func distance(to other: Coordinate) -> Double {
    Geodesy.distance(
      latitude: latitude, longitude: longitude, toLatitude: other.latitude,
      longitude: other.longitude)
  }

  /// Returns the bearing in degrees clockwise from true north, 0..<360.
  public func bearing(to other: Coordinate) -> Double {
    Geodesy.initialBearing(
      latitude: latitude, longitude: longitude, toLatitude: other.latitude,
      longitude: other.longitude)
  }
}
