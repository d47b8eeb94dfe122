internal import TraceModel

/// An interval of a pooled figure, from resampling clusters (people or recordings).
public struct ClusterInterval: Hashable, Sendable, Codable {
  public var interval: Interval
  /// The Monte Carlo error of the interval's ends: another seed moves them by about this much.
  public var monteCarloError: MonteCarloError
  public var clusters: Int
  public var seed: UInt64
  /// The number of resamples.
  public var resamples: Int
  /// The number of resamples with an undefined figure; the interval uses the others.
  public var undefined: Int

  /// The minimum number of clusters for a bootstrap. With fewer, report Wilson's interval and state
  /// that it ignores the clustering.
  public static let fewestClusters = 5

  /// The percentile bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
  /// chapter 13) at 95 %: each resample draws as many clusters as there are, with replacement, sums
  /// their counts and computes the figure. The same seed gives the same interval.
  ///
  /// Returns nil with fewer than ``fewestClusters`` clusters, or if the figure is never defined.
  public init?(
    of clusters: [EventCounts], seed: UInt64, resamples: Int = 2000,
    figure: (EventCounts) -> Double?
  ) {
    self.init(clusters: clusters.count, seed: seed, resamples: resamples) { drawn in
      figure(drawn.reduce(EventCounts()) { $0 + clusters[$1] })
    }
  }

  /// The same for any figure of clusters: the closure receives the indices of the drawn clusters,
  /// from 0, with repetitions.
  public init?(
    clusters count: Int, seed: UInt64, resamples: Int = 2000, figure: ([Int]) -> Double?
  ) {
    guard count >= Self.fewestClusters, resamples > 0 else { return nil }
    var generator = SeededGenerator(seed: seed)
    let values = (0..<resamples).compactMap { _ in
      figure((0..<count).map { _ in Int(generator.unit() * Double(count)) })
    }.sorted()
    guard let lower = Sample.quantile((1 - Interval.level) / 2, ofSorted: values),
      let upper = Sample.quantile((1 + Interval.level) / 2, ofSorted: values)
    else { return nil }
    interval = Interval(lower: lower, upper: upper)
    monteCarloError = MonteCarloError(
      lower: quantileError((1 - Interval.level) / 2, ofSorted: values),
      upper: quantileError((1 + Interval.level) / 2, ofSorted: values))
    clusters = count
    self.seed = seed
    self.resamples = resamples
    undefined = resamples - values.count
  }
}

/// The standard errors of the ends of an interval found by random draws. They depend on the number
/// of draws, not on the sample, and go to zero as that number grows.
public struct MonteCarloError: Hashable, Sendable, Codable {
  public var lower: Double
  public var upper: Double
}

/// Returns the standard error of a sample's quantile (Maritz and Jarrett, JASA 73, 1978): the
/// deviation of the order statistics when each is weighted by how likely it is to be the one of
/// rank m = fraction n + 1/2, rounded down, by a beta distribution of m - 1 and n - m (Wilcox,
/// Introduction to Robust Estimation and Hypothesis Testing, 1997, section 3.5.3; SciPy's
/// `mstats.mjci`). NaN for a sample so small that the rank is at its end. O(n).
/// - Parameter sample: in ascending order, finite.
func quantileError(_ fraction: Double, ofSorted sample: [Double]) -> Double {
  let count = sample.count
  let rank = Int(fraction * Double(count) + 0.5)
  guard rank > 1, rank < count else { return .nan }
  let center = sample[rank - 1]
  var (below, first, second) = (0.0, 0.0, 0.0)
  for (index, value) in sample.enumerated() {
    let probability = Distributions.betaProbability(
      of: Double(index + 1) / Double(count), Double(rank - 1), Double(count - rank))
    guard let probability else { return .nan }
    // Centred on the quantile, so that the difference of squares below keeps its precision.
    first += (probability - below) * (value - center)
    second += (probability - below) * (value - center) * (value - center)
    below = probability
  }
  return max(0, second - first * first).squareRoot()
}
