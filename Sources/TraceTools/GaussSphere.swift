internal import Detectors
internal import TraceModel

/// Gauss's conformal sphere: a sphere that fits WGS84 at one latitude so closely that track lengths
/// are the same on both.
///
/// Angles are kept everywhere; the scale is 1 at the latitude and differs from it by about
/// 5e-3 sin 2φ (Δφ)³ / 6 around it (Δφ in radians): 4e-9 within 100 km. Formulas: Gauss 1843; as in
/// Snyder, "Map Projections", USGS Professional Paper 1395, 1987, and the Swiss grid (swisstopo,
/// "Formeln und Konstanten für die Berechnung der schweizerischen schiefachsigen
/// Zylinderprojektion").
struct GaussSphere {
  /// The radius in metres: the geometric mean of the radii of curvature at the latitude.
  let radius: Double
  /// The anchor's latitude on the sphere, in radians.
  let latitude: Double
  private let longitude: Double
  private let stretch: Double
  private let constant: Double

  /// - Parameters: the anchor in degrees; the latitude within ±89.
  init(latitude degrees: Double, longitude: Double) {
    let phi = Math.radians(degrees)
    let (sine, cosine) = (Math.sin(phi), Math.cos(phi))
    let e2 = Geodesy.eccentricitySquared
    radius = Geodesy.equatorialRadius * (1 - e2).squareRoot() / (1 - e2 * sine * sine)
    let squared = cosine * cosine
    stretch = (1 + e2 / (1 - e2) * squared * squared).squareRoot()
    let sineOnSphere = sine / stretch
    latitude = Math.atan2(sineOnSphere, (1 - sineOnSphere * sineOnSphere).squareRoot())
    constant = Self.inverseTanh(sineOnSphere) - stretch * Self.isometricLatitude(sine)
    self.longitude = longitude
  }

  /// Returns the position in radians on the sphere; the longitude counts from the anchor's.
  func onSphere(
    latitude degrees: Double, longitude: Double
  ) -> (latitude: Double, longitude: Double) {
    let q = stretch * Self.isometricLatitude(Math.sin(Math.radians(degrees))) + constant
    let east = (longitude - self.longitude).remainder(dividingBy: 360)
    return (Self.gudermannian(q), stretch * Math.radians(east))
  }

  /// Returns the position in degrees on the ellipsoid; longitude in -180...180. The inverse of
  /// ``onSphere(latitude:longitude:)``.
  func onEllipsoid(
    latitude: Double, longitude: Double
  ) -> (latitude: Double, longitude: Double) {
    let q = (Self.inverseTanh(Math.sin(latitude)) - constant) / stretch
    let e = Geodesy.eccentricitySquared.squareRoot()
    var phi = Self.gudermannian(q)
    // Each iteration divides the error by 150.
    for _ in 0..<10 {
      phi = Self.gudermannian(q + e * Self.inverseTanh(e * Math.sin(phi)))
    }
    let east = Math.degrees(longitude / stretch)
    return (Math.degrees(phi), (self.longitude + east).remainder(dividingBy: 360))
  }

  private static func isometricLatitude(_ sine: Double) -> Double {
    let e = Geodesy.eccentricitySquared.squareRoot()
    return inverseTanh(sine) - e * inverseTanh(e * sine)
  }

  private static func inverseTanh(_ x: Double) -> Double {
    // The value is infinite at a pole; next to it, it is 18.
    let bounded = min(max(x, -1 + 1e-16), 1 - 1e-16)
    return Math.log((1 + bounded) / (1 - bounded)) / 2
  }

  private static func gudermannian(_ x: Double) -> Double {
    Math.atan2((Math.expm1(x) - Math.expm1(-x)) / 2, 1)
  }
}
