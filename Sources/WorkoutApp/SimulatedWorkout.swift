public import AppEngines
package import Detectors
package import TraceModel

/// Up to eight people on their runs, each with a phone, and their common server.
///
/// Each person signs up, enters the code that comes to the own number, allows location, starts at
/// the first reading of the trace, pauses and resumes by its actions, stops at its end, and saves.
/// With a script, the person then swims, and logs that. At the end each looks at the feed, and opens
/// the newest run or ride of each other person in it.
///
/// The people are in each other's address books. Of three or more, nobody has the number of the last
/// one, who has those of all: a stranger to them.
package struct SimulatedWorkout: AppSimulation {
  package static let name = "workout"
  package static let summary =
    "people record runs, save them, and see those of friends"
  package static let presets = [
    AppPreset(
      "default", summary: "without the faults: filtered distance, auto-pause, retried saves"),
    AppPreset(
      "tri", summary: "the original Tri: 5 m filter, pauses counted, ticks, a failed save is lost"),
  ]
  package static let peopleCount = 1...8
  package static let channel = Channel.location
  package static let furtherChannels: [Channel] = []
  package static let task = ReferenceTask.distance
  package static let detector: String? = TrackDetector.name
  package static let faultCounts = [
    "workouts_lost", "wrong_weeks", "tracks_to_strangers", "activities_to_strangers",
  ]

  package enum Message: Sendable, Encodable {
    case request(Workout.Letter)
    case answer(Workout.Answer, RequestStamp)
  }

  /// A trace has no time zone and language: weeks start on Sunday at midnight UTC.
  let calendar = FixedCalendar()

  package var people: [WorkoutPhone]
  package var server: WorkoutServer
  package var exchange: Exchange<WorkoutEngine, WorkoutServer, Message>
  private let setup: AppSetup
  private let rules: WorkoutRules
  /// The number of people that were newly installed.
  private var newPhones: UInt64 = 0
  package var events: [AppEvent] = []
  package private(set) var detections: [DetectionRecord] = []
  /// The source of the codes, which the outside world sends.
  private var codes: SeededGenerator

  package init(_ setup: AppSetup) throws(TraceError) {
    var rules: WorkoutRules = Self.rules(setup)
    rules.tracker = TrackDetector.parameterFields.changed(by: setup.parameters, in: rules.tracker)
    var random = SeededGenerator(seed: setup.seed)
    self.setup = setup
    self.rules = rules
    codes = SeededGenerator(seed: setup.seed ^ 0xC0DE)
    server = WorkoutServer(rules: rules, epoch: setup.epoch ?? WallTime(nanoseconds: 0))
    people = setup.people.enumerated().map { index, person in
      WorkoutPhone(
        person, device: DeviceID(index), rules: rules, installation: random.next(),
        epoch: setup.epoch ?? WallTime(nanoseconds: 0))
    }
    exchange = Exchange(
      setup.network, phones: setup.people.count, decisions: setup.decisions)
    let contacts = people.map(\.contact)
    for index in people.indices {
      let hasStranger = people.count > 2 && index < people.count - 1
      _ = people[index].has(hasStranger ? contacts.dropLast() : contacts)
    }
    beginExchange()
  }

  package func newPhone(_ person: Int) -> WorkoutEngine {
    let installation = StableHash(seed: setup.seed).with(person).with(newPhones)
    return WorkoutPhone(
      setup.people[person], device: DeviceID(person), rules: rules,
      installation: installation.value, epoch: setup.epoch ?? WallTime(nanoseconds: 0)
    ).engine
  }

  package func newServer() -> WorkoutServer { WorkoutServer(rules: rules, epoch: server.epoch) }

  package mutating func take(_ reading: Reading) {
    let index = reading.device.index
    guard people.indices.contains(index), !people[index].isFinished else { return }
    let now = reading.arrived
    if !people[index].hasStarted { start(index, at: now) }
    switch reading.value {
    // A phone without the permission gets no fixes.
    case .fix where people[index].engine.permission == .denied: break
    case .fix(let fix): feel(.fix(fix, measured: exchange.stamp(reading)), on: index, at: now)
    case .action(.pause): give(.pause, to: index, at: now)
    case .action(.resume): give(.resume, to: index, at: now)
    default: break
    }
    updateDeadline()
  }

  private mutating func start(_ index: Int, at now: TraceInstant) {
    people[index].hasStarted = true
    give(.signUp, to: index, at: now)
    give(.contacts(people[index].contacts), to: index, at: now)
    give(.allowLocation, to: index, at: now)
    if !decides(after: "permission", index) || people[index].engine.permission == .granted {
      give(.start(people[index].sport), to: index, at: now)
    }
  }

  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard people.indices.contains(person.index), !people[person.index].isFinished else { return }
    people[person.index].isFinished = true
    guard people[person.index].hasStarted else {
      return log("no-data", "has nothing to record: no location arrived", of: person.index, at: end)
    }
    give(.stop, to: person.index, at: end)
    give(.save, to: person.index, at: end)
    logSwim(of: person.index, at: end)
  }

  /// With a script the person swims after the run, 20 to 60 laps of 25 m.
  private mutating func logSwim(of index: Int, at now: TraceInstant) {
    guard let script = setup.script else { return }
    let draws = StableHash(seed: script.seed).with(index)
    let laps = 20 + Int(draws.unit(0) * 41)
    let seconds = Int(Double(laps) * (25 + 15 * draws.unit(1)))
    let form = Workout.SwimForm(
      date: people[index].engine.wall(now), lapLength: 25, laps: laps, minutes: seconds / 60,
      seconds: seconds % 60)
    log(
      "swim",
      "logs a swim: \(laps) laps of 25 m, \(Workout.Text.kilometers(form.distance)) in "
        + Workout.Text.clock(form.duration),
      of: index, at: now, value: form.distance, unit: "m")
    give(.logSwim(form), to: index, at: now)
  }

  /// Delivers the messages in transit; at the end each person opens the feed.
  package mutating func close(at end: TraceInstant) {
    for index in people.indices { finish(device: DeviceID(index), at: end) }
    var last = drain(from: end)
    for index in people.indices where people[index].hasStarted {
      give(.showFeed(.mineAndFriends), to: index, at: last)
    }
    last = drain(from: last)
    for index in people.indices where people[index].hasStarted { open(index, at: last) }
    last = drain(from: last)
    for index in people.indices where people[index].hasStarted {
      if let line = people[index].unsavedLine { log(line.kind, line.text, of: index, at: last) }
      showWeek(index, at: last)
    }
  }

  /// Opens the newest activity with a track of each other person in the feed.
  private mutating func open(_ index: Int, at now: TraceInstant) {
    let user = people[index].engine.user
    var seen: Set<Workout.UserID> = [user]
    for summary in people[index].engine.feed
    where summary.sport.isTracked && seen.insert(summary.creator).inserted {
      give(.open(summary.id), to: index, at: now)
    }
  }

  private mutating func showWeek(_ index: Int, at now: TraceInstant) {
    let start = people[index].summary?.start ?? people[index].engine.epoch
    guard let week = calendar.week(containing: start, start: people[index].engine.rules.weekStart)
    else { return }
    // The week shows the same when it is opened again.
    for _ in 0..<3 {
      give(.showWeek(week), to: index, at: now)
      people[index].checkWeek()
    }
  }

  package var outcomes: [AppOutcome] {
    let lost = people.reduce(0) { $0 + $1.lostByRestarts(isOnServer: server.contains) }
    return people.flatMap { $0.outcomes(isOnServer: server.contains) } + exchange.losses
      + (exchange.hasRestarted ? [.count("restart_lost_workouts", lost)] : [])
  }

  package var violations: [String] {
    let lost = people.filter { $0.isSaved }.compactMap(\.summary).filter { !server.contains($0.id) }
    return engineViolations
      + lost.map { "activity \($0.id) was acknowledged, and the server does not have it" }
  }

  /// Returns the tracker's measurements of a person's run, in the form of every detector; empty
  /// before the start.
  package func measurements(of person: DeviceID) -> [Measurement] {
    people.indices.contains(person.index) ? people[person.index].measurements : []
  }
}

