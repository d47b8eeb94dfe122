internal import TraceModel

/// Probabilities and quantiles of the distributions for confidence intervals and tests, in pure
/// Swift. Quantiles take a probability strictly between 0 and 1; degrees of freedom and shapes are
/// positive and finite. Another argument gives nil.
///
/// They agree with SciPy within 1e-10, relatively, for parameters from 0.01 to 10^6 and tails down to
/// 1e-12; see the tests.
///
/// ```swift
/// Distributions.normalQuantile(0.975)  // 1.959963984540054
/// Distributions.studentQuantile(0.975, degreesOfFreedom: 1)  // 12.7062047361747
/// Distributions.betaQuantile(0.025, 1, 10)  // 0.00252857854446178
/// Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95)  // 2...9
/// ```
package enum Distributions {
  /// Returns the probability that a standard normal variable is above `z`.
  package static func normalTail(above z: Double) -> Double { Math.erfc(z / 2.0.squareRoot()) / 2 }

  /// Returns the `probability` quantile of the standard normal distribution.
  package static func normalQuantile(_ probability: Double) -> Double? {
    symmetricQuantile(
      probability, inside: { Math.erf($0 / 2.0.squareRoot()) }, above: normalTail(above:),
      density: { Math.exp(-$0 * $0 / 2) / (2 * .pi).squareRoot() })
  }

  /// Returns the probability that a variable of Student's t distribution is above `t`.
  package static func studentTail(above t: Double, degreesOfFreedom: Double) -> Double? {
    guard isPositive(degreesOfFreedom), !t.isNaN else { return nil }
    let outside = student(abs(t), degreesOfFreedom).above / 2
    return t < 0 ? 1 - outside : outside
  }

  /// Returns the `probability` quantile of Student's t distribution.
  package static func studentQuantile(
    _ probability: Double, degreesOfFreedom degrees: Double
  ) -> Double? {
    guard isPositive(degrees) else { return nil }
    let height =
      Math.exp(
        ProbabilityDensities.logarithmOfGamma((degrees + 1) / 2)
          - ProbabilityDensities.logarithmOfGamma(degrees / 2))
      / (degrees * .pi).squareRoot()
    return symmetricQuantile(
      probability, inside: { student($0, degrees).below },
      above: { student($0, degrees).above / 2 },
      density: {
        height * Math.exp(-(degrees + 1) / 2 * Math.log1p($0 / degrees * $0))
      })
  }

  /// The probabilities that |T| is below and above `t`, which is not negative.
  private static func student(_ t: Double, _ degrees: Double) -> Tails {
    guard t.isFinite else { return Tails(above: 0) }
    // x = t^2 / (degrees + t^2), without an overflow of the square.
    let ratio = t / degrees * t
    guard ratio.isFinite else {
      let y = degrees / t / t
      return IncompleteFunctions.beta(0.5, degrees / 2, 1, y)
    }
    return IncompleteFunctions.beta(0.5, degrees / 2, ratio / (1 + ratio), 1 / (1 + ratio))
  }

  /// Returns the probability that a gamma variable of scale 1 is below `x`.
  package static func gammaProbability(below x: Double, shape: Double) -> Double? {
    guard isPositive(shape), x >= 0 else { return nil }
    return IncompleteFunctions.gamma(shape, x).below
  }

  /// Returns the probability that a gamma variable of scale 1 is above `x`.
  package static func gammaTail(above x: Double, shape: Double) -> Double? {
    guard isPositive(shape), x >= 0 else { return nil }
    return IncompleteFunctions.gamma(shape, x).above
  }

  /// Returns the `probability` quantile of the gamma distribution of scale 1.
  package static func gammaQuantile(_ probability: Double, shape: Double) -> Double? {
    guard isOpen(probability), isPositive(shape), let z = normalQuantile(probability) else {
      return nil
    }
    // Wilson and Hilferty's cube (PNAS 17, 1931); towards 0, the first term of the series.
    let spread = 1 / (9 * shape)
    let root = 1 - spread + z * spread.squareRoot()
    let guess =
      root > 0.1
      ? shape * root * root * root
      : Math.exp(
        (Math.log(probability * shape) + ProbabilityDensities.logarithmOfGamma(shape)) / shape)
    let isLower = probability <= 0.5
    return QuantileSolver.solve(
      for: isLower ? probability : 1 - probability, from: guess, isRising: isLower
    ) { x in
      let tails = IncompleteFunctions.gamma(shape, x)
      return (
        isLower ? tails.below : tails.above, ProbabilityDensities.poisson(shape, x) * shape / x
      )
    }
  }

  /// Returns the probability that a beta variable is at most `value`: the regularised incomplete
  /// beta function.
  /// - Parameter value: 0 to 1.
  package static func betaProbability(of value: Double, _ a: Double, _ b: Double) -> Double? {
    guard value >= 0, value <= 1, isPositive(a), isPositive(b) else { return nil }
    return IncompleteFunctions.beta(a, b, value, 1 - value).below
  }

  /// Returns the `probability` quantile of the beta distribution.
  package static func betaQuantile(_ probability: Double, _ a: Double, _ b: Double) -> Double? {
    guard isOpen(probability), isPositive(a), isPositive(b) else { return nil }
    let isLower = probability <= 0.5
    return QuantileSolver.solve(
      for: isLower ? probability : 1 - probability, from: a / (a + b), upTo: 1, isRising: isLower
    ) { x in
      let tails = IncompleteFunctions.beta(a, b, x, 1 - x)
      let density = ProbabilityDensities.binomial(a, b, x, 1 - x) * a * b / (a + b)
      return (isLower ? tails.below : tails.above, density / x / (1 - x))
    }
  }

  /// Returns the probability of at least `successes` in `trials` independent trials.
  /// - Parameter probability: the probability of a success, 0 to 1.
  package static func binomialProbability(
    ofAtLeast successes: Int, in trials: Int, _ probability: Double
  ) -> Double? {
    guard trials >= 0, successes <= trials, (0...1).contains(probability) else { return nil }
    guard successes > 0 else { return 1 }
    return IncompleteFunctions.beta(
      Double(successes), Double(trials - successes + 1), probability, 1 - probability
    ).below
  }

  /// Returns the ranks, from 1, of the two order statistics of `count` values between which the
  /// `fraction` quantile lies with a probability of at least `level`, for any distribution. By the
  /// binomial distribution, at most (1 - level) / 2 lies beyond each end (Conover, Practical
  /// Nonparametric Statistics, 3rd edition, 1999, section 3.2). nil if there are too few values for
  /// both ends to exist.
  /// - Parameter fraction: strictly between 0 and 1, as is `level`.
  /// - Complexity: O(log count) evaluations.
  package static func quantileRanks(
    of count: Int, fraction: Double, level: Double
  ) -> ClosedRange<Int>? {
    guard count > 0, isOpen(fraction), isOpen(level) else { return nil }
    let tail = (1 - level) / 2
    /// The probabilities of at most and of more than that number of successes.
    func tails(_ successes: Int) -> Tails {
      guard successes < count else { return Tails(above: 0) }
      return IncompleteFunctions.beta(
        Double(successes + 1), Double(count - successes), fraction, 1 - fraction
      ).swapped
    }
    // The smallest number of successes with the requested tail: both are monotone.
    let lower = (0..<count).partitioningIndex { tails($0).below >= tail }
    let upper = (0..<count).partitioningIndex { tails($0).above <= tail }
    guard lower >= 1, upper < count else { return nil }
    return lower...upper + 1
  }

  /// The quantile of a distribution that is symmetric about 0.
  /// - Parameters:
  ///   - inside: the probability that the absolute value is below a positive number.
  ///   - above: the probability that the variable is above it.
  private static func symmetricQuantile(
    _ probability: Double, inside: (Double) -> Double, above: (Double) -> Double,
    density: (Double) -> Double
  ) -> Double? {
    guard isOpen(probability) else { return nil }
    let tail = min(probability, 1 - probability)
    guard tail < 0.5 else { return 0 }
    let sign = probability < 0.5 ? -1.0 : 1.0
    // Near the middle, a tail would not have enough digits.
    if tail > 0.25 {
      return sign
        * QuantileSolver.solve(for: 1 - 2 * tail, from: 0.5, isRising: true) {
          (inside($0), 2 * density($0))
        }
    }
    return sign
      * QuantileSolver.solve(for: tail, from: 2, isRising: false) { (above($0), density($0)) }
  }

  private static func isOpen(_ probability: Double) -> Bool { probability > 0 && probability < 1 }

  private static func isPositive(_ number: Double) -> Bool { number > 0 && number.isFinite }
}
