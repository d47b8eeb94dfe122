public import TraceModel

/// Converts between instants of a trace and of a clock: with a rate, from an anchor, unless paused.
///
/// The caller passes the current time, so the arithmetic is tested without waiting. All clock times
/// are nanoseconds of one monotonic clock.
///
/// ```swift
/// let clock = PlaybackClock(rate: 2, instant: .zero, at: 1_000_000_000)
/// clock.due(TraceInstant(nanoseconds: 4_000_000_000))  // 3000000000
/// clock.instant(at: 1_500_000_000).seconds  // 1.0
/// ```
public struct PlaybackClock: Sendable, Equatable {
  /// The rate in seconds of trace per second of the clock; finite and above zero.
  public private(set) var rate: Double
  public private(set) var isPaused = false
  /// An instant of the trace and its due time.
  @usableFromInline var anchor: (trace: Int64, clock: Int64)

  /// - Parameters:
  ///   - instant: the instant of the trace that is due when the clock shows `now`.
  ///   - rate: finite and above zero.
  public init(rate: Double, instant: TraceInstant, at now: Int64) {
    precondition(rate > 0 && rate.isFinite)
    self.rate = rate
    anchor = (instant.nanoseconds, now)
  }

  /// Returns when `instant` is due; nil while paused.
  @inlinable public func due(_ instant: TraceInstant) -> Int64? {
    isPaused ? nil : anchor.clock.addingClamped(sinceAnchor(instant.nanoseconds))
  }

  /// Returns the instant that is due when the clock shows `now`.
  public func instant(at now: Int64) -> TraceInstant {
    guard !isPaused else { return TraceInstant(nanoseconds: anchor.trace) }
    let elapsed = now.subtractingClamped(anchor.clock)
    return TraceInstant(
      nanoseconds: anchor.trace.addingClamped(PlaybackClock.product(elapsed, rate)))
  }

  /// Pauses the trace's time.
  public mutating func pause(at now: Int64) {
    anchor = (instant(at: now).nanoseconds, now)
    isPaused = true
  }

  /// Resumes the trace's time; does nothing if it is not paused.
  public mutating func resume(at now: Int64) {
    guard isPaused else { return }
    anchor.clock = now
    isPaused = false
  }

  public mutating func setRate(_ rate: Double, at now: Int64) {
    precondition(rate > 0 && rate.isFinite)
    anchor = (instant(at: now).nanoseconds, now)
    self.rate = rate
  }

  /// Makes `instant` due now.
  public mutating func seek(to instant: TraceInstant, at now: Int64) {
    anchor = (instant.nanoseconds, now)
  }

  @inlinable func sinceAnchor(_ time: Int64) -> Int64 {
    let elapsed = time.subtractingClamped(anchor.trace)
    return rate == 1 ? elapsed : PlaybackClock.product(elapsed, 1 / rate)
  }

  /// Multiplies with nanosecond precision below 2^53 ns, which is 104 days.
  @inlinable static func product(_ time: Int64, _ factor: Double) -> Int64 {
    if factor == 1 { return time }
    let product = (Double(time) * factor).rounded()
    if product >= 0x1p63 { return .max }
    return product <= -0x1p63 ? .min : Int64(product)
  }

  public static func == (left: PlaybackClock, right: PlaybackClock) -> Bool {
    left.rate == right.rate && left.isPaused == right.isPaused && left.anchor == right.anchor
  }
}