extension SimulatedWorkout: ExchangedApp {
  package func posting(of effect: WorkoutEngine.Effect, by phone: Int) -> Posting<Message>? {
    if case .send(let letter) = effect { Posting(to: .server, .request(letter)) } else { nil }
  }

  package func posting(of effect: WorkoutServer.Effect) -> Posting<Message>? {
    guard case .answer(let answer, let stamp, let user) = effect,
      let person = people.firstIndex(where: { $0.engine.user == user })
    else { return nil }
    return Posting(to: .phone(person), .answer(answer, stamp))
  }

  package func serverInput(of message: Message, from phone: Int) -> WorkoutServer.Input? {
    guard case .request(let letter) = message else { return nil }
    return .request(letter, from: people[phone].engine.user)
  }

  package func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> WorkoutEngine.Input? {
    if case .answer(let answer, let stamp) = message { .answer(answer, stamp) } else { nil }
  }

  package func answer(to message: Message, refusedWith refusal: Refusal) -> Message? {
    guard case .request(let letter) = message else { return nil }
    return .answer(.refused(refusal), letter.stamp)
  }

  package mutating func note(_ effect: WorkoutEngine.Effect, of index: Int, at now: TraceInstant) {
    switch effect {
    case .askForLocation:
      let isOpen = hasDecisions
      log(
        "permission",
        "is asked whether the app may use the location" + (isOpen ? "" : ", and allows it"),
        of: index, at: now)
      if !decides(after: "permission", index) {
        if isOpen { log("permission-given", "allows it", of: index, at: now) }
        give(.permission(.granted), to: index, at: now)
      }
    case .split(_, var detection):
      detection.device = DeviceID(index)
      // A phone that corrects the times of its fixes needs no other correction.
      detections.append(
        rules.clockPatience == nil ? exchange.onAxis(detection, of: index) : detection)
    case .finished(let summary): people[index].finish(summary, at: now)
    case .saved(let id):
      people[index].noteSaved(id, byOldServer: exchange.isOfOldServer, at: now)
    default: break
    }
    people[index].watch(effect)
    if hasDecisions { noteMore(effect, of: index, at: now) }
    if let line = people[index].line(for: effect), people[index].isNews(line) {
      log(line.kind, line.text, of: index, at: now, value: line.value, unit: line.unit)
    }
    if case .saved = effect { give(.showFeed(.mineAndFriends), to: index, at: now) }
    // A code that came too late, or not at all: another one.
    if case .refused(let refusal) = effect, refusal.code == "no-code" {
      give(.signUp, to: index, at: now)
    }
  }

