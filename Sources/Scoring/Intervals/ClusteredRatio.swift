internal import TraceModel

/// A ratio of sums over clusters, such as false alarms by hours or hits by references over people,
/// and how much it varies between them.
///
/// Events of one person go together, so the people, not the events, determine how far the ratio of
/// new people may be from this one. The variance is that of the linearised ratio, where each
/// residual is divided by one minus its cluster's share: the correction of HC3, or of the
/// jackknife, without which clusters with large shares look too much like the ratio that they
/// determine (Bell and McCaffrey, Survey Methodology 28, 2002). The degrees of freedom count the
/// clusters as if they had equal shares (Kish, Survey Sampling, 1965).
///
/// For new people, a rate has Garwood's interval at the count that is left after division by the
/// overdispersion, and a proportion Wilson's at the effective number of trials (Korn and Graubard,
/// Survey Methodology 24, 1998); both with Student's quantile instead of the normal one.
struct ClusteredRatio {
  /// The minimum number of clusters for a statement about new ones.
  static let fewest = 3
  /// Assumed if all people are alike: such data do not show how much others may differ.
  static let assumedCorrelation = 0.05

  let clusters: Int
  let count: Double
  let exposure: Double
  /// The variance of the count given the exposure, from the differences between clusters.
  let variance: Double
  let degreesOfFreedom: Double
  /// The mean exposure of a cluster, weighted by exposure: the sum of squares / the sum.
  private let weightedSize: Double

  /// Returns nil with fewer than ``fewest`` clusters that have an exposure.
  /// - Parameter parts: the count and the exposure of each cluster; not negative, finite.
  init?(_ parts: [(count: Double, exposure: Double)]) {
    let parts = parts.filter { $0.exposure > 0 }
    let count = parts.reduce(0) { $0 + $1.count }
    let exposure = parts.reduce(0) { $0 + $1.exposure }
    let ratio = count / exposure
    self.init(
      count, exposure, parts.map { ($0.count - ratio * $0.exposure, $0.exposure / exposure) })
  }

  /// A share whose variance comes from the influence of each value on it.
  /// - Parameter parts: the sum of the influences and the number of values of each cluster.
  init?(share: Double, _ parts: [(influence: Double, size: Double)]) {
    let parts = parts.filter { $0.size > 0 }
    let exposure = parts.reduce(0) { $0 + $1.size }
    self.init(
      share * exposure, exposure, parts.map { ($0.influence * exposure, $0.size / exposure) })
  }

  private init?(
    _ count: Double, _ exposure: Double, _ parts: [(residual: Double, share: Double)]
  ) {
    guard parts.count >= Self.fewest else { return nil }
    (self.count, self.exposure, clusters) = (count, exposure, parts.count)
    var (squares, shares) = (0.0, 0.0)
    for part in parts {
      let residual = part.residual / (1 - part.share)
      squares += residual * residual
      shares += part.share * part.share
    }
    variance = Double(clusters - 1) / Double(clusters) * squares
    degreesOfFreedom = 1 / shares - 1
    weightedSize = shares * exposure
  }

  /// Student's quantile / the normal one; infinite if there is hardly more than one cluster.
  func quantileRatio(_ probability: Double) -> Double {
    guard let normal = Distributions.normalQuantile(probability), normal > 0,
      let student = Distributions.studentQuantile(probability, degreesOfFreedom: degreesOfFreedom)
    else { return .infinity }
    return student / normal
  }

  /// The variance divided by that of independent events; 1 if it is no larger.
  var dispersion: Double { count > 0 ? max(1, variance / count) : 1 }

  /// Returns the number of events / the number of independent ones.
  private func deflation(_ probability: Double) -> Double {
    guard dispersion > 1 else { return 1 }
    let ratio = quantileRatio(probability)
    return dispersion * ratio * ratio
  }

  var rateInterval: Interval? {
    let tail = (1 + Interval.level) / 2
    let factor = deflation(tail)
    guard let lower = PoissonRate.bound(1 - tail, count: count / factor, hours: exposure / factor),
      let upper = PoissonRate.bound(tail, count: count / factor, hours: exposure / factor)
    else { return nil }
    return Interval(lower: lower, upper: upper)
  }

  /// Returns the one-sided upper bound of the rate; nil if there is none.
  /// - Parameter confidence: above 0.5 and below 1.
  func upperBoundOfRate(_ confidence: Double) -> Double? {
    let factor = deflation(confidence)
    return PoissonRate.bound(confidence, count: count / factor, hours: exposure / factor)
  }

  /// The equivalent number of independent trials, and whether it comes from ``assumedCorrelation``.
  var effectiveTrials: (number: Double, isAssumed: Bool) {
    let spread = count / exposure * (1 - count / exposure)
    // Rounding leaves some variance even if all clusters are alike.
    guard variance > 1e-18 * exposure * exposure, spread > 0 else {
      return (exposure / (1 + max(0, weightedSize - 1) * Self.assumedCorrelation), true)
    }
    return (min(exposure, spread * exposure * exposure / variance), false)
  }

  var proportionInterval: Interval? {
    let tail = (1 + Interval.level) / 2
    guard let normal = Distributions.normalQuantile(tail) else { return nil }
    return wilson(
      count / exposure, trials: effectiveTrials.number, quantile: normal * quantileRatio(tail))
  }

  /// The interval of the proportion by Clopper and Pearson instead of Wilson, as in Korn and
  /// Graubard. It is wider, for the ends of a distribution, where people differ most in few values.
  var exactProportionInterval: Interval? {
    let tail = (1 - Interval.level) / 2
    let ratio = quantileRatio(1 - tail)
    let trials = effectiveTrials.number / (ratio * ratio)
    let hits = count / exposure * trials
    let misses = trials - hits
    guard trials > 0.01 else { return Interval(lower: 0, upper: 1) }
    let lower = hits > 0.01 ? Distributions.betaQuantile(tail, hits, misses + 1) : 0
    let upper = misses > 0.01 ? Distributions.betaQuantile(1 - tail, hits + 1, misses) : 1
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
  }

  /// Woodruff's interval of a percentile, where this is the share of values up to it. An end is
  /// infinite where too few independent values would be beyond it: then the true percentile may be
  /// outside of all of them.
  /// - Parameters:
  ///   - share: the share of the percentile, in 0...1.
  ///   - value: returns the value that has a share of the values up to it.
  func interval(ofPercentile share: Double, _ value: (Double) -> Double) -> Interval? {
    let tail = (1 - Interval.level) / 2
    let trials = effectiveTrials.number
    func isBound(_ within: Double) -> Bool { Math.exp(trials * Math.log(within)) <= tail }
    return exactProportionInterval.map {
      Interval(
        lower: isBound(1 - share) ? value($0.lower) : -.infinity,
        upper: isBound(share) ? value($0.upper) : .infinity)
    }
  }
}

/// Wilson's score interval (JASA 22, 1927) of a proportion.
/// - Parameters:
///   - trials: positive, not necessarily whole.
///   - quantile: positive; infinite = nothing is known.
func wilson(_ p: Double, trials n: Double, quantile q: Double) -> Interval {
  guard (q * q / n).isFinite else { return Interval(lower: 0, upper: 1) }
  let center = (p + q * q / (2 * n)) / (1 + q * q / n)
  let half = q / (1 + q * q / n) * (p * (1 - p) / n + q * q / (4 * n * n)).squareRoot()
  // At the ends the formula gives exactly 0 and 1, but rounding does not.
  return Interval(
    lower: p == 0 ? 0 : max(0, center - half), upper: p == 1 ? 1 : min(1, center + half))
}
