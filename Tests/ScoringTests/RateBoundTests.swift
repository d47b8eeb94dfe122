import TestSupport
import Testing
import TraceModel

@testable import Scoring

@Suite struct RateBoundTests {
  /// The budget is kept exactly where the bound is within it.
  @Test(arguments: 0..<100) func aBudgetIsABound(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let people = Int.random(in: 1...9, using: &generator)
    let hours = (0..<people).map { _ in generator.uniform(0.1...2) }
    let counts = hours.map { Int($0 * 20 * generator.unit() * generator.unit()) }
    let confidence = generator.uniform(0.6...0.99)
    let bound = try #require(
      RateBudget(1, confidence: confidence, hours: hours).upperBound(counts))
    for (factor, isWithin) in [(0.999, false), (1.001, true)] {
      let budget = RateBudget(bound * factor, confidence: confidence, hours: hours)
      #expect(budget.allows(counts) == isWithin, "seed \(seed)")
      #expect(budget.isForNewPeople == (people >= 3))
    }
    // Far from the bound, an approximation decides; events may come one by one, and go again.
    for factor in [0.3, 0.6, 0.8, 0.9, 1.1, 1.25, 1.7, 3] {
      let budget = RateBudget(bound * factor, confidence: confidence, hours: hours)
      #expect(budget.allows(counts) == (factor > 1), "seed \(seed), \(factor)")
      var tally = budget.tally
      for person in hours.indices.reversed() {
        budget.add(7, of: person, to: &tally)
        for _ in 0..<counts[person] { budget.add(1, of: person, to: &tally) }
        budget.add(-7, of: person, to: &tally)
      }
      #expect(budget.allows(tally) == (factor > 1), "seed \(seed), \(factor)")
    }
    // Copies are as many people.
    let twice = RateBudget(
      1, confidence: confidence, hours: hours, copies: hours.indices.map { 1 + $0 % 2 })
    let listed = hours.indices.flatMap { Array(repeating: $0, count: 1 + $0 % 2) }
    let each = RateBudget(1, confidence: confidence, hours: listed.map { hours[$0] })
    let (left, right) = (twice.upperBound(counts), each.upperBound(listed.map { counts[$0] }))
    #expect(abs(try #require(left) - #require(right)) <= 1e-9 * (right ?? 0), "seed \(seed)")
    // The same bound as that of a plan.
    let ratio = ClusteredRatio(zip(counts, hours).map { (Double($0), $1) })
    let planned = try #require(ratio.map { $0.upperBoundOfRate(confidence) } ?? bound)
    #expect(abs(bound - planned) <= 1e-9 * bound, "seed \(seed)")
  }

  /// Of 0.9 new people's rates, with a confidence of 0.9, where rates are of a gamma distribution and
  /// counts Poisson: at least 90 %, less two errors of the simulation. It is distribution-free, so
  /// mostly more. The true quantile is that of the gamma distribution.
  @Test(.longer, arguments: [0.5, 1, 2]) func newPeopleStayBelow(deviation: Double) throws {
    let runs = LongTests.count(quick: 8, long: 400)
    let shape = 1 / (deviation * deviation)
    for people in [4, 8, 16, 25, 40] {
      // From hardly any event to many.
      for mean in [0.3, 3, 100] {
        var (covered, stated) = (0, (0, 1))
        var generator = SeededGenerator(seed: UInt64(people))
        for _ in 0..<runs {
          let rates = (0..<people).map { _ in
            PoissonRate(
              count: generator.poisson(mean * generator.gamma(shape: shape) / shape), hours: 1)
          }
          let bound = try #require(PersonalRate(rates, confidence: 0.9))
          stated = (bound.people, bound.outOf)
          let share = Double(bound.people) / Double(bound.outOf)
          let quantile = try #require(Distributions.gammaQuantile(share, shape: shape))
          if bound.bound >= mean * quantile / shape { covered += 1 }
        }
        let coverage = Double(covered) / Double(runs)
        let error = (0.09 / Double(runs)).squareRoot()
        #expect(coverage >= 0.9 - 2 * error, "\(people) people, \(deviation), \(mean)")
        if LongTests.areWanted {
          print("personal: \(people) people, \(deviation), \(mean)/h: \(stated), \(coverage)")
        }
      }
    }
  }

  @Test func fewPeopleWidenTheInterval() {
    func share(_ people: Int) -> [Int]? {
      PersonalRate((0..<people).map { _ in PoissonRate(count: 1, hours: 1) }, confidence: 0.9)
        .map { [$0.people, $0.outOf] }
    }
    #expect(
      [3, 4, 8, 16, 24, 25].map(share) == [nil, [1, 2], [2, 3], [4, 5], [4, 5], [9, 10]])
    #expect(PersonalRate.fewest(confidence: 0.9) == 25)
    // Without hours there is no person.
    #expect(
      PersonalRate((0..<30).map { _ in PoissonRate(count: 0, hours: 0) }, confidence: 0.9) == nil)
  }
}
