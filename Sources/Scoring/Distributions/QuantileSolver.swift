internal import TraceModel

/// Finds where a probability has a value, by Newton's method with a bracket.
///
/// It solves for the logarithm of the probability as a function of the logarithm of the argument:
/// towards an end of a distribution that is nearly a line, so few steps are needed, and small results
/// keep their relative precision.
enum QuantileSolver {
  /// - Parameters:
  ///   - target: the probability.
  ///   - guess: where to start, positive.
  ///   - most: the largest argument; infinite = there is none.
  ///   - isRising: whether the probability rises with the argument.
  ///   - evaluate: the probability at an argument, and the density there, which is positive or 0.
  static func solve(
    for target: Double, from guess: Double, upTo most: Double = .infinity, isRising: Bool,
    _ evaluate: (Double) -> (probability: Double, density: Double)
  ) -> Double {
    var (low, high) = (0.0, most)
    var x = min(max(guess, .leastNormalMagnitude), most.nextDown)
    // Newton's method needs about ten steps; halving the exponent needs the rest, at worst.
    for _ in 0..<2000 {
      let (probability, density) = evaluate(x)
      if probability == target { return x }
      if (probability < target) == isRising { low = x } else { high = x }
      let slope = density * x / probability
      let step = Math.log(probability / target) / (isRising ? slope : -slope)
      var next = x * Math.exp(-step)
      if !next.isFinite || next <= low || next >= high {
        next = middle(low, high)
      }
      guard next > low, next < high, abs(next - x) > x * .ulpOfOne else { return x }
      x = next
    }
    return x
  }

  /// Between the bounds, by their exponents where these are far apart.
  private static func middle(_ low: Double, _ high: Double) -> Double {
    let least = max(low, .leastNormalMagnitude)
    let most = min(high, .greatestFiniteMagnitude)
    return most / least > 4
      ? least.squareRoot() * most.squareRoot() : low + (high - low) / 2
  }
}
