import TraceModel

/// The comparison of a sample, and the meaning of its direction. Inlined, because the compiler does
/// not inline cheap functions across files by itself.
extension PunchDetector {
  @inline(__always)
  func isOver(_ sample: Acceleration) -> Bool {
    switch parameters.rule {
    case .magnitude, .swing: sample.squaredMagnitude > squaredThreshold
    case .axes: firstAxisOver(sample).punch != .unknown
    }
  }

  /// Whether all axes are back within the threshold. A sample that does not fire because only -z
  /// exceeds the threshold is not within it.
  @inline(__always)
  func isWithin(_ sample: Acceleration) -> Bool {
    switch parameters.rule {
    case .magnitude, .swing: sample.squaredMagnitude <= squaredThreshold
    case .axes:
      abs(sample.x) <= threshold && abs(sample.y) <= threshold && abs(sample.z) <= threshold
    }
  }

  /// Applies HitThat's rule: the first match in this order.
  @inline(__always)
  func firstAxisOver(_ sample: Acceleration) -> (punch: PunchKind, target: PunchTarget) {
    if sample.y > threshold { return (.jab, .low) }
    if sample.y < -threshold { return (.uppercut, .high) }
    if sample.x > threshold { return (.jab, .middle) }
    if sample.x < -threshold { return (.jab, .middle) }
    if sample.z > threshold { return (.thrust, .low) }
    return (.unknown, .unknown)
  }

  /// Returns the same directions from the axis with the largest peak: with a threshold on the
  /// magnitude, no single axis has to exceed it.
  @inline(__always)
  func dominantAxis(_ peak: Acceleration) -> (punch: PunchKind, target: PunchTarget) {
    let (x, y, z) = (abs(peak.x), abs(peak.y), abs(peak.z))
    if y >= x, y >= z { return peak.y > 0 ? (.jab, .low) : (.uppercut, .high) }
    if x >= z { return (.jab, .middle) }
    return peak.z > 0 ? (.thrust, .low) : (.unknown, .unknown)
  }
}
