import TraceModel

/// The most that one hit takes: an acceleration, and why no more counts.
///
/// A report is a number that a phone sends. Three limits bound what an invented number can do:
/// - what the sensor can deliver, by its range as the phone states it, 16 g if it states none;
/// - the person's own history: ``growth`` times the hardest hit that counted before, in any fight,
///   and at least ``start``, so that a light first hit does not bind a person;
/// - ``largest``, whatever the history: two hits never take a full bar.
///
/// So a fight takes at least three hits, whatever a phone reports.
public struct HitLimit: Hashable, Sendable, Codable {
  public enum Reason: String, CaseIterable, Hashable, Sendable, Codable {
    case sensor, history, hit
  }

  /// The magnitude in m s-2 that counts at most.
  public var magnitude: Double
  public var reason: Reason

  /// The limit in m s-2 of a person without harder hits before: 40 % of a full bar.
  public static let start = 10 * standardGravity
  /// The most by which a hit can exceed the hardest one before.
  public static let growth = 1.2
  /// The limit in m s-2 of every hit: 49.6 % of a full bar.
  public static let largest = 12.4 * standardGravity

  /// Returns the limit for a punch of a person.
  /// - Parameters:
  ///   - range: the range of one axis in m s-2 as the phone states it; nil, 0 or less, or not finite
  ///     = not known.
  ///   - hardest: the hardest hit of the person that counted so far, in m s-2; 0 = none.
  public init(sensorRange range: Double?, hardest: Double) {
    (magnitude, reason) = (HitLimit.largest, .hit)
    lower(to: max(HitLimit.start, HitLimit.growth * hardest), .history)
    if let range, range > 0, range < PunchLimits.largestRange {
      // An axis at its limit can hide gravity of 1 g.
      lower(to: range * 3.0.squareRoot() + standardGravity, .sensor)
    }
  }

  private mutating func lower(to other: Double, _ why: Reason) {
    if other < magnitude { (magnitude, reason) = (other, why) }
  }

  /// The magnitude in g, rounded to a tenth.
  var gravities: Double { (magnitude / standardGravity * 10).rounded() / 10 }

  /// The limit in words, after "the punch".
  public var text: String {
    let why =
      switch reason {
      case .sensor: "the most that this phone's sensor delivers"
      case .history: "the most after this person's hits so far"
      case .hit: "the most of one hit"
      }
    return "counts as \(gravities) g, \(why)"
  }
}
