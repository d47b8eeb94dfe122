internal import TraceModel

/// How an interval is computed.
///
/// ```swift
/// IntervalMethod.woodruff.population  // newPeople
/// ```
public enum IntervalMethod: String, Hashable, Sendable, Codable {
  /// Wilson's interval at the effective number of trials, by the differences between clusters.
  case clusteredWilson = "clustered_wilson"
  /// Garwood's interval of a rate, with the overdispersion between clusters.
  case clusteredGarwood = "clustered_garwood"
  /// Woodruff's interval of a percentile, with the differences between clusters.
  case woodruff
  /// As Woodruff's, for delays with misses, see ``DelayCurve``.
  case clusteredKaplanMeier = "clustered_kaplan_meier"
  /// The interval of a mean over the clusters' means, with Student's quantile, see ``MeanEstimate``.
  case clusteredStudent = "clustered_student"
  /// Student's interval of a difference on the same recordings, over people, see ``PairedRatio``.
  case pairedStudent = "paired_student"
  /// Clopper and Pearson's interval with the variance of leaving out clusters or groups of them.
  case jackknife
  case wilson
  case garwood
  case student
  /// Two order statistics of a percentile (Conover, Practical Nonparametric Statistics, 3rd
  /// edition, 1999, section 3.2).
  case orderStatistics = "order_statistics"
  /// As `clusteredKaplanMeier`, with the delays as independent.
  case kaplanMeier = "kaplan_meier"
  /// The range of choices on resampled clusters: people or recordings.
  case bootstrap
  /// The gamma interval of a weighted sum of rates, with overdispersion, see ``DayRate``.
  case clusteredFayFeuer = "clustered_fay_feuer"
  /// The same for independent events.
  case fayFeuer = "fay_feuer"

  /// Whom an interval is about.
  public enum Population: String, CaseIterable, Hashable, Sendable, Codable {
    /// People like these.
    case newPeople = "new_people"
    /// More events of the same people: the differences between people are left out.
    case thesePeople = "these_people"
  }

  public var population: Population {
    switch self {
    case .clusteredWilson, .clusteredGarwood, .woodruff, .clusteredKaplanMeier, .clusteredStudent,
      .clusteredFayFeuer, .jackknife, .bootstrap, .pairedStudent:
      .newPeople
    case .wilson, .garwood, .student, .orderStatistics, .kaplanMeier, .fayFeuer: .thesePeople
    }
  }
}

/// How events are grouped: those of one cluster are alike, those of two are independent.
public enum ClusterKind: String, Hashable, Sendable, Codable {
  case people
  /// Where people are not known.
  case recordings
  case peers
}

/// A value with its 95 % interval, and what the interval rests on.
///
/// In JSON it has the keys `value`, and with a method also `lower`, `upper`, `method`, `population`,
/// `count`, `clusters`, `cluster` and `assumed_correlation`. What is undefined is null.
///
/// ```swift
/// Estimate(Proportion(successes: 5, trials: 10)).method  // wilson
/// Estimate(PoissonRate(count: 0, hours: 0)).value == nil  // true
/// ```
public struct Estimate: Hashable, Sendable, Encodable {
  /// The value; nil if undefined (0/0).
  public var value: Double?
  /// The 95 % interval; nil if undefined, or without a method.
  public var interval: Interval?
  /// The method of the interval; nil for a value that has none, such as a count.
  public var method: IntervalMethod?
  /// The number of events, times or means that the value rests on; nil = not stated.
  public var count: Int?
  /// The number of clusters behind the interval; nil = events are taken as independent.
  public var clusters: Int?
  public var clusterKind: ClusterKind?
  /// The correlation within clusters that was assumed because they are all alike; nil = none was.
  public var assumedCorrelation: Double?

  public init(
    _ value: Double?, _ interval: Interval? = nil, by method: IntervalMethod? = nil,
    count: Int? = nil, clusters: Int? = nil
  ) {
    (self.value, self.interval, self.method) = (value, interval, method)
    (self.count, self.clusters) = (count, clusters)
  }

