internal import TraceModel

/// Ratios of the times of two programs, from pairs of measurements that were made side by side.
///
/// Each pair has, for each entry, the logarithm of head / base. The last column is the mean over
/// entries, whose ratio is the geometric mean. Each ratio is a trimmed mean over the pairs: one
/// disturbed pair does not decide. The intervals hold for all columns at once: a bootstrap over pairs
/// of the largest studentised deviation (Efron and Tibshirani, An Introduction to the Bootstrap,
/// 1993, section 12.5; Wilcox, Introduction to Robust Estimation, 4th edition, 2017, section 4.4 for
/// trimmed means; Westfall and Young, Resampling-Based Multiple Testing, 1993, for the maximum).
package struct SpeedRatios: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    /// The trimmed mean of the logarithms.
    package var logarithm: Double
    /// The standard error of ``logarithm``, from the Winsorised variance.
    package var standardError: Double
  }

  /// The entries in their order, then all together.
  package let columns: [Column]
  /// The half width in standard errors of intervals that hold for all columns at once.
  package let critical: Double
  package let count: Int
  /// The confidence level of all intervals together.
  package let level: Double

  /// The minimum number of pairs for an interval: with fewer, their bootstrap is too coarse.
  package static let fewest = 8
  /// The share of pairs that is left out at either end.
  package static let trimming = 0.1

  /// - Parameters:
  ///   - pairs: the logarithms of head / base, an array of equal length for each pair.
  ///   - level: strictly between 0 and 1.
  /// - Returns: nil with fewer than ``fewest`` pairs, without entries, or where a number is not finite.
  /// - Complexity: O(resamples · pairs · (entries + log pairs)).
  package init?(
    _ pairs: [[Double]], level: Double = Interval.level, resamples: Int = 2000, seed: UInt64
  ) {
    guard pairs.count >= Self.fewest, let entries = pairs.first?.count, entries > 0,
      pairs.allSatisfy({ $0.count == entries && $0.allSatisfy(\.isFinite) }),
      resamples > 0, level > 0, level < 1
    else { return nil }
    let rows = pairs.map { $0 + [$0.reduce(0, +) / Double(entries)] }
    let samples = (0...entries).map { column in rows.map { $0[column] } }
    columns = samples.map(Self.column)
    count = pairs.count
    self.level = level
    critical = Self.critical(samples, columns, level: level, resamples: resamples, seed: seed)
  }

  private static func column(of sample: [Double]) -> Column {
    let sorted = sample.sorted()
    let cut = Int(trimming * Double(sorted.count))
    let kept = sorted[cut..<sorted.count - cut]
    let mean = kept.reduce(0, +) / Double(kept.count)
    // Winsorised: a trimmed value counts as the nearest one that is kept.
    let low = sorted[cut]
    let high = sorted[sorted.count - cut - 1]
    let deviation = Sample.standardDeviation(sorted.map { min(max($0, low), high) }) ?? 0
    let share = Double(kept.count) / Double(sorted.count)
    return Column(
      logarithm: mean,
      standardError: deviation / (share * Double(sorted.count).squareRoot()))
  }

  private static func critical(
    _ samples: [[Double]], _ columns: [Column], level: Double, resamples: Int, seed: UInt64
  ) -> Double {
    var random = SeededGenerator(seed: seed)
    let count = samples[0].count
    var largest: [Double] = []
    largest.reserveCapacity(resamples)
    for _ in 0..<resamples {
      let drawn = (0..<count).map { _ in min(Int(random.unit() * Double(count)), count - 1) }
      let deviations = zip(samples, columns).map { sample, column -> Double in
        let again = Self.column(of: drawn.map { sample[$0] })
        let distance = abs(again.logarithm - column.logarithm)
        return distance == 0 ? 0 : distance / again.standardError
      }
      largest.append(deviations.max() ?? 0)
    }
    largest.sort()
    let rank = Int((level * Double(resamples)).rounded(.up))
    return largest[min(max(rank, 1), resamples) - 1]
  }

  /// The ratio head / base of a column.
  package func ratio(_ column: Int) -> Double { Math.exp(columns[column].logarithm) }

  /// The interval of the ratio of a column. The upper end may be infinite.
  package func interval(_ column: Int) -> Interval {
    let half = columns[column].standardError == 0 ? 0 : critical * columns[column].standardError
    return Interval(
      lower: Math.exp(columns[column].logarithm - half),
      upper: Math.exp(columns[column].logarithm + half), level: level)
  }

  /// Returns the smallest slowdown, as a share, that ends as `fail` with probability `power`, given the
  /// spread of the pairs: its interval then lies beyond the margin. nil = not finite.
  ///
  /// It takes the deviations of the estimate as normal, and allows for those of its standard error (the
  /// usual approximation of the noncentral t distribution; Johnson, Kotz and Balakrishnan, Continuous
  /// Univariate Distributions, volume 2, 1995, section 31.6). In simulations of 16 pairs the power is
  /// 0.77 to 0.79 where 0.8 is stated.
  /// - Parameters:
  ///   - margin: the tolerated slowdown as a share, e.g. 0.05.
  ///   - power: strictly between 0 and 1.
  package func smallestEffect(
    _ column: Int, margin: Double, power: Double = SpeedRatios.power
  ) -> Double? {
    guard let quantile = Distributions.normalQuantile(power) else { return nil }
    let error = columns[column].standardError
    let freedom = Double(max(count - 2 * Int(Self.trimming * Double(count)) - 1, 1))
    let spread = (1 + critical * critical / (2 * freedom)).squareRoot()
    let distance = error == 0 ? 0 : (critical + quantile * spread) * error
    let effect = Math.expm1(Math.log1p(margin) + distance)
    return effect.isFinite ? effect : nil
  }

  /// The probability with which the stated smallest effect is found.
  package static let power = 0.8
}
