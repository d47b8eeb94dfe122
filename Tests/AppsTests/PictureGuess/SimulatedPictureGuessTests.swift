import Detectors
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

@Suite struct SimulatedPictureGuessTests {
  typealias Run = AppRun<SimulatedPictureGuess>

  // Not of these: `readable_answers`. These tests have no seal; AppIOTests.SealedMatchTests has.
  static let faultNames = [
    "double_guesses", "repeated_words", "third_person_answers_taken", "old_messages_taken",
    "missed_arrivals", "lost_words", "foreign_guesses", "app_stops", "silent_draws",
    "wrong_captions",
  ]

  static func traces(_ subjects: [Int], duration: Double = 300) throws -> [Trace] {
    try subjects.map {
      MadeTraces.trace(try ScenarioSpec(kind: .drags, subject: $0, duration: duration))
    }
  }

  static let pair = Swift.Result { try traces([1, 2]) }

  // MARK: Detections

  /// The detector alone on a trace, with the actions between the touches.
  private static func alone(
    _ trace: Trace, device: Int, preset: String
  ) throws -> [DetectionRecord] {
    let preset = try #require(TileDragDetector.preset(named: preset))
    var detector = TileDragDetector(preset.parameters(for: trace.header), places: [])
    var found: [Detection<TileDragEvent>] = []
    func advance(through now: TraceInstant, isEnd: Bool = false) {
      while let due = detector.deadline, isEnd ? due <= now : due < now {
        detector.advance(to: due, into: &found)
      }
    }
    for reading in Run.readings([trace]) {
      advance(through: reading.arrived)
      switch reading.value {
      case .touch(let touch):
        detector.ingest(
          touch, measured: reading.measured, arrived: reading.arrived, into: &found)
      case .action(let action): detector.handle(action, at: reading.arrived, into: &found)
      default: break
      }
    }
    advance(through: trace.header.end, isEnd: true)
    return found.map { DetectionRecord($0, device: DeviceID(device)) }
  }

  @Test(arguments: GuessTable.presets) func detectionsAreThoseOfTheDetectorAlone(
    preset: String
  ) throws {
    let traces = try Self.pair.get()
    let result = try Run(traces, preset: preset)
    for (index, trace) in traces.enumerated() {
      let expected = try Self.alone(trace, device: index, preset: preset)
      let found = result.simulation.detections.filter { $0.device.index == index }
      #expect(found == expected && found.count > 200)
    }
  }

  @Test(arguments: GuessTable.presets) func recordedDragsDecideTheWords(preset: String) throws {
    let result = try Run(try Self.pair.get(), preset: preset)
    for person in 0..<2 {
      let drops = try #require(result.value("recorded_drops", of: person))
      let rate = try #require(result.value("drop_hit_rate", of: person))
      let misses = try #require(result.value("near_misses", of: person))
      let wrong = try #require(result.value("wrong_slots", of: person))
      #expect(drops > 40 && rate > 0.9 && rate <= 1)
      #expect(rate * drops + misses + wrong <= drops + 0.001)
      // Without a miss, the boards of the log are those of the recording.
      #expect(result.value("words_guessed", of: person).map { $0 >= 5 } == true)
    }
  }

  // MARK: The match

  @Test func aMatchByTheRules() throws {
    let result = try Run(try Self.pair.get())
    let (started, finished) = (
      try #require(result.value("matches_started")), try #require(result.value("matches_finished"))
    )
    #expect(finished >= 2 && started >= finished)
    #expect(result.value("matches_abandoned") == started - finished)
    let words = (0..<2).compactMap { result.value("words_guessed", of: $0) }.reduce(0, +)
    #expect(words >= 6 * finished && result.value("rounds") == (words / 2).rounded(.down))
    for state in result.simulation.results {
      #expect(state.isOver && state.answer.isEmpty && state.guessesOfOne >= 3)
    }
    let wrong = (0..<2).compactMap { result.value("wrong_boards", of: $0) }.reduce(0, +)
    #expect(result.kinds("wrong").count == Int(wrong))
    #expect(result.kinds("right").count == Int(words))
    #expect(result.value("message_delay_p50") == 0)
  }

  @Test(.longer) func theDefaultCountsNoFault() throws {
    for seed in 1...LongTests.count(quick: 3, long: 60) {
      let result = try Run(try Self.pair.get(), seed: UInt64(seed))
      for name in Self.faultNames {
        #expect(result.value(name) == 0, "seed \(seed): \(name)")
      }
    }
  }

