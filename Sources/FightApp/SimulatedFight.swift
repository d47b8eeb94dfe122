public import AppEngines
package import Detectors
package import TraceModel

/// People fight with the punches of their traces, two or more in one world.
///
/// All sign in and dismiss the registration cards by hand. The first, the third and so on search for
/// an opponent, compare and challenge; the others wait for a challenge. From then on a punch is a detection while the button
/// is held: by the trace's actions, by the script if the trace has none, otherwise always. Phones
/// and authority communicate over the simulated network.
///
/// Stats that a trace does not contain (height, weight, …) are drawn from the person's name and the
/// setup's seed. The log states that the profiles are simulated.
package struct SimulatedFight: AppSimulation {
  package static let name = "fight"
  package static let summary = "people fight by punching with their phones"
  package static let presets = [
    AppPreset("default", summary: "enforced turns; the authority counts stamina in whole units"),
    AppPreset("hitThat", summary: "the original app, including its faults"),
    AppPreset(
      "hitThat-auto", summary: "the original before 2015-04-16: a second hold takes the turn"),
  ]
  package static let peopleCount = 2...8
  package static let channel = Channel.userAcceleration
  package static let furtherChannels = [Channel.location]
  package static let task = ReferenceTask.punch
  package static let detector: String? = PunchDetector.name
  /// A fight reads one channel, and takes no punch back.
  package static let fixedParameters = ["gravity-turn", "withdraw-below", "types", "profile"]
  package static let faultCounts = [
    "stamina_rises", "wins_counted_twice", "moves_out_of_turn", "hits_lost", "unended_fights",
  ]

  package enum Message: Sendable, Encodable {
    case request(FightRequest)
    case reply(FightReply)
    case notice(FightNotice)
  }

  let setup: AppSetup
  let rules: FightRules
  /// Whether each phone's wall clock is exact. Otherwise the true times of its samples are kept.
  let exactClocks: [Bool]
  package var server: FightAuthority
  package var people: [Player] = []
  package var exchange: Exchange<FightClient, FightAuthority, Message>
  package var events: [AppEvent] = []
  package internal(set) var detections: [DetectionRecord] = []
  var arming: [ActionColumns]
  /// What is known of each fight on the server, by its number.
  var progress: [Progress] = []
  /// The number of wins after the last request.
  var lastWins = 0
  // What no rules allow, counted under all of them: moves after which a side has more stamina than
  // before, and moves of the side that moved last.
  var staminaRises = 0
  var movesOutOfTurn = 0
  /// The number of fights that are still open long after the last trace.
  var unendedFights = 0
  /// The restarts of phones so far: each has another monotonic clock.
  var restarts: UInt64 = 0

  /// A fight as it was after the last request.
  struct Progress: Sendable {
    var began: TraceInstant
    var ended: TraceInstant?
    var bout: Bout
    /// The number of moves that an answer to a punch has shown, and the server must therefore have.
    var acknowledgedMoves = 0
  }

  package init(_ setup: AppSetup) throws(TraceError) {
    self.setup = setup
    let rules: FightRules = Self.rules(setup)
    self.rules = rules
    server = FightAuthority(rules: rules)
    exactClocks = setup.people.indices.map { setup.network.clock(of: $0).isExact }
    exchange = Exchange(
      setup.network, phones: setup.people.count, decisions: setup.decisions)
    arming = setup.people.map { _ in ActionColumns() }
    for (index, person) in setup.people.enumerated() {
      let stats = Profile(simulating: person.name, seed: setup.seed)
      let phone = phone(of: index)
      people.append(
        Player(
          person, number: index, engine: phone.engine, stats: stats,
          script: phone.isScripted ? setup.script : nil))
    }
    beginExchange()
  }

  package func newServer() -> FightAuthority { FightAuthority(rules: rules) }

  package func newPhone(_ person: Int) -> FightClient { phone(of: person).engine }

  /// Returns a phone of the person, and whether a script holds its button.
  private func phone(of person: Int) -> (engine: FightClient, isScripted: Bool) {
    func phone(_ header: TraceHeader) -> FightClient {
      FightClient(
        rules: rules, installation: SimulatedFight.installation(person), for: header,
        changing: setup.parameters)
    }
    let header = setup.people[person].header
    let plain = phone(header)
    let isScripted = setup.script != nil && !plain.waitsForArming
    return (isScripted ? phone(header.withArming) : plain, isScripted)
  }

  static func installation(_ person: Int) -> String { "phone-\(person)" }

  package func armingActions(of person: DeviceID) -> ActionColumns? {
    people.indices.contains(person.index) && people[person.index].engine.waitsForArming
      ? arming[person.index] : nil
  }

  // MARK: What comes

  package mutating func take(_ reading: Reading) {
    let person = reading.device.index
    guard people.indices.contains(person) else { return }
    let now = reading.arrived
    switch reading.value {
    case .vector(let sample) where reading.channel == .userAcceleration:
      let stamp = exchange.stamp(reading)
      if !exactClocks[person] {
        people[person].keepTime(of: stamp, true: reading.measured, at: now)
      }
      var effects: [FightClient.Effect] = []
      people[person].engine.feel(sample, measured: stamp, at: now, into: &effects)
      carry(effects, of: person, at: now)
    case .action(.arm) where !people[person].isScripted: hold(true, person, at: now)
    case .action(.disarm) where !people[person].isScripted: hold(false, person, at: now)
    case .fix(let fix): notePlace(fix, of: person, at: now)
    default: break
    }
    updateDeadline()
  }

  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard people.indices.contains(person.index) else { return }
    give(.sensorStopped, to: person.index, at: end)
    updateDeadline()
  }

  package mutating func close(at end: TraceInstant) {
    let end = drain(from: end)
    unendedFights = max(openFights(longAfter: end), isStuck(after: end) ? 1 : 0)
    guard !progress.isEmpty else {
      let people = people.count == 2 ? "two people" : "people"
      return log("no-fight", "no fight: the \(people) did not meet", of: 0, at: end)
    }
    for (number, fight) in progress.enumerated() where fight.ended == nil {
      let bout = server.fights[number].bout
      let (origin, recipient) = (person(.origin, of: number), person(.recipient, of: number))
      log(
        "undecided",
        "no winner: \(name(origin)) has \(percent(bout.origin.percent)) left, "
          + "\(name(recipient)) \(percent(bout.recipient.percent))", of: origin, at: end)
    }
  }

  // MARK: Who fights whom

  /// Returns the person of an account, by the subject of the login; nil = the server does not have it.
  func knownPerson(of user: UserID) -> Int? {
    guard server.accounts.indices.contains(user) else { return nil }
    return people.indices.first {
      SimulatedFight.subject(of: $0) == server.accounts[user].subject
    }
  }

  func person(of user: UserID) -> Int { knownPerson(of: user) ?? 0 }

  func person(_ side: FightSide, of fight: FightID) -> Int {
    person(of: server.fights[fight].user(side))
  }

  /// Returns the account of a person; nil = the person has not signed in yet.
  func user(of person: Int) -> UserID? {
    server.accounts.firstIndex { $0.subject == SimulatedFight.subject(of: person) }
  }

  /// Returns the account that is signed in on a person's phone, perhaps another person's; if none is,
  /// the person's own.
  func account(onPhoneOf person: Int) -> UserID? {
    let installation = SimulatedFight.installation(person)
    return server.accounts.firstIndex { $0.installation == installation } ?? user(of: person)
  }

  static func subject(of person: Int) -> String { "trace:\(person)" }

  func name(_ person: Int) -> String { people[person].name }

  /// Returns the person's newest fight on the server.
  func newestFight(of person: Int) -> FightID? {
    user(of: person).flatMap { user in server.fights.lastIndex { $0.side(of: user) != nil } }
  }

  /// Returns how many fights nobody ends and no rule forfeits, if nobody punches any more.
  private func openFights(longAfter end: TraceInstant) -> Int {
    var later = server
    var effects: [FightAuthority.Effect] = []
    later.advance(to: end.advanced(bySeconds: (rules.forfeitAfter ?? 0) + 1), into: &effects)
    return later.fights.count { $0.bout.winner == nil }
  }

  /// Returns whether a phone still shows more moves of the open fight than the authority knows,
  /// although it has asked: both would wait for each other until the fight is forfeited. A phone that
  /// shows the end asks no more until the fight is opened again.
  private func isStuck(after end: TraceInstant) -> Bool {
    var server = server
    return people.contains { person in
      guard let fight = person.engine.view?.fight, server.fights.indices.contains(fight),
        server.fights[fight].bout.winner == nil
      else { return false }
      var (phone, now) = (person.engine, end)
      var effects: [FightClient.Effect] = []
      // A phone in the background asks when its person comes back.
      try? phone.handle(.foreground(true), at: now, into: &effects)
      for _ in 0..<4 {
        now = max(now, phone.deadline ?? now)
        phone.advance(to: now, into: &effects)
        var answers: [FightAuthority.Effect] = []
        for case .send(let request) in effects {
          try? server.handle(FightArrival(request, token: nil), at: now, into: &answers)
        }
        effects = []
        for case .reply(let reply, _) in answers {
          try? phone.handle(.reply(reply), at: now, into: &effects)
        }
      }
      guard let view = phone.view, view.fight == fight, !view.isOver else { return false }
      return view.bout.moves > server.fights[fight].bout.moves
    }
  }
}

