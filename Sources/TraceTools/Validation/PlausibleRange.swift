import TraceModel

/// What a sensor can give at all, in SI units. What lies beyond is a broken record, not a movement.
enum PlausibleRange {
  /// m s-2 on one axis, 408 g: the widest of wearables' accelerometers reach 256 g.
  static let acceleration = 4000.0
  /// rad s-1, 11,459 degrees a second: the widest gyroscopes for motion reach 4,000.
  static let rotationRate = 200.0
  /// Metres above the sea: the Dead Sea less a receiver's error, and the edge of space.
  static let altitude = -1000.0...100_000.0
  /// m s-1: 1,000 knots, at which civil receivers must stop (MTCR annex, 11.A.3).
  static let speed = 514.5
  /// Metres: half of the Earth's circumference.
  static let accuracy = 20_037_509.0
  /// Pa: the summit of a flight of balloons, and a deep mine.
  static let pressure = 1000.0...120_000.0
  /// Degrees: some devices count to 180 either way.
  static let heading = -360.0...360.0
  /// Metres: further than anybody has driven.
  static let odometer = 0.0...1e10

  /// Whether the reading holds what no sensor gives; NaN is a missing value and plausible.
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

  /// Whether the position is none on Earth.
  static func hasBrokenPosition(_ fix: Fix) -> Bool {
    abs(fix.latitude) > 90 || abs(fix.longitude) > 180
  }

  /// The fix without those of its values that no receiver gives; codes below zero stay.
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
