import TraceModel

/// The median of repeated measurements of a time, with its interval.
package struct RepeatedTime: Hashable, Sendable, Codable {
  package var median: Double
  /// The lower end of the 95 % interval; nil with fewer than 6 repeats.
  package var lower: Double?
  package var upper: Double?
  package var repeats: Int

  /// The interval lies between two order statistics (Conover, Practical Nonparametric Statistics, 3rd
  /// edition, 1999, section 3.2): it assumes independent repeats, and no particular distribution. It
  /// is about further repeats on the same machine in the same process, and about nothing else.
  ///
  /// ```swift
  /// RepeatedTime([5, 1, 4, 2, 3])?.median  // 3.0, without an interval
  /// ```
  /// - Returns: nil without repeats, or where one is not finite.
  /// - Complexity: O(n log n).
  package init?(_ repeats: [Double]) {
    let sorted = repeats.sorted()
    guard let median = Sample.quantile(0.5, ofSorted: sorted) else { return nil }
    self.median = median
    self.repeats = sorted.count
    let ranks = Distributions.quantileRanks(
      of: sorted.count, fraction: 0.5, level: Interval.level)
    lower = ranks.map { sorted[$0.lowerBound - 1] }
    upper = ranks.map { sorted[$0.upperBound - 1] }
  }
}
