public import TraceModel

/// The wall clock of a phone against the true time of a run. The phone's monotonic clock, which its
/// engine gets as `now`, is not affected.
///
/// It stamps the readings of the phone: a reading measured at the time t carries the time
/// t + ``error(at:)``.
public struct DeviceClock: Hashable, Sendable, Codable {
  /// A jump of the clock.
  public struct Step: Hashable, Sendable, Codable {
    public var time: TraceInstant
    /// The size in nanoseconds; above 0 = forward.
    public var size: Int64

    public init(at time: TraceInstant, by size: Int64) {
      self.time = time
      self.size = size
    }
  }

  /// The largest drift in parts per billion: a tenth of the time.
  public static let largestDrift: Int64 = 100_000_000

  /// The error in nanoseconds at the run's zero; above 0 = ahead.
  public var offset: Int64
  /// The drift in parts per billion of the time since the run's zero; above 0 = fast. Values beyond
  /// ±``largestDrift`` count as the limit.
  public var drift: Int64
  public var steps: [Step]

  public init(offset: Int64 = 0, drift: Int64 = 0, steps: [Step] = []) {
    self.offset = offset
    self.drift = drift
    self.steps = steps
  }

  /// Whether it shows the true time always.
  public var isExact: Bool { offset == 0 && drift == 0 && steps.allSatisfy { $0.size == 0 } }

  /// Returns the error of the clock in nanoseconds at a true time, clamped to the range of `Int64`.
  /// O(n) for n steps.
  public func error(at time: TraceInstant) -> Int64 {
    // In two parts, so that the product stays in range.
    let rate = min(max(drift, -DeviceClock.largestDrift), DeviceClock.largestDrift)
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var error = offset.addingClamped(seconds * rate).addingClamped(rest * rate / 1_000_000_000)
    for step in steps where step.time <= time { error = error.addingClamped(step.size) }
    return error
  }

  /// Returns the time that the clock shows at a true time, clamped to the axis.
  public func reading(at time: TraceInstant) -> TraceInstant {
    time.advanced(byNanoseconds: error(at: time))
  }

  /// Adds the clock faults of a phone.
  mutating func apply(_ faults: [ExchangeFault], of phone: Int) {
    for fault in faults {
      switch fault {
      case .clock(phone, let time, let step): steps.append(Step(at: time, by: step))
      case .drift(phone, let rate): drift = drift.addingClamped(rate)
      default: break
      }
    }
  }
}
