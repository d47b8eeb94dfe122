package import AppEngines
package import TraceModel

extension SimulatedFight {
  /// A person of the simulation: planned actions and the history.
  package struct Player: ExchangePerson {
    package var engine: FightClient
    package let name: String
    let stats: Profile
    let punches: [ReferenceEvent]?
    /// The range of one axis in m s-2, if the trace states it.
    let sensorRange: Double?
    let script: PersonScript?
    var random: SeededGenerator
    // Planned actions.
    var signInAt: TraceInstant?
    var searchAt: TraceInstant?
    var armAt: TraceInstant?
    var releaseAt: TraceInstant?
    // History.
    var isSignedIn = false
    var placeReported: TraceInstant?
    var swings = 0
    var refused = 0
    var lateSwings = 0
    var hits: [Hit] = []
    /// The detected punches that were sent, newest last.
    var thrown: [Thrown] = []
    var lastLabel = ""
    var lastOnset = TraceInstant.zero
    var chance: Double?
    /// The latest samples of a phone with a wrong clock.
    private var times = SampleTimes()

    struct Thrown: Sendable {
      var punch: PunchReport
      var label: String
      /// The time on the run's axis.
      var onset: TraceInstant
    }

    struct Hit: Sendable {
      var fight: FightID
      /// The time on the phone's clock.
      var thrown: TraceInstant
      /// The time on the run's axis.
      var onAxis: TraceInstant
      /// The damage in percent of a full bar, as it counted and as it was measured.
      var damage: Double
      var measured: Double
      /// The opponent's units of stamina after it.
      var left: Int
      /// The time at which the opponent's view showed it; nil = not yet.
      var shown: TraceInstant?
    }

    init(
      _ person: AppSetup.Person, number: Int, engine: FightClient, stats: Profile,
      script: PersonScript?
    ) {
      self.engine = engine
      name = person.name
      var stats = stats
      var alias = String(person.name.prefix(32))
      // A profile limits the bytes, and a character can have any number of them.
      while alias.utf8.count > 128 { alias.removeLast() }
      stats.alias = alias.isEmpty ? "player \(number + 1)" : alias
      self.stats = stats
      // Convert to the run's axis.
      punches = person.header.reference(.punch)?.events.map { event in
        var event = event
        event.onset = event.onset.advanced(byNanoseconds: person.start.nanoseconds)
        return event
      }
      let sensor = person.header.channels.first { $0.channel == .userAcceleration }
      sensorRange = sensor?.attributes["saturation"].flatMap(Double.init)
      self.script = script
      random = SeededGenerator(seed: (script?.seed ?? 0) &+ UInt64(number))
      signInAt = person.start
    }

    var isScripted: Bool { script != nil }

    /// Keeps the true time of a sample with that stamp of the phone's wall clock.
    mutating func keepTime(of stamp: TraceInstant, true time: TraceInstant, at now: TraceInstant) {
      var clock = engine.sampleClock
      times.append(time, known: clock.time(of: stamp, arrived: now))
    }

    /// Puts a detection onto the run's axis.
    func onAxis(_ record: DetectionRecord) -> DetectionRecord {
      var record = record
      record.onset = times.trueTime(of: record.onset)
      record.newestMeasured = times.trueTime(of: record.newestMeasured)
      return record
    }

    package var isWaiting: Bool { !engine.outbox.isEmpty }

    package func losses(to new: FightClient) -> [AppOutcome] {
      let rest = Set(new.outbox.items.map(\.request))
      let lost = engine.outbox.items.count { item in
        switch item.request {
        case .punch, .writeStamina: !rest.contains(item.request)
        default: false
        }
      }
      return [.count("restart_lost_punches", lost)]
    }

    package var deadline: TraceInstant? {
      earlier(earlier(signInAt, searchAt), earlier(armAt, releaseAt))
    }

    /// Returns the time `seconds` from now, varied by the script's spread.
    mutating func after(_ seconds: Double, _ now: TraceInstant) -> TraceInstant {
      let spread = min(max(script?.spread ?? 0, 0), 1)
      let factor = 1 + spread * random.uniform(-1...1)
      return now.advanced(bySeconds: max(seconds * factor, 0.001))
    }
  }

  /// The true times of the latest samples, by the times that the phone's engine has for them.
  private struct SampleTimes: Sendable {
    private static let capacity = 4096
    private var entries: [(known: TraceInstant, time: TraceInstant)] = []

    mutating func append(_ time: TraceInstant, known: TraceInstant) {
      if entries.count == 2 * SampleTimes.capacity { entries.removeFirst(SampleTimes.capacity) }
      entries.append((known, time))
    }

