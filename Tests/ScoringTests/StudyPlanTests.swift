import TestSupport
import Testing
import TraceModel

@testable import Scoring

@Suite struct StudyPlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var goal: StudyGoal
    var expected: Double
    var dispersion: Double
    var each: Double
    var target = 0.8
    var exposureVariation = 0.0
    var burst = 1
    var testDescription: String { "\(goal) \(expected) \(dispersion) \(each) \(target) \(burst)" }

    var study: Study {
      var study = Study(
        goal, expected: expected, dispersion: Dispersion(goal.dispersion, assumed: dispersion),
        each: each)
      (study.exposureVariation, study.burst) = (exposureVariation, Double(burst))
      return study
    }

    /// Exposures of two sizes.
    func exposure(_ draws: inout Draws) -> Double {
      each * (1 + (draws.generator.unit() < 0.5 ? exposureVariation : -exposureVariation))
    }
  }

  static let cases = [
    Case(goal: .falseAlarms(below: 10), expected: 4, dispersion: 1, each: 0.5),
    Case(goal: .falseAlarms(below: 20, confidence: 0.9), expected: 5, dispersion: 0.5, each: 1),
    Case(goal: .recall(above: 0.8), expected: 0.9, dispersion: 0.05, each: 40),
    Case(goal: .recallDifference(0.1), expected: 0.9, dispersion: 0.05, each: 40),
    Case(goal: .falseAlarmDifference(4), expected: 4, dispersion: 0.5, each: 2, target: 0.9),
    Case(
      goal: .falseAlarms(below: 10), expected: 4, dispersion: 1, each: 0.5, exposureVariation: 0.6,
      burst: 4),
    Case(
      goal: .recall(above: 0.8), expected: 0.9, dispersion: 0.05, each: 40, exposureVariation: 0.6,
      burst: 4),
  ]

  /// The power that is stated is reached by other studies, judged by the intervals that are printed:
  /// within five points; in the quick run also the error of the simulation.
  @Test(.longer, arguments: cases) func thePlannedPeopleReachThePower(_ planned: Case) throws {
    let studies = LongTests.count(quick: 80, long: 4000)
    let plan = StudyPlan(planned.study, target: planned.target, studies: studies, factorsOfEach: [])
    let people = try #require(plan.design.people)
    let found = Self.power(of: planned, people: people, studies: studies)
    print("planned \(people) people, \(planned.goal): \(plan.design.power), found \(found)")
    let error = LongTests.areWanted ? 0 : 3 * (0.25 / Double(studies)).squareRoot()
    #expect(abs(found - plan.design.power) < 0.05 + error, "\(people): \(found)")
    #expect(found > planned.target - 0.05 - error, "\(people): \(found)")
    #expect(plan.design.power >= planned.target)
    // Not more people than needed: with a third fewer the power is lower.
    if people >= 6 {
      let fewer = Self.power(of: planned, people: people * 2 / 3, studies: studies)
      #expect(fewer < planned.target, "\(people): \(fewer)")
    }
  }

  /// Studies of another seed, drawn and judged without the planning.
  private static func power(of planned: Case, people: Int, studies: Int) -> Double {
    var draws = Draws(seed: 77)
    let shown = (0..<studies).count { _ in
      switch planned.goal {
      case .falseAlarms(let budget, let confidence):
        let parts = (0..<people).map { _ -> PoissonRate in
          let own = draws.gamma(mean: planned.expected, variation: planned.dispersion)
          let hours = planned.exposure(&draws)
          var count = 0
          for _ in 0..<draws.poisson(own * hours / Double(planned.burst)) {
            count += 1
            while draws.generator.unit() >= 1 / Double(planned.burst) { count += 1 }
          }
          return PoissonRate(count: count, hours: hours)
        }
        if let confidence {
          let ratio = ClusteredRatio(parts.map { (Double($0.count), $0.hours) })
          return (ratio?.upperBoundOfRate(confidence) ?? .infinity) < budget
        }
        return (Estimate(parts, of: .people).interval?.upper ?? .infinity) < budget
      case .recall(let floor):
        let parts = (0..<people).map { _ in
          let bursts = Int(planned.exposure(&draws)) / planned.burst
          let hits = draws.binomial(bursts, recall(planned.expected, planned, &draws))
          return Proportion(successes: hits * planned.burst, trials: bursts * planned.burst)
        }
        return (Estimate(parts, of: .people).interval?.lower ?? 0) > floor
      case .recallDifference(let difference):
        let trials = Int(planned.each)
        return isDifferent(
          (0..<people).map { _ in
            let better = draws.binomial(trials, recall(planned.expected, planned, &draws))
            let other = recall(planned.expected - difference, planned, &draws)
            return Double(better - draws.binomial(trials, other)) / planned.each
          }, sign: 1)
      case .falseAlarmDifference(let difference):
        return isDifferent(
          (0..<people).map { _ in
            let better = draws.gamma(mean: planned.expected, variation: planned.dispersion)
            let worse = draws.gamma(
              mean: planned.expected + difference, variation: planned.dispersion)
            return Double(
              draws.poisson(better * planned.each) - draws.poisson(worse * planned.each))
              / planned.each
          }, sign: -1)
      }
    }
    return Double(shown) / Double(studies)
  }

  private static func recall(_ mean: Double, _ planned: Case, _ draws: inout Draws) -> Double {
    let deviation = (planned.dispersion * mean * (1 - mean)).squareRoot()
    return draws.beta(mean: mean, deviation: deviation) ?? mean
  }

  /// With equal exposures the linearised interval is Student's of the people's differences.
  private static func isDifferent(_ differences: [Double], sign: Double) -> Bool {
    guard let mean = Sample.mean(differences), let spread = Sample.standardDeviation(differences),
      let t = Distributions.studentQuantile(
        0.975, degreesOfFreedom: Double(differences.count - 1))
    else { return false }
    let error = spread / Double(differences.count).squareRoot()
    return sign * mean - t * error > 0
  }

  @Test func theSamePeopleAndTheirHours() throws {
    var study = Self.cases[0].study
    // Two people are no statement about new ones, whatever their hours.
    study.recorded = [10, 10]
    let plan = StudyPlan(study, studies: 100, factorsOfEach: [])
    #expect(try #require(plan.samePeople) == .init(factor: nil, power: 0))
    #expect(try #require(plan.design.people) >= 1)
    // Many people with little time: more time of the same does help.
    study.dispersion = Dispersion(.variation, assumed: 0.3)
    study.recorded = [Double](repeating: 0.02, count: 12)
    let more = StudyPlan(study, studies: 100, factorsOfEach: [])
    #expect(try #require(more.samePeople?.factor) > 1)
    // Enough of both.
    study.recorded = [Double](repeating: 2, count: 30)
    let enough = StudyPlan(study, studies: 100, factorsOfEach: [])
    #expect(enough.design.people == 0 && enough.samePeople == nil && enough.alternatives.isEmpty)
  }

  @Test func theSameSeedGivesTheSamePlan() {
    let (one, other) = (
      StudyPlan(Self.cases[2].study, studies: 20), StudyPlan(Self.cases[2].study, studies: 20)
    )
    #expect(one.design == other.design && one.alternatives == other.alternatives)
  }

  @Test func tooCloseToTheClaim() {
    let study = Study(
      .falseAlarms(below: 4.001), expected: 4, dispersion: Dispersion(.variation, assumed: 1),
      each: 1)
    let plan = StudyPlan(study, studies: 10, factorsOfEach: [])
    #expect(plan.design.people == nil && plan.design.power < 0.8)
  }

  /// Two detectors with the same luck differ by less chance, so fewer people show a difference.
  @Test func agreementNeedsFewerPeople() throws {
    var study = Self.cases[3].study
    let apart = try #require(StudyPlan(study, studies: 100, factorsOfEach: []).design.people)
    study.pairing = 0.9
    #expect(try #require(StudyPlan(study, studies: 100, factorsOfEach: []).design.people) < apart)
  }
}

