import Foundation
import TraceModel

/// Random numbers of the distributions that people and their events are drawn from.
struct Draws {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func normal() -> Double { generator.normal() }

  /// A gamma variable of scale 1 (Marsaglia and Tsang, ACM TOMS 26, 2000).
  mutating func gamma(shape: Double) -> Double {
    guard shape >= 1 else {
      return gamma(shape: shape + 1) * pow(1 - generator.unit(), 1 / shape)
    }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let v = pow(1 + c * x, 3)
      guard v > 0 else { continue }
      if log(1 - generator.unit()) < x * x / 2 + d - d * v + d * log(v) { return d * v }
    }
  }

  /// A gamma variable of this mean and coefficient of variation.
  mutating func gamma(mean: Double, variation: Double) -> Double {
    guard variation > 0 else { return mean }
    let shape = 1 / (variation * variation)
    return mean / shape * gamma(shape: shape)
  }

  /// A beta variable of this mean and standard deviation; nil = there is none.
  mutating func beta(mean: Double, deviation: Double) -> Double? {
    guard deviation > 0 else { return mean }
    let size = mean * (1 - mean) / (deviation * deviation) - 1
    guard size > 0 else { return nil }
    let (a, b) = (gamma(shape: mean * size), gamma(shape: (1 - mean) * size))
    return a + b > 0 ? a / (a + b) : (generator.unit() < mean ? 1 : 0)
  }

  /// A Poisson variable, by the gaps between its events.
  mutating func poisson(_ mean: Double) -> Int {
    var (count, time) = (0, 0.0)
    while true {
      time -= log(1 - generator.unit())
      guard time < mean else { return count }
      count += 1
    }
  }

  mutating func binomial(_ trials: Int, _ probability: Double) -> Int {
    (0..<trials).count { _ in generator.unit() < probability }
  }
}