  public init(_ proportion: Proportion) {
    self.init(
      proportion.estimate, proportion.interval, by: .wilson, count: proportion.trials)
  }

  public init(_ score: F1Score) {
    self.init(score.estimate, score.interval, by: .wilson, count: score.jaccard.trials)
  }

  public init(_ rate: PoissonRate) {
    self.init(rate.estimate, rate.interval, by: .garwood, count: rate.count)
  }

  /// nil = the mean of nothing.
  public init(_ mean: MeanEstimate?) {
    self.init(mean?.mean, mean?.interval, by: .student, count: mean?.count ?? 0)
  }

  /// A proportion for people like these, see ``ClusteredRatio``; for these people only, from the
  /// events, where fewer than three clusters have trials.
  /// - Parameter parts: one for each cluster; their sum is the proportion.
  public init(_ parts: [Proportion], of kind: ClusterKind) {
    self.init(parts.reduce(Proportion(successes: 0, trials: 0), +))
    let ratio = ClusteredRatio(parts.map { (Double($0.successes), Double($0.trials)) })
    guard let ratio else { return }
    rest(on: ratio, of: kind, ratio.proportionInterval, by: .clusteredWilson)
  }

  /// As for a proportion: F1 increases with the Jaccard index, which is one.
  public init(_ parts: [F1Score], of kind: ClusterKind) {
    self.init(parts.map { $0.jaccard }, of: kind)
    value = value.map(F1Score.f1)
    interval = interval.map(F1Score.f1)
  }

  /// A rate for people like these; for these people only, with fewer than three clusters.
  public init(_ parts: [PoissonRate], of kind: ClusterKind) {
    self.init(parts.reduce(PoissonRate(count: 0, hours: 0), +))
    let ratio = ClusteredRatio(parts.map { (Double($0.count), $0.hours) })
    guard let ratio, value != nil else { return }
    rest(on: ratio, of: kind, ratio.rateInterval, by: .clusteredGarwood)
  }

  /// Sets the interval of a figure in 0...1 that is not a ratio of sums: Clopper and Pearson's at
  /// the effective number of references, as that of a percentile, with the variance of the
  /// jackknife. A symmetric one contained the truth in 75 % of cases near 1.
  /// - Parameter leftOut: the values without each group; nil = undefined: no interval.
  package mutating func setJackknife(
    _ value: Double, leftOut: [Double?], references: [Int]
  ) {
    let total = Double(references.reduce(0, +))
    // A group without references still has false alarms.
    let sizes = references.map { max(Double($0), 1e-9 * total) }
    let others = leftOut.compactMap { $0 }
    guard others.count == leftOut.count else { return }
    // Leaving a group out moves a mean by its influence, divided by one minus its share.
    let parts = zip(others, sizes).map { other, size in
      (influence: (value - other) * (1 - size / total), size: size)
    }
    guard let ratio = ClusteredRatio(share: value, parts) else { return }
    interval = ratio.exactProportionInterval
    if ratio.effectiveTrials.areAlike { assumedCorrelation = ClusteredRatio.assumedCorrelation }
  }

  private mutating func rest(
    on ratio: ClusteredRatio, of kind: ClusterKind, _ interval: Interval?,
    by method: IntervalMethod
  ) {
    (self.interval, self.method) = (interval, method)
    (clusters, clusterKind) = (ratio.clusters, kind)
    guard method != .clusteredGarwood, ratio.effectiveTrials.areAlike else { return }
    assumedCorrelation = ClusteredRatio.assumedCorrelation
  }

  /// The mean of the clusters' means with the interval of ``MeanEstimate``; without one with fewer
  /// than three clusters.
  /// - Parameter parts: the values of each cluster; finite.
  public init(
    meanOf parts: [[Double]], in range: ClosedRange<Double> = -.infinity ... .infinity,
    of kind: ClusterKind
  ) {
    let means = parts.compactMap(Sample.mean)
    self.init(MeanEstimate(of: means, in: range))
    count = parts.reduce(0) { $0 + $1.count }
    clusters = means.count
    clusterKind = kind
    method = .clusteredStudent
    if means.count < ClusteredRatio.fewest { interval = nil }
  }

