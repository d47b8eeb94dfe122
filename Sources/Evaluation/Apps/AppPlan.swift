import Diagnostics
public import AppEngines
public import Detectors
public import Replay
import Scoring
import Synchronization
public import TraceModel

/// The options of an app in addition to its traces.
public struct AppOptions: Sendable {
  public var script: PersonScript?
  public var network = NetworkConditions()
  /// The faults that the run meets; each names phones of the run.
  public var faults: [ExchangeFault] = []
  public var seed: UInt64 = 1
  /// Values that replace those of the app's detector; see ``AppChoice/parameters(_:)``.
  public var parameters: [String: ParameterValue] = [:]
  /// What people do besides.
  public var decisions: [Decision] = []
  /// Whether ``AppPlan/messages`` is kept.
  public var keepsMessages = false
  /// The changes of the preset's rules as texts, and the rules with them.
  public var ruleTexts: [String] = []
  public var rules: (any AppRules)?

  public init(
    script: PersonScript? = nil, network: NetworkConditions = NetworkConditions(),
    faults: [ExchangeFault] = [], seed: UInt64 = 1
  ) { (self.script, self.network, self.faults, self.seed) = (script, network, faults, seed) }

  /// Reads faults as the command line and suites state them.
  /// - Throws: wrong use, with the part that is wrong.
  public static func faults(_ texts: [String]) throws -> [ExchangeFault] {
    try texts.map { text in
      do throws(TraceError) {
        return try ExchangeFault(parsing: text)
      } catch {
        throw Failure(.wrongUse, error.description)
      }
    }
  }

  /// Checks that each decision is of a person of the run.
  /// - Parameter people: the number of traces.
  public func checkDecisions(people: Int, place: String = "") throws {
    for decision in decisions where decision.person >= people {
      throw Failure(
        .wrongUse, place: place,
        "decision of \(decision): expected a person from 1 to \(people)")
    }
  }

  /// Checks that each fault names phones of the run, and no server if there is none.
  /// - Parameter people: the number of traces.
  public func checkFaults(
    _ app: any AppSimulation.Type, people: Int, place: String = ""
  ) throws {
    let phones = people + app.mostFurtherPeople
    for fault in faults {
      for endpoint in fault.endpoints {
        if endpoint == .server, !app.hasServer {
          throw Failure(
            .wrongUse, place: place, "fault \(fault): \(app.name) has no server; name a phone")
        }
        guard let phone = endpoint.phone, phone >= phones else { continue }
        throw Failure(
          .wrongUse, place: place,
          "fault \(fault): expected phones 1 to \(phones), found phone \(phone + 1)")
      }
    }
  }
}

/// A replay of an app with the traces of one or more people on one clock.
public struct AppPlan: PlayablePlan {
  public let played: PlayedTraces
  public let choice: AppChoice
  public let setup: AppSetup
  let ruleTexts: [String]
  /// The simulation of the last completed pass.
  let ended = SimulationHolder()

  /// - Throws: wrong use if the app does not support the number of people.
  public init(_ choice: AppChoice, _ played: PlayedTraces, _ options: AppOptions) throws {
    try choice.checkCount(played.devices.count)
    try options.checkFaults(choice.app, people: played.devices.count)
    try options.checkDecisions(people: played.devices.count)
    // References of the whole trace cannot score a part of it.
    let played = played.isPart ? played.withoutReferences : played
    self.played = played
    self.choice = choice
    // The zero of the run is the zero of the trace that starts first.
    let first = played.devices.first { $0.start == .zero }
    var setup = AppSetup(
      preset: choice.preset,
      people: Self.people(played),
      script: options.script, network: NetworkSetup(options.network, faults: options.faults),
      seed: options.seed,
      epoch: first?.trace.header.epochNanoseconds.map { WallTime(nanoseconds: $0) })
    setup.parameters = options.parameters
    setup.network.keepsMessages = options.keepsMessages
    setup.decisions = options.decisions
    setup.rules = options.rules
    ruleTexts = options.ruleTexts
    self.setup = setup
  }

  /// The messages of the last completed pass, in the order of sending.
  public var messages: [MessageRecord] { ended.value.withLock { $0?.messages ?? [] } }

  /// Returns the people; equal names are replaced by trace ids, and equal ids get numbers.
  static func people(_ played: PlayedTraces) -> [AppSetup.Person] {
    var people = played.devices.map { AppSetup.Person(header: $0.trace.header, start: $0.start) }
    func rename(_ change: (inout AppSetup.Person, _ number: Int) -> Void) {
      let names = people.map(\.name)
      for index in people.indices where names.count(where: { $0 == names[index] }) > 1 {
        change(&people[index], index + 1)
      }
    }
    rename { person, _ in person.name = person.header.id }
    rename { person, number in person.name += " (\(number))" }
    return people
  }

  public var channels: [Channel] { [choice.app.channel, .action] }

  public func timeline(
    from instant: TraceInstant, blockSize: Int
  ) throws -> Timeline {
    try timeline(of: choice.app, from: instant, blockSize: blockSize)
  }

