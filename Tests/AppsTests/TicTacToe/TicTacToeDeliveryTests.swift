import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// What the network does to games and heartbeats. RandomRunTests plays the bad networks.
@Suite struct TicTacToeDeliveryTests {
  /// A dead network: nobody can register, and the log says nothing false.
  @Test func aDeadNetworkHasNoGames() throws {
    var network = NetworkConditions()
    network.loss = 1
    let run = try TicTacToeRun(
      [TicTacToeRun.trace(1, duration: 60)], network: NetworkSetup(network))
    #expect(run.value("games") == 0 && run.value("move_delay_p50") == nil)
    #expect(run.events.isEmpty && run.simulation.detections.isEmpty)
  }

  /// A server that is cut off stops the games and not the heartbeats.
  @Test func heartbeatsDoNotNeedTheServer() throws {
    let trace = try TicTacToeRun.trace(1, duration: 150)
    let plain = try TicTacToeRun([trace])
    let cut = ExchangeFault.cut(
      .server, from: .zero.advanced(bySeconds: 20), to: .zero.advanced(bySeconds: 150))
    let run = try TicTacToeRun([trace], network: NetworkSetup(faults: [cut]))
    #expect(run.simulation.detections == plain.simulation.detections)
    #expect(try #require(run.value("games")) < (try #require(plain.value("games"))))
    #expect(run.simulation.metFaults == [cut])
  }

  /// The forged call, whatever it is, never reaches a game that is not the caller's.
  @Test func theStatesOfTwoGamesDoNotMix() throws {
    var world = try TicTacToeWorld(names: ["Ann", "Bea", "Cy", "Dot"])
    try world.give(.invite(1), to: 0)
    try world.give(.invite(3), to: 2)
    try world.give(.tap(.t1), to: 0)
    try world.give(.tap(.b3), to: 2)
    #expect(world.view(1)?.moves == [Move(.x, .t1)] && world.view(3)?.moves == [Move(.x, .b3)])
    let game = try #require(world.view(0)?.game)
    #expect(world.refusal(of: .move(game, turn: 1, Move(.o, .t2)), as: 3) == "not-your-game")
    #expect(world.refusal(of: .hear(0), as: 3) == nil, "one's own open game is the answer")
    #expect(world.server.games.map(\.moves.count) == [1, 1])
  }
}
