import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct FightOddsTests {
  @Test(.longer, .longRun) func committedCoefficientsAreARefit() throws {
    let refit = try #require(FightOdds.fit(seeds: FightOdds.fittingSeeds))
    let (made, stored) = (
      [refit.intercept] + refit.weights, [FightOdds.fitted.intercept] + FightOdds.fitted.weights
    )
    #expect(zip(made, stored).allSatisfy { abs($0 - $1) < 1e-6 }, "the refit made \(refit)")
  }

  /// 100,000 fights of seeds that were not fitted on; in the quick run 20,000, whose bins are not so
  /// exact: five standard errors of 2,000 fights are 0.056.
  @Test(.longer) func oddsAgreeWithFightsThatWereNotFittedOn() {
    let count = LongTests.count(quick: 20_000, long: 100_000)
    let (size, tolerance) = (count / 10, LongTests.areWanted ? 0.03 : 0.056)
    let seeds = 1_000_001...UInt64(1_000_000 + count)
    #expect(!seeds.overlaps(FightOdds.fittingSeeds))
    var fights: [(chance: Double, isWon: Bool)] = []
    for seed in seeds {
      let fight = FightModel.fight(seed: seed)
      fights.append(
        (FightOdds.fitted.chance(of: fight.first, against: fight.second), fight.firstWins))
    }
    fights.sort { $0.chance < $1.chance }
    #expect(fights.count == count)
    var worst = 0.0
    for bin in 0..<10 {
      let part = fights[bin * size..<(bin + 1) * size]
      let predicted = part.reduce(0) { $0 + $1.chance } / Double(size)
      let observed = Double(part.count { $0.isWon }) / Double(size)
      #expect(abs(predicted - observed) < tolerance, "bin \(bin): \(predicted) and \(observed)")
      worst = max(worst, abs(predicted - observed))
    }
    var score = 0.0
    for fight in fights {
      let error = fight.chance - (fight.isWon ? 1 : 0)
      score += error * error / Double(count)
    }
    // A constant 0.5 has 0.25.
    #expect(1 - score / 0.25 > 0.1)
    let outside = fights.count { $0.chance < 0.3 || $0.chance > 0.7 }
    #expect(outside > count / 5)
    guard LongTests.areWanted else { return }
    // The figures that RULES.md states.
    #expect((worst * 1000).rounded() == 21, "\(worst)")
    #expect(((1 - score / 0.25) * 100).rounded() == 46, "\(1 - score / 0.25)")
    #expect((Double(outside) / 1000).rounded() == 73, "\(outside)")
  }

  @Test func oddsAndAdvantagesPointTheSameWay() {
    // Every row that gives an advantage raises the odds, which the simulation did not have to do.
    #expect(FightOdds.fitted.weights.allSatisfy { $0 > 0 })
    // And so does the first move among equals.
    #expect(FightOdds.fitted.intercept > 0)
    let nobody = BasicProfile(user: 0, profile: Profile(alias: "x"), wins: 0, losses: 0)
    let chance = FightOdds.fitted.chance(of: nobody, against: nobody)
    #expect(chance > 0.5 && chance < 0.8)
  }

  @Test func equalSeedsGiveEqualFights() {
    #expect(FightModel.fight(seed: 5) == FightModel.fight(seed: 5))
    #expect(FightModel.fight(seed: 5) != FightModel.fight(seed: 6))
    for seed in UInt64(1)...200 {
      let fight = FightModel.fight(seed: seed)
      var refused = false
      do throws(Refusal) { try fight.first.profile.validate() } catch { refused = true }
      #expect(!refused && fight.hits > 0 && fight.seconds > 0)
    }
  }

  // At the maximum the residuals are orthogonal to the intercept and to each feature.
  @Test func theFitIsTheMaximumOfTheLikelihood() throws {
    let truth = FightOdds(intercept: 0.3, weights: [1, -2])
    var random = SeededGenerator(seed: 11)
    var (rows, outcomes): ([[Double]], [Bool]) = ([], [])
    for _ in 0..<500 {
      let row = [random.normal(), random.normal()]
      rows.append(row)
      outcomes.append(random.unit() < truth.probability(row))
    }
    let fit = try #require(LogisticFit.fit(rows, outcomes))
    var gradient = [0.0, 0, 0]
    for (row, outcome) in zip(rows, outcomes) {
      let residual = (outcome ? 1 : 0) - fit.probability(row)
      for (index, value) in ([1] + row).enumerated() { gradient[index] += residual * value }
    }
    #expect(gradient.allSatisfy { abs($0) < 1e-9 })
    #expect(abs(fit.weights[0] - 1) < 0.4 && abs(fit.weights[1] + 2) < 0.6)
  }

  @Test func whatHasNoMaximumIsNotFitted() {
    #expect(LogisticFit.fit([], []) == nil)
    #expect(LogisticFit.fit([[1], [2], [3]], [false, false, true]) == nil, "separated")
    #expect(
      LogisticFit.fit([[1, 2], [2, 4], [3, 6], [4, 8]], [true, false, true, false]) == nil)
  }
}
