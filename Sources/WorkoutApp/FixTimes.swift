import AppEngines
import TraceModel

/// The times of the fixes of a recording, on the phone's monotonic clock.
///
/// Durations are differences of these times. A stamp is corrected by a ``StampClock``, so that no
/// time is after its arrival. What cannot be placed is ignored: a fix that is not newer than the
/// one before it, and a late fix at the start, which is a kept one or that of a clock that is
/// behind. So a step of the wall clock never becomes a part of a duration.
struct FixTimes: Hashable, Sendable, Codable {
  enum Verdict: Hashable {
    case counts(TraceInstant)
    /// The age is in seconds.
    case ignored(age: Double)
  }

  private var stamps: StampClock
  /// The newest time that counts in this recording; nil = none yet.
  private var newest: TraceInstant?

  /// - Parameter patience: the time in seconds for which all fixes must be late until the wall
  ///   clock is taken to be behind.
  init(patience: Double) { stamps = StampClock(patience: patience) }

  /// The correction of the wall clock in seconds, above 0 = it is ahead.
  var correction: Double { Double(stamps.correction) / 1e9 }

  /// Begins another recording; what is known of the clock stays.
  mutating func restart() { newest = nil }

  mutating func verdict(on stamp: TraceInstant, arrived now: TraceInstant) -> Verdict {
    let time = stamps.time(of: stamp, arrived: now)
    let age = time.nanoseconds(to: now)
    let isNew = newest.map { $0 < time } ?? (age <= StampClock.tolerance)
    guard isNew else { return .ignored(age: Double(age) / 1e9) }
    newest = time
    return .counts(time)
  }
}
