import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct FightForfeitTests {
  private static let week = 604_800.0

  /// Whoever lets a turn go by for a week loses; the original's fights stay open for ever.
  @Test func aTurnThatIsNeverUsedForfeitsTheFight() throws {
    var world = try FightWorld.fighting()
    try world.punch(0)
    let due = try #require(world.authority.deadline)
    #expect(due == world.now.advanced(bySeconds: Self.week))
    var effects: [FightAuthority.Effect] = []
    world.authority.advance(to: due.advanced(byNanoseconds: -1), into: &effects)
    #expect(effects == [] && world.authority.fights[0].bout.winner == nil)
    world.authority.advance(to: due, into: &effects)
    #expect(world.authority.fights[0].bout.winner == .origin)
    #expect(world.authority.wins.map(\.loser) == [1] && world.authority.accounts[1].losses == 1)
    #expect(world.authority.violations == [] && world.authority.deadline == nil)
    let notices = effects.compactMap { effect in
      if case .notify(let notice, _) = effect { notice } else { nil }
    }
    #expect(notices.map(\.kind) == [.won, .lost] && notices[1].text.contains("7 days"))
    #expect(notices.allSatisfy { $0.view?.isOver == true })
    world.now = due
    #expect(
      world.refusal(
        of: .punch(0, PunchReport(magnitude: 50, thrown: due, move: 1)), by: 1) == "fight-over")

    var original = try FightWorld.fighting(.hitThat)
    #expect(original.authority.deadline == nil)
    original.authority.advance(to: due, into: &effects)
    #expect(original.authority.fights[0].bout.winner == nil)
  }
}
