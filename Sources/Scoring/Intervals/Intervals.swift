internal import TraceModel

/// The interval of a figure at a level.
///
/// ```swift
/// PoissonRate(count: 5, hours: 1).interval  // 1.6235 ... 11.6683
/// ```
public struct Interval: Hashable, Sendable, Codable {
  public var lower: Double
  public var upper: Double
  public var level: Double

  public init(lower: Double, upper: Double, level: Double = Interval.level) {
    (self.lower, self.upper, self.level) = (lower, upper, level)
  }

  /// The level of every interval of this module.
  public static let level = 0.95
}

/// The number of successes in a number of independent trials.
///
/// ```swift
/// Proportion(successes: 5, trials: 10).interval  // 0.2366 ... 0.7634
/// Proportion(successes: 5, trials: 10).exactInterval  // 0.1871 ... 0.8129
/// Proportion(successes: 0, trials: 0).estimate == nil  // true
/// ```
public struct Proportion: Hashable, Sendable, Codable {
  public var successes: Int
  public var trials: Int

  /// - Precondition: `0 <= successes <= trials`.
  public init(successes: Int, trials: Int) {
    precondition(0 <= successes && successes <= trials)
    self.successes = successes
    self.trials = trials
  }

  public static func + (left: Proportion, right: Proportion) -> Proportion {
    Proportion(
      successes: left.successes + right.successes, trials: left.trials + right.trials)
  }

  public var estimate: Double? { trials == 0 ? nil : Double(successes) / Double(trials) }

  /// Wilson's score interval, two-sided 95 %, without continuity correction (Wilson, JASA 22,
  /// 1927); nil for 0/0. It assumes independent trials: for clustered trials (people, recordings)
  /// it is too narrow.
  public var interval: Interval? {
    guard let p = estimate, let z = Self.normalQuantile else { return nil }
    return wilson(p, trials: Double(trials), quantile: z)
  }

  /// The two-sided normal quantile of ``Interval/level``.
  private static let normalQuantile = Distributions.normalQuantile((1 + Interval.level) / 2)

  /// The exact interval (Clopper and Pearson, Biometrika 26, 1934), two-sided 95 %, by the
  /// quantiles of the beta distribution; nil for 0/0. It contains the true value in at least 95 %
  /// of cases, Wilson's only on average, so it is wider. It also assumes independent trials.
  public var exactInterval: Interval? {
    guard trials > 0 else { return nil }
    let (hits, misses) = (Double(successes), Double(trials - successes))
    let tail = (1 - Interval.level) / 2
    let lower = hits == 0 ? 0 : Distributions.betaQuantile(tail, hits, misses + 1)
    let upper = misses == 0 ? 1 : Distributions.betaQuantile(1 - tail, hits + 1, misses)
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
  }
}

/// The harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN).
///
/// ```swift
/// F1Score(truePositives: 8, falsePositives: 2, falseNegatives: 2).estimate  // 0.8
/// ```
public struct F1Score: Hashable, Sendable, Codable {
  /// The Jaccard index TP / (TP + FP + FN); F1 is a function of it.
  public var jaccard: Proportion

  /// - Precondition: no count is negative.
  public init(truePositives: Int, falsePositives: Int, falseNegatives: Int) {
    jaccard = Proportion(
      successes: truePositives, trials: truePositives + falsePositives + falseNegatives)
  }

  /// The estimate; nil without references and detections.
  public var estimate: Double? { jaccard.estimate.map(Self.f1) }

  /// The 95 % interval by that of the Jaccard index J, which is a proportion: F1 = 2 J / (1 + J)
  /// increases with J. It assumes that the TP + FP + FN events are independent.
  public var interval: Interval? { jaccard.interval.map(Self.f1) }

  static func f1(_ jaccard: Double) -> Double { 2 * jaccard / (1 + jaccard) }

  static func f1(_ jaccard: Interval) -> Interval {
    Interval(lower: f1(jaccard.lower), upper: f1(jaccard.upper), level: jaccard.level)
  }
}

/// A number of events in a period of time.
///
/// ```swift
/// PoissonRate(count: 0, hours: 1).interval  // 0 ... 3.6889
/// PoissonRate(count: 0, hours: 1).oneSidedUpperBoundOfNone  // 2.9957
/// ```
public struct PoissonRate: Hashable, Sendable, Codable {
  public var count: Int
  public var hours: Double

  /// - Precondition: `count` is not negative.
  public init(count: Int, hours: Double) {
    precondition(count >= 0)
    self.count = count
    self.hours = hours
  }

  public static func + (left: PoissonRate, right: PoissonRate) -> PoissonRate {
    PoissonRate(count: left.count + right.count, hours: left.hours + right.hours)
  }

  /// The events per hour; nil without a positive, finite exposure.
  public var estimate: Double? { isDefined ? Double(count) / hours : nil }

  /// The exact two-sided 95 % interval of the rate (Garwood, Biometrika 28, 1936): half the
  /// chi-squared quantiles of 2 n and 2 n + 2 degrees over the exposure.
  public var interval: Interval? {
    let (tail, count) = ((1 - Interval.level) / 2, Double(count))
    guard isDefined, let lower = Self.bound(tail, count: count, hours: hours),
      let upper = Self.bound((1 + Interval.level) / 2, count: count, hours: hours)
    else { return nil }
    return Interval(lower: lower, upper: upper)
  }

  /// The one-sided 95 % upper bound -ln(0.05) / T ("rule of three"); nil if there were events. It
  /// is lower than the upper end of the two-sided interval, so label it when printing it.
  public var oneSidedUpperBoundOfNone: Double? {
    guard isDefined, count == 0 else { return nil }
    return -Math.log(1 - Interval.level) / hours
  }

  /// Returns the hours without an event that bound a rate.
  /// - Parameter confidence: above 0 and below 1.
  public static func hoursWithoutEvent(toShow perHour: Double, confidence: Double) -> Double {
    -Math.log(1 - confidence) / perHour
  }

  /// nil if the higher of the two rates has fewer than 20 events: a ratio then means little.
  public func ratio(to other: PoissonRate) -> Double? {
    guard let own = estimate, let others = other.estimate, others > 0 else { return nil }
    let worse = own >= others ? self : other
    return worse.count >= 20 ? own / others : nil
  }

  private var isDefined: Bool { hours > 0 && hours.isFinite }

  /// Returns a bound of a rate (Garwood); infinite without hours.
  /// - Parameters:
  ///   - probability: that of a rate below the bound; below one half = a lower bound.
  ///   - count: not necessarily whole.
  static func bound(_ probability: Double, count: Double, hours: Double) -> Double? {
    let shape = probability < 0.5 ? count : count + 1
    // So small a shape has its lower quantile below 1e-100.
    guard shape > 0.01 else { return 0 }
    guard hours > 0 else { return .infinity }
    return Distributions.gammaQuantile(probability, shape: shape).map { $0 / hours }
  }
}
