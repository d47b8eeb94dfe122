import TraceModel

/// Distances and bearings on the WGS84 ellipsoid. Angles are degrees, lengths metres.
///
/// Invalid positions (a latitude beyond ±90, a longitude that is not finite, NaN) give NaN, never a
/// trap. A longitude counts modulo 360.
///
/// ```swift
/// Geodesy.distance(latitude: 0, longitude: 179.5, toLatitude: 0, longitude: -179.5)  // 111319.49
/// Geodesy.distance(latitude: 91, longitude: 0, toLatitude: 0, longitude: 0)  // nan
/// ```
public enum Geodesy {
  /// The equatorial radius of WGS84 in metres (NGA.STND.0036, 2014).
  public static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// The polar radius in metres.
  static let polarRadius = equatorialRadius * (1 - flattening)
  /// The first eccentricity, squared.
  public static let eccentricitySquared = flattening * (2 - flattening)

  /// The length in metres up to which the flat formula is as accurate as the geodesic.
  static let flatLimit = 50.0
  /// The latitude in degrees, north or south, up to which the flat formula is used.
  static let flatLatitudeLimit = 79.0

  /// The length of the shortest line on the ellipsoid, in metres.
  ///
  /// The error is at most 15 nm or 1e-10 of the length, whichever is more. Legs up to 50 m below
  /// 79° of latitude use a flat formula with the radii of curvature at the middle latitude, which
  /// is as accurate there and much faster. All others use a geodesic solver.
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

  /// The direction in which the great circle to the second point starts, in degrees clockwise from
  /// true north, 0..<360; 0 between equal points.
  ///
  /// The formula is spherical, as in the compasses of apps: it differs by up to 0.2° from the
  /// azimuth of the geodesic.
  public static func initialBearing(
    latitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
    longitude longitude2: Double
  ) -> Double {
    guard isPosition(latitude1, longitude1), isPosition(latitude2, longitude2) else { return .nan }
    let phi1 = Math.radians(latitude1)
    let phi2 = Math.radians(latitude2)
    let lambda = Math.radians(longitudeDifference(longitude1, longitude2))
    let (sine1, cosine1) = Math.sineAndCosine(phi1)
    let (sine2, cosine2) = Math.sineAndCosine(phi2)
    let (sine, cosine) = Math.sineAndCosine(lambda)
    let east = sine * cosine2
    let north = cosine1 * sine2 - sine1 * cosine2 * cosine
    let degrees = Math.degrees(Math.atan2(east, north))
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive < 360 ? positive : 0
  }

  /// Whether a device may report this as a position: latitude within ±90, longitude within ±180.
  public static func isValid(latitude: Double, longitude: Double) -> Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }

  /// Returns `longitude2 - longitude1` in -180...180. Positions on both sides of the date line do
  /// not lose precision to a large difference.
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

/// The radii that convert small differences of latitude and longitude to metres.
struct CurvatureRadii {
  /// The radius of the meridian, M.
  let meridian: Double
  /// The radius of the parallel, N cos φ.
  let parallel: Double

  /// - Parameter latitude: degrees, within ±90.
  init(latitude: Double) {
    let phi = Math.radians(latitude)
    let (sine, cosine) = Math.sineAndCosine(phi)
    let w = 1 - Geodesy.eccentricitySquared * sine * sine
    let primeVertical = Geodesy.equatorialRadius / w.squareRoot()
    meridian = primeVertical * (1 - Geodesy.eccentricitySquared) / w
    parallel = primeVertical * cosine
  }
}
