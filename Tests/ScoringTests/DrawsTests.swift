import Testing

@testable import Scoring

/// The means and variances of the draws, on both sides of the sizes at which the methods change.
@Suite struct DrawsTests {
  private func moments(
    _ count: Int = 2000, _ draw: (inout Draws) -> Double
  ) -> (mean: Double, variance: Double) {
    var draws = Draws(seed: 11)
    let values = (0..<count).map { _ in draw(&draws) }
    let mean = values.reduce(0, +) / Double(count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, squares / Double(count - 1))
  }

  /// Within five standard errors of the mean, and a variance within a fifth.
  private func check(
    _ found: (mean: Double, variance: Double), mean: Double, variance: Double, _ name: String
  ) {
    #expect(abs(found.mean - mean) < 5 * (variance / 2000).squareRoot(), "\(name): \(found)")
    #expect(abs(found.variance / variance - 1) < 0.2, "\(name): \(found)")
  }

  @Test(arguments: [0.3, 29, 31, 250, 1e6]) func poisson(mean: Double) {
    check(moments { Double($0.poisson(mean)) }, mean: mean, variance: mean, "Poisson \(mean)")
  }

  @Test(arguments: [(5, 0.3), (128, 0.9), (129, 0.9), (2000, 0.02), (1_000_000, 0.5)])
  func binomial(trials: Int, probability: Double) {
    let mean = Double(trials) * probability
    check(
      moments { Double($0.binomial(trials, probability)) }, mean: mean,
      variance: mean * (1 - probability), "binomial \(trials) \(probability)")
  }

  @Test(arguments: [0.3, 1.0, 2]) func gamma(variation: Double) {
    let found = moments(10_000) { $0.gamma(mean: 4, variation: variation) }
    #expect(abs(found.mean / 4 - 1) < 0.05, "\(found)")
    #expect(abs(found.variance.squareRoot() / (4 * variation) - 1) < 0.1, "\(found)")
  }

  @Test func endsOfTheRangeAreExact() {
    var draws = Draws(seed: 1)
    #expect(draws.poisson(0) == 0)
    #expect(draws.binomial(0, 0.5) == 0)
    #expect(draws.binomial(1000, 0) == 0)
    #expect(draws.binomial(1000, 1) == 1000)
    #expect(draws.beta(mean: 1, deviation: 0) == 1)
    #expect(draws.beta(mean: 0.5, deviation: 0.6) == nil)
  }
}