@Suite struct DispersionTests {
  /// The estimates of simulated people are on average near the truth, and the bound is above it in
  /// about four fifths of all cases.
  @Test(arguments: [Dispersion.Kind.variation, .correlation])
  func ofSimulatedPeople(kind: Dispersion.Kind) throws {
    var draws = Draws(seed: 4)
    let truth = kind == .variation ? 0.7 : 0.15
    let found = (0..<600).compactMap { _ -> Dispersion? in
      Dispersion(
        kind,
        of: (0..<10).map { person in
          let exposure = Double(20 + 5 * person)
          if kind == .variation {
            let own = draws.gamma(mean: 2, variation: truth)
            return (Double(draws.poisson(own * exposure)), exposure)
          }
          let own = draws.beta(mean: 0.7, deviation: (truth * 0.21).squareRoot()) ?? 0.7
          return (Double(draws.binomial(Int(exposure), own)), exposure)
        })
    }
    #expect(found.count == 600)
    let mean = found.compactMap(\.estimate).reduce(0, +) / 600
    #expect(abs(mean / truth - 1) < 0.12, "\(mean)")
    let above = Double(found.count { $0.value > truth }) / 600
    #expect(above > 0.72 && above < 0.9, "\(above)")
  }

  /// Bursts are not differences between people, if they are known.
  @Test func burstsAreLeftOut() throws {
    var draws = Draws(seed: 5)
    let parts: [(count: Double, exposure: Double)] = (0..<400).map { _ in
      (Double(4 * draws.poisson(draws.gamma(mean: 2, variation: 0.5) * 2)), 8.0)
    }
    // Bursts of exactly 4 have the variance of geometric ones of 2.5.
    let known = try #require(Dispersion(.variation, of: parts, burst: 2.5)?.estimate)
    #expect(abs(known - 0.5) < 0.1, "\(known)")
    #expect(try #require(Dispersion(.variation, of: parts)?.estimate) > 0.58)
  }

