/// The waits between the attempts to send a request: each twice as long as the one before, up to a
/// limit, and each shortened by a random part, so that phones do not repeat in step.
public struct Backoff: Hashable, Sendable, Codable {
  /// The wait in seconds after the first attempt, at least a millisecond.
  public var first: Double
  /// The longest wait in seconds.
  public var longest: Double
  /// The largest part of a wait that is left out, 0...1; 0 = the waits are exact.
  public var jitter: Double

  public init(first: Double = 1, longest: Double, jitter: Double = 0.25) {
    (self.first, self.longest, self.jitter) = (first, longest, jitter)
  }

  /// Returns the wait in seconds after an attempt, counted from 1.
  ///
  /// It is in (1 - jitter) · w ... w for w = min(longest, first · 2^(attempt - 1)). Equal arguments
  /// give equal waits. NaN and values out of range count as the nearest value in range.
  public func wait(afterAttempt attempt: Int, of stamp: RequestStamp) -> Double {
    let shortest = 0.001
    // Beyond 2^62 every wait is at its limit.
    let factor = Double(1 << min(max(attempt - 1, 0), 62))
    let start = first >= shortest ? first : shortest
    let whole = max(shortest, longest >= start ? min(longest, start * factor) : start)
    guard jitter > 0 else { return whole }
    let hash = StableHash(seed: stamp.epoch).with(stamp.number).with(stamp.mark).with(attempt)
    return max(shortest, whole * (1 - min(jitter, 1) * hash.unit(0)))
  }
}
