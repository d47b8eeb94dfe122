import Detectors
import Evaluation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// Random runs of all apps under loss, duplication, delay, reordering, cuts, clock faults and
/// restarts. `make soak` makes 100,000.
@Suite struct RandomRunTests {
  private static func traces(_ app: String) throws -> [Trace] {
    let scenarios: [(ScenarioKind, Int, Double?)] =
      switch app {
      case "fight", "planted-fight": [(.fight, 1, nil), (.fight, 2, nil)]
      case "hike": [(.route, 1, nil), (.route, 2, nil)]
      // Of three, the last is a stranger to the others.
      case "workout": [(.trackRun, 1, nil), (.trackRun, 2, nil), (.trackRun, 3, nil)]
      case "tictactoe": [(.presence, 1, 150)]
      default: [(.drags, 1, 120), (.drags, 2, 120)]
      }
    return try scenarios.map { kind, subject, duration in
      let spec = try ScenarioSpec(kind: kind, subject: subject, seed: 3, duration: duration)
      return Synthesizer.trace(spec)
    }
  }

  private static func shrinking(_ app: String) throws -> FaultShrinking {
    let choice = try AppChoice(app, of: AppCatalog(Program.apps + [PlantedFight.self]))
    return try FaultShrinking(
      choice, PlayedTraces(traces(choice.app.name).map { .init(trace: $0, start: .zero) }),
      AppOptions(script: PersonScript()), watching: [])
  }

  /// 125 runs in all, in the long form 2,000: nothing breaks, and each game ends by a rule.
  @Test(.longer, arguments: ["fight", "hike", "workout", "tictactoe", "pictureguess"])
  func nothingBreaksUnderTheDefault(app: String) async throws {
    let count = LongTests.count(quick: UInt64(25), long: 400)
    let tally = try await Self.shrinking(app).tally(1...count, threads: 2)
    #expect(tally.runs == Int(count) && tally.broken == 0, "\(tally.kinds)")
    for (fault, runs) in tally.met { #expect(runs > 0, "no run met \(fault)") }
  }

  /// The original rules break in the same networks, so the counts can be other than 0.
  @Test(arguments: [
    (
      "fight/hitThat",
      ["stamina_rises", "wins_counted_twice", "moves_out_of_turn", "unended_fights"]
    ),
    ("hike/goHike", ["check_ins_lost"]), ("hike/freeOrder", ["visits_out_of_order"]),
    ("tictactoe/ticChatToe", ["stalled_games", "lost_moves", "lost_chat_lines"]),
    ("pictureguess/iPict", ["double_guesses", "missed_arrivals", "readable_answers"]),
    ("workout/tri", ["workouts_lost", "wrong_weeks", "tracks_to_strangers"]),
  ]) func theOriginalsBreak(app: String, counts: [String]) async throws {
    let last: UInt64 = app == "hike/goHike" ? 100 : 20
    let shrinking = try Self.shrinking(app)
    var unseen = Set(counts)
    for first in stride(from: 1, to: last, by: 5) where !unseen.isEmpty {
      let tally = try await shrinking.tally(first...first + 4, threads: 2)
      unseen.subtract(tally.kinds.filter { $0.runs > 0 }.map(\.name))
    }
    #expect(unseen.isEmpty, "\(app): in \(last) runs no \(unseen)")
  }

  /// A server that does not check the turn: only phones do. A phone that is restored from before its
  /// punch moves twice. It is found, reproduced by its seed, and reduced to a few faults.
  @Test(.longer) func aPlantedDoubleMoveIsFoundAndShrunk() throws {
    let shrinking = try Self.shrinking("planted-fight/double-move")
    let found = try #require(try shrinking.search(1...300))
    #expect(found.broken.findings.allSatisfy { $0.contains("moves out of turn") })
    let again = try #require(try shrinking.search(found.seed...found.seed))
    #expect(again.broken.faults == found.broken.faults)
    // Hundreds of runs, in the long run alone.
    guard LongTests.areWanted else { return }
    let reduced = try shrinking.reduce(found.broken)
    let faults = reduced.broken.faults
    #expect((1...10).contains(faults.count) && reduced.originalCount >= faults.count)
    for index in faults.indices {
      var fewer = faults
      fewer.remove(at: index)
      #expect(try shrinking.check(reduced.broken.network, fewer) == nil)
    }
  }

  /// A server that forgets what it has acknowledged is found without any fault of the network.
  @Test func aPlantedLossIsFound() throws {
    let broken = try #require(
      try Self.shrinking("planted-fight/forgets").check(NetworkConditions(), []))
    #expect(broken.findings.contains { $0.hasPrefix("hits lost: ") }, "\(broken.findings)")
    #expect(broken.faults == [])
  }
}

/// A fight with a fault: a server that does not check the turn, or a server that forgets.
private struct PlantedFight: AppSimulation {
  static let name = "planted-fight"
  static let summary = SimulatedFight.summary
  static let legend = SimulatedFight.legend
  static let presets = [
    AppPreset("double-move", summary: ""), AppPreset("forgets", summary: ""),
  ]
  static let peopleCount = SimulatedFight.peopleCount
  static let channel = SimulatedFight.channel
  static let furtherChannels = SimulatedFight.furtherChannels
  static let task = SimulatedFight.task
  static let faultCounts = ["moves_out_of_turn", "hits_lost"]

  static func parameters(
    of preset: String, for header: TraceHeader
  ) -> [ResolvedParameter] { SimulatedFight.parameters(of: preset, for: header) }

  private var fight: SimulatedFight
  private let forgets: Bool
  private var oldServer: FightAuthority?

  init(_ setup: AppSetup) throws(TraceError) {
    fight = try SimulatedFight(setup)
    forgets = setup.preset == "forgets"
    guard !forgets else { return }
    var rules = FightRules.default
    rules.enforcesTurns = false
    fight.server = FightAuthority(rules: rules)
  }

  mutating func take(_ reading: Reading) { fight.take(reading) }
  var deadline: TraceInstant? { fight.deadline }
  mutating func advance(to now: TraceInstant) {
    fight.advance(to: now)
    if oldServer == nil, fight.server.fights.first?.bout.moves == 1 { oldServer = fight.server }
  }
  mutating func finish(device: DeviceID, at end: TraceInstant) {
    fight.finish(device: device, at: end)
    if forgets, let oldServer { fight.server = oldServer }
  }
  mutating func close(at end: TraceInstant) { fight.close(at: end) }
  mutating func takeEvents() -> [AppEvent] { fight.takeEvents() }
  var detections: [DetectionRecord] { fight.detections }
  var outcomes: [AppOutcome] { fight.outcomes }
  var violations: [String] { fight.violations }
  var metFaults: [ExchangeFault] { fight.metFaults }
  var drawnFaults: [ExchangeFault] { fight.drawnFaults }
}
