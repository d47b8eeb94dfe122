@testable import AppEngines
@testable import HikeApp
import Detectors
import Synthesis
import TestSupport
import Testing
import TraceModel

@Suite struct SimulatedHikeTests {
  func trace(_ subject: Int) throws -> Trace {
    MadeTraces.trace(try ScenarioSpec(kind: .route, subject: subject))
  }

  /// Plays the traces with actions of the first person.
  func play(
    _ traces: [Trace], preset: String, script: PersonScript? = PersonScript(),
    network: NetworkConditions = NetworkConditions(), faults: [ExchangeFault] = [],
    actions: [(Double, Action)] = [], isSound: Bool = true,
    plant: (inout SimulatedHike) -> Void = { _ in }
  ) throws -> (simulation: SimulatedHike, events: [AppEvent]) {
    let setup = AppSetup(
      preset: preset, people: traces.map { AppSetup.Person(header: $0.header) }, script: script,
      network: NetworkSetup(network, faults: faults))
    var traces = traces
    var columns = ActionColumns()
    for (seconds, action) in actions {
      let time = TraceInstant.zero.advanced(bySeconds: seconds).nanoseconds
      columns.append(action, measured: time, arrived: time)
    }
    traces[0].set(.action(columns), for: .action)
    return try AppRun(traces, setup, isSound: isSound, plant: plant).both
  }

  /// The phone asks the server for what it may have lost; the original's does not.
  @Test(arguments: [ExchangeFault.RestoredState.new, .age(150_000_000_000)])
  func aRestartedPhoneGetsItsCheckInsBack(state: ExchangeFault.RestoredState) throws {
    let traces = [try trace(1)]
    let fault = ExchangeFault.restart(
      .phone(0), at: TraceInstant.zero.advanced(bySeconds: 250), state)
    func lost(_ simulation: SimulatedHike) -> Double? {
      simulation.outcomes.first { $0.name == "restart_lost_check_ins" }?.value
    }
    let whole = try play(traces, preset: "default").simulation
    #expect(lost(whole) == nil)
    let (fixed, events) = try play(traces, preset: "default", faults: [fault])
    #expect(value("visits", fixed) == value("visits", whole) && value("visits", fixed) ?? 0 > 3)
    #expect(value("reward", fixed) == value("reward", whole) && lost(fixed) == 0)
    guard state == .new else { return }
    #expect(events.contains { $0.kind == "restored" })
    let original = try play(traces, preset: "goHike", faults: [fault]).simulation
    #expect(lost(original) ?? 0 > 0)
  }

  func value(_ name: String, _ simulation: SimulatedHike, of person: Int = 0) -> Double? {
    simulation.outcomes.first { $0.name == name && $0.person == DeviceID(person) }?.value
  }

  /// What the detector alone does with the same fixes and the same answers.
  private func detectorsOwn(
    _ parameters: CheckInDetector.Parameters, _ trace: Trace, confirm: Double = 3,
    proceed: Double = 5
  ) throws -> [DetectionRecord] {
    var detector = CheckInDetector(parameters, places: trace.header.places)
    var detections: [Detection<CheckInEvent>] = []
    var planned: [(time: TraceInstant, action: Action)] = []
    var seen = 0
    func plan() {
      for detection in detections[seen...] where detection.event.type == .prompt {
        planned.append((detection.emitted.advanced(bySeconds: confirm), .confirm))
        planned.append((detection.emitted.advanced(bySeconds: confirm + proceed), .continue))
      }
      seen = detections.count
    }
    for reading in AppRun<SimulatedHike>.readings([trace]) {
      guard case .fix(let fix) = reading.value else { continue }
      while let next = planned.first, next.time < reading.arrived {
        planned.removeFirst()
        detector.handle(next.action, at: next.time, into: &detections)
      }
      detector.ingest(
        fix, measured: reading.measured, arrived: reading.arrived, into: &detections)
      plan()
    }
    for next in planned where next.time <= trace.header.end {
      detector.handle(next.action, at: next.time, into: &detections)
    }
    return detections.map { DetectionRecord($0, device: DeviceID(0)) }
  }

