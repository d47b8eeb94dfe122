import Diagnostics
import Scoring
import TraceModel
import TestSupport
import Testing

@testable import Evaluation

/// What the bounds of a gate mean.
@Suite struct GateRulesTests {
  private typealias Person = MeasuredSamples.Person

  private static func bound(
    _ name: String, _ text: String, _ population: GateBound.Population = .theseRecordings
  ) throws -> GateBound {
    try GateBound(name, text, population: population, place: "test")
  }

  private func verdict(
    _ base: [Person], _ head: [Person], _ bounds: [GateBound]
  ) -> (GateVerdict, [GateCheck]) {
    let comparison = ResultComparison(
      from: MeasuredSamples.results(base), to: MeasuredSamples.results(head))
    let gate = AccuracyGate(comparison, GateRules(bounds: bounds))
    return (gate.verdict, gate.checks)
  }

  private static let crowd = (0..<100).map { _ in Person(references: 10, found: Set(0..<9)) }

  private static func losing(_ losses: [(person: Int, references: Set<Int>)]) -> [Person] {
    var people = crowd
    for loss in losses { people[loss.person].found.subtract(loss.references) }
    return people
  }

  /// One detection lost in 100 people, 2 % of recall spread over people, and one person broken.
  private static let regressions = [
    losing([(7, [3])]), losing((0..<20).map { ($0 * 5, [4]) }), losing([(50, Set(0..<9))]),
  ]

  @Test(arguments: 0..<3)
  func lostFailsEachRegression(number: Int) throws {
    let (verdict, checks) = self.verdict(
      Self.crowd, Self.regressions[number], [try Self.bound("lost", "0")])
    #expect(verdict == .fail && checks[0].head == [1, 20, 9][number])
  }

  @Test func figuresOfTheseRecordings() throws {
    let bounds = [
      try Self.bound("recall", "-0.01"), try Self.bound("worst_person_recall", "-0.5"),
    ]
    // 900 of 1,000 found before.
    #expect(verdict(Self.crowd, Self.regressions[0], bounds).0 == .pass)
    let spread = verdict(Self.crowd, Self.regressions[1], bounds)
    #expect(spread.1.map(\.verdict) == [.fail, .pass])
    let broken = verdict(Self.crowd, Self.regressions[2], bounds)
    #expect(broken.1.map(\.verdict) == [.pass, .fail])
    #expect(broken.1[1].reason == "sim50: beyond the bound")
    #expect(verdict(Self.regressions[1], Self.crowd, bounds).0 == .improved)
    // At the bound is within it.
    let ten = Self.losing((0..<10).map { ($0, [1]) })
    #expect(verdict(Self.crowd, ten, [bounds[0]]).0 == .pass)
    let eleven = Self.losing((0..<11).map { ($0, [1]) })
    #expect(verdict(Self.crowd, eleven, [bounds[0]]).0 == .fail)
  }

  @Test func figuresOfNewPeople() throws {
    let bounds = [try Self.bound("recall", "-0.01", .newPeople)]
    #expect(verdict(Self.crowd, Self.regressions[0], bounds).0 == .pass)
    // 20 of 1,000 lost: the difference is -0.02, the interval -0.029 to -0.011.
    let (failed, checks) = verdict(Self.crowd, Self.regressions[1], bounds)
    #expect(failed == .fail)
    #expect(try #require(checks[0].probability) <= AccuracyGate.level)
    #expect(checks[0].difference?.method == .pairedStudent && checks[0].clusters == 100)
    // One person broken says little about others.
    #expect(verdict(Self.crowd, Self.regressions[2], bounds).0 == .inconclusive)
    #expect(verdict(Self.regressions[1], Self.crowd, bounds).0 == .improved)
    #expect(verdict(Self.crowd, Self.crowd, bounds).0 == .pass)
    #expect(verdict(Array(Self.crowd.prefix(2)), Array(Self.crowd.prefix(2)), bounds).0 == .error)
  }