  /// Over some seeds each fault of the original happens at least once.
  @Test func theOriginalCountsItsFaults() throws {
    var sums: [String: Double] = [:]
    let traces = Self.quiet(seconds: 600)
    for seed in 1...20 {
      let result = try Run(traces, preset: "iPict", seed: UInt64(seed))
      for name in Self.faultNames { sums[name, default: 0] += result.value(name) ?? 0 }
    }
    // Repeated words are too rare to wait for: 4 of 790 words.
    for name in Self.faultNames where name != "repeated_words" {
      #expect(sums[name, default: 0] > 0, "\(name): \(sums)")
    }
  }

  /// Each rule can be changed alone, and people still play to the end.
  @Test(arguments: GuessTable.presets) func eachRuleAlone(preset: String) throws {
    let switches: [WritableKeyPath<PictureGuessRules, Bool>] = [
      \.hidesAnswers, \.limitsToTwo, \.refusesOldMessages, \.followsArrivals,
      \.keepsProgressByMatch, \.keepsProgressOnCancel, \.countsOnceOnReopening, \.avoidsUsedWords,
      \.survivesMissingPictures, \.announcesDraws, \.captionsFollowMatch,
    ]
    let traces = Self.quiet(seconds: 600)
    for rule in switches {
      var rules = try #require(PictureGuessRules.preset(named: preset))
      rules[keyPath: rule].toggle()
      let result = try Run(traces, preset: preset, rules: rules)
      #expect((result.value("matches_finished") ?? 0) > 0, "\(rule)")
    }
  }