extension SimulatedFight: ExchangedApp {
  /// A fight that is open is polled; on a slow network each poll and its answer go four times.
  package var lastMessageLimit: Int {
    let polls =
      Exchange<FightClient, FightAuthority, Message>.patience / max(rules.pollInterval, 0.01)
    return Int(polls) * 2 * 4
  }

  package func losses(to new: FightAuthority) -> [AppOutcome] {
    let lost = server.fights.enumerated().reduce(0) { sum, fight in
      let rest = new.fights.indices.contains(fight.offset) ? new.fights[fight.offset].bout.moves : 0
      return sum + max(0, fight.element.bout.moves - rest)
    }
    return [.count("restart_lost_moves", lost)]
  }

  package func posting(of effect: FightClient.Effect, by phone: Int) -> Posting<Message>? {
    if case .send(let request) = effect { Posting(to: .server, .request(request)) } else { nil }
  }

  package func posting(of effect: FightAuthority.Effect) -> Posting<Message>? {
    switch effect {
    case .reply(let reply, let installation):
      person(of: installation).map { Posting(to: .phone($0), .reply(reply)) }
    case .notify(let notice, let installation):
      person(of: installation).map { Posting(to: .phone($0), .notice(notice)) }
    }
  }

  private func person(of installation: String) -> Int? {
    people.indices.first { SimulatedFight.installation($0) == installation }
  }

