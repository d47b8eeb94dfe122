import TraceModel

/// Distances and bearings on the WGS84 ellipsoid. Angles are degrees, lengths metres.
///
/// Positions that are none (a latitude beyond ±90, a longitude that is not finite, NaN) give NaN,
/// never a trap; a longitude counts modulo 360.
public enum Geodesy {
  /// The equatorial radius of WGS84 in metres (NGA.STND.0036, 2014).
  public static let equatorialRadius = 6_378_137.0
  /// The flattening of WGS84.
  static let flattening = 1 / 298.257223563
  /// The polar radius in metres.
  static let polarRadius = equatorialRadius * (1 - flattening)
  /// The first eccentricity, squared.
  public static let eccentricitySquared = flattening * (2 - flattening)

  /// Up to this length, in metres, the flat formula is as good as the geodesic.
  static let flatLimit = 50.0
  /// Up to this latitude, in degrees, either way.
  static let flatLatitudeLimit = 79.0

  /// The length of the shortest line on the ellipsoid, in metres.
  ///
  /// Within 15 nm or 1e-10 of the length, whichever is more. Legs up to 50 m below 79° of
  /// latitude are measured flat, with the radii of curvature at the middle latitude, which is that
  /// accurate there and much faster; all others by
  /// ``geodesicDistance(latitude:longitude:toLatitude:longitude:)``.
  public static func distance(
    latitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
    longitude longitude2: Double
  ) -> Double {
    guard isPosition(latitude1, longitude1), isPosition(latitude2, longitude2) else { return .nan }
    if abs(latitude1) < flatLatitudeLimit, abs(latitude2) < flatLatitudeLimit {
      let radii = CurvatureRadii(latitude: latitude1 + (latitude2 - latitude1) / 2)
      let north = radii.meridian * Math.radians(latitude2 - latitude1)
      let east = radii.parallel * Math.radians(longitudeDifference(longitude1, longitude2))
      let squared = east * east + north * north
      if squared <= flatLimit * flatLimit { return squared.squareRoot() }
    }
    return Geodesic(latitude1, longitude1, latitude2, longitude2).length
  }

  /// The same by the geodesic solver, whatever the length.
  static func geodesicDistance(
    latitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
    longitude longitude2: Double
  ) -> Double {
    guard isPosition(latitude1, longitude1), isPosition(latitude2, longitude2) else { return .nan }
    return Geodesic(latitude1, longitude1, latitude2, longitude2).length
  }

  /// The direction in which the great circle to the second point starts, in degrees clockwise from
  /// true north, 0..<360; 0 between equal points.
  ///
  /// Spherical, as compasses in apps have it: up to 0.2° beside the geodesic's azimuth.
  public static func initialBearing(
    latitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
    longitude longitude2: Double
  ) -> Double {
    guard isPosition(latitude1, longitude1), isPosition(latitude2, longitude2) else { return .nan }
    let phi1 = Math.radians(latitude1)
    let phi2 = Math.radians(latitude2)
    let lambda = Math.radians(longitudeDifference(longitude1, longitude2))
    let east = Math.sin(lambda) * Math.cos(phi2)
    let north =
      Math.cos(phi1) * Math.sin(phi2) - Math.sin(phi1) * Math.cos(phi2) * Math.cos(lambda)
    let degrees = Math.degrees(Math.atan2(east, north))
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive < 360 ? positive : 0
  }

  /// Whether a device may report this as a position: latitude within ±90, longitude within ±180.
  public static func isValid(latitude: Double, longitude: Double) -> Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }

  /// `longitude2 - longitude1` in -180...180, without the rounding of a large difference where the
  /// two lie on either side of the date line.
  static func longitudeDifference(_ longitude1: Double, _ longitude2: Double) -> Double {
    let first = longitude1.remainder(dividingBy: 360)
    let second = longitude2.remainder(dividingBy: 360)
    let difference = second - first
    if difference > 180 { return (second - 180) - (first + 180) }
    if difference < -180 { return (second + 180) - (first - 180) }
    return difference
  }

  private static func isPosition(_ latitude: Double, _ longitude: Double) -> Bool {
    abs(latitude) <= 90 && longitude.isFinite
  }
}

/// The radii by which small differences of latitude and longitude become metres.
struct CurvatureRadii {
  /// M, of the meridian.
  let meridian: Double
  /// N cos φ, of the parallel.
  let parallel: Double

  /// - Parameter latitude: degrees, within ±90.
  init(latitude: Double) {
    let phi = Math.radians(latitude)
    let sine = Math.sin(phi)
    let w = 1 - Geodesy.eccentricitySquared * sine * sine
    let primeVertical = Geodesy.equatorialRadius / w.squareRoot()
    meridian = primeVertical * (1 - Geodesy.eccentricitySquared) / w
    parallel = primeVertical * Math.cos(phi)
  }
}
