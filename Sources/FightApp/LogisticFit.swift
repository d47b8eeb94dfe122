import TraceModel

/// Logistic regression by maximum likelihood: Newton's method, which is iteratively reweighted
/// least squares here (McCullagh and Nelder, Generalized Linear Models, 2nd ed. 1989, 4.4).
public struct LogisticFit: Sendable {
  /// The gradient of the log likelihood and the negated Hessian (upper triangle, by rows) at the
  /// coefficients, the intercept first.
  private var coefficients: [Double]
  private var gradient: [Double]
  private var information: [Double]
  private let count: Int

  private init(featureCount: Int) {
    count = featureCount + 1
    coefficients = Array(repeating: 0, count: count)
    gradient = coefficients
    information = Array(repeating: 0, count: count * count)
  }

  /// Returns 1 / (1 + exp(-(intercept + Σ weight · feature))), 0...1.
  public static func probability(
    intercept: Double, weights: [Double], _ features: [Double]
  ) -> Double {
    var sum = intercept
    for index in weights.indices { sum += weights[index] * features[index] }
    return 1 / (1 + Math.exp(-sum))
  }

  /// Returns the maximum-likelihood coefficients.
  ///
  /// - Parameters:
  ///   - features: the features of each observation; all of one length.
  ///   - outcomes: the outcome of each observation.
  /// - Returns: nil if there is no unique maximum: too few observations, a feature that depends on
  ///   others, or one that separates the outcomes perfectly.
  public static func fit(
    _ features: [[Double]], _ outcomes: [Bool]
  ) -> (intercept: Double, weights: [Double])? {
    precondition(features.count == outcomes.count)
    guard let width = features.first?.count else { return nil }
    var fit = LogisticFit(featureCount: width)
    for _ in 0..<30 {
      fit.sum(features, outcomes)
      guard let step = solved(fit.information, fit.gradient) else { return nil }
      for index in step.indices { fit.coefficients[index] += step[index] }
      let size = step.map(abs).max() ?? 0
      if size < 1e-10 { return (fit.coefficients[0], Array(fit.coefficients.dropFirst())) }
    }
    return nil
  }

  private mutating func sum(_ features: [[Double]], _ outcomes: [Bool]) {
    gradient = Array(repeating: 0, count: count)
    information = Array(repeating: 0, count: count * count)
    let weights = Array(coefficients.dropFirst())
    for (row, outcome) in zip(features, outcomes) {
      let chance = LogisticFit.probability(intercept: coefficients[0], weights: weights, row)
      let residual = (outcome ? 1 : 0) - chance
      let variance = chance * (1 - chance)
      let values = [1] + row
      for i in values.indices {
        gradient[i] += residual * values[i]
        let scaled = variance * values[i]
        for j in i..<count { information[i * count + j] += scaled * values[j] }
      }
    }
  }

  /// Solves A x = b for a symmetric positive definite A, given by its upper triangle, by Cholesky
  /// decomposition; nil if A is not positive definite.
  static func solved(_ upper: [Double], _ right: [Double]) -> [Double]? {
    let size = right.count
    var factor = upper
    var solution = right
    for i in 0..<size {
      for j in i..<size {
        var sum = upper[i * size + j]
        for k in 0..<i { sum -= factor[k * size + i] * factor[k * size + j] }
        if i == j {
          // Relative to the entry: only rounding errors remain of a dependent column.
          guard sum > 1e-12 * upper[i * size + i], sum.isFinite else { return nil }
          factor[i * size + i] = sum.squareRoot()
        } else {
          factor[i * size + j] = sum / factor[i * size + i]
        }
      }
    }
    for i in 0..<size {
      for k in 0..<i { solution[i] -= factor[k * size + i] * solution[k] }
      solution[i] /= factor[i * size + i]
    }
    for i in (0..<size).reversed() {
      for k in i + 1..<size { solution[i] -= factor[i * size + k] * solution[k] }
      solution[i] /= factor[i * size + i]
    }
    return solution
  }
}
