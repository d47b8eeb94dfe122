import TraceModel

/// A point on WGS84 in radians, for the model; traces use degrees.
struct GeodeticPoint: Hashable, Sendable {
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  init(degreesLatitude latitude: Double, longitude: Double) {
    self.latitude = Math.radians(latitude)
    self.longitude = Math.radians(longitude)
  }

  /// Returns the point at an offset in metres. The error is 1e-6 of the distance for a kilometre.
  func moved(east: Double, north: Double) -> GeodeticPoint {
    let latitude = self.latitude + north / WGS84.meridianRadius(self.latitude)
    let middle = (self.latitude + latitude) / 2
    let longitude = self.longitude + east / WGS84.parallelRadius(middle)
    return GeodeticPoint(latitude: latitude, longitude: longitude)
  }

  /// Returns the distance in metres to a point at most a few hundred metres away, with the radii of
  /// curvature at the mid-latitude; within 1e-9 of the geodesic.
  func distance(to other: GeodeticPoint) -> Double {
    let middle = (latitude + other.latitude) / 2
    let north = (other.latitude - latitude) * WGS84.meridianRadius(middle)
    let east = (other.longitude - longitude) * WGS84.parallelRadius(middle)
    return (north * north + east * east).squareRoot()
  }
}

/// The ellipsoid of GPS (NIMA TR8350.2, third edition): radii in metres at a latitude in radians.
enum WGS84 {
  static let semiMajorAxis = 6_378_137.0
  static let flattening = 1 / 298.257223563
  private static let eccentricitySquared = flattening * (2 - flattening)

  /// Returns the radius of the meridian: metres north per radian of latitude.
  static func meridianRadius(_ latitude: Double) -> Double {
    let w = shrinkage(latitude)
    return semiMajorAxis * (1 - eccentricitySquared) / (w * w.squareRoot())
  }

  /// Returns the radius of the circle of latitude: metres east per radian of longitude.
  static func parallelRadius(_ latitude: Double) -> Double {
    semiMajorAxis / shrinkage(latitude).squareRoot() * Math.cos(latitude)
  }

  private static func shrinkage(_ latitude: Double) -> Double {
    let sine = Math.sin(latitude)
    return 1 - eccentricitySquared * sine * sine
  }
}
