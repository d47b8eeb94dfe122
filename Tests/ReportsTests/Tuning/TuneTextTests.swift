@testable import Reports
@testable import Evaluation
import Detectors
import Foundation
import Scoring
import TraceModel
import Testing
import Tuning

/// The texts of a tuning, which must not promise too much.
@Suite struct TuneTextTests {
  private func warned(_ outcome: TuneOutcome, _ text: String) -> Bool {
    outcome.warnings.contains { $0.contains(text) }
  }

  private func document(_ outcome: TuneOutcome) throws -> [String: Any] {
    let json = try TuneExports(outcome: outcome).json()
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test func withoutFoldsNothingIsCalledCrossValidated() async throws {
    let outcome = try await PlantedTuning.outcome(
      people: ["a"], hits: [[40, 50, 60, 70, 80]], falseAlarms: [[1, 2]])
    #expect(outcome.result.verdict.isBetterThanNull)
    #expect(!outcome.verdict.contains("(cross-validated)"))
    #expect(warned(outcome, "there is no cross-validation"))
    let text = TuneTables(outcome: outcome).render()
      .replacing("\n", with: " ")
    #expect(text.contains("no test, because these hits chose the threshold"))
    #expect(!text.contains("shifts hit as many"))
    let threshold = try document(outcome)["threshold"] as? [String: Any]
    #expect(threshold?["resamples"] is NSNull)
  }

  @Test func anOverrunOfTheBudgetIsInTheVerdict() async throws {
    // Nobody else has alarms as strong as the third person's.
    let outcome = try await PlantedTuning.outcome(
      falseAlarms: [[1], [2], (0..<90).map { 30 + Double($0) / 100 }])
    #expect(outcome.verdict.hasPrefix("better than the null detector (cross-validated)"))
    #expect(outcome.verdict.hasSuffix("but over the budget"))
    // One of three people has all alarms, so little is known about the others.
    #expect(warned(outcome, "by no more than chance explains"))
    let within = try await PlantedTuning.outcome()
    #expect(within.verdict == "better than the null detector (cross-validated)")
  }

  @Test func anImpossibleBudgetIsReportedWithTheAlternatives() async throws {
    // Stronger than any threshold.
    let alarms = [Double](repeating: 200, count: 24)
    let outcome = try await PlantedTuning.outcome(falseAlarms: [alarms, alarms, alarms])
    #expect(outcome.result.outcome == .nothingAllowed)
    #expect(outcome.verdict.contains("every threshold exceeds the budget"), "\(outcome.verdict)")
    #expect(
      outcome.verdict.contains("72 false alarms in 3.00 h of 3 people bound the rate at"),
      "\(outcome.verdict)")
    #expect(outcome.verdict.contains("--threshold"))
    // By the count, what the preset has; by the bound, what is missing.
    let counted = try await PlantedTuning.outcome(
      falseAlarms: [alarms, alarms, alarms], confidence: 0.5)
    #expect(counted.verdict.contains("at least 24.0 per hour"), "\(counted.verdict)")
    let quiet = try await PlantedTuning.outcome(falseAlarms: [[], [], []], budget: 0.5)
    #expect(
      quiet.verdict.contains(
        "0 false alarms in 3.00 h of 3 people bound the rate at 0.8/h; a budget of 0.5/h needs 4.61 h "
          + "without one"), "\(quiet.verdict)")
  }

  /// The rate that most new people stay below, or that there are too few people.
  @Test func mostNewPeopleAreMentioned() async throws {
    let few = TuneTables(outcome: try await PlantedTuning.outcome()).summary()
    #expect(few.contains("Too few people to say"), "\(few)")
    let outcome = try await PlantedTuning.outcome(
      people: (0..<5).map { "p\($0)" }, hits: Array(repeating: [40, 50, 60, 70, 80], count: 5),
      falseAlarms: [[1], [2], [3], [1], [2]])
    let text = TuneTables(outcome: outcome).summary()
    #expect(text.contains("1 of 2 new people stay below 2.3 false/h"), "\(text)")
    let rate = try document(outcome)["personal_rate"] as? [String: Any]
    #expect(rate?["out_of"] as? Int == 2 && rate?["count"] as? Int == 5)
  }

  @Test(arguments: [
    (["a", "b", "c"], TuneGrouping.Kind.subject, false, ""),
    (["a", "b", ""], .subject, true, "1 recording states no subject"),
    (["a", "", ""], .subject, true, "2 recordings state no subject"),
    (["a", "a", "b"], .recording, true, "groups are recordings"),
    (["a", "b", "c"], .recording, false, ""),
  ])
  func peopleInSeveralGroupsMakeItOptimistic(
    people: [String], group: TuneGrouping.Kind, isOptimistic: Bool, note: String
  ) async throws {
    let outcome = try await PlantedTuning.outcome(people: people, group: group)
    #expect(warned(outcome, "optimistic for a new person") == isOptimistic)
    #expect(note.isEmpty || warned(outcome, note))
    let text = TuneTables(outcome: outcome).render()
    #expect(text.contains("(optimistic)") == isOptimistic)
    #expect(text.contains("cross-validated") && text.contains("(biased)"))
    let short = TuneTables(outcome: outcome).summary()
    #expect(short.contains("cross-validated (optimistic)") == isOptimistic)
    let lines = short.split(separator: "\n")
    #expect(lines.count <= 13 && lines.allSatisfy { $0.count <= 80 }, "\(short)")
    #expect(try document(outcome)["is_optimistic"] as? Bool == isOptimistic)
  }

  @Test func anEquallyGoodPresetIsReported() async throws {
    func isReported(_ preset: EventCounts) async throws -> Bool {
      let outcome = try await PlantedTuning.outcome(preset: preset)
      return warned(outcome, "not better than preset default")
    }
    #expect(try await isReported(EventCounts(truePositives: 15, falsePositives: 2)))
    #expect(!(try await isReported(EventCounts(truePositives: 14, falseNegatives: 1))))
    // Not beyond the budget.
    #expect(!(try await isReported(EventCounts(truePositives: 15, falsePositives: 31))))
  }
}
