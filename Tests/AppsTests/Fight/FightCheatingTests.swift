import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

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
      .writeStamina(0, left: 0)
    },
    Attack(name: "restores stamina", code: "not-yours-to-write", attacker: 1) { _ in
      .writeStamina(0, left: 1)
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
    Attack(name: "looks up people by number", code: "not-revealed", attacker: 2) { _ in
      .viewProfile(1000)
    },
    Attack(name: "shows itself to a stranger", code: "not-revealed", attacker: 2) { _ in
      .showPosition(.max, isShown: true)
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
    for session in [
      try #require(world.session(0)), SessionToken(high: 1, low: 2), SessionToken(high: 0, low: 0),
    ] {
      #expect(world.refusal(of: punch, by: 1, session: session) == "signed-out")
    }
    let refusal = #expect(throws: Refusal.self) {
      try world.send(punch, phone: world.phone(1), session: nil)
    }
    #expect(refusal?.code == "signed-out")
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

  /// Times that are made up, or of ever new clocks, allow no more punches than a hand has time for
  /// since the fight began.
  @Test(arguments: [false, true]) func madeUpTimesAreBoundByArrivals(hasNewClocks: Bool) throws {
    var rules = FightRules.default
    rules.isDemo = true
    var world = try FightWorld.fighting(rules)
    var taken = 0
    for step in 0..<100 {
      world.wait(0.01)
      let punch = PunchReport(
        magnitude: 20, thrown: .zero.advanced(bySeconds: Double(step)),
        clock: hasNewClocks ? UInt64(step) : 0, move: taken)
      if world.refusal(of: .punch(0, punch), by: 0) == nil { taken += 1 }
    }
    // Arrivals from 0.01 to 1 s: at 0.01, 0.28, 0.56 and 0.84 s.
    #expect(taken == 4)
  }

  /// The authority never compares a phone's time with its own.
  @Test(arguments: [Int64.min, -3_600_000_000_000, 0, 3_600_000_000_000, .max])
  func theOffsetOfThePhonesClockDoesNotMatter(offset: Int64) throws {
    var world = try FightWorld.fighting()
    for user in [0, 1, 0, 1] {
      world.wait(1)
      let punch = PunchReport(
        magnitude: 30, thrown: world.now.advanced(byNanoseconds: user == 0 ? offset : 0),
        clock: 1, move: world.authority.fights[0].bout.moves)
      let code = world.refusal(of: .punch(0, punch), by: user)
      // At the ends of the axis times are clamped, so that the second punch is at the same time.
      let isClamped = user == 0 && punch.move > 0 && offset == .max
      #expect(code == (isClamped ? "too-fast" : nil))
      if isClamped { break }
    }
  }

  @Test func aNewClockOfThePhoneIsNotComparedWithTheOldOne() throws {
    var world = try FightWorld.fighting()
    func punch(_ clock: UInt64, at seconds: Double) -> FightCall {
      .punch(
        0,
        PunchReport(
          magnitude: 30, thrown: .zero.advanced(bySeconds: seconds), clock: clock,
          move: world.authority.fights[0].bout.moves))
    }
    world.wait(1)
    #expect(world.refusal(of: punch(1, at: 5000), by: 0) == nil)
    try world.punch(1)
    #expect(world.refusal(of: punch(1, at: 3), by: 0) == "too-fast")
    #expect(world.refusal(of: punch(2, at: 3), by: 0) == nil)
  }

  // MARK: Sessions

  /// The engine has no generator: equal histories whose transports draw other tokens differ in
  /// nothing but the tokens, so that no number of own logins tells the next one.
  @Test func ownLoginsDoNotPredictTheNext() throws {
    func world(_ last: SessionToken) throws -> (FightWorld, FightAnswer) {
      var world = FightWorld()
      for _ in 0..<4 { try world.signIn("Ann") }
      let before = world.authority
      let answer = try world.send(
        .logIn(SocialLogin(subject: "Bob", profile: Profile(alias: "Bob"))), phone: "b",
        session: nil, token: last)
      #expect(before.accounts.count == 1)
      return (world, answer)
    }
    let tokens = [SessionToken(high: 1, low: 2), SessionToken(high: 3, low: 4)]
    for token in tokens {
      guard case .session(token, user: 1, isNew: true, _) = try world(token).1 else {
        Issue.record("the session is not the transport's token")
        continue
      }
    }
    // Before that login both are equal in everything, so that nothing in them tells the token.
    var worlds = try tokens.map { try world($0).0.authority.accounts }
    #expect(worlds[0] != worlds[1])
    for index in worlds.indices { worlds[index][1].session = nil }
    #expect(worlds[0] == worlds[1])
  }

  @Test func aZeroOrUsedTokenIsRefused() throws {
    var world = FightWorld()
    let login = FightCall.logIn(SocialLogin(subject: "Ann", profile: Profile(alias: "Ann")))
    let used = SessionToken(high: 5, low: 0)
    _ = try world.send(login, phone: "a", session: nil, token: used)
    // Ended by the second one, and still not for use again.
    _ = try world.send(login, phone: "a", session: nil, token: SessionToken(high: 0, low: 6))
    let before = world.authority
    for token in [nil, SessionToken(high: 0, low: 0), used, SessionToken(high: 0, low: 6)] {
      let refusal = #expect(throws: Refusal.self) {
        try world.send(login, phone: "b", session: nil, token: token)
      }
      #expect(refusal?.code == "no-new-token")
    }
    #expect(world.authority.accounts == before.accounts)
  }

  // MARK: Bounds

  /// Answers are kept for phones with a login only, and for the last eight of a person.
  @Test func unknownPhonesTakeNoMemory() throws {
    var world = FightWorld()
    try world.signIn("Ann")
    for number in 0..<200 {
      _ = try? world.send(.listFights, phone: "stranger \(number)", session: nil)
      _ = try? world.send(
        .logIn(SocialLogin(subject: "", profile: Profile(alias: "x"))), phone: "nobody \(number)",
        session: nil)
    }
    #expect(world.authority.knownPhoneCount == 1)
    for number in 0..<200 { try world.signIn("Ann", phone: "phone \(number)") }
    #expect(world.authority.knownPhoneCount == FightAuthority.keptInstallations)
    // The last ones are known: a repeated login is answered and not done again.
    #expect(world.refusal(of: .listFights, by: 0) == nil)
  }

  /// Whoever asks for opponents on and on sees 20, and then one a minute.
  @Test(arguments: FightFaultTests.presets) func offersAreLimitedInRate(preset: String) throws {
    var world = FightWorld(try #require(FightRules.preset(named: preset)))
    for number in 0..<60 { try world.signIn("\(number)") }
    func ask(_ count: Int, _ world: inout FightWorld) -> Int {
      (0..<count).count { _ in world.refusal(of: .findOpponent, by: 0) == nil }
    }
    #expect(ask(50, &world) == (preset == "hitThat" ? 50 : 20))
    guard preset == "default" else { return }
    #expect(world.refusal(of: .backDown, by: 0) == "too-many-offers")
    world.wait(59)
    #expect(ask(10, &world) == 0)
    world.wait(1)
    #expect(ask(10, &world) == 1)
    world.wait(300)
    #expect(ask(10, &world) == 5)
  }

  @Test func listsAreBounded() throws {
    var world = FightWorld(.hitThat)
    for name in ["Ann", "Bob"] { try world.signIn(name) }
    for _ in 0..<150 { try world.meet(0, 1) }
    guard case .fights(let lists) = try world.ask(0, .listFights) else { return }
    #expect(lists.active.count == FightLists.limit)
  }
}
