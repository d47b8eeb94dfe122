import Detectors
import TraceModel

/// What the compass shows.
public struct HikeCompass: Hashable, Sendable, Codable {
  /// The location of the waypoint that it points at.
  public var location: String
  /// Metres.
  public var distance: Double
  /// Degrees clockwise from true north, 0..<360.
  public var bearing: Double
  /// Degrees clockwise from the top of the phone, -180..<180; nil = no heading is known.
  public var arrow: Double?

  /// The distance in whole metres, or above 1000 m in kilometres with two decimals.
  public var label: String {
    distance > 1000
      ? HikeNumber.text(distance / 1000, decimals: 2) + " km"
      : HikeNumber.text(distance, decimals: 0) + " m"
  }

  /// - Returns: nil where either is no position.
  init?(to waypoint: HikeWaypoint, latitude: Double, longitude: Double, heading: Double?) {
    location = waypoint.location
    distance = Geodesy.distance(
      latitude: latitude, longitude: longitude, toLatitude: waypoint.latitude,
      longitude: waypoint.longitude)
    bearing = Geodesy.initialBearing(
      latitude: latitude, longitude: longitude, toLatitude: waypoint.latitude,
      longitude: waypoint.longitude)
    guard distance.isFinite, bearing.isFinite else { return nil }
    arrow = heading.map { [bearing] in HikeCompass.arrow(bearing: bearing, heading: $0) }
  }

  /// `bearing - heading`, unwrapped to -180..<180. Both in degrees, of any size.
  static func arrow(bearing: Double, heading: Double) -> Double {
    let difference = (bearing - heading).remainder(dividingBy: 360)
    return difference >= 180 ? difference - 360 : difference
  }
}

/// Decimal numbers without Foundation.
enum HikeNumber {
  /// - Parameter decimals: 0...6.
  /// - Returns: `no number` for what is none, or beyond 1e12.
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
