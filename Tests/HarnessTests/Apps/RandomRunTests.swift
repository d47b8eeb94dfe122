import Detectors
import Evaluation
import TestSupport
import Testing
import TraceFormats
import TraceModel

@testable import AppEngines
@testable import FightApp

/// Random runs of all apps under loss, duplication, delay, reordering, cuts, clock faults and
/// restarts. `make soak` makes 100,000.
@Suite struct RandomRunTests {
  /// What is played: the program makes it in no time.
  private static let made = MadeFiles(
    [
      ("fight", [1, 2], ""), ("route", [1, 5], ""), ("track-run", [1, 2, 3], ""),
      ("presence", [1], " --duration 150s"), ("drags", [1, 2], " --duration 120s"),
    ].flatMap { kind, subjects, options in
      subjects.map {
        "synth \(kind) --subject \($0) --seed 3 -o \(kind)-\($0).h5\(options)"
      }
    })

  private static func files(_ app: String) -> [String] {
    switch app {
    case "fight", "planted-fight": ["fight-1.h5", "fight-2.h5"]
    case "hike": ["route-1.h5", "route-5.h5"]
    // Of three, the last is a stranger to the others.
    case "workout": ["track-run-1.h5", "track-run-2.h5", "track-run-3.h5"]
    case "tictactoe": ["presence-1.h5"]
    default: ["drags-1.h5", "drags-2.h5"]
    }
  }

  private static func shrinking(_ app: String) throws -> FaultShrinking {
    let choice = try AppChoice(app, of: AppCatalog(Program.apps + [PlantedFight.self]))
    let scratch = try Scratch()
    try made.copy(to: scratch)
    let traces = try files(choice.app.name).map { try NativeTrace.read(scratch.path($0)) }
    return try FaultShrinking(
      choice, PlayedTraces(traces.map { .init(trace: $0, start: .zero) }),
      AppOptions(script: PersonScript()), watching: [])
  }

  private struct Tally: Decodable {
    struct Kind: Decodable {
      var name: String
      var runs: Int
    }
    var runs: Int
    var brokenRuns: Int
    var kinds: [Kind]
  }

  /// The program's count of what breaks in the networks of the first seeds.
  private static func tally(
    _ app: String, _ count: Int, _ options: [String] = []
  ) throws -> Tally {
    let scratch = try Scratch()
    try made.copy(to: scratch)
    let name = app.split(separator: "/").first.map(String.init) ?? app
    let outcome = try Program.run(
      ["shrink", "--app", app, "--policy", "--together", "--search", "\(count)", "--count"]
        + ["--threads", "2", "--format", "json"] + options + files(name), in: scratch.url)
    let tally = try outcome.decoded(Tally.self)
    #expect(outcome.status == (tally.brokenRuns > 0 ? 2 : 0), "\(outcome)")
    return tally
  }

  /// 125 runs in all, in the long form 2,000: nothing breaks, and each game ends by a rule.
  @Test(.longer, arguments: ["fight", "hike", "workout", "tictactoe", "pictureguess"])
  func nothingBreaksUnderTheDefault(app: String) throws {
    let count = LongTests.count(quick: 25, long: 400)
    let tally = try Self.tally(app, count)
    #expect(tally.runs == count && tally.brokenRuns == 0, "\(tally.kinds)")
    #expect(tally.kinds.count > 1 && tally.kinds.allSatisfy { $0.runs == 0 })
  }

  /// Nothing breaks either if people decide anything at any time.
  @Test(.longer, arguments: ["fight", "hike", "workout", "tictactoe", "pictureguess"])
  func nothingBreaksWhateverPeopleDecide(app: String) throws {
    let count = LongTests.count(quick: 5, long: 400)
    let tally = try Self.tally(app, count, ["--decisions", "random"])
    #expect(tally.runs == count && tally.brokenRuns == 0, "\(tally.kinds)")
  }

  /// The networks are bad in every way: 25 runs meet each kind of fault.
  @Test(arguments: ["fight", "hike", "workout", "tictactoe", "pictureguess"])
  func everyFaultIsMet(app: String) async throws {
    let shrinking = try Self.shrinking(app)
    var unmet = Set(ExchangeFault.Kind.allCases)
    for first in stride(from: UInt64(1), to: 25, by: 2) where !unmet.isEmpty {
      let tally = try await shrinking.tally(first...first + 1, threads: 2)
      #expect(tally.runs == 2 && tally.broken == 0, "\(tally.kinds)")
      unmet.subtract(tally.met.filter { $0.runs > 0 }.map(\.fault))
    }
    #expect(unmet.isEmpty, "no run met \(unmet)")
  }

  /// However many run before their results are counted.
  @Test func countsDoNotDependOnTheParts() async throws {
    let shrinking = try Self.shrinking("fight/hitThat")
    let whole = try await shrinking.tally(1...7, threads: 2)
    let parts = try await shrinking.tally(1...7, threads: 2, atATime: 3)
    #expect(whole.broken > 0 && whole.runs == 7)
    #expect("\(parts)" == "\(whole)")
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
  ]) func theOriginalsBreak(app: String, counts: [String]) throws {
    let tally = try Self.tally(app, app == "hike/goHike" ? 100 : 20)
    let seen = tally.kinds.filter { $0.runs > 0 }.map(\.name)
    #expect(Set(seen).isSuperset(of: counts), "\(app): in \(tally.runs) runs only \(seen)")
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
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] { SimulatedFight.parameters(by: rules, for: header) }

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
