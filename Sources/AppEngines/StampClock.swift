public import TraceModel

/// Converts the stamps of a phone's wall clock to the phone's monotonic clock, so that a wall clock
/// that is wrong, or is set while the app runs, does no harm.
///
/// A reading arrives after it was measured. So a stamp after its arrival shows that the wall clock
/// is ahead: that is corrected at once. A stamp long before its arrival has two possible reasons: an
/// old reading (a kept fix, a batch), or a wall clock that is behind. If every reading of a stated
/// time lags by more than the tolerance, it is the clock.
///
/// The stamps of an exact clock are returned unchanged.
public struct StampClock: Hashable, Sendable, Codable {
  /// The largest lag in ns that is never corrected: below it, a late delivery and a slow clock are
  /// the same to an app.
  public static let tolerance: Int64 = 1_000_000_000
  /// The largest lead in ns that is clamped and not learned.
  static let leadTolerance: Int64 = 50_000_000

  /// The time in ns for which all readings must lag until the clock is taken to be behind.
  public let patience: Int64
  /// What is subtracted from stamps, in ns; above 0 = the wall clock is ahead.
  public private(set) var correction: Int64 = 0
  /// The arrival of the first of the readings that all lag; nil = the last one did not.
  private var laggingSince: TraceInstant?
  /// The least lag of those readings, as a correction.
  private var leastLag = Int64.min

  /// - Parameter patience: in seconds, at least 0. Longer than the batches in which readings come.
  public init(patience: Double) {
    self.patience = TraceInstant.zero.advanced(bySeconds: max(patience, 0)).nanoseconds
  }

  /// Returns the time of a reading on the monotonic clock: its stamp, corrected, and at most `now`.
  public mutating func time(of stamp: TraceInstant, arrived now: TraceInstant) -> TraceInstant {
    let lead = stamp.nanoseconds.subtractingClamped(now.nanoseconds)
    let beyond = lead.subtractingClamped(correction)
    if beyond > StampClock.leadTolerance {
      correction = lead
      laggingSince = nil
    } else if beyond >= -StampClock.tolerance {
      laggingSince = nil
    } else {
      noteLag(lead, at: now)
    }
    guard correction != 0 || beyond > 0 else { return stamp }
    return min(TraceInstant(nanoseconds: stamp.nanoseconds.subtractingClamped(correction)), now)
  }

  private mutating func noteLag(_ lead: Int64, at now: TraceInstant) {
    guard let since = laggingSince else {
      (laggingSince, leastLag) = (now, lead)
      if patience == 0 { correction = lead }
      return
    }
    leastLag = max(leastLag, lead)
    guard now.nanoseconds.subtractingClamped(since.nanoseconds) >= patience else { return }
    correction = leastLag
    laggingSince = nil
  }
}
