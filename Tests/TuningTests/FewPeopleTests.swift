import GSLSearch
import Scoring
import Testing
import TraceModel

@testable import Tuning

/// Tunings of so few people that a bound for new people allows nothing useful.
@Suite struct FewPeopleTests {
  /// Everybody has 50 hits from 30 to 79 strong and 4 false alarms up to 26, and the first person 60 more
  /// up to 70.
  private func people(_ count: Int) -> PlantedEvaluator {
    PlantedEvaluator(
      planted: (0..<count).map { person in
        PlantedEvaluator.Recording(
          "\(person)", subject: "p\(person)", references: 50, hits: (30..<80).map(Double.init),
          falseAlarms: [20, 22, 24, 26]
            + (person == 0 ? (0..<60).map { 11 + Double($0) } : []))
      })
  }

  private let rule = ChoiceRule(.maximumRecall(falseAlarmsPerHour: 30))

  private func tuner(
    _ evaluator: PlantedEvaluator, _ rule: ChoiceRule, allowsFewGroups: Bool = false
  ) throws -> Tuner {
    var plan = TuningPlan(rule, groups: evaluator.recordings.map(\.subject))
    plan.resamples = 100
    plan.allowsFewGroups = allowsFewGroups
    return try Tuner(evaluator, plan, by: GSLSearch())
  }

  /// The choice that was written, and that gives up most of the recall; folds of two people had another
  /// rule and kept it.
  @Test func theBoundOfThreePeopleCostsMostOfTheRecall() async throws {
    let curves = TrialCurves(try await people(3).curves(at: [:]))
    func recall(_ rule: ChoiceRule, _ weights: [Int]) -> Double? {
      curves.choose(rule, weights: weights, groups: [0, 1, 2]).choice?.value
    }
    var byRate = rule
    byRate.confidence = 0.5
    #expect(try #require(recall(rule, [1, 1, 1])) < 0.5)
    #expect(recall(byRate, [1, 1, 1]) == 1)
    #expect(recall(rule, [0, 1, 1]) == 1)
    #expect(!curves.boundsNewPeople(rule, weights: [0, 1, 1], groups: [0, 1, 2]))
  }

  @Test func aRuleThatNoFoldCanHaveChoosesNothing() async throws {
    let result = try await tuner(people(3), rule).run()
    #expect(result.boundedFor == .undefined && result.outcome == .nothingAllowed)
    #expect(result.folds.allSatisfy { $0.outcome == .nothingAllowed })
    #expect(result.trials.allSatisfy { $0.outcome == .nothingAllowed })
    #expect(!result.verdict.isBetterThanNull && result.personalRate == nil && result.price == nil)
    // One person more, and each fold has three.
    let four = try await tuner(people(4), rule).run()
    #expect(four.boundedFor == .newPeople && four.choice != nil)
  }

  /// The same rule for all and in each fold, if few groups are allowed: one for these people.
  @Test func fewGroupsAreBoundedForThesePeople() async throws {
    let evaluator = people(3)
    let result = try await tuner(evaluator, rule, allowsFewGroups: true).run()
    #expect(result.boundedFor == .thesePeople)
    let choice = try #require(result.choice)
    let price = try #require(result.price)
    // As if one person had all hours and all false alarms.
    let one = RateBudget(30, confidence: 0.9, hours: [3])
    let bound = try #require(one.upperBound([result.resubstitution.counts.falsePositives]))
    #expect(abs(try #require(price.bound) - bound) < 1e-9 && bound <= 30)
    #expect(price.recallByRate == 1 && choice.value <= 1)
    var pooled = rule
    pooled.bound = .thesePeople
    let curves = TrialCurves(try await evaluator.curves(at: [:]))
    for fold in result.folds {
      let person = try #require(Int(fold.group.dropFirst()))
      #expect(
        curves.choose(pooled, weights: (0..<3).map { $0 == person ? 0 : 1 }, groups: [0, 1, 2])
          == fold.outcome)
    }
  }

  /// What is announced is what the option then gives.
  @Test(arguments: [
    ChoiceRule(.maximumRecall(falseAlarmsPerHour: 30), confidence: 0.5), ChoiceRule(.fBeta(1)),
  ])
  func anAlternativeIsTheTuningWithThatRule(other: ChoiceRule) async throws {
    let evaluator = people(3)
    let found = try await tuner(evaluator, rule).alternative(other)
    let expected = try await tuner(evaluator, other).run()
    #expect(found.outcome == expected.outcome && found.settings == expected.settings)
    #expect(found.resubstitution == expected.resubstitution)
    #expect(found.crossValidated == expected.crossValidated)
  }

  /// More people like these: the first number in the list whose copies allow the recall.
  @Test func morePeopleBuyRecall() async throws {
    let evaluator = people(3)
    let tuner = try tuner(evaluator, rule)
    let curves = TrialCurves(try await evaluator.curves(at: [:]))
    func recall(_ times: Int) -> Double {
      // Copies under names of their own.
      let copies = (0..<times).flatMap { _ in [0, 1, 2] }
      let many = TrialCurves((0..<(3 * times)).map { _ in 0 }.indices.map { curve(copies[$0]) })
      return many.choose(
        rule, weights: copies.map { _ in 1 }, groups: Array(copies.indices)
      ).choice?.value ?? 0
    }
    func curve(_ person: Int) -> ThresholdCurve {
      curves.pooled((0..<3).map { $0 == person ? 1 : 0 })
    }
    let prospect = try #require(try await tuner.prospect([:], recall: 0.9))
    let times = prospect.morePeople / 3 + 1
    #expect(abs(prospect.recall - recall(times)) < 1e-12 && prospect.recall >= 0.9)
    #expect(times == 2 || recall(times - 1) < 0.9)
    #expect(prospect.falseAlarmsPerHour <= 30)
    #expect(try await tuner.prospect([:], recall: 1.1) == nil)
  }
}
