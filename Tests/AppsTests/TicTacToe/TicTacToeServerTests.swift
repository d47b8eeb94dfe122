import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

@Suite struct TicTacToeServerTests {
  private func refused(_ world: TicTacToeWorld, _ phone: Int) -> [Refusal] {
    world.effects[phone].compactMap {
      if case .refused(let refusal, _) = $0 { refusal } else { nil }
    }
  }

  // MARK: Accounts

  @Test func registerLogOutAndLogIn() throws {
    var world = try TicTacToeWorld(names: ["Ann"])
    let session = world.phones[0].session
    #expect(world.user(0) == 0 && session != nil)
    try world.give(.ask(.logOut), to: 0)
    #expect(world.phones[0].user == nil && world.server.accounts[0].session == nil)
    #expect(world.refusal(of: .ask(.menu), by: 0)?.code == "signed-out")
    try world.give(.logIn(name: "ANN", TicTacToeWorld.verifier("pw")), to: 0)
    #expect(world.user(0) == 0 && world.phones[0].session != session)
    #expect(world.server.accounts.count == 1)
  }

  @Test(arguments: [
    ("", "", "empty-fields"), (" \n", "", "empty-fields"), ("", "pw", "empty-name"),
    ("Cy", "", "empty-password"), ("ann", "pw", "name-taken"),
    (String(repeating: "x", count: 33), "pw", "long-name"), ("a\nb", "pw", "bad-name"),
    ("ANN", "pw", "name-taken"), ("Cy ", "pw", "bad-name"), ("\u{A0}Cy", "pw", "bad-name"),
    ("Cy\u{202E}yC", "pw", "bad-name"), ("A\u{200B}nn", "pw", "bad-name"),
    ("Cy\u{7}", "pw", "bad-name"),
    ("a" + String(repeating: "\u{301}", count: 200), "pw", "long-name"),
  ])
  func whatCannotRegisterIsRefusedWithAReason(name: String, password: String, code: String) throws {
    var world = try TicTacToeWorld(names: ["Ann"], phones: 2)
    let verifier =
      password.isEmpty ? PasswordVerifier([]) : TicTacToeWorld.verifier(password)
    try world.give(.register(name: name, verifier, salt: [], picture: nil), to: 1)
    let refusal = try #require(refused(world, 1).last)
    #expect(refusal.code == code && refusal.reason.count > 10)
    #expect(world.server.accounts.count == 1 && world.phones[1].user == nil)
  }

