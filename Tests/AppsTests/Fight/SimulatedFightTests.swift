import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct SimulatedFightTests {
  typealias Run = AppRun<SimulatedFight>

  static let fight = [1, 2].compactMap { subject in
    (try? ScenarioSpec(kind: .fight, subject: subject)).map(MadeTraces.trace)
  }

  private static let fightReadings = Run.readings(fight)

  /// The fight on an ideal network, by preset, each played once.
  private static let played = Swift.Result {
    try Dictionary(
      uniqueKeysWithValues: FightFaultTests.presets.map { ($0, try play(fight, preset: $0)) })
  }

  static func plain(_ preset: String = "default") throws -> Run {
    try #require(played.get()[preset])
  }

  static func play(
    _ traces: [Trace], preset: String = "default", rules: FightRules? = nil,
    script: PersonScript? = nil, network: NetworkConditions = NetworkConditions(),
    faults: [ExchangeFault] = [], seed: UInt64 = 1, note: (SimulatedFight) -> Void = { _ in }
  ) throws -> Run {
    var setup = AppSetup(
      preset: preset, people: traces.map { AppSetup.Person(header: $0.header) },
      script: script, network: NetworkSetup(network, faults: faults), seed: seed)
    setup.rules = rules
    let isFight = traces.map(\.header) == fight.map(\.header)
    return try Run(traces, setup, readings: isFight ? fightReadings : nil, note: note)
  }

  /// The rules of a preset, where a hold out of turn listens.
  private static func listening(_ preset: String) throws -> FightRules {
    var rules = try #require(FightRules.preset(named: preset))
    rules.holdOutOfTurn = .listens
    return rules
  }

  @Test func theSyntheticFightIsWonByTheRules() throws {
    let result = try SimulatedFightTests.plain()
    #expect(result.simulation.outcomes.first?.text == "sim01")
    #expect(result.value("winner") == 0)
    // In the time of the traces.
    let duration = try #require(result.value("fight_duration"))
    #expect(duration > 30 && duration < 120)
    // Both swing once out of turn, and that does not count.
    #expect(result.value("punches_refused", of: 0) == 1)
    #expect(result.value("punches_refused", of: 1) == 1)
    #expect(result.value("wins_counted", of: 0) == 1)
    #expect(result.value("wins_counted", of: 1) == 0)
    #expect(result.value("stamina_left", of: 1) == 0)
    for person in 0...1 {
      let (hits, swings) = (
        try #require(result.value("hits", of: person)),
        try #require(result.value("swings", of: person))
      )
      #expect(swings == hits + 1)
      #expect(result.value("hits_per_swing", of: person) == hits / swings)
      // A punch is measured to a percent of the bar, for none is beyond the sensor's 8 g and 16 g.
      #expect(result.value("hits_beyond_sensor_range", of: person) == 0)
      #expect(try #require(result.value("damage_error_of_full_bar", of: person)) < 1)
    }
    let odds = [0, 1].compactMap { result.value("odds_of_made_up_profiles", of: $0) }
    #expect(odds.count == 2 && abs(odds.reduce(0, +) - 100) < 1e-9)
    // Turn by turn.
    let hits = result.kinds("hit").map(\.person.index)
    #expect(hits == hits.indices.map { $0 % 2 })
    // The detections are all of the trace's punches, those after the end too.
    let punches = SimulatedFightTests.fight.reduce(0) {
      $0 + ($1.header.reference(.punch)?.events.count ?? 0)
    }
    #expect(result.simulation.detections.count == punches)
  }

  /// Each detection is the reference's punch next to it, by class and by kind.
  @Test(arguments: FightFaultTests.presets)
  func detectionsAreStraightPunchesAndUppercuts(preset: String) throws {
    let result = try SimulatedFightTests.plain(preset)
    var agreeing = 0
    for record in result.simulation.detections {
      let events = SimulatedFightTests.fight[record.device.index].header.reference(.punch)?.events
      let nearest = try #require(
        events?.min {
          abs($0.onset.nanoseconds(to: record.onset)) < abs($1.onset.nanoseconds(to: record.onset))
        })
      #expect(abs(nearest.onset.nanoseconds(to: record.onset)) < 300_000_000)
      #expect(record.kind == "punch" && ["straight", "uppercut"].contains(record.label))
      if record.label == nearest.label, record.originalLabel == nearest.originalLabel {
        agreeing += 1
      }
    }
    #expect(result.simulation.detections.count > 15)
    // The original names some by the swing and not by its stop.
    #expect(preset == "hitThat" || agreeing == result.simulation.detections.count)
  }

  @Test func theSameFightByHitThatsRules() throws {
    let result = try SimulatedFightTests.plain("hitThat")
    #expect(result.simulation.outcomes.first?.text == "sim01")
    // Who holds the button out of turn throws no punch; the win counts twice; no odds.
    #expect(!result.kinds("hold-refused").isEmpty && result.value("moves_out_of_turn") == 0)
    #expect(result.value("wins_counted", of: 0) == 2)
    #expect(result.value("odds_of_made_up_profiles", of: 0) == nil)
    // The first sample over the threshold is far from the peak.
    let error = try #require(result.value("damage_error_of_full_bar", of: 0))
    #expect(error > 4)
    let bias = try #require(result.value("damage_bias_of_full_bar", of: 0))
    #expect(bias < -4)
  }

  @Test func theLogTellsTheFight() throws {
    let events = try SimulatedFightTests.plain().events
    #expect(
      events.prefix(5).map(\.kind) == ["sign-in", "sign-in", "offer", "versus", "challenge"])
    let hit = try #require(events.first { $0.kind == "hit" })
    #expect(hit.text.hasPrefix("hits sim02 with a jab: 1"))
    #expect(hit.text.contains(" % damage, sim02 has 8"))
    #expect(hit.unit == "%" && hit.value.map { $0 > 10 && $0 < 20 } == true)
    let refused = try #require(events.first { $0.kind == "refused" })
    #expect(
      refused.text == "punches, but it does not count: the app says “wait your turn”")
    // The log marks the odds as those of simulated people.
    #expect(
      events[0].text
        == "signs in, fills in a simulated profile and will hold the button as the trace says")
    #expect(events[3].text.hasPrefix("compares the simulated profiles: ahead in "))
    #expect(events[3].text.contains("; behind in "))
    #expect(events[3].text.contains("; by that, odds of "))
    let won = try #require(events.first { $0.kind == "won" })
    #expect(won.text.hasPrefix("knocks sim02 out and wins the fight after "))
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  /// Hard punches are beyond the 8 g of the first person's phone: the damage is too small by what
  /// the sensor cuts off, and the outcome says at how many hits.
  @Test func whatTheSensorCutsOffIsCounted() throws {
    let specs = try [1, 3].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 60) }
    let traces = specs.map(MadeTraces.trace)
    let result = try SimulatedFightTests.play(traces, script: PersonScript())
    let beyond = try #require(result.value("hits_beyond_sensor_range", of: 0))
    #expect(beyond > 0 && beyond <= result.value("hits", of: 0) ?? 0)
    let error = try #require(result.value("damage_error_of_full_bar", of: 0))
    #expect(error > 10 && result.value("damage_bias_of_full_bar", of: 0) == -error)
  }

  /// A name that no profile takes does not keep its person from the fight.
  @Test func anyNameCanFight() throws {
    let long = "a" + String(repeating: "\u{301}", count: 200)
    let people = [long, ""].map {
      AppSetup.Person(header: TraceHeader(id: "x", origin: .synthetic), name: $0)
    }
    var simulation = try SimulatedFight(AppSetup(preset: "default", people: people))
    while let due = simulation.deadline, due.seconds < 2 { simulation.advance(to: due) }
    #expect(simulation.takeEvents().map(\.kind).contains("challenge"))
  }

  @Test func aDeadNetworkIsToldOf() throws {
    var network = NetworkConditions()
    network.loss = 1
    let result = try SimulatedFightTests.play(
      [1, 2].map { MadeTraces.trace(try ScenarioSpec(kind: .punches, subject: $0, duration: 10)) },
      network: network)
    #expect(result.events.map(\.text) == ["no fight: the two people did not meet"])
    #expect(result.simulation.outcomes.first?.text == "nobody")
  }

  /// The original on a slow network, without its refusal of holds out of turn: a write that counts from
  /// before the last hit undoes the win. Log and outcomes follow, so that there is no duration of a fight
  /// that is not over.
  @Test(arguments: FightFaultTests.presets) func aStaleWriteTakesTheWinAway(preset: String) throws {
    var network = NetworkConditions()
    network.delay = 1.5
    let specs = try [5, 6].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 60) }
    let isOriginal = preset == "hitThat"
    let result = try SimulatedFightTests.play(
      specs.map(MadeTraces.trace), rules: Self.listening(preset), network: network)
    #expect(result.kinds("reopened").isEmpty != isOriginal)
    #expect((result.value("winner") == nil) == (result.value("fight_duration") == nil))
    #expect((result.value("winner") == nil) == isOriginal)
    guard isOriginal else { return }
    #expect(result.kinds("undecided").count == 1)
    // Who hits after that hits in a fight that is on.
    let won = try #require(result.events.firstIndex { $0.kind == "won" })
    let reopened = try #require(result.events.firstIndex { $0.kind == "reopened" })
    #expect(won < reopened)
    let last = try #require(result.events.lastIndex { $0.kind == "reopened" })
    #expect(!result.events[last...].contains { $0.kind == "late" })
  }

  @Test func equalSetupsGiveEqualLogs() throws {
    let specs = try [1, 3].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 30) }
    let traces = specs.map(MadeTraces.trace)
    var script = PersonScript()
    script.spread = 0.3
    let first = try SimulatedFightTests.play(traces, script: script)
    let second = try SimulatedFightTests.play(traces, script: script)
    #expect(first.events == second.events && !first.events.isEmpty)
    #expect(first.simulation.detections == second.simulation.detections)
  }

  /// Where a trace has no holds, the script holds the button when it is the person's turn; without
  /// a script the phone listens always.
  @Test func theScriptHoldsTheButton() throws {
    let specs = try [2, 3].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 60) }
    let traces = specs.map(MadeTraces.trace)
    let scripted = try SimulatedFightTests.play(traces, script: PersonScript())
    let always = try SimulatedFightTests.play(traces)
    #expect(scripted.value("winner") != nil && always.value("winner") != nil)
    #expect(scripted.simulation.detections.count < always.simulation.detections.count)
    #expect(scripted.value("punches_refused", of: 0) == 0)
    #expect(scripted.kinds("sign-in").first?.text.hasSuffix("hold the button as scripted") == true)
    #expect(always.kinds("sign-in").first?.text.hasSuffix("punch without a button") == true)
  }

  /// Where the phones have positions, the offer says how far away the opponent is.
  @Test(arguments: [("default", "about 1110 m away"), ("hitThat", "about 1000 m away")])
  func positionsTellTheDistance(preset: String, expected: String) throws {
    let people = ["a", "b"].map {
      AppSetup.Person(header: TraceHeader(id: $0, origin: .synthetic))
    }
    var simulation = try SimulatedFight(AppSetup(preset: preset, people: people))
    simulation.advance(to: .zero)
    // 1000 m along the equator, that is 0.008983153 degrees of 111,319.49 m, and on the coarse
    // grid one step of 0.01 degrees, 1113 m.
    for (index, longitude) in [8, 8.008_983_153].enumerated() {
      let now = TraceInstant.zero.advanced(bySeconds: 0.5)
      simulation.take(
        Reading(
          device: DeviceID(index), channel: .location, sequence: 0, measured: now, arrived: now,
          value: .fix(Fix(latitude: 0, longitude: longitude))))
    }
    while let due = simulation.deadline, due.seconds < 2 { simulation.advance(to: due) }
    let offer = simulation.takeEvents().first { $0.kind == "offer" }
    #expect(offer?.text == "is offered an opponent \(expected)")
  }

  @Test func withoutPunchesNobodyWins() throws {
    let specs = try [1, 2].map { try ScenarioSpec(kind: .walking, subject: $0, duration: 80) }
    let result = try SimulatedFightTests.play(specs.map(MadeTraces.trace))
    #expect(result.simulation.outcomes.first?.text == "nobody" && result.value("winner") == nil)
    #expect(result.value("hits", of: 0) == 0 && result.value("hits_per_swing", of: 0) == nil)
    #expect(result.value("damage_error_of_full_bar", of: 0) == nil)
    #expect(result.kinds("undecided").count == 1)
    #expect(result.value("hit_delay_p50") == nil && result.value("hit_delay_p99") == nil)
    #expect(result.value("hits_not_seen") == 0)
    #expect(result.value("stamina_rises") == 0)
  }

  /// One mover per turn, stamina never rises, a win is counted once, nothing acknowledged is lost:
  /// under delay, loss, duplication and reordering.
  @Test(arguments: UInt64(1)...8) func invariantsHoldOnABadNetwork(seed: UInt64) throws {
    var network = NetworkConditions()
    (network.delay, network.jitter) = (0.05, 0.4)
    (network.loss, network.duplication, network.seed) = (0.3, 0.3, seed)
    var stamina = [Int.max, .max]
    let result = try SimulatedFightTests.play(SimulatedFightTests.fight, network: network) {
      guard let bout = $0.server.fights.first?.bout else { return }
      let now = [bout.origin.units, bout.recipient.units]
      if now[0] > stamina[0] || now[1] > stamina[1] { Issue.record("seed \(seed): it rises") }
      stamina = now
    }
    let authority = result.simulation.server
    let fight = try #require(authority.fights.first)
    #expect(authority.fights.count == 1)
    #expect(fight.blows.map(\.side.rawValue) == fight.blows.indices.map { $0 % 2 })
    #expect(authority.wins.count == (fight.bout.winner == nil ? 0 : 1))
    // The view of a phone is a recorded state of the fight.
    for phone in result.simulation.people.map(\.engine) {
      let view = try #require(phone.view)
      #expect(view.bout.moves <= fight.bout.moves)
      let known = fight.blows.prefix(view.bout.moves)
      let taken = known.reduce(0) { $0 + ($1.side == .origin ? $1.damage : 0) }
      #expect(view.bout.recipient.units == max(0, Stamina.full - taken), "seed \(seed)")
    }
    #expect(result.kinds("hit").count == fight.blows.count)
  }

  /// The original on a slow network: a phone that has not heard of a hit undoes it.
  @Test(arguments: FightFaultTests.presets) func aSlowNetworkRestoresStamina(preset: String) throws
  {
    var network = NetworkConditions()
    network.delay = 3
    let specs = try [1, 2].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 60) }
    let result = try SimulatedFightTests.play(
      specs.map(MadeTraces.trace), preset: preset, network: network)
    #expect(result.kinds("restored").isEmpty == (preset == "default"))
  }

  // MARK: Counts that no rules hide

  /// A run by the original's rules obeys them; what it breaks is counted all the same.
  @Test(arguments: FightFaultTests.presets) func breachesAreCountedUnderAnyRules(
    preset: String
  )
    throws
  {
    var network = NetworkConditions()
    network.delay = 2
    let slow = try SimulatedFightTests.play(
      SimulatedFightTests.fight, rules: Self.listening(preset), network: network)
    let isOriginal = preset == "hitThat"
    #expect((try #require(slow.value("stamina_rises")) > 0) == isOriginal)
    #expect((try #require(slow.value("moves_out_of_turn")) > 0) == isOriginal)
    let plain = try SimulatedFightTests.plain(preset)
    #expect((try #require(plain.value("wins_counted_twice")) > 0) == isOriginal)
  }

  /// The delay from the peak of a punch to the opponent's view: the rest of the swing, and twice the
  /// way over the network.
  @Test(arguments: [0.0, 0.25, 1]) func theDelayOfAHitGrowsWithTheNetworks(delay: Double) throws {
    var network = NetworkConditions()
    network.delay = delay
    let plain = try SimulatedFightTests.plain()
    let result = try SimulatedFightTests.play(SimulatedFightTests.fight, network: network)
    let (p50, p99) = (
      try #require(result.value("hit_delay_p50")), try #require(result.value("hit_delay_p99"))
    )
    #expect(p50 <= p99 && p50 >= 2 * delay && p50 < 2 * delay + 1)
    #expect(p50 >= (plain.value("hit_delay_p50") ?? 9))
  }

  /// A phone that is cut off for good does not see the hit: it has no delay, and is counted.
  @Test func aHitThatNobodySeesIsCounted() throws {
    let plain = try SimulatedFightTests.plain()
    #expect(plain.value("hits_not_seen") == 0)
    let first = try #require(plain.kinds("hit").first).time
    let end = first.advanced(bySeconds: 10_000)
    let result = try SimulatedFightTests.play(
      SimulatedFightTests.fight,
      faults: [.cut(.phone(1), from: first.advanced(bySeconds: -1), to: end)])
    #expect(result.value("hits_not_seen") == 1 && result.value("hit_delay_p99") == nil)
  }

  @Test func percentilesAreOfTheNearestRank() {
    let delays = AppOutcome.delays("delay", [3, 1, 2, 4])
    #expect(delays.map(\.name) == ["delay_p50", "delay_p99"] && delays.map(\.value) == [2, 4])
    #expect(AppOutcome.delays("delay", [7]).map(\.value) == [7, 7])
    #expect(AppOutcome.delays("delay", []).map(\.value) == [nil, nil])
  }

  /// A hard punch on a phone with a wide sensor counts up to the limit, and the log says so.
  @Test func theLogSaysThatAHitWasLimited() throws {
    let specs = try [4, 8].map { try ScenarioSpec(kind: .punches, subject: $0, duration: 60) }
    let result = try SimulatedFightTests.play(
      specs.map(MadeTraces.trace), script: PersonScript())
    let limited = result.kinds("hit").filter { $0.text.contains(" g counts as ") }
    #expect(!limited.isEmpty)
    let counts = [0, 1].compactMap { result.value("hits_limited", of: $0) }
    #expect(counts.reduce(0, +) == Double(limited.count))
    #expect(limited.allSatisfy { ($0.value ?? 100) < 49.7 })
  }

  // MARK: Techniques

  /// Where the trace does not say how the phone is held, the log says "a punch", whatever the axes
  /// suggest; the original always names one.
  @Test(arguments: FightFaultTests.presets, ["hand", "", "wrist"])
  func techniquesAreNamedWhereTheyAreKnown(preset: String, placement: String) throws {
    let traces = SimulatedFightTests.fight.map { trace in
      var trace = trace
      trace.header.placement = placement
      return trace
    }
    let hits = try SimulatedFightTests.play(traces, preset: preset).kinds("hit")
    let named = hits.filter { hit in
      [" a jab:", " a thrust:", " an uppercut:"].contains { hit.text.contains($0) }
    }
    let isNamed = preset == "hitThat" || placement == "hand"
    #expect(!hits.isEmpty && named.count == (isNamed ? hits.count : 0))
    if !isNamed { #expect(hits.allSatisfy { $0.text.contains(" with a punch: ") }) }
  }
}
