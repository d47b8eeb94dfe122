private import CGSL

/// Quantiles of the distributions for confidence intervals.
///
/// Every function takes a probability strictly between 0 and 1 and returns a finite number; other
/// arguments throw ``GSLError``, never NaN.
package enum Distributions {
  /// Returns the `probability` quantile of the standard normal distribution.
  ///
  /// ```swift
  /// try Distributions.normalQuantile(0.975)  // 1.95996398454005
  /// ```
  package static func normalQuantile(_ probability: Double) throws(GSLError) -> Double {
    let operation = "normal quantile of p = \(probability)"
    guard isOpen(probability) else { throw .domain(operation) }
    return try withGSL(operation) { gsl_cdf_ugaussian_Pinv(probability) }
  }

  /// Returns the `probability` quantile of the chi-squared distribution.
  /// - Parameter degreesOfFreedom: positive and finite.
  ///
  /// ```swift
  /// try Distributions.chiSquaredQuantile(0.95, degreesOfFreedom: 2)  // 5.99146454710798
  /// ```
  package static func chiSquaredQuantile(
    _ probability: Double, degreesOfFreedom: Double
  ) throws(GSLError) -> Double {
    let operation = "chi-squared quantile of p = \(probability), \(degreesOfFreedom) degrees"
    guard isOpen(probability), isPositive(degreesOfFreedom) else { throw .domain(operation) }
    return try withGSL(operation) {
      let quantile = gsl_cdf_chisq_Pinv(probability, degreesOfFreedom)
      return quantile.isNaN ? bisectedChiSquared(probability, degreesOfFreedom) : quantile
    }
  }

  /// Returns the chi-squared quantile by bisection. GSL 2.7's inverse fails after 32 Newton steps
  /// for some arguments from 2,300 degrees on, where its cumulative function is still accurate. The
  /// bisection starts from an interval around Wilson and Hilferty's cube (PNAS 17, 1931), which is
  /// within 1 % there, and ends when the bounds are neighbouring numbers.
  private static func bisectedChiSquared(_ probability: Double, _ degrees: Double) -> Double {
    let spread = 2 / (9 * degrees)
    let root = 1 - spread + gsl_cdf_ugaussian_Pinv(probability) * spread.squareRoot()
    let guess = degrees * root * root * root
    var lower = 0.9 * guess
    var upper = 1.1 * guess
    guard gsl_cdf_chisq_P(lower, degrees) < probability,
      gsl_cdf_chisq_P(upper, degrees) > probability
    else { return .nan }
    while true {
      let middle = lower + (upper - lower) / 2
      guard middle > lower, middle < upper else { return middle }
      if gsl_cdf_chisq_P(middle, degrees) < probability { lower = middle } else { upper = middle }
    }
  }

  /// Returns the `probability` quantile of Student's t distribution.
  /// - Parameter degreesOfFreedom: positive and finite.
  ///
  /// ```swift
  /// try Distributions.studentQuantile(0.975, degreesOfFreedom: 1)  // 12.7062047361747
  /// ```
  package static func studentQuantile(
    _ probability: Double, degreesOfFreedom: Double
  ) throws(GSLError) -> Double {
    let operation = "t quantile of p = \(probability), \(degreesOfFreedom) degrees"
    guard isOpen(probability), isPositive(degreesOfFreedom) else { throw .domain(operation) }
    return try withGSL(operation) { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
  }

  /// Returns the probability that a beta variable is at most `value`: the regularised incomplete
  /// beta function.
  /// - Parameters:
  ///   - value: 0 to 1.
  ///   - a: positive and finite, as is `b`.
  package static func betaProbability(
    of value: Double, _ a: Double, _ b: Double
  ) throws(GSLError) -> Double {
    let operation = "beta probability of x = \(value), a = \(a), b = \(b)"
    guard value >= 0, value <= 1, isPositive(a), isPositive(b) else { throw .domain(operation) }
    return try withGSL(operation) { gsl_cdf_beta_P(value, a, b) }
  }

  /// Returns the `probability` quantile of the beta distribution.
  ///
  /// It bisects the cumulative function in about 60 steps, because GSL 2.7's inverse fails for some
  /// parameters in the thousands, e.g. 2249 and 252 at 0.025.
  ///
  /// ```swift
  /// try Distributions.betaQuantile(0.025, 1, 10)  // 0.00252857854446178
  /// ```
  /// - Parameter a: positive and finite, as is `b`.
  package static func betaQuantile(
    _ probability: Double, _ a: Double, _ b: Double
  ) throws(GSLError) -> Double {
    let operation = "beta quantile of p = \(probability), a = \(a), b = \(b)"
    guard isOpen(probability), isPositive(a), isPositive(b) else { throw .domain(operation) }
    return try withGSL(operation) { bisectedBeta(probability, a, b) }
  }

  /// Bisects the exponent first, then the value, so that small quantiles keep their precision.
  private static func bisectedBeta(_ probability: Double, _ a: Double, _ b: Double) -> Double {
    var lower = 0.0
    var upper = 1.0
    while upper > .leastNormalMagnitude {
      let half = upper / 2
      let below = gsl_cdf_beta_P(half, a, b)
      guard !below.isNaN else { return .nan }
      if below < probability {
        lower = half
        break
      }
      upper = half
    }
    while true {
      let middle = lower + (upper - lower) / 2
      guard middle > lower, middle < upper else { return middle }
      let below = gsl_cdf_beta_P(middle, a, b)
      guard !below.isNaN else { return .nan }
      if below < probability { lower = middle } else { upper = middle }
    }
  }

  /// Returns the probability of at least `successes` in `trials` independent trials.
  /// - Parameters:
  ///   - probability: the probability of a success, 0 to 1.
  ///   - trials: up to the largest `UInt32`.
  package static func binomialProbability(
    ofAtLeast successes: Int, in trials: Int, _ probability: Double
  ) throws(GSLError) -> Double {
    let operation = "probability of at least \(successes) of \(trials) at p = \(probability)"
    guard let count = UInt32(exactly: trials), successes <= trials, (0...1).contains(probability)
    else { throw .domain(operation) }
    guard successes > 0 else { return 1 }
    guard probability > 0 else { return 0 }
    return try withGSL(operation) { gsl_cdf_binomial_Q(UInt32(successes - 1), probability, count) }
  }

  /// Returns the ranks, from 1, of the two order statistics of `count` values between which the
  /// `fraction` quantile lies with a probability of at least `level`, for any distribution. By the
  /// binomial distribution, at most (1 - level) / 2 lies beyond each end (Conover, Practical
  /// Nonparametric Statistics, 3rd edition, 1999, section 3.2). nil if there are too few values for
  /// both ends to exist.
  ///
  /// ```swift
  /// Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95)  // 2...9
  /// ```
  /// - Parameters:
  ///   - fraction: strictly between 0 and 1, as is `level`.
  /// - Complexity: O(log count) evaluations.
  package static func quantileRanks(
    of count: Int, fraction: Double, level: Double
  ) -> ClosedRange<Int>? {
    guard count > 0, let trials = UInt32(exactly: count), isOpen(fraction), isOpen(level) else {
      return nil
    }
    let tail = (1 - level) / 2
    // The smallest number of successes with the requested tail: 0...count, both monotone.
    let lower = first(upTo: trials) { gsl_cdf_binomial_P($0, fraction, trials) >= tail }
    let upper = first(upTo: trials) { gsl_cdf_binomial_Q($0, fraction, trials) <= tail }
    guard lower >= 1, upper < trials else { return nil }
    return Int(lower)...Int(upper) + 1
  }

  /// Returns the smallest number of 0...last that satisfies the condition; the last one must
  /// satisfy it.
  private static func first(upTo last: UInt32, where holds: (UInt32) -> Bool) -> UInt32 {
    var low: UInt32 = 0
    var high = last
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func isOpen(_ probability: Double) -> Bool {
    probability > 0 && probability < 1
  }

  private static func isPositive(_ number: Double) -> Bool {
    number > 0 && number.isFinite
  }
}
