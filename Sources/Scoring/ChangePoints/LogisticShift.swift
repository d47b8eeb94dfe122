internal import TraceModel

/// The evidence in the rank of a value for a shift of the last values of a series.
///
/// Of `before + after` values the first follow a logistic distribution and the last the same one,
/// shifted upwards. The rank of the newest value among all of them then falls into its upper part
/// more often than not. The logistic distribution has the locally best rank test of a shift in
/// Wilcoxon's sum, which keeps 0.955 of the power for normal values and more for heavier tails
/// (Hodges and Lehmann, Ann. Math. Stat. 27, 1956); and its mixtures can be inverted in closed form.
struct LogisticShift {
  /// The shifts in scales of the logistic distribution, about 1, 2 and 3 standard deviations. A
  /// larger one separates the values altogether, which the last one finds as quickly.
  static let shifts = [1.5, 3.0, 6.0]

  /// exp of the shift.
  private let factor: Double

  init(_ shift: Double) { factor = Math.exp(shift) }

  /// The probability that a shifted value lies below the quantile `share` of the mixture.
  /// - Parameter after: the share of shifted values in the mixture, in 0...1.
  private func probability(below share: Double, after: Double) -> Double {
    guard share > 0 else { return 0 }
    guard share < 1 else { return 1 }
    // With y = exp(-x) the quantile x solves before / (1 + y) + after / (1 + factor y) = share.
    let linear = share * (1 + factor) - (1 - after) * factor - after
    let root = (linear * linear + 4 * share * factor * (1 - share)).squareRoot()
    let y = linear > 0 ? 2 * (1 - share) / (linear + root) : (root - linear) / (2 * share * factor)
    return 1 / (1 + factor * y)
  }

  /// The likelihood of a range of ranks with the shift, divided by that without one.
  /// - Parameters:
  ///   - range: the ranks as shares of all values, so within 0...1.
  ///   - after: as above, with the newest value.
  func ratio(_ range: (lower: Double, upper: Double), after: Double) -> Double {
    (probability(below: range.upper, after: after) - probability(below: range.lower, after: after))
      / (range.upper - range.lower)
  }
}