  /// A percentile of times in seconds: for people like these by Woodruff (JASA 47, 1952), whose
  /// interval is that of the proportion of times up to the percentile, read back through their
  /// distribution; for these people only, from order statistics, with fewer than three clusters.
  /// - Parameters:
  ///   - percent: in 1...99, by nearest rank.
  ///   - times: in ns, ascending, each with the index of its cluster.
  public init(
    percent: Int, ofSorted times: [(time: Int64, cluster: Int)], clusters: Int,
    of kind: ClusterKind
  ) {
    let sorted = times.map { $0.time }
    let value = nearestRank(percent, ofSorted: sorted)
    let ranks = Distributions.quantileRanks(
      of: sorted.count, fraction: Double(percent) / 100, level: Interval.level)
    func seconds(_ rank: Int) -> Double { Double(sorted[rank - 1]) / 1e9 }
    self.init(
      value.map { Double($0) / 1e9 },
      ranks.map { Interval(lower: seconds($0.lowerBound), upper: seconds($0.upperBound)) },
      by: .orderStatistics, count: sorted.count)
    guard let value else { return }
    var parts = [(count: Double, exposure: Double)](repeating: (0, 0), count: clusters)
    for (time, cluster) in times {
      parts[cluster].exposure += 1
      if time <= value { parts[cluster].count += 1 }
    }
    guard let ratio = ClusteredRatio(parts) else { return }
    let interval = ratio.interval(ofPercentile: Double(percent) / 100) { share in
      seconds(min(max(Int((share * Double(sorted.count)).rounded(.up)), 1), sorted.count))
    }
    rest(on: ratio, of: kind, interval, by: .woodruff)
  }

  /// The time in seconds by which a share of the delays has come; nil = the curve does not get there.
  /// For these people only, with fewer than three clusters. The count is that of all references.
  /// - Parameter delays: of each cluster.
  public init(percent: Int, of delays: [Delays], of kind: ClusterKind) {
    let share = Double(percent) / 100
    let curve = DelayCurve(delays)
    let value = curve.time(by: share)
    self.init(value.map { Double($0) / 1e9 }, by: .kaplanMeier, count: curve.count)
    let time = value ?? curve.times.last ?? .max
    func interval(_ ratio: ClusteredRatio?) -> Interval? {
      ratio?.interval(ofPercentile: share) { share -> Double in
        curve.time(by: share).map { Double($0) / 1e9 } ?? .infinity
      }
    }
    if let ratio = curve.ratio(at: time, of: delays) {
      rest(on: ratio, of: kind, interval(ratio), by: .clusteredKaplanMeier)
    } else {
      let single = delays.flatMap { $0.single }
      self.interval = interval(curve.ratio(at: time, of: single))
    }
  }
}

#if !hasFeature(Embedded)
  extension Estimate {
    private enum CodingKeys: String, CodingKey {
      case value, lower, upper, method, population, count, clusters, cluster
      case assumedCorrelation = "assumed_correlation"
    }

    public func encode(to encoder: any Encoder) throws {
      func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(finite(value), forKey: .value)
      guard let method else { return }
      try container.encode(finite(interval?.lower), forKey: .lower)
      try container.encode(finite(interval?.upper), forKey: .upper)
      try container.encode(method, forKey: .method)
      try container.encode(method.population, forKey: .population)
      try container.encodeIfPresent(count, forKey: .count)
      try container.encodeIfPresent(clusters, forKey: .clusters)
      try container.encodeIfPresent(clusterKind, forKey: .cluster)
      try container.encodeIfPresent(assumedCorrelation, forKey: .assumedCorrelation)
    }
  }
#endif
