/// A moment on a trace's own time axis: integer nanoseconds from the trace's start.
///
/// All durations and comparisons use these integers, so that an edge (a tolerance, a deadline) is
/// exact and no result depends on rounding. The range is ±292 years.
///
/// ```swift
/// let punch = TraceInstant.zero.advanced(bySeconds: 1.5)
/// punch.nanoseconds  // 1500000000
/// punch.duration(to: .zero)  // -1.5 seconds
/// ```
public struct TraceInstant: InstantProtocol, Hashable, Sendable, Codable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let zero = TraceInstant(nanoseconds: 0)

  @inlinable public static func < (left: TraceInstant, right: TraceInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `duration` later, clamped to the range of the axis.
  public func advanced(by duration: Duration) -> TraceInstant {
    advanced(byNanoseconds: duration.nanoseconds)
  }

  public func duration(to other: TraceInstant) -> Duration {
    .nanoseconds(other.nanoseconds.subtractingClamped(nanoseconds))
  }

  /// The instant `count` nanoseconds later, clamped to the range of the axis: a corrupt time must
  /// not trap.
  @inlinable public func advanced(byNanoseconds count: Int64) -> TraceInstant {
    TraceInstant(nanoseconds: nanoseconds.addingClamped(count))
  }

  /// The instant `seconds` later, to the nearest nanosecond (ties to even), clamped to the range of
  /// the axis; NaN counts as positive infinity.
  @inlinable public func advanced(bySeconds seconds: Double) -> TraceInstant {
    advanced(byNanoseconds: Int64(nanosecondsFromSeconds: seconds) ?? (seconds < 0 ? .min : .max))
  }

  /// The seconds from the trace's start, for display and for formulas without comparisons for
  /// equality.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Returns the nanoseconds from `self` to `other`, clamped to the range of `Int64`.
  @inlinable public func nanoseconds(to other: TraceInstant) -> Int64 {
    other.nanoseconds.subtractingClamped(nanoseconds)
  }
}

extension Int64 {
  @inlinable public func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable public func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// Rounds `seconds` to nanoseconds (ties to even); nil if the result is out of the range of
  /// `Int64` or `seconds` is NaN.
  @inlinable public init?(nanosecondsFromSeconds seconds: Double) {
    let value = (seconds * 1e9).rounded(.toNearestOrEven)
    guard value > -9.2e18, value < 9.2e18 else { return nil }
    self = Int64(value)
  }
}

extension Duration {
  /// Whole nanoseconds, truncated towards zero and clamped to the range of `Int64`.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingClamped(attoseconds / 1_000_000_000)
  }
}
