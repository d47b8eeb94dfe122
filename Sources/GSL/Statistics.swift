private import CGSL

/// Summaries of a sample; nil if the sample is too small for the figure or contains a value that is
/// not finite.
package enum Statistics {
  /// Returns the arithmetic mean; nil for an empty sample. O(n).
  package static func mean(_ sample: [Double]) -> Double? {
    guard !sample.isEmpty else { return nil }
    return finite(sample) { gsl_stats_mean($0, 1, sample.count) }
  }

  /// Returns the sample standard deviation, with n - 1 in the denominator; nil for fewer than two
  /// values. O(n).
  package static func standardDeviation(_ sample: [Double]) -> Double? {
    guard sample.count >= 2 else { return nil }
    return finite(sample) { gsl_stats_sd($0, 1, sample.count) }
  }

  /// Returns the quantile by linear interpolation between order statistics: Hyndman and Fan's type
  /// 7 (The American Statistician 50, 1996), which is NumPy's default.
  ///
  /// ```swift
  /// Statistics.quantile(0.5, ofSorted: [1, 2, 4, 8])  // 3.0
  /// ```
  /// - Parameter fraction: 0 to 1; outside it the result is nil.
  /// - Parameter sample: in ascending order.
  package static func quantile(_ fraction: Double, ofSorted sample: [Double]) -> Double? {
    guard !sample.isEmpty, fraction >= 0, fraction <= 1 else { return nil }
    return finite(sample) {
      gsl_stats_quantile_from_sorted_data($0, 1, sample.count, fraction)
    }
  }

  private static func finite(
    _ sample: [Double], _ body: (UnsafePointer<Double>) -> Double
  ) -> Double? {
    guard sample.allSatisfy(\.isFinite) else { return nil }
    let value = sample.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body)
    }
    guard let value, value.isFinite else { return nil }
    return value
  }
}
