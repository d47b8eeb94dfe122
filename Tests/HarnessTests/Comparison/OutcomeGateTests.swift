import AppEngines
import Reports
import Scoring
import Testing
import TraceModel

@testable import Evaluation

/// What gates, comparisons and CI formats say of the outcomes of apps.
@Suite struct OutcomeGateTests {
  private static func results(
    _ outcomes: [AppOutcome], entry: String = "fight/default", preset: String = "default"
  ) -> MeasuredResults {
    var results = MeasuredSamples.results([.init(references: 4, found: [1, 2])])
    results.runs[0].entry = entry
    results.apps = [
      MeasuredApp(
        entry: entry, origin: "synthetic", app: "fight", preset: preset, people: ["Ann", "Bea"],
        traces: ["1", "2"], outcomes: outcomes)
    ]
    return results
  }

  private static func checks(
    _ base: [AppOutcome], _ head: [AppOutcome], _ rules: GateRules = .standard
  ) -> [GateCheck] {
    AccuracyGate(ResultComparison(from: results(base), to: results(head)), rules).checks
      .filter { $0.name.hasPrefix("outcome.") || $0.name == "violations" }
  }

  private static func outcome(_ value: Double?, _ goal: AppOutcome.Goal) -> AppOutcome {
    AppOutcome("x", value, unit: "count", goal)
  }

  @Test(
    arguments: [
      (AppOutcome.Goal.mustBeZero, 0, 1, GateVerdict.fail), (.mustBeZero, 0, 0, .pass),
      (.mustBeZero, 2, 1, .fail), (.mustNotRise, 2, 3, .fail), (.mustNotRise, 2, 2, .pass),
      (.mustNotRise, 2, 1, .improved), (.mustNotFall, 7, 6, .fail), (.mustNotFall, 7, 8, .improved),
      (.mustStay, 5, 1, .pass), (.mustStay, 5, 0, .fail), (.mustStay, 0, 0, .pass),
      (.mustStay, 0, 1, .improved),
    ] as [(AppOutcome.Goal, Double, Double, GateVerdict)])
  func aGoalIsABound(goal: AppOutcome.Goal, base: Double, head: Double, verdict: GateVerdict) {
    let found = Self.checks([Self.outcome(base, goal)], [Self.outcome(head, goal)])
    #expect(found.map(\.name) == ["outcome.x"] && found.map(\.verdict) == [verdict])
  }

  @Test(arguments: [AppOutcome.Goal.neither, .higher, .lower])
  func otherOutcomesAreFree(goal: AppOutcome.Goal) {
    #expect(Self.checks([Self.outcome(9, goal)], [Self.outcome(1, goal)]).isEmpty)
  }

  /// The person who fares worst is named; the values are in words.
  @Test func peopleAndValuesAreNamed() throws {
    func saved(_ first: Double, _ second: Double) -> [AppOutcome] {
      [first, second].enumerated().map {
        AppOutcome("saved", of: DeviceID($0.offset), $0.element, unit: "yes", .mustStay)
      }
    }
    let check = try #require(Self.checks(saved(1, 1), saved(1, 0)).first)
    #expect(check.verdict == .fail && check.reason == "Bea: beyond the bound")
    #expect(check.shown?.base == "yes" && check.shown?.head == "no")
    let winner = [AppOutcome("winner", 0, text: "Ann", .mustStay)]
    let nobody = [AppOutcome("winner", nil, text: "nobody", .mustStay)]
    let lost = try #require(Self.checks(winner, nobody).first)
    #expect(lost.verdict == .fail && lost.shown?.base == "Ann" && lost.shown?.head == "nobody")
    let other = [AppOutcome("winner", 1, text: "Bea", .mustStay)]
    #expect(Self.checks(winner, other).map(\.verdict) == [.pass])
  }

  private static func verdict(
    _ name: String, _ text: String, _ base: [AppOutcome], _ head: [AppOutcome]
  ) throws -> [GateVerdict] {
    let rules = GateRules(bounds: [try GateBound(name, text, place: "--bound")])
    return checks(base, head, rules).map(\.verdict)
  }