    func trueTime(of known: TraceInstant) -> TraceInstant {
      entries.last { $0.known == known }?.time ?? known
    }
  }

  /// The time in seconds between two searches for an opponent or a missed challenge.
  static let searchInterval = 1.0
  /// The time in seconds from a punch to the release of the button.
  private static let releaseAfterPunch = 0.3
  /// The time in seconds between two reports of a position.
  private static let placeInterval = 60.0

  /// Performs the person's due actions.
  package mutating func act(_ person: Int, at now: TraceInstant) {
    if let due = people[person].signInAt, due <= now {
      people[person].signInAt = nil
      let login = SocialLogin(
        subject: SimulatedFight.subject(of: person),
        profile: Profile(alias: people[person].stats.alias))
      give(.ask(.logIn(login)), to: person, at: now)
    }
    if let due = people[person].searchAt, due <= now {
      people[person].searchAt = nil
      search(person, at: now)
    }
    if let due = people[person].armAt, due <= now {
      people[person].armAt = nil
      people[person].releaseAt = people[person].after(people[person].script?.holdFor ?? 0, now)
      hold(true, person, at: now)
    }
    if let due = people[person].releaseAt, due <= now {
      people[person].releaseAt = nil
      hold(false, person, at: now)
      planHold(person, at: now)
    }
  }

  /// Lets a person press or release the button.
  mutating func hold(_ isArmed: Bool, _ person: Int, at now: TraceInstant) {
    give(isArmed ? .arm : .disarm, to: person, at: now)
    // A hold that is refused arms nothing.
    guard people[person].engine.isArmed == isArmed else { return }
    arming[person].append(
      isArmed ? .arm : .disarm, measured: now.nanoseconds, arrived: now.nanoseconds)
  }

  /// Lets every other person search for an opponent, and the rest for a challenge whose notice may
  /// be lost.
  private mutating func search(_ person: Int, at now: TraceInstant) {
    guard people[person].engine.view == nil else { return }
    people[person].searchAt = now.advanced(bySeconds: SimulatedFight.searchInterval)
    guard people[person].engine.outbox.isEmpty else { return }
    if person % 2 == 0, newestFight(of: person) == nil {
      give(.ask(.findOpponent), to: person, at: now)
    } else {
      give(.ask(.listFights), to: person, at: now)
    }
  }

  /// Schedules a hold of the button if a script acts and it is the person's turn.
  private mutating func planHold(_ person: Int, at now: TraceInstant) {
    guard let script = people[person].script, people[person].engine.view?.isMyTurn == true,
      people[person].armAt == nil, people[person].releaseAt == nil
    else { return }
    people[person].armAt = people[person].after(script.armAfter, now)
  }

  mutating func notePlace(_ fix: Fix, of person: Int, at now: TraceInstant) {
    let place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    guard people[person].isSignedIn, place.isValid else { return }
    if let last = people[person].placeReported,
      now < last.advanced(bySeconds: SimulatedFight.placeInterval)
    {
      return
    }
    people[person].placeReported = now
    give(.ask(.reportPlace(place)), to: person, at: now)
  }

  // MARK: What the phone shows

  mutating func react(to answer: FightAnswer, _ person: Int, at now: TraceInstant) {
    switch answer {
    case .session: register(person, at: now)
    case .opponent(let opponent?):
      let distance = opponent.distance.map { "about \(Int(($0 / 10).rounded()) * 10) m away" }
      log(
        "offer", "is offered an opponent \(distance ?? "at an unknown distance")", of: person,
        at: now)
      noteAnswer(answer, person, at: now)
      tell(opponent.versus, person, at: now)
      if !decides(after: "offer", person), !decides(after: "versus", person) {
        give(.ask(.hitThat), to: person, at: now)
      }
    case .revealed(let opponent, _):
      noteAnswer(answer, person, at: now)
      if !decides(after: "revealed", person) {
        give(.ask(.challenge(opponent.user)), to: person, at: now)
      }
    case .fights(let lists):
      noteAnswer(answer, person, at: now)
      if let first = lists.active.first, !decides(after: "lists", person) {
        give(.open(first.fight), to: person, at: now)
      }
    case .fight(let view), .limited(let view, _):
      guard !exchange.isOfOldServer, progress.indices.contains(view.fight) else { break }
      progress[view.fight].acknowledgedMoves = max(
        progress[view.fight].acknowledgedMoves, view.bout.moves)
    case .opponent(nil), .profile, .tracking: noteAnswer(answer, person, at: now)
    case .done: break
    }
  }

