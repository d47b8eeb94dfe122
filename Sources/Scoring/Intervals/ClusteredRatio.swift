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
/// dispersion, and a proportion Wilson's at the effective number of trials (Korn and Graubard,
/// Survey Methodology 24, 1998); both with Student's quantile instead of the normal one.
///
/// The dispersion is the variance divided by that of independent events. Few people rarely include
/// the one in five who is unlike the others, so a dispersion below the usual one is averaged with
/// it, as if the usual one had been seen in three more degrees of freedom. `make coverage` shows
/// what that changes; docs/scoring.md has its tables.
struct ClusteredRatio {
  /// The minimum number of clusters for a statement about new ones.
  static let fewest = 3
  /// The usual correlation between the hits of one person.
  static let assumedCorrelation = 0.1
  /// The usual coefficient of variation between the rates of people.
  static let assumedVariation = 1.0
  /// The same for budgets, whose bound has only one side: rates of people are skewed, so where few
  /// people come out low, so does their dispersion.
  static let assumedVariationForBudgets = 1.2
  /// The weight of what is usual, in degrees of freedom.
  static let assumedWeight = 3.0

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

  func quantileRatio(_ probability: Double) -> Double {
    Self.quantileRatio(probability, degreesOfFreedom)
  }

  /// Student's quantile, with the degrees of freedom of these people and of what is usual, / the
  /// normal one.
  static func quantileRatio(_ probability: Double, _ degrees: Double) -> Double {
    let student = Distributions.studentQuantile(
      probability, degreesOfFreedom: degrees + assumedWeight)
    guard let student, let normal = Distributions.normalQuantile(probability), normal > 0 else {
      return .infinity
    }
    return student / normal
  }

  /// Returns the dispersion to reckon with, at least 1.
  /// - Parameters:
  ///   - estimate: that of these people.
  ///   - degrees: their degrees of freedom.
  ///   - usual: the usual dispersion.
  static func dispersion(_ estimate: Double, _ degrees: Double, usual: Double) -> Double {
    max(1, averaged(estimate, degrees, usual: usual))
  }

  /// Returns the estimate, or its mean with the usual value if that is larger.
  static func averaged(_ estimate: Double, _ degrees: Double, usual: Double) -> Double {
    max(estimate, (degrees * estimate + assumedWeight * usual) / (degrees + assumedWeight))
  }

  /// Returns the dispersion of a count whose rate has this coefficient of variation between people.
  /// One event more than were found stands for the rate, which is positive where none was found.
  /// - Parameter squaredShares: the sum of the squares of the people's shares.
  static func dispersion(ofCount count: Double, squaredShares: Double, variation: Double) -> Double
  {
    1 + variation * variation * (count + 1) * squaredShares
  }

  /// Returns the number of events / the number of independent ones.
  private func deflation(_ probability: Double, variation: Double) -> Double {
    let usual = Self.dispersion(
      ofCount: count, squaredShares: weightedSize / exposure, variation: variation)
    let estimate = count > 0 ? variance / count : 1
    let ratio = quantileRatio(probability)
    return Self.dispersion(estimate, degreesOfFreedom, usual: usual) * ratio * ratio
  }

  var rateInterval: Interval? {
    let tail = (1 + Interval.level) / 2
    let factor = deflation(tail, variation: Self.assumedVariation)
    guard let lower = PoissonRate.bound(1 - tail, count: count / factor, hours: exposure / factor),
      let upper = PoissonRate.bound(tail, count: count / factor, hours: exposure / factor)
    else { return nil }
    return Interval(lower: lower, upper: upper)
  }

  /// Returns the one-sided upper bound of the rate, as for a budget; nil if there is none.
  /// - Parameter confidence: above 0.5 and below 1.
  func upperBoundOfRate(_ confidence: Double) -> Double? {
    let factor =
      deflation(confidence, variation: Self.assumedVariationForBudgets)
      * budgetEnlargement
    return PoissonRate.bound(confidence, count: count / factor, hours: exposure / factor)
  }

  /// The factor for the dispersion in a budget: with few people, it is skewed too.
  var budgetEnlargement: Double { 1 + 1 / degreesOfFreedom }

  /// The equivalent number of independent trials, and whether the people are all alike, so that they
  /// show nothing of how others may differ.
  var effectiveTrials: (number: Double, areAlike: Bool) {
    let spread = count / exposure * (1 - count / exposure)
    // Rounding leaves some variance even if all clusters are alike.
    let areAlike = variance <= 1e-18 * exposure * exposure || spread <= 0
    let estimate = areAlike ? 1 : variance / (exposure * spread)
    let usual = 1 + max(0, weightedSize - 1) * Self.assumedCorrelation
    return (exposure / Self.dispersion(estimate, degreesOfFreedom, usual: usual), areAlike)
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
