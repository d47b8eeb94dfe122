import TraceModel

/// The possible values of sensors in SI units. A value outside is a broken record, not a movement.
enum PlausibleRange {
  /// The largest acceleration on one axis in m s-2, 408 g: the widest range of a wearable is 256 g.
  static let acceleration = 4000.0
  /// The largest rotation rate in rad s-1, 11,459 degrees per second: the widest range of a motion
  /// gyroscope is 4,000.
  static let rotationRate = 200.0
  /// The altitudes in metres: from the Dead Sea minus a receiver's error to the edge of space.
  static let altitude = -1000.0...100_000.0
  /// The largest speed in m s-1: 1,000 knots, at which civil receivers must stop (MTCR annex,
  /// 11.A.3).
  static let speed = 514.5
  /// The largest accuracy in metres: half of the Earth's circumference.
  static let accuracy = 20_037_509.0
  /// The pressures in Pa: from the top of balloon flights to a deep mine.
  static let pressure = 1000.0...120_000.0
  /// The angles in degrees: some devices count to 180 either way.
  static let heading = -360.0...360.0
  /// The largest odometer value in metres: more than any vehicle has driven.
  static let odometer = 0.0...1e10

  /// Whether the reading has an impossible value; NaN is a missing value and plausible.
  static func isBroken(_ vector: Vector3, of channel: Channel) -> Bool {
    let limit = Float(channel == .rotationRate ? rotationRate : acceleration)
    return abs(vector.x) > limit || abs(vector.y) > limit || abs(vector.z) > limit
  }

  static func isBroken(_ scalar: Scalar, of channel: Channel) -> Bool {
    let range =
      switch channel {
      case .pressure: pressure
      case .odometer: odometer
      default: heading
      }
    return !scalar.value.isNaN && !range.contains(scalar.value)
  }

  /// Whether the position lies further from its frame's zero than the Earth's circumference.
  static func isBroken(_ position: LocalPosition) -> Bool {
    abs(position.x) > 2 * accuracy || abs(position.y) > 2 * accuracy
  }

  /// Whether the position does not exist on Earth.
  static func hasBrokenPosition(_ fix: Fix) -> Bool {
    abs(fix.latitude) > 90 || abs(fix.longitude) > 180
  }

  /// Returns the fix without its impossible values; negative codes stay.
  static func withoutBrokenValues(_ fix: Fix) -> Fix {
    var fix = fix
    if !altitude.contains(fix.altitude) { fix.altitude = .nan }
    if abs(fix.horizontalAccuracy) > accuracy { fix.horizontalAccuracy = .nan }
    if abs(fix.speed) > speed { fix.speed = .nan }
    if abs(fix.speedAccuracy) > speed { fix.speedAccuracy = .nan }
    if abs(fix.course) > 360 { fix.course = .nan }
    return fix
  }
}