  private mutating func register(_ person: Int, at now: TraceInstant) {
    people[person].isSignedIn = true
    let button =
      people[person].isScripted
      ? "hold the button as scripted"
      : people[person].engine.waitsForArming
        ? "hold the button as the trace says" : "punch without a button"
    log("sign-in", "signs in, fills in a simulated profile and will \(button)", of: person, at: now)
    if !decides(after: "sign-in", person) {
      while people[person].engine.cardsLeft > 0 { give(.tapCard, to: person, at: now) }
    }
    give(.beginEdit, to: person, at: now)
    let owner = people[person].engine.user.flatMap(knownPerson) ?? person
    give(.saveDraft(people[owner].stats), to: person, at: now)
    people[person].searchAt = now.advanced(bySeconds: SimulatedFight.searchInterval)
  }

  private mutating func tell(_ versus: Versus, _ person: Int, at now: TraceInstant) {
    let mine = versus.lines.filter { $0.advantage == .mine }.map(\.row.title)
    let theirs = versus.lines.filter { $0.advantage == .theirs }.map(\.row.title)
    func list(_ rows: [String]) -> String {
      rows.isEmpty ? "nothing" : rows.joined(separator: ", ")
    }
    let odds = versus.chance.map { "; by that, odds of \(percent(100 * $0)) to win" } ?? ""
    log(
      "versus",
      "compares the simulated profiles: ahead in \(list(mine)); behind in \(list(theirs))\(odds)",
      of: person, at: now, value: versus.chance.map { 100 * $0 }, unit: "%")
    people[person].chance = versus.chance
    if let candidate = user(of: person).flatMap({ server.accounts[$0].candidate }) {
      people[self.person(of: candidate)].chance = versus.chance.map { 1 - $0 }
    }
  }

  mutating func react(to notice: FightNotice, _ person: Int, at now: TraceInstant) {
    noteNotice(notice, person, at: now)
    switch notice.kind {
    case .challenged:
      guard !decides(after: "notice", person) else { break }
      if let fight = notice.fight, people[person].engine.view == nil {
        give(.open(fight), to: person, at: now)
      }
    case .hit, .won, .lost, .tracked, .signedOut: break
    }
  }

  mutating func react(to view: FightView, _ person: Int, at now: TraceInstant) {
    if view.isOver { people[person].armAt = nil }
    noteShown(view, to: person, at: now)
    planHold(person, at: now)
  }

  mutating func noteThrow(_ punch: PunchReport, of person: Int, at now: TraceInstant) {
    let player = people[person]
    people[person].thrown.append(
      Player.Thrown(punch: punch, label: player.lastLabel, onset: player.lastOnset))
    guard people[person].releaseAt != nil else { return }
    people[person].releaseAt = now.advanced(bySeconds: SimulatedFight.releaseAfterPunch)
  }

  // MARK: Restarts

  package mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    let state = isNew ? "newly installed" : "restored from an older state"
    switch endpoint {
    case .phone(let person):
      log("restart", "goes on with a phone that is \(state)", of: person, at: now)
      restarts += 1
      give(.clockRestarted(restarts), to: person, at: now)
      resume(person, at: now)
    case .server:
      log("restart", "uses a server that is \(state)", of: 0, at: now)
      // The server lost what it acknowledged since that state.
      progress.removeLast(max(0, progress.count - server.fights.count))
      for (number, fight) in progress.enumerated() {
        let bout = server.fights[number].bout
        progress[number].acknowledgedMoves = min(fight.acknowledgedMoves, bout.moves)
        if bout.winner == nil { progress[number].ended = nil }
      }
      noteState()
    }
  }

  /// Lets a person go on from what the phone shows.
  private mutating func resume(_ person: Int, at now: TraceInstant) {
    (people[person].armAt, people[person].releaseAt) = (nil, nil)
    people[person].isSignedIn = people[person].engine.session != nil
    if !people[person].isSignedIn {
      people[person].signInAt = now
    } else if people[person].engine.view == nil {
      people[person].searchAt = now
    }
    planHold(person, at: now)
  }

  /// Lets a person sign in again after a while.
  mutating func noteSignOut(_ reason: String, of person: Int, at now: TraceInstant) {
    log("signed-out", "is signed out: “\(reason)”", of: person, at: now)
    people[person].isSignedIn = false
    // Who signs out by choice stays out.
    guard reason != FightClient.chosenSignOut, !decides(after: "signed-out", person) else { return }
    people[person].signInAt = now.advanced(bySeconds: SimulatedFight.searchInterval)
  }
}
