/// The hits in several recordings next to those at chance level, see ``ShiftedHits``.
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

  /// The significance level: above it, the hits do not differ from chance.
  public static let level = 0.05
  public var isAboveChance: Bool { share <= Self.level }

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
    let asWell = first.compared.indices.count { shift in
      var (own, shifted) = (0, 0)
      for recording in scored {
        own += recording.compared[shift].hits
        shifted += recording.compared[shift].shifted
      }
      return shifted >= own
    }
    share = Double(asWell + 1) / Double(shifts + 1)
    let known = scored.filter { $0.recall != nil }
    let weights = known.reduce(0) { $0 + $1.references }
    let expected = known.reduce(0.0) { $0 + Double($1.references) * ($1.recall ?? 0) }
    recall = weights > 0 ? expected / Double(weights) : nil
  }
}
