import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// Under the default no message, cut, restart or clock breaks an invariant, and every game ends by
/// the board or by a rule.
@Suite struct TicTacToeDeliveryTests {
  static var seeds: ClosedRange<UInt64> { 1...LongTests.count(quick: 8, long: 60) }

  private static func network(_ seed: UInt64) -> NetworkSetup {
    var random = SeededGenerator(seed: seed)
    var conditions = NetworkConditions()
    conditions.delay = random.uniform(0...0.4)
    conditions.jitter = random.uniform(0...1.5)
    conditions.loss = random.uniform(0...0.4)
    conditions.duplication = random.uniform(0...0.4)
    conditions.seed = seed
    func instant() -> TraceInstant { .zero.advanced(bySeconds: random.uniform(5...200)) }
    var faults: [ExchangeFault] = []
    for _ in 0..<3 {
      let start = instant()
      let endpoint: Endpoint = random.unit() < 0.3 ? .server : .phone(Int(random.unit() * 2))
      faults.append(
        .cut(endpoint, from: start, to: start.advanced(bySeconds: random.uniform(1...80))))
      faults.append(
        .clock(
          phone: Int(random.unit() * 2), at: instant(),
          by: random.unit() < 0.5 ? 60_000_000_000 : -3_600_000_000_000))
    }
    return NetworkSetup(conditions, faults: faults)
  }

  private func expectNoStall(_ run: TicTacToeRun, _ seed: UInt64) {
    for name in SimulatedTicTacToe.faultCounts {
      #expect(run.value(name) == 0, "seed \(seed): \(name)")
    }
    #expect(run.simulation.server.games.allSatisfy { $0.result != nil }, "seed \(seed)")
  }

  @Test(.longer, arguments: seeds) func everyGameEndsOnABadNetwork(seed: UInt64) throws {
    let traces = try [1, 2].map { try TicTacToeRun.trace($0, duration: 240, peers: 3) }
    let run = try TicTacToeRun(
      traces, network: TicTacToeDeliveryTests.network(seed), seed: seed)
    expectNoStall(run, seed)
    #expect(run.simulation.networkCounts.sent > 1000)
    #expect(try #require(run.value("games")) > 0, "seed \(seed)")
    let server = run.simulation.server
    #expect(server.accounts.reduce(0) { $0 + $1.wins } == server.decidedGames)
  }

  @Test(.longer, arguments: seeds) func everyGameEndsAfterRestarts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1000)
    var setup = TicTacToeDeliveryTests.network(seed)
    setup.faults = []
    (setup.conditions.loss, setup.conditions.jitter) = (0.1, 0.3)
    for endpoint in [Endpoint.phone(0), .phone(1), .server] {
      for _ in 0..<2 {
        let time = TraceInstant.zero.advanced(bySeconds: random.uniform(10...200))
        let age = Int64(random.uniform(0...60) * 1e9)
        setup.faults.append(
          .restart(endpoint, at: time, random.unit() < 0.5 ? .new : .age(age)))
      }
    }
    let traces = try [1, 2].map { try TicTacToeRun.trace($0, duration: 240, peers: 3) }
    let run = try TicTacToeRun(traces, network: setup, seed: seed)
    expectNoStall(run, seed)
    #expect(run.kinds("restart").count == 6)
    #expect(run.simulation.metFaults.count == 6)
  }

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
