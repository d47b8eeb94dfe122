import AppEngines

public struct HikeCompass: Hashable, Sendable, Codable {
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
      ? HikeCompass.text(distance / 1000, decimals: 2) + " km"
      : HikeCompass.text(distance, decimals: 0) + " m"
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

  /// Returns a decimal number; `no number` for NaN, infinity and very large values.
  static func text(_ value: Double, decimals: Int) -> String {
    DecimalText.text(value, decimals: decimals) ?? "no number"
  }
}
