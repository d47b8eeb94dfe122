package import TraceModel

/// Random numbers from the distributions of people and their events.
package struct Draws {
  package var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package mutating func normal() -> Double { generator.normal() }

  /// Returns a gamma variable of scale 1 (Marsaglia and Tsang, ACM TOMS 26, 2000).
  /// - Parameter shape: positive.
  package mutating func gamma(shape: Double) -> Double {
    guard shape >= 1 else {
      return gamma(shape: shape + 1) * Math.exp(Math.log(1 - generator.unit()) / shape)
    }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      let v = root * root * root
      guard v > 0 else { continue }
      if Math.log(1 - generator.unit()) < x * x / 2 + d - d * v + d * Math.log(v) { return d * v }
    }
  }

  /// Returns a gamma variable of this mean and coefficient of variation.
  package mutating func gamma(mean: Double, variation: Double) -> Double {
    guard variation > 0 else { return mean }
    let shape = 1 / (variation * variation)
    return mean / shape * gamma(shape: shape)
  }

  /// Returns a beta variable of this mean and standard deviation; nil = there is none.
  package mutating func beta(mean: Double, deviation: Double) -> Double? {
    guard deviation > 0 else { return mean }
    let size = mean * (1 - mean) / (deviation * deviation) - 1
    guard size > 0 else { return nil }
    return beta(mean * size, (1 - mean) * size) ?? (generator.unit() < mean ? 1 : 0)
  }

  /// nil where both parts are too small for a floating-point number.
  private mutating func beta(_ a: Double, _ b: Double) -> Double? {
    let (x, y) = (gamma(shape: a), gamma(shape: b))
    return x + y > 0 ? x / (x + y) : nil
  }

  /// Returns a Poisson variable: few events by the gaps between them; of many, half are passed at
  /// once, up to the time of that event (Ahrens and Dieter, Computing 12, 1974). O(log mean).
  /// - Parameter mean: not negative, finite.
  package mutating func poisson(_ mean: Double) -> Int {
    var (count, mean) = (0, mean)
    while mean > 30 {
      let passed = Int(mean * 7 / 8)
      let time = gamma(shape: Double(passed))
      guard time < mean else { return count + binomial(passed - 1, mean / time) }
      count += passed
      mean -= time
    }
    var time = 0.0
    while true {
      time -= Math.log(1 - generator.unit())
      guard time < mean else { return count }
      count += 1
    }
  }

  /// Returns a binomial variable: few trials one by one; of many, the half on the far side of the
  /// median of their uniform numbers is passed at once (Relles, JASA 67, 1972). O(log trials).
  package mutating func binomial(_ trials: Int, _ probability: Double) -> Int {
    var (hits, trials, p) = (0, trials, probability)
    while trials > 128 {
      let rank = trials / 2 + 1
      let median = beta(Double(rank), Double(trials - rank + 1)) ?? 0.5
      if median > p {
        trials = rank - 1
        p /= median
      } else {
        hits += rank
        trials -= rank
        p = (p - median) / (1 - median)
      }
    }
    return hits + (0..<max(trials, 0)).count { _ in generator.unit() < p }
  }
}