  /// 60 of 60 only show 0.94.
  @Test func absoluteBounds() throws {
    let perfect = (0..<6).map { _ in Person(references: 10, found: Set(0..<10)) }
    func check(_ text: String, _ population: GateBound.Population) throws -> GateVerdict {
      verdict(perfect, perfect, [try Self.bound("recall", text, population)]).0
    }
    #expect(try check(">= 1", .theseRecordings) == .pass)
    #expect(try check(">= 0.97", .newPeople) == .inconclusive)
    #expect(try check(">= 0.8", .newPeople) == .pass)
    #expect(try check("<= 0.5", .newPeople) == .fail)
    #expect(try check("<= 0.5", .theseRecordings) == .fail)
  }

  @Test func shares() throws {
    func people(_ alarms: Int) -> [Person] {
      (0..<10).map { _ in Person(references: 1, found: [0], falseAlarms: alarms) }
    }
    let bound = [try Self.bound("false_alarms_per_hour", "+10 %")]
    #expect(verdict(people(10), people(11), bound).0 == .pass)
    #expect(verdict(people(10), people(12), bound).0 == .fail)
    #expect(verdict(people(10), people(8), bound).0 == .improved)
    // From none, any rise is beyond any share.
    #expect(verdict(people(0), people(1), bound).0 == .fail)
    let forNew = [try Self.bound("false_alarms_per_hour", "+10 %", .newPeople)]
    #expect(verdict(people(10), people(10), forNew).0 == .pass)
    #expect(verdict(people(10), people(30), forNew).0 == .fail)
    #expect(verdict(people(30), people(10), forNew).0 == .improved)
  }

  /// A gate that measured nothing is never green.
  @Test func nothingMeasuredIsAnError() throws {
    #expect(verdict([], [], []).0 == .error)
    #expect(verdict(Self.crowd, Self.crowd, []).0 == .error)
    let other = [try Self.bound("distance_error_mean_absolute", "+10 %")]
    let (found, checks) = verdict(Self.crowd, Self.crowd, other)
    #expect(found == .error && checks[0].reason.contains("nothing is measured"))
    var changed = MeasuredSamples.results(Self.crowd)
    changed.runs[3].traceSHA256 = "other"
    let comparison = ResultComparison(from: MeasuredSamples.results(Self.crowd), to: changed)
    #expect(AccuracyGate(comparison, .standard).verdict == .error)
    #expect(AccuracyGate(comparison, .standard, allowsDifferent: true).verdict == .pass)
    #expect(comparison.obstacles.map(\.trace) == ["t3"])
  }

  @Test func entriesReplaceBounds() throws {
    var rules = GateRules(bounds: [try Self.bound("recall", "-0.001")])
    rules.entries["punch/default"] = [try Self.bound("recall", "-0.5")]
    let comparison = ResultComparison(
      from: MeasuredSamples.results(Self.crowd), to: MeasuredSamples.results(Self.regressions[1]))
    #expect(AccuracyGate(comparison, rules).verdict == .pass)
    rules.entries = ["track": rules.entries["punch/default"] ?? []]
    #expect(AccuracyGate(comparison, rules).verdict == .error)
  }

  @Test(arguments: [
    ("-0.01", GateBound.Limit.change(-0.01)), ("+10 %", .share(0.1)), ("10%", .share(0.1)),
    (">= 0.97", .atLeast(0.97)), ("<=5", .atMost(5)), ("0", .change(0)),
  ])
  func limitsAreRead(text: String, limit: GateBound.Limit) throws {
    #expect(GateBound.Limit(text: text) == limit)
    #expect(GateBound.Limit(text: limit.text) == limit)
  }

  @Test(arguments: [
    ("recall", "a lot"), ("recall", ""), ("recall", "nan"), ("recall", ">= inf"), ("recal", "0"),
    ("lost", "-1"), ("lost", "0.5"), ("lost", "10 %"), ("recall", "= 3"),
  ])
  func wrongBoundsAreRefused(name: String, text: String) {
    #expect(throws: Failure.self) { try Self.bound(name, text) }
  }

  @Test(arguments: ["lost", "flips", "worst_person_recall"])
  func countsAreOfTheseRecordings(name: String) {
    #expect(throws: Failure.self) { try Self.bound(name, "0", .newPeople) }
  }
}
