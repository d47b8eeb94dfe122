internal import GSL
internal import TraceModel

/// A signed error over several traces: which way it leans, and how large it is.
public struct ErrorSummary: Hashable, Sendable, Codable {
  /// The mean of the signed errors.
  public var bias: MeanEstimate
  /// The mean of their magnitudes.
  public var absolute: MeanEstimate

  /// nil without an error, or where one is not finite.
  public init?(of errors: [Double]) {
    guard let bias = MeanEstimate(of: errors),
      let absolute = MeanEstimate(of: errors.map(abs), in: 0 ... .infinity)
    else { return nil }
    self.bias = bias
    self.absolute = absolute
  }
}

/// The scores of several traces together: each trace counts alike in the errors of its totals;
/// splits, standing time and fixes are pooled.
public struct TrackSummary: Hashable, Sendable, Codable {
  /// %.
  public var distance: ErrorSummary?
  /// %.
  public var movingTime: ErrorSummary?
  /// %.
  public var pace: ErrorSummary?
  /// m.
  public var ascent: ErrorSummary?
  public var splits: TimePercentiles?
  public var missedSplits: Int
  /// m counted per hour of standing still, over the traces where both are known.
  public var gainPerStandingHour: Double?
  /// The hours that it rests on.
  public var standingHours: Double
  /// m.
  public var horizontalErrorP50: Double?
  /// m.
  public var horizontalErrorP95: Double?
  /// The fixes that they rest on.
  public var fixes: Int
  /// %.
  public var coverage: MeanEstimate?

  public init(of scores: [TrackScore]) {
    distance = ErrorSummary(of: scores.compactMap(\.distanceError))
    movingTime = ErrorSummary(of: scores.compactMap(\.movingTimeError))
    pace = ErrorSummary(of: scores.compactMap(\.paceError))
    ascent = ErrorSummary(of: scores.compactMap(\.ascentError))
    splits = TimePercentiles(of: scores.flatMap(\.splitErrors))
    missedSplits = scores.reduce(0) { $0 + $1.missedSplits }
    let still = scores.filter { $0.standingGain != nil }
    standingHours = still.reduce(0) { $0 + hours(ofNanoseconds: $1.standingNanoseconds) }
    gainPerStandingHour =
      standingHours > 0 ? still.compactMap(\.standingGain).reduce(0, +) / standingHours : nil
    let errors = scores.flatMap(\.horizontalErrors).sorted()
    horizontalErrorP50 = Statistics.quantile(0.5, ofSorted: errors)
    horizontalErrorP95 = Statistics.quantile(0.95, ofSorted: errors)
    fixes = errors.count
    coverage = MeanEstimate(of: scores.compactMap(\.coverage), in: 0...100)
  }
}