  /// Sends the code that the server asks for, as the outside world does: to the phone that has the
  /// number. The person enters it.
  package mutating func noteServed(_ message: Message, from index: Int, at now: TraceInstant) {
    let user = people[index].engine.user
    guard case .request(let letter) = message, case .signUp(_, let number) = letter.request,
      server.awaitsCode(of: user, at: now)
    else { return }
    let digits = CivilTime.padded(Int64(codes.next() % 1_000_000), 6)
    var none: [WorkoutServer.Effect] = []
    try? server.handle(.codeSent(digits, to: number, for: user), at: now, into: &none)
    people[index].code = digits
  }

  package mutating func noteDelivery(of message: Message, to index: Int, at now: TraceInstant) {
    if case .answer(.activity(let record), _) = message { noteTrack(record, shownTo: index) }
    if case .answer(.feed(let summaries, _), _) = message { noteFeed(summaries, shownTo: index) }
    if case .answer(.contacts, _) = message { people[index].contactsAreTold() }
    guard let code = people[index].code, people[index].engine.isSignedUp,
      !people[index].engine.isVerified
    else { return }
    people[index].code = nil
    give(.enterCode(code), to: index, at: now)
  }

  /// Counts a track that is shown to a person who is not a friend: one of the two does not have the
  /// number of the other.
  private mutating func noteTrack(_ record: Workout.Record, shownTo index: Int) {
    guard !record.locations.isEmpty, let creator = stranger(record.id, to: index) else { return }
    people[creator].strangerCount += 1
  }