  package func serverInput(of message: Message, from phone: Int) -> FightArrival? {
    guard case .request(let request) = message else { return nil }
    return FightArrival(request, token: token(for: request))
  }

  /// Returns the token that the transport draws for a login, from the setup's seed.
  private func token(for request: FightRequest) -> SessionToken? {
    guard case .logIn = request.call else { return nil }
    let hash = StableHash(seed: setup.seed).with(request.installation)
    return SessionToken(drawnFrom: hash, for: request.stamp)
  }

  package func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> FightClient.Input? {
    switch message {
    case .reply(let reply): .reply(reply)
    case .notice(let notice): .notice(notice)
    case .request: nil
    }
  }

  package func answer(to message: Message, refusedWith refusal: Refusal) -> Message? {
    guard case .request(let request) = message else { return nil }
    return .reply(FightReply(stamp: request.stamp, result: .refusal(refusal)))
  }

  package mutating func noteServed(_ message: Message, from person: Int, at now: TraceInstant) {
    guard case .request(let request) = message else { return }
    noteProgress(of: request.call, by: person, at: now)
  }

  package mutating func note(_ effect: FightClient.Effect, of person: Int, at now: TraceInstant) {
    switch effect {
    case .detected(var record):
      record.device = DeviceID(person)
      if !exactClocks[person] { record = people[person].onAxis(record) }
      detections.append(record)
      noteSwing(record, of: person)
    case .thrown(let punch, _): noteThrow(punch, of: person, at: now)
    case .ignored(let refusal): noteIgnored(refusal, of: person, at: now)
    case .refused(let refusal, let call): noteRefused(refusal, call, of: person, at: now)
    case .answer(let answer, _): react(to: answer, person, at: now)
    case .notification(let notice): react(to: notice, person, at: now)
    case .viewChanged(let view): react(to: view, person, at: now)
    case .signedOut(let reason): noteSignOut(reason, of: person, at: now)
    case .cardDismissed(let left): noteCard(left: left, of: person, at: now)
    case .send: break
    }
  }
}

extension FightClient {
  /// Whether the fight's detector listens only while the button is held.
  var waitsForArming: Bool { fightDetector.parameters.arming == .actions }
}

extension TraceHeader {
  fileprivate var withArming: TraceHeader {
    var header = self
    header.channels.removeAll { $0.channel == .action }
    header.channels.append(
      ChannelInfo(channel: .action, count: 0, attributes: ["kinds": "arm disarm"]))
    return header
  }
}

// MARK: Help

extension SimulatedFight {
  package static var legend: String {
    """
    Stamina begins at 100 %; a fighter with none left has lost. A hit takes 4 % for each g of the punch.
    hits per swing: hits divided by punches detected before the end. hits limited: hits that took less than
    measured, because no report may win a fight alone. damage error: mean distance of the measured damage
    from that of the punch's true peak, in % of full stamina (not of the damage); hits beyond sensor range:
    hits with a true peak above the sensor's range, which causes most of that error. wins counted: one per
    fight, unless both phones report it. odds: for these simulated profiles, 1.5 to 1 for each row ahead.
    hit delay: from the peak of a punch to the opponent's view
    with the stamina; hits not seen: those that have none. 0 unless a preset allows them: stamina rises,
    wins counted twice, moves out of turn; hits lost: acknowledged, and not on the server; unended fights:
    without an end, even long after, or both phones wait. restart lost: punches that waited for their answer
    on a phone, and hits that the server had, before a restart took them.
    """
  }

  package static func rules(of preset: String) -> (any AppRules)? {
    FightRules.preset(named: preset)
  }

  /// Returns those of the punch detector in the fight.
  package static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] {
    let rules = rules as? FightRules ?? .default
    let punch = PunchDetector.preset(named: rules.punchPreset) ?? PunchDetector.presets[0]
    return PunchDetector.parameterFields.resolved(in: punch.parameters(for: header))
  }
}

extension FightClient {
  /// The simulation of the app, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SimulatedFight.self }
}
