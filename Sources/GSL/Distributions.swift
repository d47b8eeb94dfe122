private import CGSL

/// Quantiles of the distributions that intervals are made of.
///
/// Every function takes a probability strictly between 0 and 1 and returns a finite number;
/// anything else throws ``GSLError``, never NaN.
public enum Distributions {
  /// The `probability` quantile of the standard normal distribution.
  ///
  /// ```swift
  /// try Distributions.normalQuantile(0.975)  // 1.95996398454005
  /// ```
  public static func normalQuantile(_ probability: Double) throws(GSLError) -> Double {
    let operation = "normal quantile of p = \(probability)"
    guard isOpen(probability) else { throw .domain(operation) }
    return try withGSL(operation) { gsl_cdf_ugaussian_Pinv(probability) }
  }

  /// The `probability` quantile of the chi-squared distribution.
  /// - Parameter degreesOfFreedom: positive and finite.
  ///
  /// ```swift
  /// try Distributions.chiSquaredQuantile(0.95, degreesOfFreedom: 2)  // 5.99146454710798
  /// ```
  public static func chiSquaredQuantile(
    _ probability: Double, degreesOfFreedom: Double
  ) throws(GSLError) -> Double {
    let operation = "chi-squared quantile of p = \(probability), \(degreesOfFreedom) degrees"
    guard isOpen(probability), isPositive(degreesOfFreedom) else { throw .domain(operation) }
    return try withGSL(operation) {
      let quantile = gsl_cdf_chisq_Pinv(probability, degreesOfFreedom)
      return quantile.isNaN ? bisectedChiSquared(probability, degreesOfFreedom) : quantile
    }
  }

  /// GSL 2.7's own inverse gives up after 32 Newton steps, for some arguments from 2,300 degrees
  /// on, where its cumulative function is still good: halve an interval around Wilson and
  /// Hilferty's cube (PNAS 17, 1931), which is within 1 % there, until its ends are neighbours.
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

  /// The `probability` quantile of Student's t distribution.
  /// - Parameter degreesOfFreedom: positive and finite.
  ///
  /// ```swift
  /// try Distributions.studentQuantile(0.975, degreesOfFreedom: 1)  // 12.7062047361747
  /// ```
  public static func studentQuantile(
    _ probability: Double, degreesOfFreedom: Double
  ) throws(GSLError) -> Double {
    let operation = "t quantile of p = \(probability), \(degreesOfFreedom) degrees"
    guard isOpen(probability), isPositive(degreesOfFreedom) else { throw .domain(operation) }
    return try withGSL(operation) { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
  }

  private static func isOpen(_ probability: Double) -> Bool {
    probability > 0 && probability < 1
  }

  private static func isPositive(_ number: Double) -> Bool {
    number > 0 && number.isFinite
  }
}
