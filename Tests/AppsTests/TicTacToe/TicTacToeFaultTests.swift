import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// What the original did wrong: under its preset it happens, under the default it does not.
@Suite struct TicTacToeFaultTests {
  static let presets = ["ticChatToe", "default"]

  private func rules(_ preset: String) throws -> TicTacToeRules {
    try #require(TicTacToeRules.preset(named: preset))
  }

  private func posts(_ world: TicTacToeWorld, _ phone: Int) -> [TicTacToeCall] {
    world.effects[phone].compactMap {
      if case .send(let request) = $0 { request.call } else { nil }
    }
  }

  /// The open records of a table.
  private func records(
    _ world: TicTacToeWorld, _ table: GameRecord.Table
  ) -> [GameRecord] {
    world.server.records.filter { $0.content.table == table }
  }

  /// Plays with `phone` as somebody whose moves are written by hand.
  private func post(
    _ turn: Int, _ move: Move, as phone: Int, _ world: inout TicTacToeWorld
  ) {
    _ = world.ask(.post(.move(turn: turn, move, game: nil)), as: phone)
  }

  // MARK: The handshake

  /// Both attempts reach the server, then both phones look, and only then hear the answers.
  private func askTogether(_ world: inout TicTacToeWorld) {
    world.deliverAll()
    world.wait(0.6)
    for _ in world.mail.indices { world.deliver(0) }
    world.holdsMail = false
    world.deliverAll()
    world.wait(5)
  }

  @Test(arguments: presets) func bothTapAtOnce(preset: String) throws {
    var world = try TicTacToeWorld(try rules(preset))
    world.holdsMail = true
    try world.give(.invite(1), to: 0)
    try world.give(.invite(0), to: 1)
    askTogether(&world)
    let marks = [0, 1].compactMap { world.view($0)?.mark }
    #expect(marks == (preset == "ticChatToe" ? [.o, .o] : [.x, .o]))
    world.wait(200)
    let canMove = [0, 1].contains { world.view($0)?.isMyTurn == true }
    #expect(canMove == (preset == "default"), "of two O nobody may begin")
  }

