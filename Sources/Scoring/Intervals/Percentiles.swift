/// Percentiles of signed times, in ns.
public struct TimePercentiles: Hashable, Sendable, Codable {
  public var count: Int
  public var p50: Int64
  public var p90: Int64
  /// nil with fewer than 100 times: it would be the largest.
  public var p99: Int64?

  /// Returns nil without times.
  public init?(of nanoseconds: [Int64]) {
    let sorted = nanoseconds.sorted()
    guard let p50 = nearestRank(50, ofSorted: sorted), let p90 = nearestRank(90, ofSorted: sorted)
    else { return nil }
    count = sorted.count
    self.p50 = p50
    self.p90 = p90
    p99 = sorted.count < 100 ? nil : nearestRank(99, ofSorted: sorted)
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
