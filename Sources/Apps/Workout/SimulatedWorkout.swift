public import Detectors
public import TraceModel

/// Up to eight people on their runs, each with a phone, and their common server.
///
/// Each person allows location, starts at the first reading of the trace, pauses and resumes by its
/// actions, stops at its end, and saves. The people are in each other's address books.
public struct SimulatedWorkout: AppSimulation {
  public static let name = "workout"
  public static let summary = "people run with their phones, save the runs, and see those of others"
  public static let presets = [
    AppPreset(
      "default", summary: "without the faults: filtered distance, auto-pause, retried saves"),
    AppPreset(
      "tri", summary: "the original Tri: 5 m filter, pauses counted, ticks, a failed save is lost"),
  ]
  public static let peopleCount = 1...8
  public static let channel = Channel.location
  public static let furtherChannels: [Channel] = []
  public static let task = ReferenceTask.distance

  /// A message between the phones and the server.
  enum Message: Sendable, Codable {
    case request(Workout.Letter, from: Int)
    case answer(Workout.Answer, number: Int, to: Int)
  }

  /// The time in seconds after the last trace during which the phones retry.
  private static let patience = 3600.0
  /// A trace has no time zone and language: weeks start on Sunday at midnight UTC.
  private let calendar = FixedCalendar()

  var phones: [WorkoutPhone]
  private var server = WorkoutServer()
  private var network: SimulatedNetwork<Message>
  private var events: [AppEvent] = []
  private var records: [DetectionRecord] = []

  public init(_ setup: AppSetup) throws(TraceError) {
    let rules: WorkoutRules = setup.preset == "tri" ? .tri : .default
    var random = SeededGenerator(seed: setup.seed)
    phones = setup.people.enumerated().map { index, person in
      WorkoutPhone(
        person, device: DeviceID(index), rules: rules, installation: random.next(),
        epoch: setup.epoch ?? WallTime(nanoseconds: 0))
    }
    network = SimulatedNetwork(setup.network)
    let contacts = phones.map(\.contact)
    for index in phones.indices { phones[index].contacts = contacts }
  }

  public mutating func take(_ reading: Reading) {
    let index = reading.device.index
    guard phones.indices.contains(index), !phones[index].isFinished else { return }
    let now = reading.arrived
    if !phones[index].hasStarted { start(index, at: now) }
    switch reading.value {
    case .fix(let fix): input(.fix(fix, measured: reading.measured), index, at: now)
    case .action(.pause): input(.pause, index, at: now)
    case .action(.resume): input(.resume, index, at: now)
    default: break
    }
  }

  private mutating func start(_ index: Int, at now: TraceInstant) {
    phones[index].hasStarted = true
    input(.signUp, index, at: now)
    input(.contacts(phones[index].contacts), index, at: now)
    input(.allowLocation, index, at: now)
    input(.start(phones[index].sport), index, at: now)
  }

  public var deadline: TraceInstant? {
    ([network.next] + phones.map(\.engine.deadline)).compactMap(\.self).min()
  }

  public mutating func advance(to now: TraceInstant) {
    // Without network delay an answer arrives at the instant of its request.
    while let due = deadline, due <= now { advanceOnce(to: now) }
  }

  private mutating func advanceOnce(to now: TraceInstant) {
    while let arrival = network.receive(by: now) {
      switch arrival.message {
      case .request(let letter, let index): serve(letter, index, at: now)
      case .answer(let answer, let number, let index):
        input(.answer(answer, number: number), index, at: now)
      }
    }
    for index in phones.indices {
      while let deadline = phones[index].engine.deadline, deadline <= now {
        var effects: [WorkoutEngine.Effect] = []
        phones[index].engine.advance(to: deadline, into: &effects)
        carry(effects, index, at: now)
      }
    }
  }

  private mutating func serve(_ letter: Workout.Letter, _ index: Int, at now: TraceInstant) {
    var effects: [WorkoutServer.Effect] = []
    let user = phones[index].engine.user
    do throws(Refusal) {
      try server.handle(.request(letter, from: user), at: now, into: &effects)
    } catch {
      network.send(
        .answer(.refused(error), number: letter.number, to: index),
        on: NetworkLink(from: .server, to: .phone(index)), at: now)
    }
    for case .answer(let answer, let number, _) in effects {
      network.send(
        .answer(answer, number: number, to: index),
        on: NetworkLink(from: .server, to: .phone(index)), at: now)
    }
  }

