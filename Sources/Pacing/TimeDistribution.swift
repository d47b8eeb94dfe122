package import Histogram

/// The distribution of one kind of times in nanoseconds.
package struct TimeDistribution: Sendable {
  package let name: String
  package let count: Int
  /// 50, 90, 99 and 99.9 %; nil where there are too few values.
  package let percentiles: [UInt64?]
  /// The largest value; nil without values.
  package let max: UInt64?

  init(_ name: String, _ histogram: Histogram<UInt64>) {
    (self.name, count) = (name, Int(histogram.totalCount))
    percentiles = [50, 90, 99, 99.9].map { histogram.supported(percentile: $0) }
    max = count == 0 ? nil : histogram.maxRecorded
  }
}

extension Histogram {
  /// Returns a percentile; nil if fewer than ten counts lie above it, which is too few: p99 needs
  /// 1,000 counts, p99.9 needs 10,000.
  package func supported(percentile: Double) -> UInt64? {
    guard Double(totalCount) * (100 - percentile) >= 1000 - 1e-6 else { return nil }
    return valueAtPercentile(percentile)
  }
}
