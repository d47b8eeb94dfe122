/// Percentiles of signed times.
public struct TimePercentiles: Hashable, Sendable, Codable {
  /// How many times they rest on.
  public var count: Int
  /// Nanoseconds.
  public var p50: Int64
  /// Nanoseconds.
  public var p90: Int64
  /// Nanoseconds. With fewer than 100 times it is the largest of them.
  public var p99: Int64

  /// nil without a time.
  public init?(of nanoseconds: [Int64]) {
    let sorted = nanoseconds.sorted()
    guard let p50 = nearestRank(50, ofSorted: sorted), let p90 = nearestRank(90, ofSorted: sorted),
      let p99 = nearestRank(99, ofSorted: sorted)
    else { return nil }
    count = sorted.count
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
  }
}

/// The percentile by nearest rank: the value at position ⌈percent n / 100⌉, counted from 1. Always
/// one of the values themselves, so it is the same on every machine. nil for an empty sample.
///
/// ```swift
/// nearestRank(50, ofSorted: [1, 2, 4, 8])  // 2
/// ```
/// - Precondition: `percent` lies in 1...100.
public func nearestRank<Value>(_ percent: Int, ofSorted sample: [Value]) -> Value? {
  precondition((1...100).contains(percent))
  guard !sample.isEmpty else { return nil }
  // Without a product that could overflow: 100 q + r elements.
  let (hundreds, rest) = sample.count.quotientAndRemainder(dividingBy: 100)
  return sample[hundreds * percent + (rest * percent + 99) / 100 - 1]
}
