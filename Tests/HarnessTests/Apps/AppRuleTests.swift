import AppEngines
import Detectors
import Diagnostics
import Replay
import Synchronization
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import Evaluation
@testable import Harness

/// Rules that are changed one by one.
@Suite struct AppRuleTests {
  private static func table(_ name: String) throws -> AppRuleTable {
    let app = AppCatalog(Program.apps)[name]
    return try AppRuleTable(try #require(app))
  }

  /// All rules of a preset, one by one, make the default that preset, and each alone is a rule set.
  @Test(arguments: ["fight", "hike", "workout", "tictactoe", "pictureguess"])
  func theRulesOfAPresetOneByOneAreThePreset(name: String) throws {
    let named = AppCatalog(Program.apps)[name]
    let app = try #require(named)
    let table = try Self.table(name)
    #expect(table.names.count > 8)
    func rules(_ texts: [String]) throws -> AnyHashable? {
      try table.rules(of: "default", changing: texts, place: "--rules").map { AnyHashable($0) }
    }
    for preset in app.presets.map(\.name) {
      let found = app.rules(of: preset)
      let own = try #require(found)
      #expect(try rules(table.names.map { "\($0)=\(preset)" }) == AnyHashable(own), "\(preset)")
      for rule in table.names { #expect(try rules(["\(rule)=\(preset)"]) != nil) }
    }
    let help = try AppCatalog([app]).help { try AppRuleTable($0).help }
    #expect(table.names.allSatisfy { help.contains("\n    \($0): ") })
  }

  @Test(arguments: [
    ("enforceTurns=true", "did you mean enforcesTurns?"), ("enforcesTurns", "expected name=value"),
    ("enforcesTurns=1", "expected true, false or the name of a preset"),
    ("pollInterval=-5", "from 0.01 to 1000000"), ("pollInterval=nan", "found nan"),
    ("holdOutOfTurn=never", "listens; hitThat is-refused; hitThat-auto takes-turn"),
    ("cardCount=1.5", "must be a whole number"), ("isDemo=true,isDemo=false", "given twice"),
    ("", "expected name=value"),
  ])
  func wrongRulesAreRefused(text: String, message: String) throws {
    let table = try Self.table("fight")
    let failure = #expect(throws: Failure.self) {
      try table.rules(of: "default", changing: [text], place: "--rules")
    }
    #expect(failure?.kind == .wrongUse && failure?.description.contains(message) == true)
  }

  /// One fault of the original alone: a command shows what it causes.
  @Test func oneFaultAloneIsChanged() throws {
    let choice = try AppChoice("fight/hitThat", of: AppCatalog(Program.apps))
    let traces = try [1, 2].map {
      MadeTraces.trace(try ScenarioSpec(kind: .fight, subject: $0, seed: 5))
    }
    func wins(_ rules: [String]) throws -> (rules: [String], count: Double?) {
      var options = AppOptions()
      try options.changeRules(rules, of: choice, place: "--rules")
      let played = try PlayedTraces(traces.map { .init(trace: $0, start: .zero) })
      let plan = try AppPlan(choice, played, options)
      var timeline = try plan.timeline(from: .zero, blockSize: 4096)
      var events: [DetectionRecord] = []
      try timeline.run(into: &events)
      let ended = plan.ended.value.withLock { $0 }
      let simulation = try #require(ended)
      return (
        plan.facts.rules,
        simulation.outcomes.first { $0.name == "wins_counted_twice" }?.value
      )
    }
    #expect(try wins([]).count == 1)
    let fixed = try wins(["countsWinsOnce=true"])
    #expect(fixed.count == 0 && fixed.rules == ["countsWinsOnce=true"])
  }
}