  /// Counts the activities that a list discloses to such a person: name, day and distance.
  private mutating func noteFeed(_ summaries: [Workout.Summary], shownTo index: Int) {
    for summary in summaries {
      guard let creator = stranger(summary.id, to: index) else { continue }
      people[creator].shownToStrangers.insert([summary.id.description, people[index].name])
    }
  }

  /// Returns the creator of an activity, unless each of the two has the number of the other, for all that
  /// the server can know.
  private func stranger(_ id: Workout.ActivityID, to index: Int) -> Int? {
    guard let creator = people.firstIndex(where: { $0.engine.user == id.creator }), creator != index
    else { return nil }
    let isMutual =
      people[index].mayList(people[creator]) && people[creator].mayList(people[index])
    return isMutual ? nil : creator
  }

  package mutating func noteRefusal(_ refusal: Refusal, of index: Int, at now: TraceInstant) {
    log("refused", "the app refuses: \(refusal.reason)", of: index, at: now)
  }

  package mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    let state = isNew ? "newly installed" : "restored from an older state"
    guard let index = endpoint.phone else {
      // What it has lost counts no longer as saved, and its users sign up again.
      for index in people.indices where people[index].hasStarted {
        people[index].serverRestarted(has: server.contains)
        log("restart", "has a server that is \(state)", of: index, at: now)
        // An older state has older contacts.
        people[index].contactsAreUntold()
        if isNew {
          signUpAgain(index, at: now)
        } else if people[index].engine.isSignedUp {
          give(.contacts(people[index].contacts), to: index, at: now)
        }
      }
      return
    }
    newPhones += 1
    let wasUsed = people[index].hasStarted
    people[index].restart()
    log("restart", "goes on with a phone that is \(state)", of: index, at: now)
    guard wasUsed, people[index].isFinished, !people[index].hasStarted else { return }
    people[index].hasStarted = true
    signUpAgain(index, at: now)
  }

  private mutating func signUpAgain(_ index: Int, at now: TraceInstant) {
    if !people[index].engine.isSignedUp { give(.signUp, to: index, at: now) }
    give(.contacts(people[index].contacts), to: index, at: now)
  }
}

// MARK: Help

extension SimulatedWorkout {
  package static var legend: String {
    """
    distance error: relative to the true distance. duration: without pauses; moving time: also without
    standing. pace: seconds per mile. splits: kilometres and miles reported. weekly total: of the week of
    the run. week rank: among the friends, 1 = the most distance. friends: contacts in the address book who
    use the app. saved: whether the server has the run; save delay: from the end of the recording until the
    phone knows that, the person's own delay included. Counted as violations: workouts lost: neither on the
    server nor waiting on the phone; wrong weeks: the week shown with another total; tracks to strangers:
    opened by somebody who is not a friend of both sides; activities to strangers: in the list of one.
    restart lost: what restarts of phones or the server took of the recording, and saved workouts that are
    nowhere since.
    """
  }

  package static func rules(of preset: String) -> (any AppRules)? {
    WorkoutRules.preset(named: preset)
  }

  /// Returns those of the tracker.
  package static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] {
    TrackDetector.parameterFields.resolved(in: (rules as? WorkoutRules ?? .default).tracker)
  }
}

extension WorkoutEngine {
  /// The simulation of the app, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SimulatedWorkout.self }
}