  @Test(arguments: [1, 2, 3, 4])
  func detectionsAreTheDetectorsOwn(subject: Int) throws {
    let trace = try trace(subject)
    for name in ["default", "freeOrder", "goHike", "goHike2013-09"] {
      let played = try play([trace], preset: name)
      let own = try detectorsOwn(#require(HikeRules.preset(named: name)).detection, trace)
      #expect(played.simulation.detections == own, "\(name), subject \(subject)")
      #expect(own.contains { $0.kind == "visit" })
    }
  }

  @Test func allPresetsHaveRulesOfTheirOwn() {
    let rules = SimulatedHike.presets.map { HikeRules.preset(named: $0.name) }
    #expect(rules.first == .default && !rules.contains(nil) && Set(rules).count == rules.count)
    #expect(HikeRules.preset(named: "goHiek") == nil)
  }

  @Test func defaultVisitsAllByRank() throws {
    let trace = try trace(1)
    let total = Double(trace.header.places.count)
    let (simulation, events) = try play([trace], preset: "default")
    #expect(value("waypoints", simulation) == total)
    #expect(value("visits", simulation) == total)
    #expect(value("uploads", simulation) == total)
    #expect(value("reward", simulation) == 1)
    #expect(value("finish_time", simulation) != nil)
    #expect(events.count { $0.kind == "reward" } == 1)
    let original = try play([trace], preset: "goHike").simulation
    let distance = try #require(value("prompt_distance", simulation))
    let late = try #require(value("prompt_distance", original))
    #expect(distance > 0 && distance < 60 && late < 60)
    #expect(value("order_kept", original) == 1 && value("order_kept", simulation) == 1)
  }

  @Test func logReadsAsAStory() throws {
    let trace = try trace(1)
    let texts = try play([trace], preset: "default").events.map(\.text)
    let total = trace.header.places.count
    #expect(
      texts.first == "sets out on a route with \(total) waypoints, to be visited in their order")
    #expect(texts.contains { $0.hasSuffix("m from waypoint 1 and is asked to check in") })
    #expect(texts.contains("confirms, and reads about waypoint 1"))
    #expect(texts.contains("is checked in at waypoint 1: 1 of \(total) visited"))
    #expect(texts.contains("is shown the way to waypoint 2"))
    #expect(texts.contains("the server has confirmed 1 check-in of this phone"))
    #expect(texts.last == "the walk ends with all \(total) waypoints visited")
  }

  /// Numbers that only count, from 0 or from 1, say no more than the order does.
  @Test(arguments: [
    (0, "waypoint 1"), (1, "waypoint 1"), (2, "waypoint 1 (place 2)"),
    (40, "waypoint 1 (place 40)"),
  ])
  func waypointsAreNamedWhereTheirNumbersSayMore(first: Int, text: String) throws {
    var trace = try trace(1)
    for position in trace.header.places.indices {
      let place = trace.header.places[position]
      trace.header.places[position] = Place(
        id: Int32(first) + place.rank, latitude: place.latitude, longitude: place.longitude,
        radius: place.radius, rank: place.rank)
    }
    let texts = try play([trace], preset: "default").events.map(\.text)
    #expect(texts.contains("is shown the way to \(text)"))
  }

  @Test(arguments: [
    (0.0, "0 s"), (59.9, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"),
    (4585, "1 h 16 min 25 s"), (-5, "0 s"),
  ])
  func timesAreInHoursMinutesAndSeconds(seconds: Double, text: String) {
    #expect(HikeWalker.clock(Int64(seconds * 1e9)) == text)
  }

  @Test func traceActionsAnswerWhereThereIsNoScript() throws {
    let trace = try trace(1)
    let unanswered = try play([trace], preset: "default", script: nil).simulation
    #expect(value("prompts", unanswered) == 1 && value("visits", unanswered) == 0)
    #expect(value("reward", unanswered) == 0 && value("finish_time", unanswered) == .none)
    #expect(value("order_kept", unanswered) == .none)
    let prompt = try #require(unanswered.detections.first).emitted.seconds
    let actions: [(Double, Action)] = [
      (1, .confirm), (prompt + 1, .confirm), (prompt + 2, .continue), (prompt + 2.5, .pause),
    ]
    let answered = try play([trace], preset: "default", script: nil, actions: actions)
    #expect(value("visits", answered.simulation) == 1)
    #expect(answered.events.count { $0.kind == "refused" } == 1, "the confirmation without prompt")
    // A script takes the place of the trace's own answers.
    let scripted = try play([trace], preset: "default", actions: actions).simulation
    let plain = try play([trace], preset: "default").simulation
    #expect(scripted.detections == plain.detections)
  }

  @Test func cancelledPromptsGiveNoVisit() throws {
    var script = PersonScript()
    script.cancelProbability = 1
    let (simulation, events) = try play([try trace(1)], preset: "goHike", script: script)
    #expect(value("visits", simulation) == 0 && (value("prompts", simulation) ?? 0) > 1)
    #expect(events.contains { $0.kind == "cancel" })
  }

  /// Who cancels every third prompt still gets to the end of the route.
  @Test(arguments: [1, 2, 3, 4, 5, 6]) func cancellationsEndNoHike(subject: Int) throws {
    var script = PersonScript()
    (script.cancelProbability, script.seed) = (0.3, UInt64(subject))
    let trace = try trace(subject)
    for preset in ["default", "goHike"] {
      let simulation = try play([trace], preset: preset, script: script).simulation
      #expect(value("reward", simulation) == 1, "\(preset)")
      #expect(value("visits_twice", simulation) == 0 && value("order_kept", simulation) == 1)
    }
  }

  @Test func networkThatLosesMessagesLosesNoCheckIn() throws {
    var network = NetworkConditions()
    (network.delay, network.jitter, network.loss, network.duplication) = (0.5, 2, 0.3, 0.3)
    let trace = try trace(1)
    let (simulation, events) = try play([trace], preset: "default", network: network)
    let uploads = events.filter { $0.kind == "uploaded" }.compactMap(\.value)
    #expect(uploads == uploads.sorted() && Set(uploads).count == uploads.count, "each count once")
    #expect(value("uploads", simulation) == Double(trace.header.places.count))
    let ideal = try play([trace], preset: "default").simulation
    #expect(simulation.detections == ideal.detections, "a network has no part in detection")
  }

  @Test func walkersDoNotDisturbEachOther() throws {
    let traces = [try trace(1), try trace(2), try trace(3)]
    var script = PersonScript()
    script.spread = 0.5
    let together = try play(traces, preset: "default", script: script)
    let alone = try play([traces[0]], preset: "default", script: script)
    #expect(
      together.simulation.detections.filter { $0.device == DeviceID(0) }
        == alone.simulation.detections)
    for person in 0..<3 { #expect(value("reward", together.simulation, of: person) != nil) }
    let again = try play(traces, preset: "default", script: script)
    #expect(
      again.events == together.events && again.simulation.outcomes == together.simulation.outcomes)
  }