  /// One for each type of app, so that no reading goes through an existential.
  private func timeline<App: AppSimulation>(
    of app: App.Type, from instant: TraceInstant, blockSize: Int
  ) throws -> Timeline {
    let consumer = SimulationConsumer(simulation: try App(setup)) { [ended] simulation in
      ended.value.withLock { $0 = simulation }
    }
    return Timeline(
      playing: try MergedTimeline(
        consumer, devices: played.parts(from: instant), channels: App.channels,
        required: App.channel, name: "app \(App.name)", blockSize: blockSize))
  }

  var facts: AppFacts {
    AppFacts(
      app: choice.app.name, preset: choice.preset,
      script: setup.script?.summary(for: choice.app.channel),
      network: NamedNetwork.summary(setup.network.conditions),
      faults: setup.network.faults.map(\.description), rules: ruleTexts, seed: setup.seed)
  }
}

extension PersonScript {
  /// Returns one line for tables and logs: the actions in an app with a detector for `channel`.
  public func summary(for channel: Channel) -> String {
    let doing =
      channel == .userAcceleration
      ? "arm after \(number(armAfter)) s and hold for \(number(holdFor)) s"
      : "confirm after \(number(confirmAfter)) s, continue \(number(continueAfter)) s later, cancel "
        + "with probability \(number(cancelProbability))"
    return "\(doing), times spread by \(number(spread)), seed \(seed)"
  }

  public init(_ policy: ScriptedPolicy) {
    self.init()
    confirmAfter = seconds(policy.confirmAfter)
    continueAfter = seconds(policy.continueAfter)
    cancelProbability = policy.cancelProbability
    spread = policy.spread
    seed = policy.seed
  }
}

public struct AppResult: Sendable {
  public let record: AppRecord
  /// The scored runs of the phones' detectors, in the order of the people.
  public var runs: [RunRecord]

  /// - Parameter detectorTime: the time of the whole run.
  /// - Throws: if the app violates one of its invariants.
  public init(
    _ plan: AppPlan, events: [DetectionRecord], entry: String, hashes: [String],
    signals: [SignalPath.Signal], delivery: NamedDelivery?, tolerance: Duration?,
    detectorTime: Duration
  ) throws {
    guard let simulation = plan.ended.value.withLock(\.self) else {
      throw Failure(.badData, "\(entry): the app's run did not come to its end")
    }
    guard simulation.violations.isEmpty else {
      throw Failure(
        .badData,
        "\(entry): the app violates its invariants, which is a bug in Shadowbox: "
          + simulation.violations.joined(separator: "; "))
    }
    let (app, facts, devices) = (plan.choice.app, plan.facts, plan.played.devices)
    record = AppRecord(
      entry: entry, facts: facts,
      people: zip(plan.setup.people, hashes).map { person, hash in
        AppRecord.Person(
          name: person.name, traceID: person.header.id, traceSHA256: hash,
          origin: person.header.origin, start: person.start)
      },
      outcomes: simulation.judgedOutcomes(of: facts.preset), events: events.map(AppEvent.init),
      messages: simulation.networkCounts,
      decisions: plan.setup.decisions.map(\.description),
      unmadeDecisions: simulation.unmadeDecisions.map(\.description),
      unmetFaults: plan.setup.network.faults.filter { !simulation.metFaults.contains($0) }
        .map(\.description),
      app: app)
    runs = try devices.indices.map { index in
      let (trace, start) = (devices[index].trace, devices[index].start)
      var result = Self.result(of: DeviceID(index), simulation, start: start)
      result.readings = trace.header.info(app.channel)?.count ?? 0
      return try RunRecord(
        entry: entry, detector: facts.app, preset: facts.preset,
        parameters: app.parameters(
          by: plan.setup.rules ?? app.rules(of: facts.preset), for: trace.header
        ).map { parameter in
          var parameter = parameter
          parameter.value = plan.setup.parameters[parameter.name] ?? parameter.value
          return parameter
        }, policy: facts.script,
        seed: plan.setup.script?.seed, result, on: trace, hash: hashes[index], signals[index],
        delivery: delivery, channel: app.channel,
        exposure: signals[index].exposure.armed(
          by: simulation.armingActions(of: DeviceID(index)), zero: start), task: app.task,
        tolerance: tolerance,
        detectorTime: detectorTime / devices.count)
    }
  }

  /// Returns the detections and outcomes of one person, on the time axis of the trace.
  private static func result(
    of person: DeviceID, _ simulation: any AppSimulation, start: TraceInstant
  ) -> RunResult {
    var result = RunResult(readings: 0)
    result.detections = simulation.detections.filter { $0.device == person }.map { record in
      var record = record
      record.device = DeviceID(0)
      record.onset = record.onset.since(start)
      record.emitted = record.emitted.since(start)
      record.newestMeasured = record.newestMeasured.since(start)
      return record
    }
    result.measurements[DeviceID(0)] = simulation.outcomes.filter { $0.person == person }
      .compactMap { outcome in
        outcome.value.map { Measurement(outcome.name, $0, unit: outcome.unit) }
      }
    return result
  }
}
