package import Diagnostics
package import Apps
package import Detectors
package import Replay
package import Scoring
package import TraceModel

/// What is asked of an app besides its traces.
package struct AppOptions: Sendable {
  package var script: PersonScript?
  package var network = NetworkConditions()
  package var seed: UInt64 = 1

  package init(
    script: PersonScript? = nil, network: NetworkConditions = NetworkConditions(), seed: UInt64 = 1
  ) {
    self.script = script
    self.network = network
    self.seed = seed
  }
}

/// What an app's replay plays: traces of one or more people on one clock, and an app.
package struct AppPlan: PlayablePlan {
  package let played: PlayedTraces
  package let choice: AppChoice
  package let setup: AppSetup
  /// The simulation of the pass that ended last.
  package let ended = SimulationHolder()

  /// - Throws: wrong use where the app cannot be played by so many people.
  package init(_ choice: AppChoice, _ played: PlayedTraces, _ options: AppOptions) throws {
    try choice.checkCount(played.devices.count)
    // What a whole trace should have given is nothing to compare a part of it with.
    let played = played.isPart ? played.withoutReferences : played
    self.played = played
    self.choice = choice
    // The run's zero: the zero of the trace that starts there.
    let first = played.devices.first { $0.start == .zero }
    setup = AppSetup(
      preset: choice.preset,
      people: Self.people(played),
      script: options.script, network: options.network, seed: options.seed,
      epoch: first?.trace.header.epochNanoseconds.map { WallTime(nanoseconds: $0) })
  }

  /// Who share a name (recordings of one person, or a person whom no trace names) are called by
  /// their traces, and these are numbered where they are the same too.
  private static func people(_ played: PlayedTraces) -> [AppSetup.Person] {
    var people = played.devices.map {
      AppSetup.Person(header: $0.trace.header, start: $0.start)
    }
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

  package var channels: [Channel] { [choice.app.channel, .action] }

  package func timeline(
    from instant: TraceInstant, blockSize: Int
  ) throws -> MergedTimeline<SimulationConsumer> {
    let simulation = try choice.app.make(setup)
    return try MergedTimeline(
      SimulationConsumer(simulation) { [ended] in ended.put($0) },
      devices: played.parts(from: instant),
      channels: choice.app.channels, required: choice.app.channel, name: "app \(choice.app.name)",
      blockSize: blockSize)
  }

  /// - Parameter hashes: of the traces' files.
  package func people(hashes: [String]) -> [AppRecord.Person] {
    zip(setup.people, hashes).map { person, hash in
      AppRecord.Person(
        name: person.name, traceID: person.header.id, traceSHA256: hash,
        origin: person.header.origin, start: person.start)
    }
  }

  /// What the scripted people do; nil = the traces' own actions.
  package var scriptSummary: String? { setup.script?.summary(for: choice.app.channel) }

  /// What the plan says about itself, for results and for the person at the terminal.
  package var facts: AppFacts {
    AppFacts(
      app: choice.app.name, preset: choice.preset, script: scriptSummary,
      network: NamedNetwork.summary(setup.network), seed: setup.seed)
  }
}

extension PersonScript {
  /// One line for tables and logs, of what people do in an app whose detector reads `channel`.
  package func summary(for channel: Channel) -> String {
    let doing =
      channel == .userAcceleration
      ? "arm after \(number(armAfter)) s and hold for \(number(holdFor)) s"
      : "confirm after \(number(confirmAfter)) s, continue \(number(continueAfter)) s later, cancel "
        + "with probability \(number(cancelProbability))"
    return "\(doing), times spread by \(number(spread)), seed \(seed)"
  }

  package init(_ policy: ScriptedPolicy) {
    self.init()
    confirmAfter = seconds(policy.confirmAfter)
    continueAfter = seconds(policy.continueAfter)
    cancelProbability = policy.cancelProbability
    spread = policy.spread
    seed = policy.seed
  }
}

/// What came of an app's run.
package struct AppResult {
  package let record: AppRecord
  /// What each phone's detector detected, judged as any run of a detector is; in the order of the
  /// people.
  package let runs: [RunRecord]

  /// - Parameters:
  ///   - hashes: of the traces' files.
  ///   - detectorTime: what the whole run took.
  /// - Throws: where the app broke an invariant of its own.
  package init(
    _ plan: AppPlan, events: [DetectionRecord], entry: String, hashes: [String],
    signals: [SignalPath.Signal], delivery: NamedDelivery?, tolerance: Duration?,
    detectorTime: Duration
  ) throws {
    guard let simulation = plan.ended.value else {
      throw Failure(.badData, "\(entry): the app's run did not come to its end")
    }
    guard simulation.violations.isEmpty else {
      throw Failure(
        .badData,
        "\(entry): the app broke its own rules, which is a defect of this program: "
          + simulation.violations.joined(separator: "; "))
    }
    let devices = plan.played.devices
    record = AppRecord(
      entry: entry, facts: plan.facts,
      people: plan.people(hashes: hashes), outcomes: simulation.outcomes,
      events: events.map(AppEvent.init))
    runs = devices.indices.map { index in
      let trace = devices[index].trace
      let result = Self.result(
        of: DeviceID(index), simulation, start: devices[index].start, readings: 0)
      var run = RunRecord(
        entry: entry, detector: plan.choice.app.name, preset: plan.choice.preset,
        parameters: plan.choice.app.parameters(plan.choice.preset, trace.header).map {
          ParameterRecord(name: $0.name, value: $0.value.description, unit: $0.unit)
        },
        policy: plan.scriptSummary, seed: plan.setup.script?.seed,
        gravityRemoval: signals[index].gravityRemoval
          ?? trace.header.info(.userAcceleration)?.attributes["gravity_removal"],
        header: trace.header, traceSHA256: hashes[index], task: plan.choice.app.task,
        readings: trace.header.info(plan.choice.app.channel)?.count ?? 0,
        detections: result.detections,
        measurements: (result.measurements[DeviceID(0)] ?? []).map {
          MeasurementRecord(name: $0.name, value: $0.value, unit: $0.unit)
        },
        score: TaskScore(
          of: result, on: trace, task: plan.choice.app.task,
          tolerance: tolerance.map(EventTolerance.init(either:))),
        detectorTime: detectorTime / devices.count)
      run.note(signals[index], delivery: delivery, channel: plan.choice.app.channel)
      return run
    }
  }

  /// One person's part, on the axis of the trace.
  private static func result(
    of person: DeviceID, _ simulation: any AppSimulation, start: TraceInstant, readings: Int
  ) -> RunResult {
    var result = RunResult(readings: readings)
    result.detections = simulation.detections.filter { $0.device == person }.map { record in
      func onTrace(_ time: TraceInstant) -> TraceInstant {
        TraceInstant(nanoseconds: time.nanoseconds.subtractingClamped(start.nanoseconds))
      }
      var record = record
      record.device = DeviceID(0)
      record.onset = onTrace(record.onset)
      record.emitted = onTrace(record.emitted)
      record.newestMeasured = onTrace(record.newestMeasured)
      return record
    }
    result.measurements[DeviceID(0)] = simulation.outcomes.filter { $0.person == person }
      .compactMap { outcome in
        outcome.value.map { Measurement(outcome.name, $0, unit: outcome.unit) }
      }
    return result
  }
}
