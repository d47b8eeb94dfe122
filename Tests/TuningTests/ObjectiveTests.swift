import Scoring
import Testing

@testable import Tuning

@Suite struct ObjectiveTests {
  private func counts(_ hits: Int, _ alarms: Int, _ misses: Int) -> EventCounts {
    EventCounts(truePositives: hits, falsePositives: alarms, falseNegatives: misses)
  }

  // By hand. F1 of 6, 2, 4: 12 / 18; F0.5: 1.25 * 6 / (7.5 + 1 + 2); cost: (4 * 10 + 2) / 2 h.
  @Test(arguments: [
    (Objective.maximumRecall(falseAlarmsPerHour: 1), 0.6),
    (.fBeta(1), 12.0 / 18), (.fBeta(0.5), 7.5 / 10.5), (.fBeta(2), 30.0 / 48),
    (.cost(miss: 10, falseAlarm: 1), -21.0),
  ])
  func isAsDefined(objective: Objective, expected: Double) throws {
    let value = try #require(objective.value(of: counts(6, 2, 4), hours: 2))
    #expect(abs(value - expected) < 1e-12)
  }

  @Test func theBudgetIsOfTheCountOverTheHours() {
    let objective = Objective.maximumRecall(falseAlarmsPerHour: 6)
    #expect(objective.allows(counts(0, 12, 0), hours: 2))
    #expect(!objective.allows(counts(0, 13, 0), hours: 2))
    #expect(objective.allows(counts(0, 0, 0), hours: 0))
    #expect(!objective.allows(counts(0, 1, 0), hours: 0))
    #expect(Objective.fBeta(1).allows(counts(0, 1000, 0), hours: 1))
  }

  @Test(arguments: [
    Objective.maximumRecall(falseAlarmsPerHour: 1), .fBeta(1), .cost(miss: 1, falseAlarm: 1),
  ])
  func isNotDefinedWithoutReferences(objective: Objective) {
    #expect(objective.value(of: counts(0, 3, 0), hours: 1) == nil)
  }

  @Test func detectingNothingHasAValue() {
    #expect(Objective.fBeta(1).valueOfNull(references: 5, hours: 1) == 0)
    #expect(
      Objective.cost(miss: 3, falseAlarm: 1).valueOfNull(references: 4, hours: 2) == -6)
  }
}
