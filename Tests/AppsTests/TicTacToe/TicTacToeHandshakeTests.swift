import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

@Suite struct TicTacToeHandshakeTests {
  @Test func theCallerPlaysXAndTheOneWhoHearsO() throws {
    var world = try TicTacToeWorld()
    world.holdsMail = true
    try world.give(.invite(0), to: 1)
    #expect(world.refusal(of: .invite(0), by: 1)?.code == "asking")
    world.deliver(0)
    // Heard = false: there is an attempt, and no game.
    #expect(world.server.attempts.map(\.from) == [1] && world.server.games.isEmpty)
    world.deliverAll()
    #expect(world.server.attempts.isEmpty)
    #expect(world.view(1)?.mark == .x && world.view(0)?.mark == .o)
    #expect(world.view(1)?.isMyTurn == true && world.view(0)?.isMyTurn == false)
  }

  /// Both ask at once: every order in which the messages can arrive opens one game.
  @Test func everyOrderOfTwoAttemptsOpensOneGame() throws {
    var start = try TicTacToeWorld()
    start.holdsMail = true
    try start.give(.invite(1), to: 0)
    try start.give(.invite(0), to: 1)
    var open = [start]
    var ends = 0
    var marks: Set<[Mark]> = []
    while let world = open.popLast() {
      guard !world.mail.isEmpty else {
        ends += 1
        var world = world
        world.holdsMail = false
        world.wait(12)
        let views = [0, 1].compactMap { world.view($0) }
        #expect(views.count == 2 && views[0].game == views[1].game)
        #expect(views.map(\.mark) == [.x, .o] || views.map(\.mark) == [.o, .x])
        #expect(world.server.games.count == 1)
        marks.insert(views.map(\.mark))
        continue
      }
      for position in world.mail.indices {
        var next = world
        next.deliver(position)
        open.append(next)
      }
    }
    #expect(ends > 20, "\(ends) orders")
    // The lower number calls if both attempts meet; an attempt that is heard first decides itself.
    #expect(marks.contains([.x, .o]))
  }

  /// The same with a lost message: the phones repeat, and one game opens.
  @Test(arguments: 0..<8) func aLostMessageOnlyDelaysTheGame(lost: Int) throws {
    var world = try TicTacToeWorld()
    world.holdsMail = true
    try world.give(.invite(1), to: 0)
    try world.give(.invite(0), to: 1)
    for number in 0..<200 where !world.mail.isEmpty {
      if number == lost { world.mail.removeFirst() } else { world.deliver(0) }
    }
    world.holdsMail = false
    world.wait(20)
    #expect(Set([0, 1].compactMap { world.view($0)?.mark }) == [.x, .o])
    #expect(world.server.games.count == 1)
  }

  @Test func anAttemptEndsAfterTenSecondsAndCanBeRepeated() throws {
    var world = try TicTacToeWorld()
    world.cut = [1]
    try world.give(.invite(1), to: 0)
    world.wait(9.9)
    #expect(
      world.refusal(of: .invite(1), by: 0)?.code == "asking" || !world.phones[0].online.contains(1))
    world.wait(0.2)
    #expect(world.effects[0].contains(.attemptEnded(1)))
    world.cut = []
    world.wait(9)
    #expect(world.view(0) == nil && world.server.games.isEmpty, "an ended attempt opens no game")
    try world.give(.invite(1), to: 0)
    #expect(world.view(0)?.mark == .x && world.view(1)?.mark == .o)
  }

  @Test func whoIsNotOnTheListCannotBeAsked() throws {
    var world = try TicTacToeWorld()
    #expect(world.refusal(of: .invite(7), by: 0)?.code == "not-online")
    #expect(world.refusal(of: .invite(0), by: 0)?.code == "not-online")
    world.cut = [1]
    world.wait(12)
    #expect(world.refusal(of: .invite(1), by: 0)?.code == "not-online")
    #expect(world.refusal(of: .inviteAnyone(draw: 3), by: 0)?.code == "nobody-online")
  }

  /// The draw is an input: equal draws choose equal people, and every person can be chosen.
  @Test func aRandomOpponentIsTheOneOfTheDraw() throws {
    let world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy", "Dot"])
    var chosen: [UserID] = []
    for draw in [0, 1, 2, 3, UInt64.max] {
      var next = world
      try next.give(.inviteAnyone(draw: draw), to: 0)
      chosen.append(next.view(0)?.opponent ?? -1)
    }
    #expect(chosen == [3, 2, 1, 3, 3] && world.phones[0].online == [3, 2, 1])
  }
}
