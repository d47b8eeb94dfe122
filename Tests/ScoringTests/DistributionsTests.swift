import Scoring
import Testing

// Expected figures: SciPy 1.17.1, `scipy.stats.norm.ppf(p)`, `chi2.ppf(p, k)`, `t.ppf(p, k)`.
@Suite struct DistributionsTests {
  @Test(arguments: [
    (1e-10, -6.361340902404056),
    (0.001, -3.090232306167813),
    (0.025, -1.9599639845400545),
    (0.3, -0.5244005127080409),
    (0.5, 0.0),
    (0.975, 1.959963984540054),
    (0.999999, 4.753424308817087),
  ])
  func normal(probability: Double, expected: Double) {
    #expect(isClose(Distributions.normalQuantile(probability), expected))
  }

  @Test(arguments: [
    (0.025, 2.0, 0.05063561596857975),
    (0.975, 2.0, 7.377758908227871),
    (0.95, 2.0, 5.991464547107979),
    (0.025, 40.0, 24.433039170807888),
    (0.975, 42.0, 61.7767558053492),
    (0.5, 1.0, 0.454936423119572),
    (0.025, 200.0, 162.72798250184627),
    (0.975, 202.0, 243.25358758485277),
    (0.025, 2000.0, 1877.9460368153905),
    (0.975, 2002.0, 2127.904272032604),
    // GSL's own inverse fails on some of those that follow.
    (0.025, 2318.0, 2186.4539119944257),
    (0.975, 2320.0, 2455.3920280514003),
    (0.025, 4000.0, 3826.597419251261),
    (0.975, 4002.0, 4179.234878891655),
    (0.025, 20000.0, 19609.904934520368),
    (0.975, 20002.0, 20395.903249322946),
    (0.025, 2_000_000.0, 1996081.9666805877),
    (0.975, 2_000_002.0, 2003923.8238908644),
    (1e-06, 2.0, 2.0000010000006676e-06),
    (0.999999, 7.0, 40.52183123411472),
  ])
  func chiSquared(probability: Double, degrees: Double, expected: Double) {
    let value = Distributions.gammaQuantile(probability, shape: degrees / 2).map { 2 * $0 }
    #expect(isClose(value, expected), "\(value ?? .nan)")
  }

  @Test(arguments: [
    (0.975, 1.0, 12.706204736174694),
    (0.975, 2.0, 4.302652729749462),
    (0.975, 4.0, 2.7764451051977934),
    (0.025, 9.0, -2.2621571627982053),
    (0.975, 29.0, 2.045229642132703),
    (0.975, 1000.0, 1.9623390808264083),
    (0.995, 3.0, 5.840909309733355),
    (0.6, 2.5, 0.2814595127485477),
  ])
  func student(probability: Double, degrees: Double, expected: Double) {
    let value = Distributions.studentQuantile(probability, degreesOfFreedom: degrees)
    #expect(isClose(value, expected), "\(value ?? .nan)")
  }

  @Test(arguments: [-0.1, 0, 1, 1.5, .nan, .infinity])
  func probabilityOutsideTheDomain(probability: Double) {
    #expect(Distributions.normalQuantile(probability) == nil)
    #expect(Distributions.gammaQuantile(probability, shape: 1.5) == nil)
    #expect(Distributions.studentQuantile(probability, degreesOfFreedom: 3) == nil)
    #expect(Distributions.betaQuantile(probability, 1, 2) == nil)
  }

  @Test(arguments: [-1, 0, .nan, .infinity])
  func degreesOutsideTheDomain(degrees: Double) {
    #expect(Distributions.gammaQuantile(0.5, shape: degrees) == nil)
    #expect(Distributions.studentQuantile(0.5, degreesOfFreedom: degrees) == nil)
    #expect(Distributions.studentTail(above: 1, degreesOfFreedom: degrees) == nil)
    #expect(Distributions.betaQuantile(0.5, degrees, 1) == nil)
    #expect(Distributions.betaProbability(of: 0.5, 1, degrees) == nil)
    #expect(Distributions.gammaTail(above: 1, shape: degrees) == nil)
  }

  private func isClose(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) <= 1e-10 * max(abs(expected), 1e-6) } ?? false
  }

  // SciPy 1.17.1, `binom.sf(k - 1, n, p)`.
  @Test(arguments: [(3, 10, 0.3, 0.6172172136000003), (60, 1000, 0.05, 0.08673217838486103)])
  func binomialTailsAgreeWithSciPy(
    successes: Int, trials: Int, probability: Double, expected: Double
  ) {
    let found = Distributions.binomialProbability(ofAtLeast: successes, in: trials, probability)
    #expect(isClose(found, expected))
  }

  @Test func binomialTailsHaveEnds() {
    #expect(Distributions.binomialProbability(ofAtLeast: 0, in: 0, 0.5) == 1)
    #expect(Distributions.binomialProbability(ofAtLeast: 1, in: 5, 0) == 0)
    #expect(Distributions.binomialProbability(ofAtLeast: 5, in: 5, 1) == 1)
    #expect(Distributions.binomialProbability(ofAtLeast: 6, in: 5, 0.5) == nil)
    #expect(Distributions.binomialProbability(ofAtLeast: 1, in: 5, .nan) == nil)
  }
}