  /// Also where the others walk on, and an answer to a prompt is still due.
  @Test func walkEndsWithItsTrace() throws {
    let traces = [try trace(1), try trace(2)]
    let ends = traces.map(\.header.end)
    let short = ends[0] < ends[1] ? 0 : 1
    let unanswered = try play([traces[short]], preset: "default", script: nil).simulation
    let prompt = try #require(unanswered.detections.first).emitted
    var script = PersonScript()
    script.confirmAfter = ends[short].seconds - prompt.seconds + 1
    try #require(prompt.advanced(bySeconds: script.confirmAfter) < ends[1 - short])
    let together = try play(traces, preset: "default", script: script)
    let alone = try play([traces[short]], preset: "default", script: script)
    let own = together.simulation.detections.filter { $0.device == DeviceID(short) }
    #expect(own.map(\.kind) == alone.simulation.detections.map(\.kind))
    #expect(own.allSatisfy { $0.emitted <= ends[short] })
    let farewell = together.events.last { $0.person == DeviceID(short) }
    #expect(farewell?.kind == "end")
    #expect(
      farewell?.text.hasSuffix(
        "; the question whether to check in at waypoint 1 was left "
          + "unanswered") == true)
  }

  @Test func traceWithoutPlacesIsRefused() throws {
    var header = TraceHeader(id: "lost", origin: .synthetic)
    func error() -> TraceError? {
      do throws(TraceError) {
        _ = try SimulatedHike(
          AppSetup(preset: "default", people: [AppSetup.Person(header: header)]))
        return nil
      } catch { return error }
    }
    #expect(error()?.description.contains("trace without places") == true)
    #expect(error()?.remedy.contains("--waypoints-as-places") == true)
    header.places = [Place(id: 3, latitude: 91, longitude: 5, radius: .nan, rank: 0)]
    #expect(error()?.place == "lost, place 3")
  }
}

extension SimulatedHikeTests {
  /// Whatever happens to the phone, the check-ins it knows get to the server, once each.
  @Test(arguments: [
    ["lose:1-server:1", "lose:server-1:1"], ["cut:1:0s:100000s"], ["restart:1:300s:120s"],
    ["restart:1:250s:120s"],
    ["restart:1:300s:new"], ["restart:server:200s:new"],
  ]) func checkInsGetToTheServer(faults: [String]) throws {
    let trace = try trace(1)
    let total = Double(trace.header.places.count)
    let faults = try faults.map { try ExchangeFault(parsing: $0) }
    let (simulation, events) = try play([trace], preset: "default", faults: faults)
    #expect(simulation.metFaults == faults)
    let isCut = faults.contains { if case .cut = $0 { true } else { false } }
    let isRestart = faults.contains { if case .restart = $0 { true } else { false } }
    #expect(events.contains { $0.kind == "restart" } == isRestart)
    #expect(value("check_ins_lost", simulation) == 0)
    let uploads = try #require(value("uploads", simulation))
    if isCut {
      #expect(uploads == 0 && value("visits", simulation) == total)
    } else {
      #expect(uploads > 0 && uploads <= total)
      #expect(simulation.people[0].engine.records.allSatisfy { $0.isUploaded })
    }
    if faults.count == 2 { #expect(uploads == total) }
  }

  /// A phone that is restored while it asks for a check-in asks still, and the person answers.
  @Test func aRestoredPromptIsAnswered() throws {
    let trace = try trace(1)
    let plain = try play([trace], preset: "default").simulation
    let prompt = try #require(plain.detections.first { $0.kind == "prompt" }).emitted.seconds
    // Before the confirmation 3 s after the prompt, and between it and the visit 5 s later.
    for saved in [0.5, 4] {
      let restart = ExchangeFault.restart(
        .phone(0), at: TraceInstant.zero.advanced(bySeconds: prompt + 9),
        .age(Int64((9 - saved) * 1e9)))
      let (simulation, events) = try play([trace], preset: "default", faults: [restart])
      #expect(value("visits", simulation) == Double(trace.header.places.count))
      #expect(!events.contains { $0.kind == "refused" }, "\(events.map(\.text))")
    }
  }
}
