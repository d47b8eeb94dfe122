/// The hits in several recordings next to those at chance level, see ``ShiftedHits``.
///
/// A result above chance rules out a detector that fires blindly, at any rhythm; where movement is
/// known, also one that fires whenever there is movement. It does not rule out one that follows only
/// how strong the movement is.
///
/// ```swift
/// let onsets = [61, 150, 340, 505].map { TraceInstant(nanoseconds: $0 * 1_000_000_000) }
/// let hits = ShiftedHits(
///   references: onsets.map { ReferenceEvent(onset: $0) }, detections: onsets,
///   tolerance: .standard, movement: nil, duration: .seconds(600), seed: 1)
/// ChanceLevel([hits])?.hits  // 4
/// ChanceLevel([hits])?.isAboveChance  // true
/// ```
public struct ChanceLevel: Hashable, Sendable, Codable {
  public var references: Int
  public var hits: Int
  /// The share of the references that are hit at chance level; nil if nothing can be compared.
  public var recall: Double?
  /// The share of shifts with as many hits or more; the detections count as one, so never 0.
  public var share: Double
  public var shifts: Int
  /// The same share for flawless detections: these hits, with no miss and no false alarm.
  public var flawless: Double
  /// The share of the references that a shift compares, on average: where they are shifted to, there
  /// is movement too, or rest too.
  public var compared: Double

  /// The significance level: above it, the hits do not differ from chance.
  public static let level = 0.05

  public enum Verdict: Hashable, Sendable {
    case above, notAbove
    /// Not even flawless detections would be above chance.
    case cannotBeTold
  }

  /// Without hits, nothing is above chance, however little there is to compare.
  public var verdict: Verdict {
    share <= Self.level ? .above : hits > 0 && flawless > Self.level ? .cannotBeTold : .notAbove
  }

  public var isAboveChance: Bool { verdict == .above }

  /// Whether most references have no place to be compared with; otherwise, where a verdict cannot be
  /// told, the events are too few or too regular.
  public var isMovementShort: Bool { compared < 0.5 }

  /// Each shift of a recording is combined with one of every other recording, because the shifts of
  /// two recordings are independent.
  ///
  /// If the detections are as likely before a shift as after it, `share` is at most 0.05 in about
  /// one of twenty cases, whatever their rhythm. Recordings of different people count as
  /// independent.
  /// - Parameter recordings: all with the same number of shifts. nil without references.
  public init?(_ recordings: [ShiftedHits]) {
    let scored = recordings.filter { $0.references > 0 }
    guard let first = scored.first else { return nil }
    references = scored.reduce(0) { $0 + $1.references }
    hits = scored.reduce(0) { $0 + $1.hits }
    shifts = first.compared.count
    precondition(scored.allSatisfy { $0.compared.count == first.compared.count })
    var (asWell, asFlawless, windows) = (0, 0, 0)
    for shift in first.compared.indices {
      let sum = scored.reduce(ShiftedHits.Comparison()) { $0 + $1.compared[shift] }
      if sum.shifted >= sum.hits { asWell += 1 }
      if sum.shiftedFlawless >= sum.windows { asFlawless += 1 }
      windows += sum.windows
    }
    share = Double(asWell + 1) / Double(shifts + 1)
    flawless = Double(asFlawless + 1) / Double(shifts + 1)
    compared = shifts > 0 ? Double(windows) / Double(shifts) / Double(references) : 0
    let known = scored.filter { $0.recall != nil }
    let weights = known.reduce(0) { $0 + $1.references }
    let expected = known.reduce(0.0) { $0 + Double($1.references) * ($1.recall ?? 0) }
    recall = weights > 0 ? expected / Double(weights) : nil
  }
}
