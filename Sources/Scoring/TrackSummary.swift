internal import TraceModel

/// The figures pooled over several tracks; see ``Clustered`` for the errors of totals.
public struct TrackSummary: Hashable, Sendable, Codable {
  /// The tracks with a measured distance, of those with a true one: an error rests on these alone.
  public var measured: Proportion
  public var splits: TimePercentiles?
  public var missedSplits: Int
  /// The distance counted per hour of standing still in m, over the traces with both known.
  public var gainPerStandingHour: Double?
  public var standingHours: Double
  /// The horizontal error in m.
  public var horizontalErrorP50: Double?
  public var horizontalErrorP95: Double?
  public var fixes: Int

  public init(of scores: [TrackScore]) {
    let stated = scores.filter { ($0.trueDistance ?? 0) > 0 }
    measured = Proportion(
      successes: stated.count { $0.distanceError != nil }, trials: stated.count)
    splits = TimePercentiles(of: scores.flatMap { $0.splitErrors })
    missedSplits = scores.reduce(0) { $0 + $1.missedSplits }
    let still = scores.filter { $0.standingGain != nil }
    standingHours = still.reduce(0) { $0 + hours(ofNanoseconds: $1.standingNanoseconds) }
    gainPerStandingHour =
      standingHours > 0 ? still.compactMap { $0.standingGain }.reduce(0, +) / standingHours : nil
    let errors = scores.flatMap { $0.horizontalErrors }.sorted()
    horizontalErrorP50 = Sample.quantile(0.5, ofSorted: errors)
    horizontalErrorP95 = Sample.quantile(0.95, ofSorted: errors)
    fixes = errors.count
  }
}
