import Testing
import TraceModel

@testable import Apps

/// Whatever a phone says, the authority's rules hold: attack -> refusal.
@Suite struct FightCheatingTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    var name: String
    var code: String
    /// Who attacks in a fight of users 0 and 1, where it is 0's turn, 10 s after it began.
    var attacker: UserID
    var call: @Sendable (TraceInstant) -> FightCall
    var testDescription: String { name }
  }

  private static func punch(
    _ magnitude: Double = 50, late: Double = 0, move: Int = 0
  ) -> @Sendable (TraceInstant) -> FightCall {
    { now in
      .punch(
        0, PunchReport(magnitude: magnitude, thrown: now.advanced(bySeconds: late), move: move))
    }
  }

  static let attacks = [
    Attack(name: "writes the stamina", code: "not-yours-to-write", attacker: 0) { _ in
      .writeStamina(0, origin: 1, recipient: 0)
    },
    Attack(name: "restores its stamina", code: "not-yours-to-write", attacker: 1) { _ in
      .writeStamina(0, origin: 0.1, recipient: 1)
    },
    Attack(name: "punches out of turn", code: "not-your-turn", attacker: 1, call: punch()),
    Attack(
      name: "harder than a phone can measure", code: "impossible-magnitude", attacker: 0,
      call: punch(271.9)),
    Attack(
      name: "infinitely hard", code: "impossible-magnitude", attacker: 0, call: punch(.infinity)),
    Attack(name: "not a number", code: "impossible-magnitude", attacker: 0, call: punch(.nan)),
    Attack(name: "heals by a negative punch", code: "too-weak", attacker: 0, call: punch(-50)),
    Attack(
      name: "below the threshold", code: "too-weak", attacker: 0,
      call: punch(2 * standardGravity)),
    Attack(name: "for another move", code: "turn-over", attacker: 0, call: punch(move: 1)),
    Attack(name: "of the future", code: "from-the-future", attacker: 0, call: punch(late: 2)),
    Attack(
      name: "before the fight", code: "too-fast", attacker: 0, call: punch(late: -11)),
    Attack(name: "in others' fight", code: "not-your-fight", attacker: 2, call: punch()),
    Attack(name: "looks at others' fight", code: "not-your-fight", attacker: 2) { _ in
      .viewFight(0)
    },
    Attack(name: "says that it has won", code: "not-yours-to-say", attacker: 0) { _ in
      .reportWin(0)
    },
    Attack(name: "in no fight", code: "not-your-fight", attacker: 0) { _ in .viewFight(-1) },
    Attack(name: "challenges a stranger", code: "not-revealed", attacker: 0) { _ in
      .challenge(2)
    },
    Attack(name: "tracks a stranger", code: "not-revealed", attacker: 2) { _ in .track(0) },
    Attack(name: "looks up a stranger", code: "not-revealed", attacker: 2) { _ in
      .viewProfile(1)
    },
    Attack(name: "stats out of range", code: "out-of-range", attacker: 0) { _ in
      var profile = Profile(alias: "Ann")
      profile.reach = .max
      return .saveProfile(profile)
    },
    Attack(name: "from nowhere", code: "no-such-place", attacker: 0) { _ in
      .reportPlace(Coordinate(latitude: .nan, longitude: 8))
    },
  ]

  @Test(arguments: attacks) func isRefused(_ attack: Attack) throws {
    var world = try FightWorld.fighting()
    try world.signIn("Cy")
    world.wait(10)
    let code = world.refusal(of: attack.call(world.now), by: attack.attacker)
    #expect(code == attack.code)
    #expect(world.authority.fights[0].bout.moves == 0)
  }

  @Test func somebodyElsesSessionIsRefused() throws {
    var world = try FightWorld.fighting()
    world.wait(1)
    let punch = FightCheatingTests.punch()(world.now)
    // Bob's phone with Ann's session, with a guess, and with none.
    for session in [world.session(0), 1234, 0] {
      #expect(world.refusal(of: punch, by: 1, session: session) == "signed-out")
    }
    #expect(
      world.refusal(of: punch, by: 0, phone: String(repeating: "x", count: 65))
        == "no-installation")
  }

  @Test func aNumberIsNotUsedForTwoRequests() throws {
    var world = try FightWorld.fighting()
    _ = try world.send(.listFights, phone: world.phone(0), session: world.session(0), number: 9)
    let refusal = #expect(throws: Refusal.self) {
      try world.send(.findOpponent, phone: world.phone(0), session: world.session(0), number: 9)
    }
    #expect(refusal?.code == "out-of-step")
  }

  /// Where the turn comes back at once, a hand still needs its time.
  @Test func fasterThanAHandIsRefused() throws {
    var rules = FightRules.default
    rules.isDemo = true
    var world = try FightWorld.fighting(rules)
    world.wait(5)
    var taken = 0
    for step in 0..<100 {
      let thrown = world.now.advanced(byNanoseconds: Int64(step) * 10_000_000)
      let punch = PunchReport(magnitude: 20, thrown: thrown, move: taken)
      if world.refusal(of: .punch(0, punch), by: 0) == nil { taken += 1 }
    }
    // Within 0.99 s: at 0, 0.28, 0.56 and 0.84 s.
    #expect(taken == 4)
  }
}
