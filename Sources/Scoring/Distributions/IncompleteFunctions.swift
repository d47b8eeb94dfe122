internal import TraceModel

/// The probabilities below and above a value, the smaller one with its full relative precision.
struct Tails {
  var below: Double
  var above: Double

  init(below: Double) { (self.below, above) = (below, 1 - below) }
  init(above: Double) { (below, self.above) = (1 - above, above) }

  var swapped: Tails {
    var tails = self
    (tails.below, tails.above) = (above, below)
    return tails
  }
}

/// The regularised incomplete gamma and beta functions.
///
/// They take O(sqrt(parameter)) steps near the middle of a distribution, fewer elsewhere.
enum IncompleteFunctions {
  /// The gamma distribution of scale 1 (Abramowitz and Stegun, Handbook, 6.5.29 and 6.5.31).
  static func gamma(_ a: Double, _ x: Double) -> Tails {
    guard x > 0 else { return Tails(below: 0) }
    guard x.isFinite else { return Tails(above: 0) }
    let density = ProbabilityDensities.poisson(a, x)
    guard x > a else {
      var (term, sum, n) = (1.0, 1.0, a)
      while term > sum * .ulpOfOne / 4 {
        n += 1
        term *= x / n
        sum += term
      }
      return Tails(below: min(density * sum, 1))
    }
    var fraction = ContinuedFraction(x + 1 - a)
    var step = 0.0
    while !fraction.isDone {
      step += 1
      fraction.add(-step * (step - a), x + 1 - a + 2 * step)
    }
    return Tails(above: min(density * a / fraction.value, 1))
  }

  /// The beta distribution (Handbook, 26.5.8).
  /// - Parameter y: 1 - x.
  static func beta(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Tails {
    guard x > 0 else { return Tails(below: 0) }
    guard y > 0 else { return Tails(above: 0) }
    guard x * (a + b + 2) <= a + 1 else { return lowerBeta(b, a, y, x).swapped }
    return lowerBeta(a, b, x, y)
  }

  private static func lowerBeta(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Tails {
    var fraction = ContinuedFraction(1)
    var step = 0.0
    while !fraction.isDone {
      let even = a + 2 * step
      fraction.add(-(a + step) * (a + b + step) * x / (even * (even + 1)), 1)
      step += 1
      fraction.add(step * (b - step) * x / ((even + 1) * (even + 2)), 1)
    }
    let density = ProbabilityDensities.binomial(a, b, x, y) * b / (a + b)
    return Tails(below: min(density / fraction.value, 1))
  }
}

/// b0 + a1 / (b1 + ...) by Lentz (Applied Optics 15, 1976), as Thompson and Barnett (1986).
private struct ContinuedFraction {
  private(set) var value: Double
  private(set) var isDone = false
  private var upper: Double
  private var lower = 0.0
  private var terms = 0

  init(_ first: Double) {
    value = first == 0 ? .leastNormalMagnitude : first
    upper = value
  }

  mutating func add(_ a: Double, _ b: Double) {
    lower = b + a * lower
    lower = 1 / (lower == 0 ? .leastNormalMagnitude : lower)
    upper = b + a / upper
    if upper == 0 { upper = .leastNormalMagnitude }
    let change = upper * lower
    value *= change
    terms += 1
    // A million terms are more than any parameter up to 10^10 needs.
    isDone = abs(change - 1) < .ulpOfOne || terms > 1_000_000 || !value.isFinite
  }
}
