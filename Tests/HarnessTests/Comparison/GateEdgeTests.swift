import Diagnostics
import Scoring
import TraceModel
import TestSupport
import Testing

@testable import Evaluation

/// Edge cases of bounds: people who differ, typos in a bound, and the stated level of a gate.
@Suite struct GateEdgeTests {
  private typealias Person = MeasuredSamples.Person

  private static func bound(_ name: String, _ text: String) throws -> GateBound {
    try GateBound(name, text, population: .newPeople, place: "test")
  }

  private func checks(
    _ base: [Person], _ head: [Person], _ bounds: [GateBound]
  ) -> [GateCheck] {
    let comparison = ResultComparison(
      from: MeasuredSamples.results(base), to: MeasuredSamples.results(head))
    return AccuracyGate(comparison, GateRules(bounds: bounds)).checks
  }

  /// One person has 1,000 references, five have one each: less than one degree of freedom.
  @Test func onePersonWithAllDataDecidesNothing() throws {
    func people(_ found: Int) -> [Person] {
      [Person(references: 1000, found: Set(0..<found))]
        + (0..<5).map { _ in Person(references: 1, found: [0]) }
    }
    let bounds = [try Self.bound("recall", "-0.01")]
    let check = checks(people(900), people(500), bounds)[0]
    #expect(check.verdict == .inconclusive && check.difference?.interval == nil)
    #expect(
      check.reason
        == "one of 6 people has 100 % of the data: no interval; would decide: as much of the others, "
        + "or people who differ")
    #expect(check.detectableEffect == nil)
    // Two people with equal exposure have one degree of freedom, and the rest adds to it.
    let (base, head) = (people(900), people(500))
    let pairs = checks(base + [base[0]], head + [head[0]], bounds)
    #expect(pairs[0].difference?.interval != nil)
  }

  /// Student's quantiles of few degrees of freedom are large; a difference of proportions is not.
  @Test func differencesOfProportionsEndAtOne() throws {
    let sizes = [100, 100, 1]
    func people(_ found: [Int]) -> [Person] {
      zip(sizes, found).map { Person(references: $0, found: Set(0..<$1)) }
    }
    let bounds = [try Self.bound("recall", "-0.01")]
    let check = checks(people([90, 20, 1]), people([30, 19, 1]), bounds)[0]
    let interval = try #require(check.difference?.interval)
    #expect(interval.lower == -1 && interval.upper <= 1, "\(interval)")
  }

  /// A mean that moves by the same amount for everybody claims no more than one that nearly does.
  @Test func theSameChangeForAllHasAnInterval() throws {
    let means = (0..<8).map { (base: 0.1 + 0.01 * Double($0), head: 0.12 + 0.01 * Double($0)) }
    func interval(_ means: [(base: Double, head: Double)]) throws -> Interval {
      try #require(PairedRatio(means: means).contrast()?.interval)
    }
    let (alike, mixed) = (try interval(means), try interval(means.dropLast() + [(0.17, 0.191)]))
    #expect(alike.lower > 0 && alike.upper - alike.lower > 0.9 * (mixed.upper - mixed.lower))
    let equal = PairedRatio(means: means.map { ($0.base, $0.base) })
    #expect(try #require(equal.contrast()).interval == Interval(lower: 0, upper: 0))
  }

  /// What decides a share is the interval of head less 110 % of base, not that of the difference.
  @Test func sharesSayWhatDecides() throws {
    func people(_ alarms: [Int]) -> [Person] {
      alarms.map { Person(references: 1, found: [0], falseAlarms: $0) }
    }
    let (base, head) = ([10, 12, 9, 11, 10, 8], [11, 13, 10, 13, 11, 9])
    let check = checks(
      people(base), people(head), [try Self.bound("false_alarms_per_hour", "+10 %")])[0]
    let beyond = try #require(check.beyond)
    let (before, after) = (try #require(check.base), try #require(check.head))
    let value = try #require(beyond.value)
    #expect(abs(value - (after - 1.1 * before)) < 1e-9 * after)
    #expect(check.difference?.interval == nil)
    let interval = try #require(beyond.interval)
    #expect((check.verdict == .inconclusive) == (interval.lower < 0 && interval.upper > 0))
    #expect(check.reason.contains("distance from the bound") && check.reason.contains("6 people"))
  }

  /// A check that fails alone need not fail among several; then the interval does not contain the bound.
  @Test func severalChecksSayWhyTheyDoNotDecide() throws {
    func people(_ found: [Int]) -> [Person] {
      found.map { Person(references: 40, found: Set(0..<$0), falseAlarms: $0 % 3) }
    }
    let (base, head) = (people([30, 31, 33, 30, 32, 34]), people([29, 31, 30, 28, 31, 32]))
    let alone = checks(base, head, [try Self.bound("recall", "0")])[0]
    #expect(alone.verdict == .fail)
    let several = try ["recall", "precision", "f1", "false_alarms_per_hour"]
      .map { try Self.bound($0, "0") }
    let check = checks(base, head, several)[0]
    let probability = try #require(check.probability)
    #expect(check.verdict == .inconclusive && probability > AccuracyGate.level)
    #expect(check.reason.hasPrefix("beyond the bound alone, but not over 4 checks (p 0.0"))
  }

  @Test func absoluteBoundsSayWhatTheySee() throws {
    let people = (0..<8).map { Person(references: 20, found: Set(0..<(12 + $0 % 4))) }
    let check = checks(people, people, [try Self.bound("recall", ">= 0.7")])[0]
    let effect = try #require(check.detectableEffect)
    #expect(effect > 0 && effect < 0.3)
    #expect(check.reason.contains(", 8 people; shown: at least 0."), "\(check.reason)")
    #expect(check.reason.contains("; would decide: that bound, or about "), "\(check.reason)")
    #expect(check.reason.hasSuffix(" people in all if the figure stays"), "\(check.reason)")
  }

  /// The bound that an undecided check names decides, and one that is a tenth narrower does not.
  @Test(arguments: [("recall", "-0.01"), ("false_alarms_per_hour", "+10 %")], 0..<4)
  func theBoundThatWouldDecide(bound: (name: String, text: String), seed: Int) throws {
    var draws = Draws(seed: UInt64(seed))
    func people() -> [Person] {
      (0..<10).map { _ in
        Person(
          references: 40, found: Set(0..<draws.binomial(40, 0.9)), falseAlarms: draws.poisson(20))
      }
    }
    let (base, head) = (people(), people())
    let check = checks(base, head, [try Self.bound(bound.name, bound.text)])[0]
    guard check.verdict == .inconclusive else { return }
    let text = try #require(check.reason.firstMatch(of: #/by at most ([0-9.]*[0-9])( %)?[,;] /#))
    let margin = try #require(Double(text.1))
    func verdict(_ margin: Double) throws -> GateVerdict {
      let limit = text.2 == nil ? "-\(margin)" : "+\(margin) %"
      return checks(base, head, [try Self.bound(bound.name, limit)])[0].verdict
    }
    #expect(try verdict(margin) == .pass, "\(check.reason)")
    #expect(try verdict(margin * 0.8) != .pass, "\(check.reason)")
    #expect(check.reason.contains("; would decide: that bound, or "), "\(check.reason)")
  }

  /// Only standard bounds depend on the people. The factors are from SciPy 1.15: with
  /// w = lambda n: (t.ppf(.975, n - 1) + t.ppf(.8, n - 1)) / n ** .5, round(5 * w(n) / w(20), 1).
  @Test(arguments: [
    (3, "-0.1", "+100 %"), (8, "-0.087", "+87 %"), (12, "-0.067", "+67 %"), (20, "-0.05", "+50 %"),
    (40, "-0.034", "+34 %"), (100, "-0.021", "+21 %"),
  ])
  func standardBoundsFollowThePeople(count: Int, recall: String, alarms: String) throws {
    func people(_ shift: Int) -> [Person] {
      (0..<count).map {
        Person(
          references: 40, found: Set(0..<(30 + ($0 + shift) % 3)), falseAlarms: 5 + $0 % 2 + shift)
      }
    }
    func found(isStated: Bool) throws -> [GateCheck] {
      checks(
        people(0), people(1),
        try [("recall", "-0.01"), ("false_alarms_per_hour", "+10 %")].map {
          var bound = try Self.bound($0, $1)
          bound.isStated = isStated
          return bound
        })
    }
    #expect(try found(isStated: false).map(\.passBound) == [recall, alarms])
    #expect(try found(isStated: true).allSatisfy { $0.passBound == nil })
  }

  /// 6 of 12 flips are for the worse: with 100 references and -0.01, 7 or more of 12 fail.
  @Test func theChanceOfRed() throws {
    func person(_ found: Set<Int>) -> [Person] { [Person(references: 100, found: found)] }
    func chance(_ head: Set<Int>, _ name: String, _ text: String) throws -> GateCheck {
      let bound = try GateBound(name, text, population: .theseRecordings, place: "test")
      return checks(person(Set(0..<90)), person(head), [bound])[0]
    }
    let flipped = Set(6..<96)
    // sum(comb(12, k) for k in range(7, 13)) / 2 ** 12
    let recall = try chance(flipped, "recall", "-0.01")
    #expect(recall.verdict == .pass)
    #expect(abs(try #require(recall.chanceOfRed) - 0.387207) < 1e-6)
    // 1 - 2 ** -12
    #expect(abs(try #require(chance(flipped, "lost", "0").chanceOfRed) - 0.999756) < 1e-6)
    // Without a flip, 4.5 hits are assumed to be lost, and as many misses to be found: 9 flips, of
    // which 6 or more are too many.
    let equal = try chance(Set(0..<90), "recall", "-0.01")
    #expect(abs(try #require(equal.chanceOfRed) - 0.253906) < 1e-6)
  }

  /// What only the head lacks was lost.
  @Test func nothingDetectedFails() throws {
    let base = (0..<4).map { _ in Person(references: 5, found: [0, 1]) }
    let head = (0..<4).map { _ in Person(references: 5, found: []) }
    for population in GateBound.Population.allCases {
      let bound = try GateBound("precision", "-0.1", population: population, place: "test")
      let check = checks(base, head, [bound])[0]
      #expect(check.verdict == .fail && check.reason == "undefined in the head")
    }
  }

  @Test(arguments: [
    ("recall", "+0.01"), ("recall", "97%"), ("recall", "0x10"), ("recall", "-101 %"),
    ("false_alarms_per_hour", "-50 %"), ("latency_p50", "-0.01"), ("worst_person_recall", "0.05"),
  ])
  func slipsAreRefused(name: String, text: String) {
    #expect(throws: Failure.self) {
      try GateBound(name, text, population: .theseRecordings, place: "test")
    }
  }

  /// A signed error may be watched in either direction.
  @Test(arguments: ["-0.01", "+0.01", "0"])
  func signedErrorsHaveBothDirections(text: String) throws {
    #expect(try Self.bound("distance_error_bias", text).limit == GateBound.Limit(text: text))
  }

  /// No figure has the name of another, or of a count that a gate bounds.
  @Test func namesAreUnique() {
    let names = FigureCatalogue.compared.map(\.name) + ["lost", "flips"]
    #expect(Set(names).count == names.count)
  }
}
