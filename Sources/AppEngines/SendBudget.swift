public import TraceModel

/// A limit for messages that have no waits of their own, because something outside causes them: an
/// app that comes to the front again and again, a person who taps again and again.
///
/// It starts with ``capacity`` messages, and gains one every ``refill`` seconds up to that number.
public struct SendBudget: Hashable, Sendable, Codable {
  /// The largest number of messages in a row, at least 1.
  public let capacity: Int
  /// The time in nanoseconds after which one more is allowed, at least one.
  private let refill: Int64
  private var used = 0
  /// The time from which the next refill is counted; nil = nothing is used.
  private var since: TraceInstant?

  /// - Parameters:
  ///   - capacity: values below 1 count as 1.
  ///   - refill: in seconds; values that are not above 0 count as a nanosecond.
  public init(capacity: Int, refill: Double) {
    self.capacity = max(capacity, 1)
    self.refill = max(TraceInstant.zero.advanced(bySeconds: refill).nanoseconds, 1)
  }

  /// Uses up one message if one is left.
  /// - Returns: whether it may be sent. A time before the last one gains nothing.
  public mutating func take(at now: TraceInstant) -> Bool {
    if let since {
      let gained = max(0, since.nanoseconds(to: now)) / refill
      if gained >= Int64(used) {
        (used, self.since) = (0, nil)
      } else {
        used -= Int(gained)
        self.since = since.advanced(byNanoseconds: gained * refill)
      }
    }
    guard used < capacity else { return false }
    used += 1
    since = since ?? now
    return true
  }

  /// Continues on another time axis, with what was left of the time to the next refill.
  /// - Parameter shift: what is added to a time of the old axis, in nanoseconds.
  package mutating func restartClock(shiftedBy shift: Int64) {
    since = since?.advanced(byNanoseconds: shift)
  }
}
