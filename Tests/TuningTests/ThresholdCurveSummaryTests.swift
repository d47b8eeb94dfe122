import Scoring
import Testing

@testable import Tuning

@Suite struct ThresholdCurveSummaryTests {
  /// Two hours, four references.
  private func curve(_ steps: [(Double, Int, Int)]) -> ThresholdCurve {
    ThresholdCurve(
      thresholds: steps.map(\.0), truePositives: steps.map(\.1), falsePositives: steps.map(\.2),
      upper: 100, references: 4, scoredNanoseconds: 7_200_000_000_000, isExact: true)
  }

  @Test func averagePrecisionByHand() {
    // Precision 4/8 with 4 hits, 3/4 with 3, 2/2 with 2: envelope 1, 1, 3/4, 1/2.
    let steps = [(1.0, 4, 4), (2, 3, 1), (3, 2, 0), (4, 0, 0)]
    #expect(curve(steps).averagePrecision == (1 + 1 + 0.75 + 0.5) / 4)
    // What no threshold finds counts as zero.
    #expect(curve([(1, 1, 0)]).averagePrecision == 0.25)
    #expect(curve([(1, 0, 3)]).averagePrecision == 0)
  }

  @Test func meanRecallByHand() throws {
    // Recall 1/2 from 1 to 10 per hour, 1 from 10 to 100.
    let curve = curve([(1, 4, 20), (2, 2, 2)])
    #expect(abs(try #require(curve.meanRecall(budgets: 1...100)) - 0.75) < 1e-12)
    #expect(curve.meanRecall(budgets: 0.1...0.5) == 0)
    #expect(curve.meanRecall(budgets: 20...40) == 1)
  }

  @Test func choices() {
    let curve = curve([(1, 4, 20), (2, 3, 2), (3, 3, 1), (4, 1, 0), (5, 0, 0)])
    #expect(curve.mostRecall(falseAlarmsPerHour: 0) == 3)
    #expect(curve.mostRecall(falseAlarmsPerHour: 0.5) == 2)
    #expect(curve.mostRecall(falseAlarmsPerHour: 1) == 2)
    #expect(curve.mostRecall(falseAlarmsPerHour: 10) == 0)
    #expect(curve.mostRecall(falseAlarmsPerHour: -1) == nil)
    #expect(curve.highestF1 == 2)
    #expect(curve.span(of: 2) == 3...4)
    #expect(curve.span(of: 4) == 5...100)
  }

  @Test func theMiddleOfAStep() {
    let exact = curve([(1, 4, 20), (2, 3, 2), (3, 3, 1), (5, 0, 0)])
    #expect(exact.middle(of: 2) == 4)
    // The last step may reach far beyond anything.
    #expect(exact.middle(of: 3) == 5)
    // A middle that rounds to the next step's beginning is none of this step's.
    let narrow = curve([(1.0.nextDown, 2, 0), (1, 1, 0)])
    #expect(narrow.middle(of: 0) == 1.0.nextDown)
  }

  /// A sliver that happens to count the same is no threshold to set.
  @Test func theWidestStepWithEqualCounts() {
    let exact = curve([(1, 3, 1), (1.5, 3, 2), (2, 3, 1), (5, 3, 2), (6, 3, 1), (9, 0, 0)])
    for index in [0, 2, 4] { #expect(exact.widest(countingAs: index) == 2) }
    #expect(exact.widest(countingAs: 3) == 3)
    #expect(exact.widest(countingAs: 1) == 3)
    #expect(exact.widest(countingAs: 5) == 5)
  }

  /// With single thresholds, the neighbours with the same counts.
  @Test func theMiddleOfTriedThresholds() {
    let tried = ThresholdCurve(
      thresholds: [1, 2, 3, 4, 5, 6], truePositives: [2, 3, 3, 3, 2, 3],
      falsePositives: [0, 0, 0, 0, 0, 0], upper: 6, references: 4,
      scoredNanoseconds: 7_200_000_000_000, isExact: false)
    for index in 1...3 {
      #expect(tried.span(of: index) == 2...4)
      #expect(tried.middle(of: index) == 3)
    }
    #expect(tried.span(of: 5) == 6...6)
    #expect(tried.middle(of: 5) == 6)
  }
}
