import Testing
import TraceModel

@testable import Detectors

@Suite struct InsideProbabilityTests {
  // SciPy: `from scipy.stats import ncx2; ncx2.cdf((R/s)**2, 2, (d/s)**2)`, and
  // `1 - exp(-R*R/2/s/s)` for d = 0. The first is the known 0.43 of 15 m and an accuracy of 20 m.
  @Test(arguments: [
    // radius, distance, sigma, probability
    (15.0, 0.0, 14.142135623730951, 0.4302171752690769),
    (60.0, 60.0, 5, 0.4833629188706007),
    (60.0, 55.0, 5, 0.830574949727273),
    (60.0, 60.0, 20, 0.4325202377091385),
    (60.0, 0.0, 35.35533905932738, 0.7630722413178782),
    (60.0, 100.0, 30, 0.06295427791973345),
    (60.0, 20.0, 3.5, 1.0),
    (100.0, 104.0, 3.9, 0.14806561015879377),
    (100.0, 97.0, 4.1, 0.7614230333347377),
    (150.0, 150.0, 1, 0.4986701850106572),
    (1000.0, 998.5, 1, 0.9331279669803915),
    (1000.0, 1002.0, 2, 0.15841364543861866),
    (20.0, 33.0, 10, 0.06703570102063444),
    (5.0, 1.0, 2.5, 0.843018618011697),
    (60.0, 200.0, 35, 1.6373128787043368e-05),
  ])
  func agreesWithSciPy(radius: Double, distance: Double, sigma: Double, probability: Double) {
    let found = InsideProbability.within(radius: radius, distance: distance, sigma: sigma)
    #expect(abs(found - probability) < 1e-12)
  }

  @Test func theTwoFormulasMeet() {
    for offset in stride(from: 16.5, through: 33.5, by: 0.5) {
      let below = InsideProbability.within(radius: 25.0.nextDown, distance: offset, sigma: 1)
      let above = InsideProbability.within(radius: 25, distance: offset, sigma: 1)
      #expect(abs(below - above) < 1e-12)
    }
  }

  @Test func theCentreIsTheReachable() {
    for sigma in [0.0, 0.1, 5, 14.1, 35, 1000] {
      let centre = InsideProbability.within(radius: 60, distance: 0, sigma: sigma)
      #expect(abs(centre - InsideProbability.reachable(radius: 60, sigma: sigma)) < 1e-12)
    }
  }

  @Test func fallsWithTheDistance() {
    for sigma in [0.5, 2, 5, 20, 100] {
      var previous = 1.0
      for distance in stride(from: 0.0, through: 300, by: 1.7) {
        let found = InsideProbability.within(radius: 60, distance: distance, sigma: sigma)
        #expect(found <= previous + 1e-15 && found >= 0)
        previous = found
      }
    }
  }

  @Test(arguments: [(59.999, 1.0), (60, 0), (60.001, 0)])
  func anExactPositionIsInOrOut(distance: Double, probability: Double) {
    #expect(InsideProbability.within(radius: 60, distance: distance, sigma: 0) == probability)
  }

  @Test func extremesAreProbabilitiesToo() {
    let values = [
      0, -1, 1, 1e-300, 1e300, .nan, .infinity, -.infinity, Double.greatestFiniteMagnitude,
    ]
    for radius in values {
      for distance in values {
        for sigma in values {
          let found = InsideProbability.within(radius: radius, distance: distance, sigma: sigma)
          #expect(found >= 0 && found <= 1, "\(radius) \(distance) \(sigma)")
        }
      }
    }
  }
}