  @Test func theLogTellsTheMatch() throws {
    let events = try Run(try Self.pair.get()).events
    #expect(events[0].text.hasPrefix("starts a match: chooses a picture of "))
    #expect(events[0].text.hasSuffix(" and sends it to sim02 to guess (word 1 of 6)"))
    #expect(
      events[1].text
        == "sees the picture with 6 slots and 12 letters, in round 1 of 3, and drags the letters "
        + "as recorded")
    let kinds = Set(events.map(\.kind))
    #expect(kinds.isSuperset(of: ["sends", "sees", "wrong", "right", "result", "third-person"]))
    #expect(
      events.first { $0.kind == "third-person" }?.text
        == "gets an answer from a third person of the thread, which the app refuses")
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    let result = try #require(events.first { $0.kind == "result" })
    #expect(result.text.hasPrefix("sees the result: the match "))
  }

  @Test func equalSetupsGiveEqualLogs() throws {
    let traces = try Self.traces([1, 2], duration: 60)
    let (one, other) = (try Run(traces, seed: 4), try Run(traces, seed: 4))
    #expect(one.events == other.events && !one.events.isEmpty)
    #expect(one.simulation.outcomes == other.simulation.outcomes)
    #expect(try Run(traces, seed: 5).events != one.events)
  }

  @Test func aSlowNetworkDelaysTheMessages() throws {
    var conditions = NetworkConditions()
    conditions.delay = 0.5
    let result = try Run(Self.quiet(seconds: 300), network: NetworkSetup(conditions))
    // A first word takes three messages: invitation, acceptance and word.
    let delays = result.simulation.delays.sorted()
    #expect(delays.first.map { abs($0 - 0.5) < 1e-6 } == true)
    #expect(delays.contains { abs($0 - 1.5) < 1e-6 })
    #expect(result.value("message_delay_p50").map { $0 >= 0.5 } == true)
    #expect(result.value("message_delay_p99") == delays.last)
  }

  // MARK: Without drags

  /// Two recordings without touches.
  static func quiet(seconds: Double) -> [Trace] {
    ["ann", "bob"].map { name in
      var header = TraceHeader(id: name, origin: .synthetic)
      header.end = TraceInstant.zero.advanced(bySeconds: seconds)
      return Trace(header: header)
    }
  }

  @Test func peopleWithoutDragsPlayToo() throws {
    let result = try Run(Self.quiet(seconds: 600))
    #expect(result.value("matches_finished").map { $0 >= 2 } == true)
    #expect(result.value("recorded_drops", of: 0) == 0)
    #expect(result.value("drop_hit_rate", of: 0) == nil && result.simulation.detections.isEmpty)
    #expect(result.kinds("sees").allSatisfy { $0.text.hasSuffix("without a recording") })
  }

  /// The first person's recording ends early; the match goes on without its drags.
  @Test func aMatchOutlivesARecording() throws {
    let traces = [try Self.traces([1], duration: 40)[0], try Self.pair.get()[1]]
    let result = try Run(traces)
    #expect(result.value("matches_finished").map { $0 >= 1 } == true)
    let late = result.kinds("right").filter { $0.person.index == 0 && $0.time.seconds > 45 }
    #expect(!late.isEmpty)
  }

  /// The first phone goes back to the match before the last one, and learns its result. Found by
  /// random runs.
  @Test func aPhoneThatGoesBackTwoMatchesLearnsTheResult() throws {
    let faults = try ["restart:1:28s:141s", "restart:1:250s:150s", "lose:1-2:5"].map {
      try ExchangeFault(parsing: $0)
    }
    let result = try Run(try Self.pair.get(), network: NetworkSetup(faults: faults))
    #expect(result.kinds("restart").count == 2 && result.value("contradicting_results") == 0)
    #expect(result.value("matches_finished").map { $0 >= 2 } == true)
  }

  @Test func anUnfinishedMatchIsAbandoned() throws {
    let result = try Run(Self.quiet(seconds: 30))
    #expect(result.value("matches_abandoned") == 1 && result.value("matches_finished") == 0)
    #expect(result.events.last?.kind == "undecided")
    #expect(result.events.last?.text.hasSuffix("the app abandons it after 7 days") == true)
    #expect(result.simulation.people.allSatisfy { $0.engine.stage == .abandoned })
    let nothing = try Run(Self.quiet(seconds: 2))
    #expect(nothing.events.map(\.kind) == ["no-match"])
  }

  // MARK: Delivery

  private static func bad(_ seed: UInt64) -> NetworkConditions {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter) = (0.1, 1.5)
    (conditions.loss, conditions.duplication, conditions.seed) = (0.3, 0.3, seed)
    return conditions
  }

  /// The original does not always finish a match, but its state stays whole.
  @Test(.longer, arguments: 1...UInt64(LongTests.count(quick: 4, long: 100)))
  func theOriginalKeepsItsInvariants(seed: UInt64) throws {
    let faults = try ["restart:1:100s:30s", "restart:2:200s:new", "cut:1:150s:170s"].map {
      try ExchangeFault(parsing: $0)
    }
    let network = NetworkSetup(Self.bad(seed), faults: faults)
    let result = try Run(
      Self.quiet(seconds: 400), preset: "iPict", network: network, seed: seed)
    #expect(result.value("matches_started").map { $0 >= 1 } == true)
    // A cut meets nothing if nobody sends in its time.
    #expect(result.simulation.metFaults.prefix(2) == faults.prefix(2))
    #expect(!result.kinds("right").isEmpty)
  }

  @Test func theLegendFitsTheTerminal() {
    let lines = SimulatedPictureGuess.legend.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 105 } && lines.count == 7)
  }

  @Test func aDeadNetworkEndsToo() throws {
    var conditions = NetworkConditions()
    conditions.loss = 1
    let result = try Run(Self.quiet(seconds: 60), network: NetworkSetup(conditions))
    #expect(result.value("matches_finished") == 0 && result.value("matches_abandoned") == 1)
    #expect(result.simulation.people[0].engine.stage == .abandoned)
  }

  /// The match takes no time from a wall clock.
  @Test(arguments: ["1.5s", "-1.5s", "20s", "-20s", "60s", "-60s", "3600s", "-3600s"])
  func clocksChangeNothing(step: String) throws {
    let traces = try Self.traces([1, 2], duration: 120)
    let plain = try Run(traces)
    let faults = try [
      ExchangeFault(parsing: "clock:1:20s:\(step)"), ExchangeFault(parsing: "clock:2:50s:\(step)"),
      ExchangeFault(parsing: "drift:1:40ppm"),
    ]
    let shifted = try Run(traces, network: NetworkSetup(faults: faults))
    #expect(shifted.events == plain.events && plain.events.count > 10)
    #expect(shifted.simulation.outcomes == plain.simulation.outcomes)
    #expect(shifted.simulation.metFaults == faults)
    let pairs = zip(plain.simulation.detections, shifted.simulation.detections)
    #expect(plain.simulation.detections.count == shifted.simulation.detections.count)
    for (one, other) in pairs where one.kind != "full" {
      #expect(one.emitted == other.emitted && one.place == other.place && one.kind == other.kind)
      #expect(abs(one.onset.nanoseconds(to: other.onset)) < 10_000)
    }
  }
}
