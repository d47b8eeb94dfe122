/// Percentiles of signed times.
public struct TimePercentiles: Hashable, Sendable, Codable {
  /// The number of times.
  public var count: Int
  /// The median in nanoseconds.
  public var p50: Int64
  /// The 90th percentile in nanoseconds.
  public var p90: Int64
  /// The 99th percentile in nanoseconds; nil with fewer than 100 times, of which it would be the
  /// largest.
  public var p99: Int64?
  /// The interval of the median; nil with fewer than 6 times.
  public var p50Interval: PercentileInterval?
  /// The interval of the 90th percentile; nil with fewer than 36 times.
  public var p90Interval: PercentileInterval?

  /// Returns nil without times.
  public init?(of nanoseconds: [Int64]) {
    let sorted = nanoseconds.sorted()
    guard let p50 = nearestRank(50, ofSorted: sorted), let p90 = nearestRank(90, ofSorted: sorted)
    else { return nil }
    count = sorted.count
    self.p50 = p50
    self.p90 = p90
    p99 = sorted.count < 100 ? nil : nearestRank(99, ofSorted: sorted)
    p50Interval = PercentileInterval(ofPercent: 50, sorted: sorted)
    p90Interval = PercentileInterval(ofPercent: 90, sorted: sorted)
  }
}

/// An interval of a percentile of times, at ``Interval/level``.
public struct PercentileInterval: Hashable, Sendable, Codable {
  /// The lower end in nanoseconds.
  public var lower: Int64
  /// The upper end in nanoseconds.
  public var upper: Int64

  /// Creates an interval between two of the values, by binomial ranks (Conover, Practical
  /// Nonparametric Statistics, 3rd edition, 1999, section 3.2): it assumes independence but no
  /// particular distribution. nil if there are too few values for both ends to exist.
  init?(ofPercent percent: Int, sorted sample: [Int64]) {
    let ranks = Distributions.quantileRanks(
      of: sample.count, fraction: Double(percent) / 100, level: Interval.level)
    guard let ranks else { return nil }
    lower = sample[ranks.lowerBound - 1]
    upper = sample[ranks.upperBound - 1]
  }

  /// The interval in seconds.
  public var seconds: Interval {
    Interval(lower: Double(lower) / 1e9, upper: Double(upper) / 1e9)
  }
}

/// Returns the percentile by nearest rank: the value at position ⌈percent n / 100⌉, counted from 1.
/// It is always one of the values, so it is the same on every machine. nil for an empty sample.
///
/// ```swift
/// nearestRank(50, ofSorted: [1, 2, 4, 8])  // 2
/// ```
/// - Precondition: `percent` lies in 1...100.
public func nearestRank<Value>(_ percent: Int, ofSorted sample: [Value]) -> Value? {
  precondition((1...100).contains(percent))
  guard !sample.isEmpty else { return nil }
  // Split into 100 q + r elements, so that no product overflows.
  let (hundreds, rest) = sample.count.quotientAndRemainder(dividingBy: 100)
  return sample[hundreds * percent + (rest * percent + 99) / 100 - 1]
}
