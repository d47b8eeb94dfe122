import AppEngines

/// The content of the compass.
public struct HikeCompass: Hashable, Sendable, Codable {
  /// The location of the target waypoint.
  public var location: String
  /// The distance in metres.
  public var distance: Double
  /// The bearing in degrees clockwise from true north, 0..<360.
  public var bearing: Double
  /// The direction in degrees clockwise from the top of the phone, -180..<180; nil = no heading.
  public var arrow: Double?

  /// The distance as text: in whole metres, or above 1000 m in kilometres with two decimals.
  public var label: String {
    distance > 1000
      ? HikeNumber.text(distance / 1000, decimals: 2) + " km"
      : HikeNumber.text(distance, decimals: 0) + " m"
  }

  /// - Returns: nil if one of the positions is invalid.
  init?(to waypoint: HikeWaypoint, from position: Coordinate, heading: Double?) {
    location = waypoint.location
    distance = position.distance(to: waypoint.coordinate)
    bearing = position.bearing(to: waypoint.coordinate)
    guard distance.isFinite, bearing.isFinite else { return nil }
    arrow = heading.map { [bearing] in HikeCompass.arrow(bearing: bearing, heading: $0) }
  }

  /// Returns `bearing - heading`, wrapped to -180..<180. Both are in degrees of any size.
  static func arrow(bearing: Double, heading: Double) -> Double {
    let difference = (bearing - heading).remainder(dividingBy: 360)
    return difference >= 180 ? difference - 360 : difference
  }
}

/// Decimal numbers without Foundation.
enum HikeNumber {
  /// - Parameter decimals: 0...6.
  /// - Returns: `no number` for NaN, infinity and values beyond 1e12.
  static func text(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 1e18, abs(value) < 1e12 else { return "no number" }
    let digits = Int64(scaled)
    let (whole, rest) = digits.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = value < 0 && digits > 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(whole)" }
    let fraction = String(rest)
    return sign + "\(whole)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
