import Detectors
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

@Suite struct TicTacToeClientTests {
  private func kinds(_ world: TicTacToeWorld, _ phone: Int) -> [String] {
    world.effects[phone].compactMap {
      if case .detected(let record) = $0 { "\(record.kind) \(record.place ?? -1)" } else { nil }
    }
  }

  // MARK: Presence

  @Test(arguments: [("default", 6.0...10.0), ("ticChatToe", 10.0...10.0)])
  func heartbeatsShowWhoIsThere(preset: String, limits: ClosedRange<Double>) throws {
    let rules = try #require(TicTacToeRules.preset(named: preset))
    var world = try TicTacToeWorld(rules)
    world.wait(120)
    #expect(kinds(world, 0) == [] && world.phones[0].online == [1])
    world.cut = [1]
    let start = world.now
    while kinds(world, 0).isEmpty { world.wait(0.1) }
    let silence = Double(start.nanoseconds(to: world.now)) / 1e9
    #expect(kinds(world, 0) == ["absent 1"])
    // The last heartbeat was up to 1.5 s before.
    #expect(silence > limits.lowerBound - 1.6 && silence < limits.upperBound + 0.2)
    world.cut = []
    world.wait(7)
    #expect(kinds(world, 0) == ["absent 1", "present 1"] && world.phones[0].online == [1])
  }

