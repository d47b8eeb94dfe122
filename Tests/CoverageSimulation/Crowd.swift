import Foundation
import Scoring
import TraceModel

/// People of whom data are simulated, and how they differ.
public struct Crowd: Hashable, Sendable {
  /// How the rates of people differ, and their shares of misses.
  public enum Law: String, CaseIterable, Hashable, Sendable {
    /// Gamma for rates, beta for misses, with the crowd's coefficient of variation.
    case gamma
    /// With a coefficient of variation of 1.
    case lognormal
    /// One person in five has four times the rate of the others.
    case oneInFive = "one in five x4"
    /// Two people in five have none.
    case zeroInflated = "zero-inflated"
    /// Events come in bursts of four on average, hits and misses in fours; people differ a little.
    case bursts
    /// Each person is recorded on three days, whose rates differ by a coefficient of variation of 1.
    case days
  }

  public var people: Int
  /// The largest exposure / the smallest.
  public var range: Double
  /// The coefficient of variation between people.
  public var variation: Double
  public var law: Law

  public init(people: Int, range: Double, variation: Double, law: Law = .gamma) {
    self.people = people
    self.range = range
    self.variation = variation
    self.law = law
  }

  /// The exposures, with a mean of 1, in geometric steps.
  var exposures: [Double] {
    guard range > 1, people > 1 else { return (0..<people).map { _ in 1 } }
    let steps = (0..<people).map { pow(range, Double($0) / Double(people - 1)) }
    let mean = steps.reduce(0, +) / Double(people)
    return steps.map { $0 / mean }
  }

  /// Returns a person's rate, whose mean over people is `mean`.
  func rate(_ mean: Double, _ draws: inout Draws) -> Double {
    switch law {
    case .gamma: return draws.gamma(mean: mean, variation: variation)
    case .lognormal:
      let deviation = log(2.0).squareRoot()
      return mean * exp(deviation * draws.normal() - deviation * deviation / 2)
    case .oneInFive: return mean / 1.6 * (draws.generator.unit() < 0.2 ? 4 : 1)
    case .zeroInflated: return draws.generator.unit() < 0.4 ? 0 : mean / 0.6
    case .bursts: return draws.gamma(mean: mean, variation: 0.5)
    case .days:
      let own = draws.gamma(mean: mean, variation: 0.5)
      return (0..<3).reduce(0) { sum, _ in sum + draws.gamma(mean: own / 3, variation: 1) }
    }
  }

  /// Returns the number of events where this many are expected of a person.
  func events(_ expected: Double, _ draws: inout Draws) -> Int {
    guard law == .bursts else { return draws.poisson(expected) }
    var events = 0
    for _ in 0..<draws.poisson(expected / 4) {
      events += 1
      while draws.generator.unit() < 0.75 { events += 1 }
    }
    return events
  }

  /// Returns a person's share of misses; nil if a beta law cannot vary as much.
  func misses(_ mean: Double, _ draws: inout Draws) -> Double? {
    switch law {
    case .gamma: draws.beta(mean: mean, deviation: variation * mean)
    case .bursts: draws.beta(mean: mean, deviation: 0.5 * mean)
    default: min(rate(mean, &draws), 1)
    }
  }

  /// Returns the number of hits.
  func hits(_ trials: Int, _ recall: Double, _ draws: inout Draws) -> Int {
    guard law == .bursts, trials >= 4 else { return draws.binomial(trials, recall) }
    return min(4 * draws.binomial(trials / 4, recall) + draws.binomial(trials % 4, recall), trials)
  }
}
