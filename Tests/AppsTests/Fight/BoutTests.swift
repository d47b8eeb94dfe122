import Detectors
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct BoutTests {
  private func punch(_ gravities: Double, at seconds: Double, move: Int) -> PunchReport {
    PunchReport(
      magnitude: gravities * standardGravity,
      thrown: TraceInstant.zero.advanced(bySeconds: seconds),
      move: move)
  }

  @Test func bothBeginWithAFullBarAndTheChallengerMoves() {
    let bout = Bout(begun: .zero)
    #expect(bout.origin.units == 10_000 && bout.recipient.units == 10_000)
    #expect(bout.origin.percent == 100 && bout.origin.share == 1)
    #expect(bout.lastMover == .recipient && bout.turn == .origin)
    #expect(bout.winner == nil && bout.moves == 0)
  }

  // |a| in g over 25 of 10,000 units, to the nearest.
  @Test(arguments: [
    (2.5, 1000), (5, 2000), (12.5, 5000), (25, 10_000), (27, 10_000), (2.000_125, 800),
    (3.333_33, 1333), (0, 0), (-4, 0), (.nan, 0), (.infinity, 0),
  ])
  func damageIsTheMagnitudeOver25(gravities: Double, units: Int) {
    #expect(Stamina.damage(ofMagnitude: gravities * standardGravity) == units)
  }

  @Test func aPunchTakesFromTheOtherAndPassesTheTurn() throws {
    var bout = Bout(begun: .zero)
    let blow = try bout.strike(
      by: .origin, punch(6, at: 1, move: 0), at: .zero.advanced(bySeconds: 1), rules: .default)
    #expect(blow.damage == 2400 && blow.side == .origin)
    #expect(bout.recipient.units == 7600 && bout.origin.units == 10_000)
    #expect(bout.turn == .recipient && bout.lastMover == .origin)
  }

  @Test func noStaminaEndsIt() throws {
    var bout = Bout(begun: .zero)
    let late = TraceInstant.zero.advanced(bySeconds: 10)
    for move in 0..<5 {
      _ = try bout.strike(
        by: move % 2 == 0 ? .origin : .recipient, punch(9, at: Double(move), move: move), at: late,
        rules: .default)
    }
    #expect(bout.winner == .origin && bout.turn == nil && bout.recipient.units == 0)
    #expect(bout.origin.units == 2800)
    let refusal = #expect(throws: Refusal.self) {
      try bout.strike(by: .recipient, punch(5, at: 9, move: 5), at: late, rules: .default)
    }
    #expect(refusal?.code == "fight-over")
  }

  @Test func demoReturnsTheTurnAtOnce() throws {
    var rules = FightRules.default
    rules.isDemo = true
    var bout = Bout(begun: .zero)
    let late = TraceInstant.zero.advanced(bySeconds: 10)
    for move in 0..<3 {
      _ = try bout.strike(
        by: .origin, punch(3, at: Double(move + 1), move: move), at: late, rules: rules)
      #expect(bout.turn == .origin)
    }
    #expect(bout.moves == 3)
  }

  // HitThat's bar of 1 in double precision keeps 1e-16 after ten hits of 0.10.
  @Test(arguments: [("hitThat", 11), ("default", 10)])
  func tenHitsOfATenthKill(preset: String, hits: Int) throws {
    var rules = try #require(FightRules.preset(named: preset))
    rules.isDemo = true
    var bout = Bout(begun: .zero)
    var count = 0
    while bout.winner == nil, count < 20 {
      let report = punch(2.5, at: Double(count + 1), move: count)
      _ = try bout.strike(
        by: .origin, report, at: .zero.advanced(bySeconds: 100), rules: rules)
      count += 1
      if count == 10, preset == "hitThat" {
        #expect(bout.recipient.share > 0 && bout.recipient.share < 1e-15)
      }
    }
    #expect(count == hits)
  }

  @Test(arguments: 0..<50) func staminaOnlyFallsAndAddsUp(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bout = Bout(begun: .zero)
    var blows: [Blow] = []
    var now = TraceInstant.zero
    while let turn = bout.turn {
      now = now.advanced(bySeconds: 1)
      let before = bout
      let report = PunchReport(
        magnitude: random.uniform(20...120), thrown: now, move: bout.moves)
      blows.append(try bout.strike(by: turn, report, at: now, rules: .default))
      #expect(bout.origin.units <= before.origin.units, "seed \(seed)")
      #expect(bout.recipient.units <= before.recipient.units, "seed \(seed)")
      #expect(bout.violations(blows, rules: .default) == [], "seed \(seed)")
    }
    // The check itself finds a record that does not fit.
    #expect(bout.violations(Array(blows.dropLast()), rules: .default) != [])
  }
}