  @Test func nothingToEstimate() {
    #expect(Dispersion(.variation, of: [(3, 1), (4, 1)]) == nil)
    #expect(Dispersion(.variation, of: [(0, 1), (0, 1), (0, 1)]) == nil)
    #expect(Dispersion(.correlation, of: [(5, 5), (4, 4), (6, 6)]) == nil)
    // Alike: the estimate is 0, but the bound is not below it.
    let alike = Dispersion(.variation, of: [(4, 1), (4, 1), (4, 1), (4, 1)])
    #expect(alike?.estimate == 0 && alike?.value == 0)
  }
}

@Suite struct ResultClaimTests {
  private let assumed = Dispersion(.variation, assumed: 1)

  @Test func noneInFiveMinutesOfOnePerson() throws {
    let claim = ResultClaim([PoissonRate(count: 0, hours: 1.0 / 12)], assumed: assumed)
    // -ln(0.05) * 12
    #expect(abs(try #require(claim.boundIfNone) - 35.948_787) < 1e-6)
    #expect(claim.new == nil && claim.people == 1)
  }

  /// The bounds by the sum of the negative binomial distribution's terms.
  @Test(arguments: [(0, 5, 1.0), (7, 4, 1), (7, 12, 0.5), (40, 3, 2)])
  func sumsOverPeople(count: Int, people: Int, variation: Double) throws {
    let hours = 2.0
    let claim = ResultClaim(
      [PoissonRate(count: count, hours: hours)], people: people,
      assumed: Dispersion(.variation, assumed: variation))
    let interval = try #require(claim.new?.interval)
    #expect(claim.assumed?.value == variation && claim.people == people)
    let size = Double(people) / (variation * variation)
    func atMost(_ count: Int, _ rate: Double) -> Double {
      let p = size / (size + rate * hours)
      var (term, sum) = (Math.exp(size * Math.log(p)), 0.0)
      for k in 0...max(count, 0) {
        if k > 0 { term *= (size + Double(k) - 1) / Double(k) * (1 - p) }
        sum += term
      }
      return count < 0 ? 0 : sum
    }
    #expect(abs(atMost(count, interval.upper) - 0.025) < 1e-9)
    #expect(abs(1 - atMost(count - 1, interval.lower) - (count == 0 ? 1 : 0.025)) < 1e-9)
  }

  @Test func ofEachPersonIsThePrintedInterval() throws {
    let parts = [3, 0, 9, 2].map { PoissonRate(count: $0, hours: 0.5) }
    let claim = ResultClaim(parts, assumed: assumed)
    #expect(claim.new == Estimate(parts, of: .people) && claim.assumed == nil)
    let hits = [38, 31, 40].map { Proportion(successes: $0, trials: 40) }
    let recall = ResultClaim(hits, assumed: Dispersion(.correlation, assumed: 0.05))
    #expect(recall.new == Estimate(hits, of: .people) && recall.boundIfNone == nil)
    // Independent trials of very many people: Wilson's own.
    let many = Proportion(successes: 900, trials: 1000).interval(1_000_000, 0)
    let wilson = Proportion(successes: 900, trials: 1000).interval
    #expect(abs((many?.lower ?? 0) - (wilson?.lower ?? 1)) < 1e-6)
  }
}