  @Test func aWrongPasswordIsRefusedAndTooManyBlockTheName() throws {
    var world = try TicTacToeWorld(names: ["Ann"], phones: 2)
    let wrong = TicTacToeClient.Input.logIn(name: "Ann", TicTacToeWorld.verifier("guess"))
    let right = TicTacToeClient.Input.logIn(name: "Ann", TicTacToeWorld.verifier("pw"))
    for _ in 0..<5 { try world.give(wrong, to: 1) }
    try world.give(right, to: 1)
    #expect(
      refused(world, 1).map(\.code) == Array(repeating: "wrong-password", count: 5) + ["blocked"])
    // Nobody locks another person out: Ann's own phone logs in.
    try world.give(.ask(.logOut), to: 0)
    try world.give(right, to: 0)
    #expect(world.user(0) == 0)
    world.wait(60)
    try world.give(right, to: 1)
    #expect(world.user(1) == 0)
    // The other phone gets a message.
    #expect(
      world.effects[0].contains(
        .signedOut("You logged in on another phone, so this one was logged out.")))
  }

  @Test func theSaltOfANameIsAnsweredAndAnUnknownNameRefused() throws {
    var world = try TicTacToeWorld(names: ["Ann"], phones: 2)
    try world.give(.logIn(name: "Bob", TicTacToeWorld.verifier("pw")), to: 1)
    #expect(refused(world, 1).map(\.code) == ["unknown-name"])
    try world.give(.ask(.salt(of: "Bob")), to: 1)
    #expect(refused(world, 1).map(\.code) == ["unknown-name", "unknown-name"])
    try world.give(.ask(.salt(of: "ann")), to: 1)
    #expect(world.effects[1].contains(.answer(.salt([1, 2]), to: .salt(of: "ann"))))
  }

  @Test func verifiersAreComparedInConstantWork() {
    let verifier = TicTacToeWorld.verifier("secret")
    #expect(verifier.matches(TicTacToeWorld.verifier("secret")))
    for index in verifier.bytes.indices {
      var bytes = verifier.bytes
      bytes[index] ^= 1
      #expect(!verifier.matches(PasswordVerifier(bytes)))
    }
    // A shorter one that agrees as far as it goes, and zeros behind.
    #expect(!verifier.matches(PasswordVerifier(Array(verifier.bytes.dropLast()))))
    #expect(!verifier.matches(PasswordVerifier(verifier.bytes + [0])))
    #expect(!PasswordVerifier([]).matches(PasswordVerifier([0])))
  }

  @Test func sessionsAreTheTransportsAndCountOnlyFromTheirPhone() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea"])
    #expect(world.phones[0].session?.low == 99)
    let stolen = world.phones[0].session
    var answers: [TicTacToeServer.Effect] = []
    try world.server.handle(
      .init(
        from: 1,
        TicTacToeRequest(
          stamp: RequestStamp(epoch: 101, number: 900), session: stolen, call: .menu),
        token: SessionToken(high: 1, low: 1)), at: world.now, into: &answers)
    guard case .reply(let reply, 1)? = answers.first, case .refusal(let refusal) = reply.result
    else {
      Issue.record("\(answers)")
      return
    }
    #expect(refusal.code == "signed-out")
    // A login without random bits, or with those of another session, does not work.
    for token in [SessionToken(high: 0, low: 0), stolen ?? SessionToken(high: 0, low: 0)] {
      var more: [TicTacToeServer.Effect] = []
      try world.server.handle(
        .init(
          from: 7,
          TicTacToeRequest(
            stamp: RequestStamp(epoch: 5, number: token == stolen ? 2 : 1), session: nil,
            call: .logIn(name: "Ann", TicTacToeWorld.verifier("pw"))), token: token),
        at: world.now, into: &more)
      guard case .reply(let reply, 7)? = more.first, case .refusal(let refusal) = reply.result
      else {
        Issue.record("\(more)")
        continue
      }
      #expect(refusal.code == "no-token")
    }
  }

  @Test func thePictureIsOptionalAndSeenByOthers() throws {
    var world = try TicTacToeWorld()
    #expect(world.server.accounts[0].picture == nil)
    try world.give(.ask(.setPicture("photo-17")), to: 0)
    try world.give(.ask(.contacts), to: 1)
    #expect(world.phones[1].contact(0)?.picture == "photo-17")
    try world.give(.ask(.setPicture(String(repeating: "p", count: 257))), to: 0)
    #expect(world.server.accounts[0].picture == "photo-17")
    try world.give(.ask(.setPicture(nil)), to: 0)
    #expect(world.server.accounts[0].picture == nil)
  }

  // MARK: Scores

  @Test func aWinIsCountedOnceAndShownOnTheMenu() throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.t1, .m1, .t2, .m2, .t3])
    #expect(world.view(1)?.result == .won(by: .x) && world.view(0)?.result == .won(by: .x))
    world.wait(60)
    try world.give(.ask(.menu), to: 0)
    guard case .answer(.menu(let score), _)? = world.effects[0].last else {
      Issue.record("no menu")
      return
    }
    #expect((score.wins, score.losses) == (1, 0) && score.ratio == nil)
    #expect(score.lastPlayed != nil && score.words == "1 won, 0 lost")
    #expect(world.server.accounts[1].losses == 1 && world.server.accounts[1].lastPlayed != nil)
    #expect(
      Score(user: 0, name: "", wins: 3, losses: 2, draws: 0, lastPlayed: nil).words
        == "3 won, 2 lost (ratio 1.5)")
  }

  @Test func aFullBoardIsADrawForBoth() throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.m2, .t1, .t3, .b1, .m1, .m3, .t2, .b2, .b3])
    #expect(world.view(0)?.result == .draw && world.view(1)?.result == .draw)
    #expect(world.server.accounts.map(\.draws) == [1, 1])
  }

  @Test func leadersAreByWinsThenLosses() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy"])
    for (user, (wins, losses)) in [(1, 2), (4, 0), (1, 1)].enumerated() {
      world.server.accounts[user].wins = wins
      world.server.accounts[user].losses = losses
      world.server.accounts[user].lastPlayed = world.now
    }
    #expect(world.server.leaders().map(\.user) == [1, 2, 0])
  }

  /// Whoever is asked to be a friend learns it at once, or later from the list.
  @Test func aFriendRequestIsShown() throws {
    var world = try TicTacToeWorld()
    try world.give(.ask(.befriend(1)), to: 0)
    #expect(world.effects[1].contains(.friendRequest(from: 0, name: "Ann")))
    func friends(_ phone: Int) throws -> [[UserID]]? {
      try world.give(.ask(.friends), to: phone)
      guard case .answer(.friends(let friends, let requests), _)? = world.effects[phone].last else {
        return nil
      }
      return [friends.map(\.user), requests.map(\.user)]
    }
    #expect(try friends(1) == [[], [0]])
    #expect(try friends(0) == [[], []])
    try world.give(.ask(.befriend(0)), to: 1)
    #expect(try friends(1) == [[0], []])
    #expect(try friends(0) == [[1], []])
  }

  @Test func friendshipNeedsBothAndEndsForBoth() throws {
    var world = try TicTacToeWorld()
    try world.give(.ask(.befriend(1)), to: 0)
    #expect(world.server.accounts.map(\.friends) == [[], []])
    try world.give(.ask(.befriend(1)), to: 0)
    #expect(world.server.accounts[1].friendRequests == [0])
    try world.give(.ask(.befriend(0)), to: 1)
    #expect(world.server.accounts.map(\.friends) == [[1], [0]])
    try world.give(.ask(.unfriend(0)), to: 1)
    #expect(world.server.accounts.map(\.friends) == [[], []])
    #expect(world.server.accounts[1].friendRequests == [])
  }

  // MARK: Games

  @Test func onlyThePlayersMoveAndInTheirTurn() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy"])
    try world.give(.invite(1), to: 0)
    let id = try #require(world.view(0)?.game)
    #expect(world.refusal(of: .move(id, turn: 0, Move(.x, .t1)), as: 2) == "not-your-game")
    #expect(world.refusal(of: .say(id, "hi"), as: 2) == "not-your-game")
    #expect(world.refusal(of: .leave(id), as: 2) == "not-your-game")
    #expect(world.refusal(of: .move(id, turn: 0, Move(.o, .t1)), as: 1) == "not-your-turn")
    #expect(world.refusal(of: .move(id, turn: 1, Move(.o, .t1)), as: 1) == "not-your-turn")
    #expect(world.refusal(of: .move(id, turn: 0, Move(.o, .t1)), as: 0) == "not-your-mark")
    #expect(world.refusal(of: .move(id, turn: 0, Move(.x, .t1)), as: 0) == nil)
    #expect(world.refusal(of: .move(id, turn: 2, Move(.x, .t2)), as: 0) == "not-your-turn")
    #expect(world.refusal(of: .move(id, turn: 1, Move(.o, .t1)), as: 1) == "square-taken")
    // A repetition is acknowledged again.
    #expect(world.refusal(of: .move(id, turn: 0, Move(.x, .t1)), as: 0) == nil)
    #expect(world.server.games[0].moves == [Move(.x, .t1)])
    #expect(world.refusal(of: .ask(0), as: 2) == "busy")
    #expect(world.refusal(of: .ask(2), as: 0) == "in-a-game")
    #expect(world.refusal(of: .ask(2), as: 2) == "nobody-there")
    #expect(world.refusal(of: .ask(.max), as: 2) == "nobody-there")
  }

  @Test func whoStaysAwayForAMinuteForfeits() throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.t1])
    world.cut = [1]
    let start = world.now
    world.wait(50)
    #expect(world.view(0)?.result == nil)
    world.wait(15)
    #expect(world.view(0)?.result == .forfeited(to: .x, .stayedAway))
    #expect(world.server.accounts.map(\.wins) == [1, 0])
    #expect(world.server.accounts.map(\.losses) == [0, 1])
    #expect(start.nanoseconds(to: world.now) < 66_000_000_000)
    // Who comes back sees it.
    world.cut = []
    world.wait(20)
    #expect(world.view(1)?.result == .forfeited(to: .x, .stayedAway))
  }

  @Test func ifBothStayAwayNobodyWins() throws {
    var world = try TicTacToeWorld.playing()
    world.cut = [0, 1]
    world.wait(70)
    #expect(world.server.games[0].result == .closed)
    #expect(world.server.accounts.map(\.wins) == [0, 0] && world.server.accounts[0].losses == 0)
    world.cut = []
    world.wait(20)
    #expect(world.view(0)?.result == .closed && world.view(1)?.result == .closed)
  }

  /// Both were away, one for less than a minute: the first to be seen wins.
  @Test func theFirstToComeBackWins() throws {
    var world = try TicTacToeWorld.playing()
    world.cut = [1]
    world.wait(25)
    world.cut = [0, 1]
    world.wait(45)
    #expect(world.server.games[0].result == nil)
    world.cut = [1]
    world.wait(9)
    #expect(world.view(0)?.result == .forfeited(to: .x, .stayedAway))
  }

  @Test func aTurnLastsAtMostFiveMinutes() throws {
    var world = try TicTacToeWorld.playing()
    world.wait(280)
    #expect(world.view(0)?.result == nil)
    world.wait(25)
    #expect(world.view(0)?.result == .forfeited(to: .o, .madeNoMove))
    #expect(world.view(1)?.result == .forfeited(to: .o, .madeNoMove))
  }

  @Test func leavingGivesTheGameToTheOther() throws {
    var world = try TicTacToeWorld.playing()
    try world.give(.leave, to: 1)
    #expect(world.view(0)?.result == .forfeited(to: .x, .left))
    try world.give(.leave, to: 1)
    #expect(world.view(1) == nil)
    world.wait(10)
    #expect(world.view(1) == nil, "an ended game does not come back")
  }

  @Test func aRematchIsANewGameOfWhoAsks() throws {
    var world = try TicTacToeWorld.playing()
    #expect(world.refusal(of: .rematch, by: 1)?.code == "no-ended-game")
    try world.play([.t1, .m1, .t2, .m2, .t3])
    let first = try #require(world.view(0)?.game)
    try world.give(.rematch, to: 1)
    #expect(world.view(1)?.mark == .x && world.view(0)?.mark == .o)
    #expect(world.view(0)?.game != first && world.view(0)?.moves == [])
    #expect(world.refusal(of: .move(first, turn: 5, Move(.o, .b1)), as: 1) == "game-over")
  }

  // MARK: Chat

  @Test func chatIsForTheTwoAndNewestFirst() throws {
    var world = try TicTacToeWorld.playing(names: ["Ann", "Bea", "Cy"])
    try world.give(.say("one"), to: 0)
    try world.give(.say("two"), to: 1)
    #expect(world.view(0)?.chat.map(\.text) == ["two", "one"])
    #expect(world.view(1)?.chat.map(\.author) == [1, 0])
    #expect(world.effects[1].contains(.heard(ChatLine(number: 0, author: 0, text: "one"))))
    #expect(world.server.thread(of: 1, with: 0).count == 2)
    #expect(world.server.thread(of: 2, with: 0) == [])
    #expect(!world.effects[2].contains { if case .heard = $0 { true } else { false } })
  }

  @Test func messagesAreBounded() throws {
    var world = try TicTacToeWorld.playing()
    #expect(world.refusal(of: .say(""), by: 0)?.code == "empty-message")
    #expect(world.refusal(of: .say(" \n"), by: 0)?.code == "empty-message")
    #expect(
      world.refusal(of: .say(String(repeating: "x", count: 281)), by: 0)?.code == "long-message")
    let heavy = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(world.refusal(of: .say(heavy), by: 0)?.code == "long-message")
    for number in 0..<10 { try world.give(.say("\(number)"), to: 0) }
    try world.give(.say("11"), to: 0)
    #expect(refused(world, 0).map(\.code) == ["too-fast"])
    for round in 0..<12 {
      world.wait(11)
      for number in 0..<10 { try world.give(.say("\(round) \(number)"), to: 0) }
    }
    #expect(world.server.thread(of: 0, with: 1).count == TicTacToeLimits.threadLines)
    #expect(world.server.thread(of: 0, with: 1).first?.number == 129)
    #expect(world.view(1)?.chat.count == TicTacToeLimits.viewLines)
  }

  // MARK: Limits

  @Test func whatOthersCanMakeItStoreIsBounded() throws {
    var server = TicTacToeServer()
    var refusals: [String] = []
    for phone in 0..<TicTacToeLimits.phones + 3 {
      var answers: [TicTacToeServer.Effect] = []
      let input = TicTacToeServer.Input(
        from: phone,
        TicTacToeRequest(stamp: RequestStamp(epoch: 1, number: 1), session: nil, call: .look),
        token: SessionToken(high: 1, low: UInt64(phone)))
      do throws(Refusal) {
        try server.handle(input, at: .zero, into: &answers)
      } catch {
        refusals.append(error.code)
        #expect(answers.isEmpty)
      }
    }
    #expect(refusals == ["full", "full", "full"])
  }

  @Test func endedGamesAreDropped() throws {
    var world = try TicTacToeWorld.playing()
    for _ in 0..<TicTacToeLimits.endedGames + 10 {
      try world.give(.leave, to: 0)
      try world.give(.rematch, to: 1)
    }
    #expect(world.server.games.count(where: { $0.result != nil }) == TicTacToeLimits.endedGames)
    #expect(world.server.decidedGames == TicTacToeLimits.endedGames + 10)
  }

  /// A phone that is restored or newly installed repeats old numbers, and goes on.
  @Test(arguments: [true, false]) func aPhoneOutOfStepGoesOn(isNew: Bool) throws {
    var world = try TicTacToeWorld.playing()
    let old = world.phones[0]
    try world.play([.t1, .m1, .t2])
    world.phones[0] =
      isNew ? TicTacToeClient(address: 0, installation: 9) : old
    if isNew { try world.give(.logIn(name: "Ann", TicTacToeWorld.verifier("pw")), to: 0) }
    world.wait(10)
    #expect(world.view(0)?.moves == world.view(1)?.moves && world.view(0)?.turn == 3)
    try world.play([.m2, .t3])
    #expect(world.view(0)?.result == .won(by: .x) && world.server.accounts[0].wins == 1)
  }

  /// A server that is restored from an older state: the players see the older board and go on.
  @Test func aServerThatWentBackGoesOn() throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.t1])
    let old = world.server
    try world.play([.m1, .t2])
    world.server = old
    world.wait(12)
    #expect(world.view(0)?.turn == 1 && world.view(1)?.turn == 1)
    #expect(world.effects[1].contains { if case .wentBack = $0 { true } else { false } })
    try world.play([.m1, .t2, .m2, .t3])
    #expect(world.view(0)?.result == .won(by: .x) && world.view(1)?.result == .won(by: .x))
  }

  /// A server from before the game: the game is gone, and both can play again.
  @Test func aServerFromBeforeTheGameFreesBoth() throws {
    var world = try TicTacToeWorld()
    let old = world.server
    try world.give(.invite(1), to: 0)
    world.wait(3)
    try world.play([.t1])
    world.server = old
    world.wait(12)
    #expect(world.view(0) == nil && world.view(1) == nil)
    try world.give(.invite(0), to: 1)
    #expect(world.view(1)?.mark == .x && world.view(0)?.mark == .o)
    try world.play([.t1, .m1, .t2, .m2, .t3])
    #expect(world.server.decidedGames == 1)
  }
}