  public mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard phones.indices.contains(person.index), !phones[person.index].isFinished else { return }
    phones[person.index].isFinished = true
    guard phones[person.index].hasStarted else {
      return log("no-data", "has nothing to record: no location arrived", person.index, at: end)
    }
    input(.stop, person.index, at: end)
    input(.save, person.index, at: end)
  }

  /// Delivers the messages in transit; at the end each person opens the feed.
  public mutating func close(at end: TraceInstant) {
    for index in phones.indices { finish(device: DeviceID(index), at: end) }
    let limit = end.advanced(bySeconds: Self.patience)
    var last = settle(until: limit, from: end)
    for index in phones.indices where phones[index].hasStarted {
      input(.showFeed(.mineAndFriends), index, at: last)
    }
    last = settle(until: last.advanced(bySeconds: Self.patience), from: last)
    for index in phones.indices where phones[index].hasStarted {
      if let line = phones[index].unsavedLine { log(line.kind, line.text, index, at: last) }
      showWeek(index, at: last)
    }
  }

  /// - Returns: the time at which nothing is left to do, or at which all remaining work is beyond
  ///   the limit.
  private mutating func settle(until limit: TraceInstant, from start: TraceInstant) -> TraceInstant
  {
    var last = start
    while let next = deadline, next <= limit {
      last = max(last, next)
      advance(to: next)
    }
    return last
  }

  private mutating func showWeek(_ index: Int, at now: TraceInstant) {
    let start = phones[index].summary?.start ?? phones[index].engine.epoch
    guard let week = calendar.week(containing: start, start: phones[index].engine.rules.weekStart)
    else { return }
    input(.showWeek(week), index, at: now)
  }

  // MARK: Inputs and effects

  private mutating func input(_ input: WorkoutEngine.Input, _ index: Int, at now: TraceInstant) {
    var effects: [WorkoutEngine.Effect] = []
    do throws(Refusal) {
      try phones[index].engine.handle(input, at: now, into: &effects)
    } catch {
      log("refused", "the app refuses: \(error.reason)", index, at: now)
    }
    carry(effects, index, at: now)
  }

  private mutating func carry(
    _ effects: [WorkoutEngine.Effect], _ index: Int, at now: TraceInstant
  ) {
    for effect in effects {
      switch effect {
      case .send(let letter):
        let link = NetworkLink(from: .phone(index), to: .server)
        network.send(.request(letter, from: index), on: link, at: now)
      case .askForLocation:
        log(
          "permission", "is asked whether the app may use the location, and allows it", index,
          at: now)
        input(.permission(.granted), index, at: now)
      case .split(_, var detection):
        detection.device = DeviceID(index)
        records.append(detection)
      case .finished(let summary): phones[index].finish(summary)
      case .saved(let id): phones[index].isSaved = phones[index].summary?.id == id
      default: break
      }
      if let line = phones[index].line(for: effect) {
        log(line.kind, line.text, index, at: now, value: line.value, unit: line.unit)
      }
      if case .saved = effect { input(.showFeed(.mineAndFriends), index, at: now) }
    }
  }

  private mutating func log(
    _ kind: String, _ text: String, _ index: Int, at now: TraceInstant, value: Double? = nil,
    unit: String = ""
  ) {
    events.append(
      AppEvent(kind, text, person: DeviceID(index), at: now, value: value, unit: unit))
  }

  public mutating func takeEvents() -> [AppEvent] {
    defer { events = [] }
    return events
  }

  public var detections: [DetectionRecord] { records }

  public var outcomes: [AppOutcome] { phones.flatMap(\.outcomes) }

  public var violations: [String] {
    let lost = phones.filter { $0.isSaved }.compactMap(\.summary).filter { !server.contains($0.id) }
    return phones.flatMap(\.engine.violations) + server.violations
      + lost.map { "activity \($0.id) was acknowledged, and the server does not have it" }
  }

  /// Returns the tracker's measurements of a person's run, in the form of every detector; empty
  /// before the start.
  public func measurements(of person: DeviceID) -> [Measurement] {
    phones.indices.contains(person.index) ? phones[person.index].measurements : []
  }
}
