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
    let text = flat(TuneTables(outcome: outcome).render())
    #expect(text.contains("no test, because these hits chose the threshold"))
    #expect(!text.contains("shifts hit as many"))
    let threshold = try document(outcome)["threshold"] as? [String: Any]
    #expect(threshold?["resamples"] is NSNull)
  }

  @Test func anOverrunOfTheBudgetIsInTheVerdict() async throws {
    // Nobody else has alarms as strong as the third person's.
    let alarms = [[1], [2], (0..<90).map { 30 + Double($0) / 100 }]
    let outcome = try await PlantedTuning.outcome(falseAlarms: alarms, confidence: 0.5)
    #expect(outcome.verdict.hasPrefix("better than detecting nothing (cross-validated)"))
    // One of three people has all alarms, so little is known about the others.
    #expect(outcome.verdict.hasSuffix("but not shown to be within the budget"))
    #expect(warned(outcome, "cannot be shown to be within the budget of 10, nor above it"))
    #expect(!outcome.warnings.contains { $0.contains("exceeds") })
    let within = try await PlantedTuning.outcome()
    #expect(within.verdict == "better than detecting nothing (cross-validated)")
  }

  @Test func anImpossibleBudgetIsReportedWithTheAlternatives() async throws {
    // Stronger than any threshold.
    let alarms = [Double](repeating: 200, count: 24)
    let outcome = try await PlantedTuning.outcome(falseAlarms: [alarms, alarms, alarms])
    #expect(outcome.result.outcome == .nothingAllowed && outcome.refusal == .notBetter)
    #expect(
      outcome.verdict.contains("no threshold can be shown to be within 10 false alarms per hour"),
      "\(outcome.verdict)")
    #expect(
      outcome.verdict.contains("72 false alarms in 3.00 h of 3 people bound the rate at"),
      "\(outcome.verdict)")
    #expect(outcome.verdict.contains("--threshold") && !outcome.verdict.contains("exceed"))
    // By the count, what the preset has; by the bound, what is missing.
    let counted = try await PlantedTuning.outcome(
      falseAlarms: [alarms, alarms, alarms], confidence: 0.5)
    #expect(counted.verdict.contains("at least 24.0 per hour"), "\(counted.verdict)")
    let quiet = try await PlantedTuning.outcome(falseAlarms: [[], [], []], budget: 0.5)
    #expect(
      quiet.verdict.contains("0 false alarms in 3.00 h of 3 people bound the rate at"),
      "\(quiet.verdict)")
    #expect(quiet.refusal == .fewPeople && quiet.verdict.contains("record about"))
    // No time without an event shows a rate of zero.
    let none = try await PlantedTuning.outcome(falseAlarms: [[], [], []], budget: 0)
    #expect(none.verdict.contains("no number of hours shows a rate of 0"), "\(none.verdict)")
    #expect(!none.verdict.contains("inf") && none.refusal == .notBetter)
  }

  // MARK: Few people, and losses

  /// Five hits each, and false alarms of one person that are as strong.
  private func harmful(
    people: Int = 3, accepted: Bool = false, objective: Objective? = nil
  ) async throws -> TuneOutcome {
    let hits = (0..<20).map { 40 + 2 * Double($0) }
    return try await PlantedTuning.outcome(
      people: (0..<people).map { "p\($0)" }, hits: Array(repeating: hits, count: people),
      falseAlarms: (0..<people).map { person in
        [1, 2] + (person == 0 ? (0..<40).map { 20 + 1.4 * Double($0) } : [])
      }, objective: objective,
      preset: EventCounts(
        truePositives: 20 * people, falsePositives: 40, falseNegatives: 0),
      allowsFewGroups: false, acceptsLoss: accepted)
  }

  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func threePeopleAreRefusedWithThePlanAndTheWaysOn() async throws {
    let outcome = try await harmful()
    #expect(outcome.refusal == .fewPeople)
    let verdict = outcome.verdict
    #expect(verdict.contains("3 people are too few to show with confidence 0.9"), "\(verdict)")
    #expect(verdict.contains("more people like these (1.00 h each)"), "\(verdict)")
    #expect(verdict.contains("--confidence 0.5 (recall "), "\(verdict)")
    #expect(verdict.contains("--objective f1 in place of the budget (recall "), "\(verdict)")
    let summary = TuneTables(outcome: outcome).summary()
    #expect(summary.hasPrefix("Nothing is written: 3 people are too few"), "\(summary)")
    #expect(flat(summary).contains("half of such tunings break the budget with new people"))
    #expect(flat(summary).contains("More people: about"))
    let lines = summary.split(separator: "\n")
    #expect(lines.count <= 13 && lines.allSatisfy { $0.count <= 80 }, "\(summary)")
    for way in outcome.alternatives {
      let row = try #require(lines.first { $0.hasPrefix(way.options) }, "\(summary)")
      let recall = try #require(way.figures.score.recall.estimate)
      #expect(row.contains("\(Double(Int((1000 * recall).rounded())) / 1000)"), "\(row)")
    }
    // Nothing is chosen, so all tables are no more than that, with every note.
    let full = TuneTables(outcome: outcome).render()
    #expect(full.split(separator: "\n").starts(with: lines.prefix(5)), "\(full)")
    #expect(!full.contains("references are hit") && !full.contains("same recordings"), "\(full)")
    let json = try document(outcome)
    #expect(json["refusal"] as? String == "few_people" && json["threshold"] is NSNull)
    #expect((json["alternatives"] as? [[String: Any]])?.count == 2)
    #expect((json["more_people"] as? [String: Any])?["more_people"] is Int)
  }

  /// Five people without a false alarm keep a budget that four of them do not.
  @Test func foldsWithTooFewPeopleAreNoLoss() async throws {
    func bound(_ people: Int) throws -> Double {
      let hours = [Double](repeating: 1, count: people)
      let budget = RateBudget(1, confidence: 0.9, hours: hours)
      return try #require(budget.upperBound([Int](repeating: 0, count: people)))
    }
    func outcome(
      _ people: Int, budget: Double
    ) async throws -> TuneOutcome {
      try await PlantedTuning.outcome(
        people: (0..<people).map { "p\($0)" },
        hits: Array(repeating: [40, 50, 60, 70, 80], count: people),
        falseAlarms: Array(repeating: [], count: people), budget: budget,
        preset: EventCounts(truePositives: 5 * people), allowsFewGroups: false)
    }
    let budget = (try bound(4) + bound(5)) / 2
    let all = try await outcome(5, budget: budget)
    #expect(all.result.choice != nil && all.result.verdict == .notBetterCrossValidated)
    #expect(all.refusal == .fewPeople)
    #expect(
      all.verdict.hasPrefix(
        "nothing is chosen: 5 people are too few: with some of them left out (5 of 5 folds), no "
          + "threshold is shown with confidence 0.9 to stay within "), "\(all.verdict)")
    #expect(all.verdict.contains("record about 5 more people"), "\(all.verdict)")
    let tables = TuneTables(outcome: all)
    for text in [flat(tables.summary()), flat(tables.render())] {
      #expect(text.hasPrefix("Nothing is written: 5 people are too few: with some"))
      for word in ["Chosen", "Price", "lost", "detecting nothing", "folds have", "Budget:"] {
        #expect(!text.contains(word), "\(word): \(text)")
      }
    }
    #expect(try await outcome(10, budget: budget).refusal == nil)
  }

  @Test func aLargeLossIsTheHeadlineAndWrittenOnlyIfAccepted() async throws {
    let refused = try await harmful(people: 4)
    let loss = try #require(refused.loss)
    #expect(loss.share > RecallLoss.most && refused.refusal == .recallLoss)
    #expect(refused.verdict.contains("of the preset's recall is lost"), "\(refused.verdict)")
    #expect(refused.verdict.contains("--accept-loss") && refused.verdict.contains("more people"))
    let summary = TuneTables(outcome: refused).summary()
    #expect(summary.hasPrefix("Nothing is written: "), "\(summary)")
    #expect(summary.contains("--confidence 0.5 ") && summary.contains("--objective f1 "))
    let document = try document(refused)
    #expect(document["refusal"] as? String == "recall_loss")
    #expect((document["recall_loss"] as? [String: Any])?["share"] as? Double == loss.share)
    let accepted = try await harmful(people: 4, accepted: true)
    #expect(accepted.refusal == nil && accepted.alternatives.isEmpty)
    #expect(TuneTables(outcome: accepted).summary().hasPrefix("Price: "))
  }

  /// A small loss is the headline, too; without any there is none.
  @Test func aSmallLossIsAPrice() async throws {
    func headline(_ preset: EventCounts) async throws -> String {
      let outcome = try await PlantedTuning.outcome(preset: preset)
      #expect(outcome.refusal == nil)
      return TuneTables(outcome: outcome).headline
    }
    #expect(try await headline(EventCounts(truePositives: 14, falseNegatives: 1)) == "")
    #expect(try await headline(EventCounts(truePositives: 15)) == "")
    let outcome = try await PlantedTuning.outcome(
      hits: [[50, 50, 60, 70, 80], [50, 50, 60, 70, 80], [40, 50, 60, 70, 80]],
      falseAlarms: [[1], [2], [Double](repeating: 45, count: 40)],
      preset: EventCounts(truePositives: 15, falsePositives: 60))
    #expect(
      TuneTables(outcome: outcome).headline
        == "Price: 6.7 % of the preset's recall is lost (0.933, not 1.000; same recordings).\n")
  }

  /// Nothing is lost on the same recordings, and without any of three people, 6 of 20 hits are.
  @Test func theLossIsCrossValidated() async throws {
    let hits: [Double] = [40, 40, 50, 60, 70]
    let outcome = try await PlantedTuning.outcome(
      people: ["a", "b", "c", "d"], hits: Array(repeating: hits, count: 4),
      falseAlarms: [[Double](repeating: 45, count: 38), [], [], []], confidence: 0.5,
      preset: EventCounts(truePositives: 20, falsePositives: 38))
    #expect(outcome.result.resubstitution.counts.falseNegatives == 0)
    #expect(outcome.refusal == .recallLoss)
    let tables = TuneTables(outcome: outcome)
    #expect(
      flat(tables.headline)
        == "Nothing is written: 30 % of the preset's recall is lost (0.700, not 1.000; "
        + "cross-validated). --accept-loss writes it.")
    let loss = try document(outcome)["recall_loss"] as? [String: Any]
    #expect(loss?["is_cross_validated"] as? Bool == true)
  }

  /// Without other ways on, the refusal names the option alone.
  @Test func aLossWithoutABudgetIsRefused() async throws {
    let outcome = try await harmful(people: 4, objective: .fBeta(0.1))
    #expect(outcome.refusal == .recallLoss && outcome.alternatives.isEmpty)
    #expect(outcome.verdict.hasSuffix("); use --accept-loss"), "\(outcome.verdict)")
  }

  /// A threshold of 40 does as well as the choice, or is above the plateau.
  @Test(arguments: [(40.0, true), (30, false)])
  func aPresetOnThePlateauIsKept(weakest: Double, isKept: Bool) async throws {
    let hits = [weakest, 50, 60, 70, 80]
    let outcome = try await PlantedTuning.outcome(hits: [hits, hits, hits])
    let text = flat(TuneTables(outcome: outcome).summary())
    #expect(text.contains("about as good: 0-\(Int(weakest))"), "\(text)")
    let keep = "Keep the preset: its threshold is about as good as the chosen one"
    #expect(text.contains(keep) == isKept, "\(text)")
    #expect(flat(TuneTables(outcome: outcome).render()).contains(keep) == isKept)
  }

  /// The bound, for whom and how surely, and its price.
  @Test func theBudgetIsReportedWithItsPrice() async throws {
    let people = (0..<5).map { "p\($0)" }
    func summary(_ confidence: Double) async throws -> String {
      flat(
        TuneTables(
          outcome: try await PlantedTuning.outcome(
            people: people, hits: Array(repeating: [40, 50, 60, 70, 80], count: 5),
            falseAlarms: [[1], [2], [3], [1], [2]], confidence: confidence,
            allowsFewGroups: false)
        ).summary())
    }
    let kept = try await summary(0.9)
    let budget =
      "Budget: as chosen, new people have at most 0.8 false/h on average (90 % sure, one-sided), of "
      + "the 10/h allowed. More people: "
    #expect(kept.contains(budget), "\(kept)")
    let counted = try await summary(0.5)
    #expect(
      counted.contains("the measured rate is compared; about half of such tunings break the budget")
    )
    for text in [kept, counted] {
      for word in ["Verdict", "resubstitution", "new people stay below", "confidence 0.", "1 of "] {
        #expect(!text.contains(word), "\(word): \(text)")
      }
    }
    let few = TuneTables(outcome: try await PlantedTuning.outcome()).summary()
    #expect(
      flat(few).contains("Budget: as chosen, these people have at most 0.8 false/h"), "\(few)")
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
      return outcome.verdict.hasSuffix("but not better than preset default without tuning")
    }
    #expect(try await isReported(EventCounts(truePositives: 15, falsePositives: 2)))
    #expect(!(try await isReported(EventCounts(truePositives: 14, falseNegatives: 1))))
    // Not beyond the budget.
    #expect(!(try await isReported(EventCounts(truePositives: 15, falsePositives: 31))))
  }

  /// The preset never saw the data: where it does better in both figures, the tuning has found nothing.
  @Test func aChoiceThatIsWorseThanThePresetIsNotWritten() async throws {
    func outcome(accepts: Bool) async throws -> TuneOutcome {
      try await PlantedTuning.outcome(
        hits: Array(repeating: [5, 10, 15, 20, 25], count: 3),
        falseAlarms: [[12], [12], [12]], confidence: 0.5,
        preset: EventCounts(truePositives: 15, falsePositives: 0, falseNegatives: 0),
        acceptsLoss: accepts)
    }
    let refused = try await outcome(accepts: false)
    #expect(refused.refusal == .worseThanPreset)
    #expect(refused.verdict.hasPrefix("the preset is better: it finds 1.000 with 0.0 false alarms"))
    #expect(try await outcome(accepts: true).refusal == nil)
  }
}
