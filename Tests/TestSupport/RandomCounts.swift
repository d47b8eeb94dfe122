import Foundation

/// Draws for simulated people, from any generator with a seed.
extension RandomNumberGenerator {
  /// Poisson: counts the arrivals of unit rate before `mean`. O(mean).
  package mutating func poisson(_ mean: Double) -> Int {
    var (count, time) = (0, exponential())
    while time < mean {
      count += 1
      time += exponential()
    }
    return count
  }

  /// Exponential, of mean 1.
  package mutating func exponential() -> Double {
    -log(1 - Double.random(in: 0..<1, using: &self))
  }

  /// Gamma, of scale 1 (Marsaglia and Tsang, ACM TOMS 26, 2000).
  package mutating func gamma(shape: Double) -> Double {
    guard shape >= 1 else { return gamma(shape: shape + 1) * exp(-exponential() / shape) }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = (2 * exponential()).squareRoot() * cos(.random(in: 0..<2 * .pi, using: &self))
      let v = (1 + c * x) * (1 + c * x) * (1 + c * x)
      if v > 0, -exponential() < x * x / 2 + d - d * v + d * log(v) { return d * v }
    }
  }
}