  @Test func statedBoundsReplaceGoals() throws {
    let (two, five) = ([Self.outcome(2, .mustNotRise)], [Self.outcome(5, .mustNotRise)])
    #expect(try Self.verdict("outcome.x", "+3", two, five) == [.pass])
    #expect(try Self.verdict("outcome.x", "<= 4", two, five) == [.fail])
    #expect(try Self.verdict("outcome.x", "+150 %", two, five) == [.pass])
    #expect(try Self.verdict("violations", "3", two, five) == [.pass])
    #expect(try Self.verdict("violations", "0", two, five) == [.fail])
    let (yes, no) = (
      [AppOutcome("x", 1, unit: "yes")], [AppOutcome("x", 0, unit: "yes")]
    )
    #expect(try Self.verdict("outcome.x", "yes", yes, no) == [.fail])
    #expect(try Self.verdict("outcome.x", "yes", no, yes) == [.pass])
    #expect(try Self.verdict("outcome.x", "no", no, yes) == [.fail])
    // A bound that no outcome has is an error, and a bound on a figure leaves outcomes judged.
    #expect(try Self.verdict("outcome.y", "0", two, two) == [.pass, .error])
    #expect(try Self.verdict("recall", "-0.1", two, five) == [.fail])
    #expect(throws: (any Error).self) { try GateBound("recall", "yes", place: "--bound") }
    #expect(throws: (any Error).self) {
      try GateBound("outcome.x", "0", population: .newPeople, place: "gate")
    }
  }

  /// Older files have no goals: those of the other side count.
  @Test func goalsComeFromEitherSide() {
    let (old, new) = ([Self.outcome(0, .neither)], [Self.outcome(1, .mustBeZero)])
    #expect(Self.checks(old, new).map(\.verdict) == [.fail])
    #expect(Self.checks(new, old).map(\.verdict) == [.pass])
    #expect(Self.checks([], new).map(\.verdict) == [.fail])
  }

  private static let comparison = ResultComparison(
    from: results(
      [
        AppOutcome("winner", 0, text: "Ann", .mustStay), outcome(3, .neither),
        AppOutcome("pace", of: DeviceID(1), 400.1, unit: "s/mi"),
      ], entry: "fight/hitThat", preset: "hitThat"),
    to: results(
      [
        AppOutcome("winner", nil, text: "nobody", .mustStay), outcome(3, .neither),
        AppOutcome("pace", of: DeviceID(1), 400.2, unit: "s/mi"), AppOutcome("new", 1),
      ]))

  @Test func aComparisonListsEachOutcomeThatDiffers() throws {
    let comparison = Self.comparison
    #expect(comparison.outcomes.filter(\.differs).map(\.one.name) == ["winner", "pace", "new"])
    #expect(!comparison.isIdentical)
    let table = ComparisonTables(comparison).render()
    func rows(_ words: String...) -> Bool {
      table.split(separator: "\n").contains { line in
        line.split(whereSeparator: \.isWhitespace).map(String.init) == words
      }
    }
    #expect(rows("winner", "all", "Ann", "nobody"), "\(table)")
    #expect(rows("pace", "(s/mi)", "Bea", "400.1", "400.2"), "\(table)")
    #expect(!table.contains("No detection differs"), "\(table)")
    #expect(comparison.markdown(limit: 100_000).contains("outcome.pace of Bea"))
    #expect(comparison.csv().contains("fight/default,synthetic,outcome.winner,yes,1.0,0.0,-1.0"))
    #expect(try comparison.json([]).contains(#""Ann""#))
    #expect(comparison.junit.contains("outcome.winner: Ann -&gt; nobody, demanded: stays"))
  }

  @Test func resultsForOtherProgramsHaveOutcomes() throws {
    let results = Self.comparison.head
    #expect(results.junit.contains("outcome.winner nobody"))
    let metrics = results.openMetrics
    #expect(
      metrics.contains(
        #"shadowbox_outcome_winner{entry="fight/default",origin="synthetic"} 0.0"#), "\(metrics)")
    #expect(metrics.contains(#"person="Bea""#))
    #expect(try results.benchmarks(.higher).contains("outcome.winner"))
  }
}
