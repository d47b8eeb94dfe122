internal import TraceModel

/// A signed error over several traces: its bias and its magnitude.
public struct ErrorSummary: Hashable, Sendable, Codable {
  /// The mean of the signed errors.
  public var bias: MeanEstimate
  /// The mean of the absolute errors.
  public var absolute: MeanEstimate

  /// Returns nil without errors, or if one is not finite.
  public init?(of errors: [Double]) {
    guard let bias = MeanEstimate(of: errors),
      let absolute = MeanEstimate(of: errors.map(abs), in: 0 ... .infinity)
    else { return nil }
    self.bias = bias
    self.absolute = absolute
  }
}

/// The scores of several traces together: in the errors of totals each trace has the same weight;
/// splits, standing time and fixes are pooled.
public struct TrackSummary: Hashable, Sendable, Codable {
  /// The error of the distance in %.
  public var distance: ErrorSummary?
  /// The error of the moving time in %.
  public var movingTime: ErrorSummary?
  /// The error of the pace in %.
  public var pace: ErrorSummary?
  /// The error of the ascent in m.
  public var ascent: ErrorSummary?
  public var splits: TimePercentiles?
  public var missedSplits: Int
  /// The distance counted per hour of standing still in m, over the traces with both known.
  public var gainPerStandingHour: Double?
  /// The hours of standing still.
  public var standingHours: Double
  /// The median horizontal error in m.
  public var horizontalErrorP50: Double?
  /// The 95th percentile of the horizontal error in m.
  public var horizontalErrorP95: Double?
  /// The number of fixes used.
  public var fixes: Int
  /// The coverage in %.
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
    horizontalErrorP50 = Sample.quantile(0.5, ofSorted: errors)
    horizontalErrorP95 = Sample.quantile(0.95, ofSorted: errors)
    fixes = errors.count
    coverage = MeanEstimate(of: scores.compactMap(\.coverage), in: 0...100)
  }
}
