public import TraceModel

/// The wall clock of a phone against the true time of a run. The phone's monotonic clock, which its
/// engine gets as `now`, is not affected.
///
/// It stamps the readings of the phone: a reading measured at the time t carries the time
/// t + ``error(at:)``.
public struct DeviceClock: Sendable {
  /// The largest drift in parts per billion: a tenth of the time.
  public static let largestDrift: Int64 = 100_000_000

  /// The drift in parts per billion of the time since the run's zero; above 0 = fast.
  private var drift: Int64 = 0
  /// The jumps in nanoseconds; above 0 = forward.
  private var steps: [(time: TraceInstant, size: Int64)] = []

  /// Creates the clock of a phone with its faults. A drift beyond ±``largestDrift`` counts as the limit.
  public init(_ faults: [ExchangeFault], of phone: Int) {
    for fault in faults {
      switch fault {
      case .clock(phone, let time, let step): steps.append((time, step))
      case .drift(phone, let rate): drift = drift.addingClamped(rate)
      default: break
      }
    }
    drift = min(max(drift, -DeviceClock.largestDrift), DeviceClock.largestDrift)
  }

  /// Whether it shows the true time always.
  public var isExact: Bool { drift == 0 && steps.allSatisfy { $0.size == 0 } }

  /// Returns the error of the clock in nanoseconds at a true time, above 0 = ahead, clamped to the range
  /// of `Int64`. O(n) for n steps.
  public func error(at time: TraceInstant) -> Int64 {
    // In two parts, so that the product stays in range.
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var error = (seconds * drift).addingClamped(rest * drift / 1_000_000_000)
    for step in steps where step.time <= time { error = error.addingClamped(step.size) }
    return error
  }

  /// Returns the time that the clock shows at a true time, clamped to the axis.
  public func reading(at time: TraceInstant) -> TraceInstant {
    time.advanced(byNanoseconds: error(at: time))
  }
}
