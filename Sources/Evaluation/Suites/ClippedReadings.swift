import TraceModel

/// The readings at the end of the sensor's range, where a value is only a lower bound.
struct ClippedReadings {
  private let columns: VectorColumns
  /// The values of each axis, without their sign, from which on a reading is clipped.
  private let limits: SIMD3<Float>

  /// In nanoseconds: removal of gravity and averaging may move a peak by a sample.
  private static let reach: Int64 = 20_000_000

  /// Reads the acceleration with gravity, which is what the sensor measures; without it, that without.
  ///
  /// The range is the channel's attribute `saturation`, in m s-2; without one, or with one that no sensor has,
  /// it is where readings accumulate, see ``SaturationRail``.
  /// - Returns: nil if the recording has no acceleration in the order of time.
  init?(_ trace: Trace) {
    guard
      let channel = [Channel.acceleration, .userAcceleration].first(where: { trace[$0] != nil }),
      let columns = trace[channel].flatMap({ VectorColumns($0) })
    else { return nil }
    let times = columns.measuredTimes[columns.range]
    guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    self.columns = columns
    let stated = trace.header.info(channel)?.attributes["saturation"].flatMap(Double.init)
    guard let range = stated, range.isFinite, range >= SaturationRail.smallestAcceleration else {
      var limits = SIMD3<Float>(repeating: .infinity)
      for rail in SaturationRail.find(in: columns, of: channel) {
        let limit = Float((1 - SaturationRail.band) * abs(rail.value))
        switch rail.axis {
        case .x: limits.x = min(limits.x, limit)
        case .y: limits.y = min(limits.y, limit)
        case .z: limits.z = min(limits.z, limit)
        }
      }
      self.limits = limits
      return
    }
    // Without gravity a clipped axis may read 1 g less, so some readings below the range count too.
    let limit =
      channel == .acceleration ? (1 - SaturationRail.band) * range : range - standardGravity
    limits = SIMD3(repeating: Float(limit))
  }

  /// Whether a reading within 20 ms of that time is clipped.
  func isClipped(at instant: TraceInstant) -> Bool {
    let times = columns.measuredTimes[columns.range]
    let earliest = instant.nanoseconds.subtractingClamped(ClippedReadings.reach)
    let latest = instant.nanoseconds.addingClamped(ClippedReadings.reach)
    var position = times.partitioningIndex { $0 >= earliest }
    while position < times.endIndex, times[position] <= latest {
      let sample = columns[position]
      if abs(sample.x) >= limits.x || abs(sample.y) >= limits.y || abs(sample.z) >= limits.z {
        return true
      }
      position += 1
    }
    return false
  }
}
