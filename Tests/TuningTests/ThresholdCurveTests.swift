import Scoring
import Testing
import TraceModel

@testable import Tuning

@Suite struct ThresholdCurveTests {
  private func curve(
    _ steps: [(Double, Int, Int)], references: Int = 10, isExact: Bool = true
  ) -> ThresholdCurve {
    ThresholdCurve(
      thresholds: steps.map(\.0), truePositives: steps.map(\.1), falsePositives: steps.map(\.2),
      upper: 100, references: references, scoredNanoseconds: 3_600_000_000_000, isExact: isExact)
  }

  @Test func aStepHoldsFromItsThresholdToTheNext() {
    let curve = curve([(1, 9, 5), (2, 8, 3), (4, 1, 0)])
    #expect(curve.index(of: 0.99) == nil)
    #expect(curve.index(of: 1) == 0)
    #expect(curve.index(of: 1.99) == 0)
    #expect(curve.index(of: 2) == 1)
    #expect(curve.index(of: 100) == 2)
    #expect(curve.index(of: 100.01) == nil)
    #expect(curve.counts(at: 1).falseNegatives == 2)
    #expect(curve.falseAlarms(at: 0).estimate == 5)
  }

  @Test func countsBetweenTriedPointsAreUnknown() {
    let curve = curve([(1, 9, 5), (2, 8, 3)], isExact: false)
    #expect(curve.index(of: 1.5) == nil)
    #expect(curve.index(of: 2) == 1)
  }

  @Test func theNearestTriedThreshold() {
    let tried = curve([(10, 9, 5), (20, 8, 3), (40, 7, 1)], isExact: false)
    let beyond = tried.upper.nextUp
    let expected: [(Double, Int?)] = [
      (5, 0), (10, 0), (14, 0), (15, 1), (29, 1), (30, 2), (40, 2), (beyond, nil),
    ]
    for (threshold, index) in expected {
      #expect(tried.nearestIndex(to: threshold) == index, "\(threshold)")
    }
    let exact = curve([(10, 9, 5), (20, 8, 3)])
    for threshold in [5, 10, 19, 20, exact.upper, exact.upper.nextUp] {
      #expect(exact.nearestIndex(to: threshold) == exact.index(of: threshold), "\(threshold)")
    }
  }

  /// At every threshold, the pooled counts are the sums of the single ones.
  @Test(arguments: 0..<50) func poolingSums(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let curves = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      let thresholds = Set(
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          Double(Int.random(in: 2...30, using: &generator))
        }
      ).union([1]).sorted()
      return curve(
        thresholds.map {
          ($0, Int.random(in: 0...3, using: &generator), Int.random(in: 0...3, using: &generator))
        })
    }
    let pooled = try #require(ThresholdCurve.pooled(curves))
    for threshold in stride(from: 1, through: 32, by: 0.5) {
      let parts = try curves.map { $0.counts(at: try #require($0.index(of: threshold))) }
      let sum = parts.reduce(EventCounts(), +)
      #expect(pooled.counts(at: try #require(pooled.index(of: threshold))) == sum, "seed \(seed)")
    }
    #expect(pooled.references == 10 * curves.count)
  }
}
