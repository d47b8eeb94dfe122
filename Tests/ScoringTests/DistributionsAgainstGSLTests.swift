import CGSL
import TestSupport
import Testing
import TraceModel

@testable import Scoring

/// Random arguments from 0.05 to 10^5 against GSL, another implementation with other methods.
@Suite struct DistributionsAgainstGSLTests {
  private func isClose(_ found: Double?, _ expected: Double) -> Bool {
    guard let found else { return false }
    // GSL gives NaN where its own iteration fails, and its own error reaches some 1e-10: the gamma
    // tail of 0.1994169448500862 above 0.20152462350941452 is 0.23393696636507054 by mpmath with 30
    // digits, 0.23393696638900413 by GSL. Below 1e-100 it is larger.
    return expected.isNaN || abs(expected) < 1e-100
      || abs(found - expected) <= 2e-9 * abs(expected)
  }

  @Test(.longer) func agree() {
    _ = gsl_set_error_handler_off()
    var random = SeededGenerator(seed: 16)
    func parameter() -> Double { Math.exp(-3 + random.unit() * 14.5) }
    for _ in 0..<LongTests.count(quick: 1000, long: 50_000) {
      let (a, b) = (parameter(), parameter())
      let (p, z) = (random.unit(), random.unit() * 16 - 8)
      guard p > 0 else { continue }
      let (gammaPlace, betaPlace) = (
        a * Math.exp(random.unit() * 2 - 1), min(a / (a + b) * 2 * random.unit(), 1)
      )
      let pairs: [(String, Double?, Double)] = [
        ("normal tail \(z)", Distributions.normalTail(above: z), gsl_cdf_ugaussian_Q(z)),
        ("normal \(p)", Distributions.normalQuantile(p), gsl_cdf_ugaussian_Pinv(p)),
        (
          "gamma below \(gammaPlace) \(a)",
          Distributions.gammaProbability(below: gammaPlace, shape: a),
          gsl_cdf_gamma_P(gammaPlace, a, 1)
        ),
        (
          "gamma above \(gammaPlace) \(a)", Distributions.gammaTail(above: gammaPlace, shape: a),
          gsl_cdf_gamma_Q(gammaPlace, a, 1)
        ),
        (
          "beta below \(betaPlace) \(a) \(b)", Distributions.betaProbability(of: betaPlace, a, b),
          gsl_cdf_beta_P(betaPlace, a, b)
        ),
        (
          "student tail \(z) \(a)", Distributions.studentTail(above: z, degreesOfFreedom: a),
          gsl_cdf_tdist_Q(z, a)
        ),
        (
          "student \(p) \(a)", Distributions.studentQuantile(p, degreesOfFreedom: a),
          gsl_cdf_tdist_Pinv(p, a)
        ),
      ]
      for (name, found, expected) in pairs {
        #expect(isClose(found, expected), "\(name): \(found ?? .nan), GSL \(expected)")
      }
    }
  }
}
