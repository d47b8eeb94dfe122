internal import TraceModel

/// Densities of the Poisson and the binomial distribution for real arguments, in parts that do not
/// cancel (C. Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000).
enum ProbabilityDensities {
  /// Returns x^n e^-x / Γ(n + 1).
  /// - Parameters:
  ///   - n: 0 or more.
  ///   - x: positive.
  static func poisson(_ n: Double, _ x: Double) -> Double {
    guard n > 0 else { return Math.exp(-x) }
    return Math.exp(-stirlingError(n) - deviance(n, x)) / (2 * .pi * n).squareRoot()
  }

  /// Returns Γ(n + 1) / (Γ(k + 1) Γ(n - k + 1)) p^k q^(n - k).
  /// - Parameters:
  ///   - k, rest: positive; n is their sum.
  ///   - q: 1 - p.
  static func binomial(_ k: Double, _ rest: Double, _ p: Double, _ q: Double) -> Double {
    guard p > 0, q > 0 else { return 0 }
    let n = k + rest
    let logarithm =
      stirlingError(n) - stirlingError(k) - stirlingError(rest) - deviance(k, n * p)
      - deviance(rest, n * q)
    return Math.exp(logarithm) * (n / (2 * .pi * k * rest)).squareRoot()
  }

  /// Returns log Γ(n + 1) - log(sqrt(2 π n) (n / e)^n), the error of Stirling's formula.
  /// - Parameter n: positive.
  static func stirlingError(_ n: Double) -> Double {
    var n = n
    var sum = 0.0
    // Γ(n + 2) = (n + 1) Γ(n + 1), up to where the series holds.
    while n < 10 {
      sum += (n + 0.5) * Math.log1p(1 / n) - 1
      n += 1
    }
    // Bernoulli's numbers: B(2 k) / (2 k (2 k - 1) n^(2 k - 1)).
    let square = 1 / (n * n)
    let terms: [Double] = [
      1.0 / 156, -691.0 / 360_360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360,
    ]
    return sum + terms.reduce(0) { ($0 + $1) * square } / n + 1 / (12 * n)
  }

  /// Returns log Γ(a).
  /// - Parameter a: positive.
  static func logarithmOfGamma(_ a: Double) -> Double {
    stirlingError(a) + (a - 0.5) * Math.log(a) - a + 0.5 * Math.log(2 * .pi)
  }

  /// Returns x log(x / mean) + mean - x.
  private static func deviance(_ x: Double, _ mean: Double) -> Double {
    let difference = x - mean
    guard abs(difference) < 0.1 * (x + mean) else { return x * Math.log(x / mean) - difference }
    // The logarithm's series in (x - mean) / (x + mean).
    let ratio = difference / (x + mean)
    var sum = difference * ratio
    var power = 2 * x * ratio
    var odd = 3.0
    while true {
      power *= ratio * ratio
      let next = sum + power / odd
      if next == sum { return sum }
      (sum, odd) = (next, odd + 2)
    }
  }
}
