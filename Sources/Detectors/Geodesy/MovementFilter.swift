import TraceModel

/// The location service's distance filter: a fix is delivered only after a minimum movement since
/// the last delivered fix. The first fix is always delivered.
struct MovementFilter: Sendable, Codable {
  /// The minimum movement in metres; 0 = every fix is delivered.
  let threshold: Double
  private var last: Fix?

  init(threshold: Double) { self.threshold = threshold }

  mutating func delivers(_ fix: Fix) -> Bool {
    guard threshold > 0 else { return true }
    if let last {
      guard Position(last).distance(to: Position(fix)) >= threshold else { return false }
    } else if !Position(fix).isValid {
      // No distance can be measured from here, so this fix must not suppress the following ones.
      return false
    }
    last = fix
    return true
  }
}