  /// The tie-break alone fixes it, with records too.
  @Test func theTieBreakWorksWithRecords() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.breaksTies = true
    var world = try TicTacToeWorld(rules)
    world.holdsMail = true
    try world.give(.invite(1), to: 0)
    try world.give(.invite(0), to: 1)
    askTogether(&world)
    #expect([0, 1].compactMap { world.view($0)?.mark } == [.x, .o])
  }

  @Test(arguments: presets) func oneAttemptInEachVisit(preset: String) throws {
    var world = try TicTacToeWorld(try rules(preset))
    world.cut = [1]
    try world.give(.invite(1), to: 0)
    world.wait(10.2)
    #expect(world.effects[0].contains(.attemptEnded(1)))
    world.cut = []
    world.wait(7)
    let refusal = world.refusal(of: .invite(1), by: 0)
    #expect(refusal?.code == (preset == "ticChatToe" ? "one-attempt" : nil))
    guard preset == "ticChatToe" else { return }
    try world.give(.leave, to: 0)
    #expect(world.refusal(of: .invite(1), by: 0) == nil)
  }

  @Test(arguments: presets) func theListAndTheGameArePolled(preset: String) throws {
    var world = try TicTacToeWorld(try rules(preset))
    world.wait(60)
    world.effects[0] = []
    world.wait(12)
    // Every 1.5 s.
    let polls = preset == "ticChatToe" ? 8 : 0
    let idle = posts(world, 0)
    for call: TicTacToeCall in [.query(.attempts), .query(.presence), .post(.presence)] {
      #expect(idle.count { $0 == call } == polls, "\(call)")
    }
    try world.give(.invite(1), to: 0)
    world.wait(3)
    world.effects[0] = []
    world.wait(12)
    let playing = posts(world, 0)
    for call: TicTacToeCall in [.query(.moves), .query(.chat)] {
      #expect(playing.count { $0 == call } == polls, "\(call)")
    }
    #expect(playing.contains(.look) == (preset == "default"))
  }

  /// The original writes its answer 16 times, so that one of them arrives.
  @Test(arguments: presets)
  func theOneWhoOpensTheGameWritesSixteenAnswers(preset: String) throws {
    let world = try TicTacToeWorld.playing(try rules(preset))
    for phone in 0...1 {
      let heard = posts(world, phone).count {
        if case .post(.attempt(_, isHeard: true)) = $0 { true } else { false }
      }
      // Whoever was asked has answered once before.
      #expect(heard == (preset == "ticChatToe" ? 16 + phone : 0))
    }
  }

  /// An attempt ends after 20 ticks of 0.5 s.
  @Test func anAttemptIsTwentyTicks() throws {
    var world = try TicTacToeWorld(.ticChatToe)
    world.cut = [1]
    world.wait(0.25)
    world.effects[0] = []
    try world.give(.invite(1), to: 0)
    while !world.effects[0].contains(.attemptEnded(1)) { world.wait(0.1) }
    #expect(posts(world, 0).count { $0 == .query(.attempts) } == 20)
  }

  // MARK: Moves

  @Test(arguments: presets) func aMoveOlderThanThirtySecondsIsLost(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    try world.give(.background, to: 1)
    try world.give(.tap(.t1), to: 0)
    world.wait(31)
    try world.give(.foreground, to: 1)
    world.wait(25)
    #expect(world.view(1)?.moves == (preset == "ticChatToe" ? [] : [Move(.x, .t1)]))
    world.wait(200)
    let canMove = [0, 1].contains { world.view($0)?.isMyTurn == true }
    #expect(canMove == (preset == "default"), "the stall is for ever")
  }

  @Test(arguments: presets) func aRequestIsSentOnce(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    world.cut = [0]
    try world.give(.tap(.t1), to: 0)
    world.wait(0.5)
    world.cut = []
    world.wait(25)
    #expect(world.view(1)?.moves == (preset == "ticChatToe" ? [] : [Move(.x, .t1)]))
    #expect(
      world.effects[0].contains { if case .lost(.post(.move)) = $0 { true } else { false } }
        == (preset == "ticChatToe"))
  }

  @Test(arguments: presets) func anOccupiedSquareIsTaken(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    try world.play([.t1])
    // Of one's own taps the original refuses it too.
    #expect(world.refusal(of: .tap(.t1), by: 1)?.code == "square-taken")
    if preset == "ticChatToe" {
      post(1, Move(.o, .t1), as: 1, &world)
    } else {
      let game = try #require(world.view(1)?.game)
      #expect(world.refusal(of: .move(game, turn: 1, Move(.o, .t1)), as: 1) == "square-taken")
    }
    world.wait(3)
    #expect(world.view(0)?.board[.t1] == (preset == "ticChatToe" ? .o : .x))
  }

  @Test(arguments: presets) func theOthersMarkIsPlayed(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    if preset == "ticChatToe" {
      // Bea's phone writes an X in her own name, before Ann has moved.
      post(0, Move(.x, .b3), as: 1, &world)
    } else {
      let game = try #require(world.view(1)?.game)
      #expect(world.refusal(of: .move(game, turn: 0, Move(.x, .b3)), as: 1) == "not-your-mark")
    }
    world.wait(6)
    #expect(world.view(0)?.board[.b3] == (preset == "ticChatToe" ? .x : nil))
    #expect(world.view(0)?.isMyTurn == (preset == "default"), "the turn is gone too")
  }

  @Test(arguments: presets) func aMoveOfTheLastGameLeaks(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    try world.play([.t1, .m1, .t2, .m2])
    try world.give(.tap(.t3), to: 0)
    let old = world.view(0)?.game ?? -1
    if preset == "ticChatToe" {
      // Bea leaves before her phone has read the last move.
      #expect(world.view(1)?.result == nil)
    } else {
      #expect(world.view(1)?.result == .won(by: .x))
    }
    try world.give(.leave, to: 0)
    try world.give(.leave, to: 1)
    world.wait(4)
    try world.give(.invite(0), to: 1)
    world.wait(6)
    #expect(world.view(1)?.mark == .x)
    if preset == "default" {
      #expect(world.refusal(of: .move(old, turn: 5, Move(.x, .b1)), as: 0) == "game-over")
    }
    #expect(world.view(1)?.moves == (preset == "ticChatToe" ? [Move(.x, .t3)] : []))
  }

  /// Game ids alone fix it, with records too.
  @Test func gameIDsWorkWithRecords() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.namesGames = true
    var world = try TicTacToeWorld.playing(rules)
    try world.play([.t1, .m1, .t2, .m2])
    try world.give(.tap(.t3), to: 0)
    try world.give(.leave, to: 0)
    try world.give(.leave, to: 1)
    world.wait(4)
    try world.give(.invite(0), to: 1)
    world.wait(6)
    #expect(world.view(1)?.mark == .x && world.view(1)?.moves == [])
    try world.give(.tap(.m2), to: 1)
    world.wait(3)
    #expect(world.view(0)?.moves == [Move(.x, .m2)])
  }

  /// Six other games of which each has four moves in the table push the move out of the newest 20.
  @Test(arguments: presets) func sixOtherGamesPushAMoveOut(preset: String) throws {
    let names = ["Ann", "Bea"] + (0..<12).map { "other \($0)" }
    var world = try TicTacToeWorld.playing(try rules(preset), names: names)
    if preset == "default" {
      for pair in 1...6 { try world.give(.invite(world.user(2 * pair + 1)), to: 2 * pair) }
      #expect(world.server.games.count == 7)
    }
    try world.give(.tap(.t1), to: 0)
    for turn in 0..<4 {
      for pair in 1...6 {
        let (x, o) = (2 * pair, 2 * pair + 1)
        let move = Move(Mark.onTurn(turn), Square.allCases[turn])
        if preset == "ticChatToe" {
          post(turn, move, as: turn % 2 == 0 ? x : o, &world)
        } else {
          try world.give(.tap(move.square), to: turn % 2 == 0 ? x : o)
        }
      }
    }
    #expect(preset == "default" || records(world, .moves).count == 25)
    world.wait(31)
    #expect(world.view(1)?.moves == (preset == "ticChatToe" ? [] : [Move(.x, .t1)]))
  }

  @Test(arguments: presets) func fiftyPeopleHideTheOthers(preset: String) throws {
    let names = (0..<56).map { "person \($0)" }
    let world = try TicTacToeWorld(try rules(preset), names: names)
    // One of the 50 newest records is one's own.
    #expect(world.phones[0].online.count == (preset == "ticChatToe" ? 49 : 55))
  }

  @Test(arguments: presets) func fiftyAttemptsHideOne(preset: String) throws {
    try expectHiddenAttempt(try rules(preset), isHidden: preset == "ticChatToe")
  }

  /// The number alone does it.
  @Test func aHigherLimitShowsTheAttempt() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.recordLimit = 1000
    try expectHiddenAttempt(rules, isHidden: false)
  }

  private func expectHiddenAttempt(_ rules: TicTacToeRules, isHidden: Bool) throws {
    let names = (0..<20).map { "person \($0)" }
    var world = try TicTacToeWorld(rules, names: names)
    world.holdsMail = true
    try world.give(.invite(1), to: 0)
    world.holdsMail = false
    world.deliverAll()
    if !rules.keepsGames {
      // The others have asked somebody lately, and every answer is a record again.
      world.server.records.removeAll { $0.content.table == .attempts }
      _ = world.ask(.post(.attempt(to: 1, isHeard: false)), as: 0)
      for number in 0..<50 {
        _ = world.ask(.post(.attempt(to: 19, isHeard: true)), as: 2 + number % 17)
      }
    }
    world.wait(9)
    #expect((world.view(1) == nil) == isHidden)
  }

  // MARK: Clocks

  @Test(arguments: presets) func aFastClockDeletesEverybodysPresence(preset: String) throws {
    var world = try TicTacToeWorld(try rules(preset), names: [], phones: 4)
    // Their timers tick one after the other.
    for (phone, name) in ["Ann", "Bea", "Cy", "Dot"].enumerated() {
      try world.give(TicTacToeWorld.registration(name), to: phone)
      world.wait(0.3)
    }
    world.wait(20)
    #expect(world.phones[1].online.count == 3)
    try world.give(.wallClock(ahead: 20_000_000_000), to: 0)
    world.wait(3)
    // Ann's phone deletes what the others wrote, and Bea's reads next.
    for _ in 0..<20 {
      world.wait(0.5)
      #expect(world.phones[1].online.count == (preset == "ticChatToe" ? 0 : 3))
    }
    if preset == "default" {
      #expect(world.refusal(of: .delete([0, 1, 2, 3]), as: 0) == "no-records")
    }
  }

  @Test(arguments: [-3600.0, -60, -20, -1.5, 1.5, 20, 60, 3600])
  func theDefaultDoesNotUseTheWallClock(ahead: Double) throws {
    var plain = try TicTacToeWorld.playing()
    var shifted = plain
    for phone in 0...1 {
      let error = Int64(ahead * 1e9) * (phone == 0 ? 1 : -1)
      try shifted.give(.wallClock(ahead: error), to: phone)
    }
    for square in [Square.t1, .m1, .t2, .m2, .t3] {
      try plain.play([square])
      try shifted.play([square])
    }
    #expect(plain.effects == shifted.effects && plain.view(0)?.result == .won(by: .x))
  }

  // MARK: One switch at a time

  /// With server time, expired records are deleted by the server, and a fast clock deletes nothing.
  @Test func serverTimeAloneFixesTheFastClock() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.usesServerTime = true
    var world = try TicTacToeWorld(rules, names: ["Ann", "Bea", "Cy"])
    try world.give(.wallClock(ahead: 20_000_000_000), to: 0)
    world.wait(20)
    #expect(world.phones.map(\.online.count) == [2, 2, 2])
    world.cut = [1]
    world.wait(9)
    #expect(records(world, .presence).map(\.author).contains(1))
    world.wait(5)
    #expect(Set(records(world, .presence).map(\.author)) == [0, 2], "the expired one is collected")
    #expect(!posts(world, 0).contains { if case .delete = $0 { true } else { false } })
  }

  @Test func repetitionAloneFixesTheSingleAttempt() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.repeatsAttempts = true
    var world = try TicTacToeWorld(rules)
    world.cut = [1]
    try world.give(.invite(1), to: 0)
    world.wait(10.2)
    world.cut = []
    world.wait(3)
    #expect(world.refusal(of: .invite(1), by: 0) == nil)
    world.wait(5)
    #expect(world.view(0)?.mark == .x)
  }

  @Test func checksAloneFixTheBoard() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.checksMoves = true
    var world = try TicTacToeWorld.playing(rules)
    try world.play([.t1])
    post(1, Move(.o, .t1), as: 1, &world)
    post(1, Move(.x, .b3), as: 1, &world)
    world.wait(3)
    #expect(world.view(0)?.moves == [Move(.x, .t1)])
    post(1, Move(.o, .b3), as: 1, &world)
    world.wait(3)
    #expect(world.view(0)?.moves.last == Move(.o, .b3))
  }

  @Test func repeatedRequestsAloneBringTheMove() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.repeatsRequests = true
    var world = try TicTacToeWorld.playing(rules)
    world.cut = [0]
    try world.give(.tap(.t1), to: 0)
    world.wait(0.5)
    world.cut = []
    world.wait(12)
    #expect(world.view(1)?.moves == [Move(.x, .t1)])
  }

  @Test func pairsAloneMakeTheChatPrivate() throws {
    var rules = TicTacToeRules.ticChatToe
    rules.chatsPerPair = true
    var world = try TicTacToeWorld.playing(rules, names: ["Ann", "Bea", "Cy", "Dot"])
    try world.give(.invite(world.user(3)), to: 2)
    world.wait(4)
    try world.give(.say("for Bea"), to: 0)
    world.wait(4)
    #expect(world.view(1)?.chat.map(\.text) == ["for Bea"] && world.view(2)?.chat == [])
  }

  // MARK: Chat

  @Test(arguments: presets) func everybodyReadsTheChat(preset: String) throws {
    var world = try TicTacToeWorld.playing(
      try rules(preset), names: ["Ann", "Bea", "Cy", "Dot"])
    try world.give(.invite(world.user(3)), to: 2)
    world.wait(3)
    try world.give(.say("for Bea"), to: 0)
    world.wait(3)
    #expect(world.view(1)?.chat.map(\.text) == ["for Bea"])
    #expect(world.view(2)?.chat.map(\.text) == (preset == "ticChatToe" ? ["for Bea"] : []))
  }

  @Test(arguments: presets) func onlyTheNewestFiveAreShown(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    for number in 1...7 {
      try world.give(.say("line \(number)"), to: number % 2)
      world.wait(2)
    }
    // What the original has read it uses one look later.
    world.wait(2)
    #expect(world.view(0)?.chat.count == (preset == "ticChatToe" ? 5 : 7))
    #expect(world.view(0)?.chat.first?.text == "line 7")
  }

  @Test(arguments: presets) func messagesAreDeletedAfterThirtySeconds(preset: String) throws {
    var world = try TicTacToeWorld.playing(try rules(preset))
    try world.give(.say("hello"), to: 0)
    world.wait(25)
    #expect(world.view(1)?.chat.count == 1)
    world.wait(10)
    #expect(world.view(1)?.chat.count == (preset == "ticChatToe" ? 0 : 1))
    #expect(preset == "default" || records(world, .chat).isEmpty)
  }
}
