import TraceModel

/// The location service's distance filter: a fix is delivered only after at least so much movement
/// since the last delivered one. The first one is always delivered.
struct MovementFilter: Sendable, Codable {
  /// Metres; 0 = every fix is delivered.
  let threshold: Double
  private var last: Fix?

  init(threshold: Double) {
    self.threshold = threshold
  }

  mutating func delivers(_ fix: Fix) -> Bool {
    guard threshold > 0 else { return true }
    if let last {
      let moved = Geodesy.distance(
        latitude: last.latitude, longitude: last.longitude, toLatitude: fix.latitude,
        longitude: fix.longitude)
      guard moved >= threshold else { return false }
    } else if !Geodesy.isValid(latitude: fix.latitude, longitude: fix.longitude) {
      // Nothing can be measured from here: it must not silence the fixes that follow.
      return false
    }
    last = fix
    return true
  }
}
