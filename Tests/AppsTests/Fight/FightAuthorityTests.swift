import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct FightAuthorityTests {
  // MARK: Accounts

  @Test func aLoginMakesAnAccountOnceAndKeepsIt() throws {
    var world = FightWorld()
    let ann = try world.signIn("Ann")
    #expect(world.authority.accounts[ann].profile.alias == "Ann")
    _ = try world.ask(ann, .logOut)
    #expect(world.refusal(of: .listFights, by: ann) == "signed-out")
    #expect(try world.signIn("Ann") == ann)
    #expect(world.authority.accounts.count == 1)
    #expect(world.refusal(of: .listFights, by: ann) == nil)
  }

  @Test func aSecondLoginEndsTheFirstWithAMessage() throws {
    var world = FightWorld()
    let ann = try world.signIn("Ann", phone: "old")
    let session = world.session(ann)
    try world.signIn("Ann", phone: "new")
    let notices = world.effects.compactMap { effect -> FightNotice? in
      if case .notify(let notice, "old") = effect { notice } else { nil }
    }
    #expect(notices.map(\.kind) == [.signedOut])
    #expect(notices.first?.session == session)
    #expect(notices.first?.text.contains("another phone") == true)
    #expect(
      world.refusal(of: .listFights, by: ann, session: session, phone: "old") == "signed-out")
    #expect(world.refusal(of: .listFights, by: ann) == nil)
  }

  @Test(arguments: [("hitThat", "error"), ("default", "signed-out")])
  func theEndOfASessionIsExplained(preset: String, code: String) throws {
    var world = FightWorld(try #require(FightRules.preset(named: preset)))
    let ann = try world.signIn("Ann", phone: "old")
    let session = world.session(ann)
    try world.signIn("Ann", phone: "new")
    #expect(world.effects.count == (preset == "default" ? 2 : 1))
    #expect(world.refusal(of: .listFights, by: ann, session: session, phone: "old") == code)
  }

  @Test func anotherPersonOnThePhoneSignsTheFirstOut() throws {
    var world = FightWorld()
    let ann = try world.signIn("Ann", phone: "shared")
    let session = world.session(ann)
    try world.signIn("Bob", phone: "shared")
    #expect(
      world.refusal(of: .listFights, by: ann, session: session, phone: "shared") == "signed-out")
  }

  @Test func theOpponentsProfileStaysOpenAfterTheFight() throws {
    var world = try FightWorld.fighting()
    try world.signIn("Cy")
    #expect(world.refusal(of: .viewProfile(2), by: 0) == "not-revealed")
    try world.knockOut(by: 0)
    for (user, other) in [(0, 1), (1, 0)] {
      guard case .profile(let profile) = try world.ask(user, .viewProfile(other)) else {
        Issue.record("no profile")
        continue
      }
      #expect(profile.user == other)
      #expect((profile.wins, profile.losses) == (other == 0 ? (1, 0) : (0, 1)))
    }
  }

  @Test func itIsKnownWhenAndWhereSomebodyWasSeen() throws {
    var world = FightWorld()
    let ann = try world.signIn("Ann")
    world.wait(3)
    let place = Coordinate(latitude: 50, longitude: 8)
    _ = try world.ask(ann, .reportPlace(place))
    #expect(world.authority.accounts[ann].place == place)
    #expect(world.authority.accounts[ann].seen == world.now)
  }

  // MARK: Requests

  @Test func aRepeatedRequestIsAnsweredAgainAndNotDoneAgain() throws {
    var world = try FightWorld.fighting()
    world.wait(1)
    let punch = FightCall.punch(
      0, PunchReport(magnitude: 60, thrown: world.now, move: 0))
    let first = try world.send(
      punch, phone: world.phone(0), session: world.session(0), number: 50)
    let fights = world.authority.fights
    let second = try world.send(
      punch, phone: world.phone(0), session: world.session(0), number: 50)
    #expect(first == second && world.authority.fights == fights)
    #expect(world.effects.count == 1, "no second notice")
  }

  /// A copy of a refused request comes when it would be legal: the turn has come, and the fight that
  /// stood against a challenge is over. The phone was notified that it does not count, and it does
  /// not.
  @Test func aRefusedRequestIsNotJudgedAnew() throws {
    var world = try FightWorld.fighting()
    world.wait(1)
    let early = PunchReport(magnitude: 50, thrown: world.now, move: 1)
    func again(_ call: FightCall, by user: UserID, _ world: inout FightWorld) -> String? {
      do throws(Refusal) {
        _ = try world.send(
          call, phone: world.phone(user), session: world.session(user), number: 50)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(again(.punch(0, early), by: 1, &world) == "not-your-turn")
    _ = try world.punch(0)
    #expect(again(.punch(0, early), by: 1, &world) == "not-your-turn")
    #expect(world.authority.fights[0].bout.moves == 1)

    #expect(again(.challenge(1), by: 0, &world) == "already-fighting")
    while let turn = world.authority.fights[0].bout.turn {
      world.wait(1)
      let punch = PunchReport(
        magnitude: turn == .origin ? 110 : 25, thrown: world.now,
        move: world.authority.fights[0].bout.moves)
      let user = world.authority.fights[0].user(turn)
      _ = try world.send(
        .punch(0, punch), phone: world.phone(user), session: world.session(user),
        number: 51 + punch.move)
    }
    #expect(world.authority.fights[0].bout.winner == .origin)
    #expect(again(.challenge(1), by: 0, &world) == "already-fighting")
    #expect(world.authority.fights.count == 1)
  }

  @Test func anOlderRequestIsRefused() throws {
    var world = try FightWorld.fighting()
    _ = try world.send(.listFights, phone: world.phone(0), session: world.session(0), number: 90)
    #expect(
      #expect(throws: Refusal.self) {
        try world.send(.backDown, phone: world.phone(0), session: world.session(0), number: 89)
      }?.code == "out-of-step")
  }

  // MARK: Fights

  @Test func challengeTurnHitAndEnd() throws {
    var world = try FightWorld.fighting()
    #expect(world.notices(to: 1).map(\.kind) == [.challenged])
    #expect(world.notices(to: 1).first?.fight == 0)
    let view = try #require(try world.punch(0, gravities: 10))
    #expect(view.theirs.units == 6000 && !view.isMyTurn)
    let notice = try #require(world.notices(to: 1).first)
    #expect(notice.kind == .hit && notice.fight == 0)
    #expect(notice.view?.mine.units == 6000 && notice.view?.isMyTurn == true)
    try world.punch(1, gravities: 3)
    try world.punch(0, gravities: 10)
    try world.punch(1, gravities: 3)
    try world.punch(0, gravities: 10)
    #expect(world.notices(to: 0).map(\.kind) == [.won])
    #expect(world.notices(to: 1).map(\.kind) == [.lost])
    #expect(world.authority.wins == [FightAuthority.Win(fight: 0, winner: 0, loser: 1)])
    #expect(world.authority.accounts.map(\.wins) == [1, 0])
    #expect(world.authority.accounts.map(\.losses) == [0, 1])
  }

  @Test func listsAreByRecency() throws {
    var world = FightWorld()
    for name in ["Ann", "Bob", "Cy", "Di"] { try world.signIn(name) }
    for other in 1...3 {
      world.wait(1)
      try world.meet(0, other)
    }
    try world.punch(0, fight: 1)
    func lists(_ user: UserID) throws -> FightLists {
      guard case .fights(let lists) = try world.ask(user, .listFights) else {
        throw Refusal("no-lists", "no lists")
      }
      return lists
    }
    #expect(try lists(0).active.map(\.fight) == [1, 2, 0])
    try world.knockOut(by: 0, fight: 2)
    try world.knockOut(by: 0, fight: 0)
    #expect(try lists(0).won.map(\.fight) == [0, 2])
    #expect(try lists(0).active.map(\.fight) == [1])
    #expect(try lists(1).lost.map(\.fight) == [0])
    #expect(try lists(1).won.isEmpty)
  }

  // MARK: Matching

  @Test func nearestFirstAndNobodyTwice() throws {
    var world = FightWorld()
    for name in ["Ann", "Bob", "Cy", "Di", "Ed"] { try world.signIn(name) }
    for (user, latitude) in [(0, 50.0), (1, 50.5), (2, 50.1), (3, 49.8)] {
      _ = try world.ask(user, .reportPlace(Coordinate(latitude: latitude, longitude: 8)))
    }
    #expect(world.refusal(of: .backDown, by: 0) == "no-opponent")
    #expect(world.refusal(of: .hitThat, by: 0) == "no-opponent")
    _ = try world.ask(0, .findOpponent)
    var offered: [UserID] = []
    while let candidate = world.authority.accounts[0].candidate {
      offered.append(candidate)
      _ = try world.ask(0, .backDown)
    }
    // Ed has no position and comes last.
    #expect(offered == [2, 3, 1, 4])
    #expect(try world.ask(0, .findOpponent) == .opponent(nil))
  }

  @Test func oneFightAtATimeWithTheSamePerson() throws {
    var world = try FightWorld.fighting()
    #expect(world.refusal(of: .challenge(1), by: 0) == "already-fighting")
    #expect(world.refusal(of: .challenge(0), by: 1) == "already-fighting")
    #expect(world.refusal(of: .challenge(0), by: 0) == "nobody-there")
    try world.knockOut(by: 0)
    _ = try world.ask(1, .challenge(0))
    #expect(world.authority.fights.count == 2)
    #expect(world.authority.fights[1].bout.turn == .origin)
  }

  @Test func hitThatRevealsAndOnlyThenIsThereAFight() throws {
    var world = FightWorld()
    for name in ["Ann", "Bob"] { try world.signIn(name) }
    #expect(world.refusal(of: .challenge(1), by: 0) == "not-revealed")
    #expect(world.refusal(of: .track(1), by: 0) == "not-revealed")
    _ = try world.ask(0, .findOpponent)
    #expect(world.refusal(of: .challenge(1), by: 0) == "not-revealed")
    guard case .revealed(let profile, let versus) = try world.ask(0, .hitThat) else {
      Issue.record("not revealed")
      return
    }
    #expect(profile.user == 1 && versus.lines.count == 10 && versus.chance != nil)
    // Either start the fight, or look for the way to the opponent.
    #expect(world.refusal(of: .track(1), by: 0) == "no-position")
    #expect(world.refusal(of: .challenge(1), by: 0) == nil)
  }

  /// The comparison comes before the decision, with the alias and a part of the photo; the rest of
  /// the profile only with "Hit that".
  @Test(arguments: FightFaultTests.presets)
  func statsAndOddsAreComparedBeforeTheDecision(preset: String) throws {
    var world = FightWorld(try #require(FightRules.preset(named: preset)))
    for name in ["Ann", "Bob"] { try world.signIn(name) }
    var bob = Profile(alias: "The Bear")
    (bob.height, bob.photo, bob.bio) = (75, "pictures/7", "Bob Miller of Mainz")
    _ = try world.ask(1, .saveProfile(bob))
    guard case .opponent(let offered?) = try world.ask(0, .findOpponent) else {
      Issue.record("nobody is offered")
      return
    }
    #expect(offered.alias == "The Bear")
    #expect(offered.photo == Photo(reference: "pictures/7", isPart: true))
    #expect(offered.versus.lines.count == 10 && offered.versus.lines[2].theirs == "6 ft 3 in")
    #expect((offered.versus.chance == nil) == (preset == "hitThat"))
    #expect(!"\(offered)".contains("Miller"))
    guard case .revealed(let profile, let versus) = try world.ask(0, .hitThat) else { return }
    #expect(versus == offered.versus && profile.profile == bob)
    #expect(profile.photo == Photo(reference: "pictures/7", isPart: false))
  }

  // MARK: Tracking

  @Test func trackingTellsTheWayAndTheTarget() throws {
    var world = try FightWorld.fighting()
    #expect(world.refusal(of: .track(1), by: 0) == "no-position")
    _ = try world.ask(0, .reportPlace(Coordinate(latitude: 50, longitude: 8)))
    #expect(world.refusal(of: .track(1), by: 0) == "unknown-position")
    _ = try world.ask(1, .reportPlace(Coordinate(latitude: 50.1, longitude: 8)))
    guard case .tracking(let view) = try world.ask(0, .track(1)) else { return }
    #expect(world.notices(to: 1).map(\.kind) == [.tracked])
    // 0.1 degrees of the meridian at 50 degrees, whose radius of curvature there is
    // a (1 - e²) / (1 - e² sin² 50°)^1.5 = 6,373,013 m.
    #expect(abs(view.distance - 11_123) < 2)
    #expect(view.bearing == 0 && view.from == Coordinate(latitude: 50, longitude: 8))
    _ = try world.ask(0, .track(1))
    #expect(world.notices(to: 1).isEmpty, "notified once")
  }

  @Test func thePositionIsCoarseUntilBothAgree() throws {
    func tracked(_ place: Coordinate, shown: [UserID], _ rules: FightRules) throws -> TrackingView?
    {
      var world = try FightWorld.fighting(rules)
      _ = try world.ask(0, .reportPlace(Coordinate(latitude: 50, longitude: 8)))
      _ = try world.ask(1, .reportPlace(place))
      for user in shown { _ = try world.ask(user, .showPosition(1 - user, isShown: true)) }
      guard case .tracking(let view) = try world.ask(0, .track(1)) else { return nil }
      return view
    }
    let (here, near) = (
      Coordinate(latitude: 50.1234, longitude: 8.0123),
      Coordinate(latitude: 50.1199, longitude: 8.0099)
    )
    for shown in [[], [0], [1]] {
      let view = try #require(try tracked(here, shown: shown, .default))
      #expect(!view.isExact && view.to == here.coarse)
      // The answers for two places in one square are equal.
      #expect(try tracked(near, shown: shown, .default) == view)
    }
    let agreed = try #require(try tracked(here, shown: [0, 1], .default))
    #expect(agreed.isExact && agreed.to == here)
    let original = try #require(try tracked(here, shown: [], .hitThat))
    #expect(original.isExact && original.to == here)
  }

  @Test func theQueuesDistanceIsCoarseToo() throws {
    func offered(_ latitude: Double) throws -> FightAnswer {
      var world = FightWorld()
      for name in ["Ann", "Bob"] { try world.signIn(name) }
      _ = try world.ask(0, .reportPlace(Coordinate(latitude: 50, longitude: 8)))
      _ = try world.ask(1, .reportPlace(Coordinate(latitude: latitude, longitude: 8)))
      return try world.ask(0, .findOpponent)
    }
    #expect(try offered(50.051) == offered(50.049))
    #expect(try offered(50.051) != offered(50.061))
  }
}
