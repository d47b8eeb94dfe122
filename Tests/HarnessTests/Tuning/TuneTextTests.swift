@testable import Reports
@testable import Evaluation
import Detectors
import Foundation
import Scoring
import TraceModel
import Testing
import Tuning

@testable import Harness

/// What a tuning says of itself, where a word too many would promise something.
@Suite struct TuneTextTests {
  private func warned(_ outcome: TuneOutcome, _ text: String) -> Bool {
    outcome.warnings.contains { $0.contains(text) }
  }

  private func document(_ outcome: TuneOutcome) throws -> [String: Any] {
    let json = try TuneExports(outcome: outcome).json()
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test func withoutFoldsNothingIsSaidToBeHeldOut() async throws {
    let outcome = try await PlantedTuning.outcome(
      people: ["a"], hits: [[40, 50, 60, 70, 80]], falseAlarms: [[1, 2]])
    #expect(outcome.result.verdict.isBetterThanNull)
    #expect(!outcome.verdict.contains("(cross-validated)"))
    #expect(warned(outcome, "there is no cross-validation"))
    let text = TuneTables(outcome: outcome).render()
      .replacing("\n", with: " ")
    #expect(text.contains("no test, because these hits chose the threshold"))
    #expect(!text.contains("(p "))
    let threshold = try document(outcome)["threshold"] as? [String: Any]
    #expect(threshold?["resamples"] is NSNull)
  }

  @Test func anOverrunOfTheBudgetIsInTheVerdict() async throws {
    // Nobody else has alarms as strong as the third person's.
    let outcome = try await PlantedTuning.outcome(
      falseAlarms: [[1], [2], (0..<90).map { 30 + Double($0) / 100 }])
    #expect(outcome.verdict.hasPrefix("better than the null detector (cross-validated)"))
    #expect(outcome.verdict.hasSuffix("but over the budget of false alarms"))
    #expect(warned(outcome, "by more than chance explains"))
    let within = try await PlantedTuning.outcome()
    #expect(within.verdict == "better than the null detector (cross-validated)")
  }

  @Test func whatNoThresholdAllowsIsToldWithWhatThereIs() async throws {
    // Stronger than any threshold.
    let alarms = [Double](repeating: 200, count: 24)
    let outcome = try await PlantedTuning.outcome(falseAlarms: [alarms, alarms, alarms])
    #expect(outcome.result.outcome == .nothingAllowed)
    #expect(outcome.verdict.contains("every threshold exceeds the budget"), "\(outcome.verdict)")
    #expect(outcome.verdict.contains("at least 24.0 per hour"), "\(outcome.verdict)")
    #expect(outcome.verdict.contains("--threshold"))
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
    #expect(lines.count <= 12 && lines.allSatisfy { $0.count <= 80 }, "\(short)")
    #expect(try document(outcome)["is_optimistic"] as? Bool == isOptimistic)
  }

  @Test func aPresetThatDoesAsWellIsTold() async throws {
    func isTold(_ preset: EventCounts) async throws -> Bool {
      let outcome = try await PlantedTuning.outcome(preset: preset)
      return warned(outcome, "not better than preset default")
    }
    #expect(try await isTold(EventCounts(truePositives: 15, falsePositives: 2)))
    #expect(!(try await isTold(EventCounts(truePositives: 14, falseNegatives: 1))))
    // Beyond the budget it is no match.
    #expect(!(try await isTold(EventCounts(truePositives: 15, falsePositives: 31))))
  }
}
