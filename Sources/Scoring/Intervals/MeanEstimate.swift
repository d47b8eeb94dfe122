internal import TraceModel

/// The mean of several figures, e.g. of one figure per person.
///
/// Figures of few people rarely include the one in five who is unlike the others, and sizes of errors
/// are skewed, so Student's interval is too short. A variance below the usual one is therefore
/// averaged with it, and the quantile is Student's with more degrees of freedom, as in
/// ``ClusteredRatio``. What is usual follows from the range of the figures:
///
/// - shares, in a finite range: a correlation of 0.1 within a person, in Wilson's interval.
/// - sizes, from 0 on: a coefficient of variation of 1.2 in a gamma interval (Garwood's at the
///   number of events with the same error), enlarged for skewness as a budget.
/// - signed errors: a deviation of 1.5 times their mean size, enlarged alike. A few errors have the
///   same sign by chance, so up to five of them do not show one.
///
/// ```swift
/// MeanEstimate(of: [0.8, 0.9, 1], in: 0...1)?.interval  // 0.6668 ... 0.9759
/// ```
public struct MeanEstimate: Hashable, Sendable, Codable {
  public var mean: Double
  public var count: Int
  /// The 95 % interval; nil for a single figure, or if all sizes or errors are zero.
  public var interval: Interval?

  /// The usual deviation of signed errors / their mean size.
  static let assumedDeviation = 1.5

  /// Returns nil without a figure, or if one is not finite.
  /// - Parameter range: the range of a figure: finite, from 0 on, or unlimited.
  public init?(of figures: [Double], in range: ClosedRange<Double> = -.infinity ... .infinity) {
    guard let mean = Sample.mean(figures) else { return nil }
    (self.mean, count) = (mean, figures.count)
    guard let deviation = Sample.standardDeviation(figures) else { return }
    let variance = deviation * deviation
    if range.lowerBound.isFinite, range.upperBound.isFinite {
      interval = share(variance, range)
    } else if range.lowerBound == 0 {
      interval = size(variance)
    } else {
      interval = signed(variance, size: figures.reduce(0) { $0 + abs($1) } / Double(count))
    }
  }

  private static let tail = (1 + Interval.level) / 2

  private var degrees: Double { Double(count - 1) }

  private var quantileRatio: Double { ClusteredRatio.quantileRatio(Self.tail, degrees) }

  private var quantile: Double? {
    Distributions.normalQuantile(Self.tail).map { $0 * quantileRatio }
  }

  private func share(_ variance: Double, _ range: ClosedRange<Double>) -> Interval? {
    let width = range.upperBound - range.lowerBound
    let share = min(max((mean - range.lowerBound) / width, 0), 1)
    let spread = share * (1 - share) * width * width
    let dispersion = ClusteredRatio.averaged(
      spread > 0 ? variance / spread : 0, degrees, usual: ClusteredRatio.assumedCorrelation)
    guard let quantile else { return nil }
    let found = wilson(share, trials: Double(count) / dispersion, quantile: quantile)
    return Interval(
      lower: range.lowerBound + width * found.lower, upper: range.lowerBound + width * found.upper)
  }

  private func size(_ variance: Double) -> Interval? {
    guard mean > 0 else { return nil }
    let used = Self.used(
      variance, degrees, usual: ClusteredRatio.assumedVariationForBudgets * mean)
    let events = mean * mean * Double(count) / (used * quantileRatio * quantileRatio)
    guard
      let lower = PoissonRate.bound(1 - Self.tail, count: events, hours: events / mean),
      let upper = PoissonRate.bound(Self.tail, count: events, hours: events / mean)
    else { return nil }
    return Interval(lower: lower, upper: upper)
  }

  private func signed(_ variance: Double, size: Double) -> Interval? {
    let used = Self.used(variance, degrees, usual: Self.assumedDeviation * size)
    guard used > 0, let quantile else { return nil }
    let half = quantile * (used / Double(count)).squareRoot()
    return Interval(lower: mean - half, upper: mean + half)
  }

  /// The variance to reckon with.
  /// - Parameter deviation: the usual one.
  static func used(_ variance: Double, _ degrees: Double, usual deviation: Double) -> Double {
    ClusteredRatio.averaged(variance, degrees, usual: deviation * deviation) * (1 + 1 / degrees)
  }
}
