public import TraceModel

/// A punch as a phone reports it.
///
/// Its time is on the phone's own monotonic clock, which cannot be set. The authority compares it only
/// with other times of the same clock, never with its own time.
public struct PunchReport: Hashable, Sendable, Codable {
  /// |a| without gravity, m s-2.
  public var magnitude: Double
  /// The time of the punch on the phone's monotonic clock.
  public var thrown: TraceInstant
  /// The identity of that clock, which restarts with the phone. Times of two clocks are
  /// not compared.
  public var clock: UInt64 = 0
  /// The number of moves of the fight at the time of the punch: a late or repeated report refers to
  /// a past move.
  public var move: Int
  /// The largest value of one axis of the phone's sensor in m s-2; nil = not known.
  public var sensorRange: Double?
}

/// The physical limits of phones and hands.
public enum PunchLimits {
  /// The minimum magnitude in m s-2, exclusive: below it no axis exceeds 2 g.
  public static let leastMagnitude = 2 * standardGravity
  /// The widest range of one axis in m s-2 of accelerometers in phones: 16 g.
  public static let largestRange = 16 * standardGravity
  /// The maximum magnitude in m s-2: the widest range on each of three axes.
  public static let largestMagnitude = largestRange * 3.0.squareRoot()
  /// The minimum time in ns between two punches of one person: a hand needs 0.28 s from impact to
  /// impact.
  public static let shortestPause: Int64 = 280_000_000
}

/// The pace of one side of a fight: two punches are at least ``PunchLimits/shortestPause`` apart.
///
/// Two bounds hold, and neither compares the phone's clock with the authority's:
/// - on one clock of the phone, by the difference of the reported times;
/// - at the authority, by arrivals: the punch number n, from 0, cannot arrive before n pauses have
///   passed since the fight began. A phone that invents its times gains nothing.
struct PunchPace: Hashable, Sendable, Codable {
  private var lastThrown: TraceInstant?
  private var clock: UInt64 = 0
  private var count: Int64 = 0

  /// Whether a punch that arrives at `now` is too early.
  func isTooFast(_ punch: PunchReport, in begun: TraceInstant, at now: TraceInstant) -> Bool {
    if begun.nanoseconds(to: now) / PunchLimits.shortestPause < count { return true }
    guard let lastThrown, clock == punch.clock else { return false }
    return lastThrown.nanoseconds(to: punch.thrown) < PunchLimits.shortestPause
  }

  mutating func note(_ punch: PunchReport) {
    (lastThrown, clock) = (punch.thrown, punch.clock)
    count = count.addingClamped(1)
  }
}
