import TraceModel

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
