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
    #expect(check.reason == "one of 6 people has 100 % of the data: no interval", "\(check.reason)")
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
    #expect(check.reason.contains("beyond it by") && check.reason.contains("6 people"))
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
    let check = checks(people, people, [try Self.bound("recall", ">= 0.8")])[0]
    let effect = try #require(check.detectableEffect)
    #expect(effect > 0 && effect < 0.3 && check.reason.hasSuffix("8 people"))
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