  @Test func aHeartbeatFollowsEveryOneAndAHalfSeconds() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy"])
    world.wait(30)
    let beats = world.effects[0].compactMap { effect -> (Beat, Int)? in
      if case .beat(let beat, let phone) = effect { (beat, phone) } else { nil }
    }
    #expect(beats.count { $0.1 == 1 } == 20 && beats.count { $0.1 == 2 } == 20)
    let sent = beats.filter { $0.1 == 1 }.map(\.0)
    for (one, next) in zip(sent, sent.dropFirst()) {
      #expect(next.counter == one.counter + 1)
      #expect(one.sent.nanoseconds(to: next.sent) == 1_500_000_000)
    }
  }

  @Test func theListHasThoseWhoCameLastFirst() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy"])
    #expect(world.phones[0].online == [2, 1])
    world.cut = [1]
    world.wait(20)
    #expect(world.phones[0].online == [2])
    world.cut = []
    world.wait(3)
    #expect(world.phones[0].online == [1, 2])
  }

  @Test func nobodyForgesAnothersHeartbeat() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy"])
    world.cut = [1]
    world.wait(20)
    #expect(world.phones[0].online == [2])
    let forged = Beat(user: 1, counter: 1000, sent: world.now)
    #expect(world.refusal(of: .beat(forged, from: 2), by: 0)?.code == "not-theirs")
    #expect(world.refusal(of: .beat(forged, from: 77), by: 0)?.code == "not-theirs")
    let unknown = Beat(user: 50, counter: 1, sent: world.now)
    #expect(world.refusal(of: .beat(unknown, from: 50), by: 0)?.code == "not-theirs")
    let own = Beat(user: 0, counter: 1, sent: world.now)
    #expect(world.refusal(of: .beat(own, from: 2), by: 0)?.code == "not-for-you")
    #expect(world.phones[0].online == [2])
    try world.give(.beat(forged, from: 1), to: 0)
    #expect(world.phones[0].online == [1, 2])
  }

  @Test func theDetectorStartsAgainAfterManyPeople() throws {
    var world = try TicTacToeWorld()
    for number in 2..<TicTacToeLimits.peers + 50 {
      let contact = Contact(user: number, name: "x", phone: number, signedIn: number)
      try world.give(.notice(TicTacToeNotice(user: 0, content: .arrived(contact))), to: 0)
      try world.give(
        .beat(Beat(user: number, counter: 0, sent: world.now), from: number), to: 0)
    }
    #expect(world.phones[0].peers.count <= TicTacToeLimits.peers)
    #expect(world.phones[0].contacts.count == TicTacToeLimits.contacts)
    #expect(world.phones[0].online.first == TicTacToeLimits.peers + 49)
  }

  // MARK: The app in the background

  @Test func aSuspendedAppDoesNothing() throws {
    var world = try TicTacToeWorld.playing()
    try world.give(.background, to: 0)
    world.effects[0] = []
    #expect(world.phones[0].deadline == nil && !world.phones[0].isWaiting)
    #expect(world.refusal(of: .tap(.t1), by: 0)?.code == "suspended")
    world.wait(30)
    #expect(world.effects[0] == [])
    try world.give(.foreground, to: 0)
    world.wait(6)
    #expect(world.view(0)?.result == nil && world.phones[0].online == [1])
    try world.give(.tap(.t1), to: 0)
    #expect(world.view(1)?.moves == [Move(.x, .t1)])
  }

  // MARK: Turns

  @Test func aMoveIsRepeatedUntilItIsAcknowledged() throws {
    var world = try TicTacToeWorld.playing()
    world.cut = [0]
    try world.give(.tap(.t1), to: 0)
    #expect(world.phones[0].pendingMove == Move(.x, .t1))
    #expect(world.phones[0].shownBoard?[.t1] == .x && world.view(0)?.moves == [])
    #expect(world.refusal(of: .tap(.t2), by: 0)?.code == "wait")
    world.wait(20)
    world.cut = []
    world.wait(10)
    #expect(world.phones[0].pendingMove == nil && world.view(0)?.moves == [Move(.x, .t1)])
    #expect(world.view(1)?.moves == [Move(.x, .t1)])
    #expect(world.refusal(of: .tap(.t2), by: 0)?.code == "not-your-turn")
    let sent = world.effects[0].count {
      if case .send(let request) = $0, case .move = request.call { true } else { false }
    }
    #expect(sent > 3)
    #expect(world.server.games[0].moves.count == 1)
  }

  /// Notices arrive in any order; the board never goes back.
  @Test func aLateNoticeChangesNothing() throws {
    var world = try TicTacToeWorld.playing()
    world.holdsMail = true
    try world.give(.tap(.t1), to: 0)
    world.deliver(0)
    // The notice to Bea waits.
    let late = world.mail.firstIndex { if case .toPhone(.notice, 1) = $0 { true } else { false } }
    let kept = world.mail.remove(at: try #require(late))
    world.holdsMail = false
    world.deliverAll()
    world.wait(6)
    try world.give(.tap(.m1), to: 1)
    #expect(world.view(1)?.turn == 2)
    world.mail.append(kept)
    world.deliverAll()
    #expect(world.view(1)?.turn == 2)
    #expect(!world.effects[1].contains { if case .wentBack = $0 { true } else { false } })
  }

  // MARK: Late messages

  private func notice(_ view: GameView) -> TicTacToeClient.Input {
    .notice(TicTacToeNotice(user: 0, content: .game(view)))
  }

  /// A notice of an ended game that arrives after it was closed does not open it again.
  @Test func aLateNoticeOpensNoClosedGame() throws {
    var world = try TicTacToeWorld.playing()
    let open = try #require(world.view(0))
    try world.play([.t1, .m1, .t2, .m2, .t3])
    try world.give(.leave, to: 0)
    #expect(world.view(0) == nil)
    world.effects[0] = []
    try world.give(notice(open), to: 0)
    #expect(world.view(0) == nil && world.effects[0] == [])
    world.wait(12)
    #expect(world.view(0) == nil)
  }

  /// A notice of the game before does not replace the one whose result is shown.
  @Test func aLateNoticeReplacesNoNewerGame() throws {
    var world = try TicTacToeWorld.playing()
    let first = try #require(world.view(0))
    try world.play([.t1, .m1, .t2, .m2, .t3])
    try world.give(.rematch, to: 1)
    try world.play([.t1, .m1, .t2, .m2, .t3])
    let second = try #require(world.view(0))
    #expect(second.result != nil && second.game != first.game)
    try world.give(notice(first), to: 0)
    #expect(world.view(0) == second)
  }

  /// A server from before a game's end knows it as open: the answer to a look opens it again.
  @Test func theAnswerOfAServerThatWentBackOpensAClosedGame() throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.t1, .m1])
    let old = world.server
    try world.play([.t2, .m2, .t3])
    try world.give(.leave, to: 0)
    #expect(world.view(0) == nil)
    world.server = old
    world.wait(12)
    #expect(world.view(0)?.turn == 2 && world.view(0)?.result == nil)
  }

  /// The server goes back from revision 3 to 2, and another move brings it to 3 again: the phone that
  /// knows the first revision 3 sees the second one, not only after the next move.
  @Test(arguments: [true, false]) func anEqualRevisionWithAnotherBoardIsTaken(isCut: Bool) throws {
    var world = try TicTacToeWorld.playing()
    try world.play([.t1, .m1])
    let old = world.server
    try world.play([.t2])
    // Ann's phone knows three moves. The server forgets the third, and Ann, on another phone of hers
    // with other software, plays another one.
    world.server = old
    let game = try #require(world.view(0)?.game)
    if isCut { world.cut = [1] }
    #expect(world.refusal(of: .move(game, turn: 2, Move(.x, .b3)), as: 0) == nil)
    #expect(world.server.games[0].revision == world.view(1)?.revision)
    world.cut = []
    #expect(world.view(1)?.moves.last == Move(.x, .t2))
    world.wait(6)
    let moves = [Move(.x, .t1), Move(.o, .m1), Move(.x, .b3)]
    #expect(world.view(1)?.moves == moves)
    #expect(world.effects[1].contains { if case .wentBack = $0 { true } else { false } })
    world.wait(6)
    #expect(world.view(0)?.moves == moves)
  }

  @Test func whatIsForSomebodyElseIsRefused() throws {
    var world = try TicTacToeWorld.playing()
    let notice = TicTacToeNotice(user: 1, content: .signedOut("x"))
    #expect(world.refusal(of: .notice(notice), by: 0)?.code == "not-for-you")
    let reply = TicTacToeReply(stamp: RequestStamp(epoch: 0, number: 3), result: .answer(.done))
    #expect(world.refusal(of: .reply(reply), by: 0)?.code == "not-asked")
    #expect(world.refusal(of: .ask(.look), by: 0)?.code == "not-here")
    #expect(
      world.refusal(of: TicTacToeWorld.registration("Cy"), by: 0)?.code == "signed-in")
  }
}
