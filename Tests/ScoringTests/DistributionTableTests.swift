import Foundation
import Testing

@testable import Scoring

/// Probabilities and quantiles against SciPy 1.15.3: the figures are in
/// `Tests/Fixtures/distributions.tsv`, which `Tests/Python/check_distributions.py --write` made and
/// which the same script checks.
@Suite struct DistributionTableTests {
  private static func value(_ kind: String, _ a: [Double]) -> Double? {
    switch kind {
    case "normal quantile": Distributions.normalQuantile(a[0])
    case "normal tail": Distributions.normalTail(above: a[0])
    case "student quantile": Distributions.studentQuantile(a[0], degreesOfFreedom: a[1])
    case "student tail": Distributions.studentTail(above: a[0], degreesOfFreedom: a[1])
    case "gamma quantile": Distributions.gammaQuantile(a[0], shape: a[1])
    case "gamma below": Distributions.gammaProbability(below: a[0], shape: a[1])
    case "gamma above": Distributions.gammaTail(above: a[0], shape: a[1])
    case "beta quantile": Distributions.betaQuantile(a[0], a[1], a[2])
    case "beta below": Distributions.betaProbability(of: a[0], a[1], a[2])
    case "binomial tail":
      Distributions.binomialProbability(ofAtLeast: Int(a[0]), in: Int(a[1]), a[2])
    default: nil
    }
  }

  @Test func agreesWithSciPy() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/distributions.tsv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 1000)
    for line in lines {
      let cells = line.split(separator: "\t")
      let numbers = try cells.dropFirst().map { try #require(Double($0)) }
      let (arguments, expected) = (Array(numbers.dropLast()), numbers[numbers.count - 1])
      let found = try #require(Self.value(String(cells[0]), arguments), "\(line)")
      #expect(
        abs(found - expected) <= 1e-10 * abs(expected),
        "\(line): \(found), \(abs(found / expected - 1))")
    }
  }

  /// Where SciPy's own error is larger than 1e-10: by mpmath with 40 digits, from the series
  /// exp(a log x - x - log Γ(a + 1)) Σ x^n / ((a + 1) ... (a + n)).
  @Test func agreesWithMpmathWhereSciPyErrs() throws {
    let below = try #require(Distributions.gammaProbability(below: 990_000, shape: 1e6))
    #expect(abs(below / 5.446644693010808670771526e-24 - 1) < 1e-12)
    let quantile = try #require(Distributions.gammaQuantile(1e-6, shape: 1e6))
    #expect(abs(quantile / 995_253.7719775002 - 1) < 1e-13)
    #expect(Distributions.studentQuantile(0.5, degreesOfFreedom: 3.7) == 0)
  }

  /// A quantile's probability is the one that was asked for, also where SciPy gives none.
  @Test func quantilesAreInverse() throws {
    for shape in [0.002, 0.3, 1, 17, 2500, 1e5] {
      for probability in [1e-15, 1e-4, 0.2, 0.5, 0.8, 0.9999] {
        let gamma = try #require(Distributions.gammaQuantile(probability, shape: shape))
        if gamma > 1e-300 {
          let below = try #require(Distributions.gammaProbability(below: gamma, shape: shape))
          #expect(abs(below / probability - 1) < 1e-11, "gamma \(shape), \(probability)")
        }
        for other in [0.5, 3, 700] {
          let beta = try #require(Distributions.betaQuantile(probability, shape, other))
          guard beta > 1e-300, beta < 1 - 1e-6 else { continue }
          let below = try #require(Distributions.betaProbability(of: beta, shape, other))
          #expect(abs(below / probability - 1) < 1e-10, "beta \(shape), \(other), \(probability)")
        }
      }
    }
  }
}
