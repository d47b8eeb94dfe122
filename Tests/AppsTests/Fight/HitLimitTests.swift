import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct HitLimitTests {
  struct Case: Sendable {
    /// In g.
    var range: Double?
    var hardest: Double
    var limit: Double
    var reason: HitLimit.Reason
  }

  // By hand: 10 g, 1.2 times the hardest, 12.4 g; the square root of 3 times the range, plus 1 g.
  @Test(arguments: [
    Case(range: nil, hardest: 0, limit: 10, reason: .history),
    Case(range: nil, hardest: 5, limit: 10, reason: .history),
    Case(range: nil, hardest: 9, limit: 10.8, reason: .history),
    Case(range: nil, hardest: 10.4, limit: 12.4, reason: .hit),
    Case(range: 16, hardest: 27, limit: 12.4, reason: .hit),
    Case(range: 8, hardest: 0, limit: 10, reason: .history),
    Case(range: 4, hardest: 0, limit: 7.928_203, reason: .sensor),
    Case(range: 2, hardest: 12, limit: 4.464_102, reason: .sensor),
    Case(range: 0, hardest: 0, limit: 10, reason: .history),
    Case(range: -3, hardest: 0, limit: 10, reason: .history),
    Case(range: .nan, hardest: 0, limit: 10, reason: .history),
    Case(range: .infinity, hardest: 0, limit: 10, reason: .history),
  ])
  func theLeastOfTheLimitsHolds(_ test: Case) {
    let limit = HitLimit(
      sensorRange: test.range.map { $0 * standardGravity }, hardest: test.hardest * standardGravity)
    #expect(abs(limit.magnitude / standardGravity - test.limit) < 1e-5)
    #expect(limit.reason == test.reason)
  }

  /// Whatever is reported and whatever came before, two hits do not win, and three can.
  @Test func aFightTakesAtLeastThreeHits() {
    let most = Stamina.damage(ofMagnitude: HitLimit.largest)
    #expect(2 * most < Stamina.full && 3 * most > Stamina.full)
    let first = Stamina.damage(ofMagnitude: HitLimit.start)
    #expect(first == 4000)
  }

  /// The answer says that the hit was limited, and at what; a hit within the limit counts in full.
  @Test func theAnswerSaysThatTheHitWasLimited() throws {
    var world = try FightWorld.fighting()
    world.wait(1)
    func punch(_ gravities: Double, move: Int) -> FightCall {
      .punch(
        0, PunchReport(magnitude: gravities * standardGravity, thrown: world.now, move: move))
    }
    guard case .limited(let view, let limit) = try world.ask(0, punch(27.7, move: 0)) else {
      Issue.record("a hit of 27.7 g counts in full")
      return
    }
    #expect(view.theirs.units == 6000 && limit.reason == .history)
    #expect(limit.text == "counts as 10.0 g, the most after this person's hits so far")
    #expect(world.authority.fights[0].blows.last?.limit == limit)
    guard case .fight(let back) = try world.ask(1, punch(9, move: 1)) else {
      Issue.record("a hit of 9 g is limited")
      return
    }
    #expect(back.theirs.units == 6400)
    // The history is the person's, with what counted.
    #expect(world.authority.accounts[0].hardest == HitLimit.start)
    world.wait(1)
    guard case .limited(_, let next) = try world.ask(0, punch(27.7, move: 2)) else { return }
    #expect(abs(next.magnitude - 12 * standardGravity) < 1e-9)
  }
}
