package import AppEngines
package import TraceModel

extension SimulatedTicTacToe {
  /// A person of the simulation: the presence, planned actions and the history.
  package struct Player: ExchangePerson {
    package var engine: TicTacToeClient
    /// The name in the log.
    package let name: String
    /// The name in the app.
    let account: String
    /// The person whose trace contains the heartbeats, and the number in it; nil = an observer.
    let observer: Int?
    let peer: Int32?
    /// The times at which the person is there, in order; nil = not known.
    var stretches: [(start: TraceInstant, end: TraceInstant)]?
    /// Whether the trace says when the person taps.
    let tapsByActions: Bool
    private let thinking: (mean: Double, spread: Double)
    var random: SeededGenerator
    var installations = 0
    var isFinished = false
    /// The time of the next action, kept because every step asks for it.
    package private(set) var deadline: TraceInstant?
    /// The times of the planned actions.
    var plans: [Act: TraceInstant] = [:] { didSet { deadline = plans.values.min() } }
    // History.
    var match: Int?
    /// The match after which the person looked at the menu last.
    var menuMatch: Int?
    var hasAccount = false
    var tally = Tally()

    /// What came of a person's games and of the phone's detector.
    struct Tally: Sendable {
      var wins = 0
      var losses = 0
      /// The times in seconds from a departure until it was seen.
      var goneAfter: [Double] = []
      var falseDepartures = 0
    }

    init(observer person: AppSetup.Person, account: String, engine: TicTacToeClient, seed: UInt64) {
      self.engine = engine
      name = person.name
      self.account = account
      (observer, peer) = (nil, nil)
      let actions = person.header.channels.first { $0.channel == .action }
      tapsByActions = actions?.attributes["kinds"]?.contains("confirm") ?? false
      thinking = (2.5, 0.6)
      random = SeededGenerator(seed: seed)
      stretches = [(person.start, TraceInstant(nanoseconds: .max))]
      (plans, deadline) = ([.signIn: person.start], person.start)
    }

    init(
      guest peer: Int32, of observer: Int, _ person: AppSetup.Person, name: String,
      engine: TicTacToeClient, seed: UInt64
    ) {
      self.engine = engine
      (self.name, account, self.observer, self.peer) = (name, name, observer, peer)
      tapsByActions = false
      thinking = (3, 0.6)
      random = SeededGenerator(seed: seed)
      hasAccount = true
      guard let reference = person.header.reference(.presence) else { return }
      let events = reference.events.filter { $0.place == peer && $0.offset > $0.onset }
      let start = person.start.nanoseconds
      var spans: [(start: TraceInstant, end: TraceInstant)] = []
      for event in events.sorted(by: { $0.onset < $1.onset }) {
        let onset = event.onset.advanced(byNanoseconds: start)
        let offset = event.offset.advanced(byNanoseconds: start)
        if let last = spans.last, onset <= last.end {
          spans[spans.count - 1].end = max(last.end, offset)
        } else {
          spans.append((onset, offset))
        }
      }
      stretches = spans
    }

    var isGuest: Bool { observer != nil }
    package var isWaiting: Bool { engine.isWaiting }

    package func losses(to new: TicTacToeClient) -> [AppOutcome] {
      let rest = Set(new.outbox.items.map(\.request))
      let lost = engine.outbox.items.count { item in
        switch item.request {
        case .move, .post(.move): !rest.contains(item.request)
        default: false
        }
      }
      return [.count("restart_lost_moves", lost)]
    }

    /// What stands for the verifier of the person's password. A replay asks for no password and
    /// protects nothing, so a cheap hash of the name takes the place of scrypt, by which an app derives
    /// it (see `Accounts` in AppIO) and which would take longer than the whole replay.
    private var verifier: PasswordVerifier {
      let hash = StableHash(seed: 0).with(account)
      return PasswordVerifier(
        (0..<4).flatMap { draw in
          let bits = hash.bits(UInt64(draw))
          return (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        })
    }

    var registration: TicTacToeClient.Input {
      .register(name: account, verifier, salt: [UInt8](account.utf8.prefix(16)), picture: nil)
    }
    var login: TicTacToeClient.Input { .logIn(name: account, verifier) }

    /// Returns a time to think from now.
    mutating func after(_ factor: Double, _ now: TraceInstant) -> TraceInstant {
      let spread = thinking.spread * random.uniform(-1...1)
      return now.advanced(bySeconds: max(thinking.mean * factor * (1 + spread), 0.01))
    }

    // MARK: Presence

    /// Whether the person is known to be away.
    func isAway(at time: TraceInstant) -> Bool {
      guard let stretches else { return false }
      return !stretches.contains { $0.start <= time && time < $0.end }
    }

    /// The last departure by `time`; nil = none.
    func departure(by time: TraceInstant) -> TraceInstant? {
      stretches?.last { $0.end <= time }?.end
    }

    /// Plans the next arrival or departure that is known.
    mutating func planArrival(after now: TraceInstant) {
      guard isGuest, let stretches else { return }
      plans[.change] = stretches.flatMap { [$0.start, $0.end] }.first { $0 > now }
    }

    /// Drops the plans that depend on what the phone shows.
    mutating func clearPlans() {
      for act in [Act.invite, .tap, .close, .giveUp] { plans[act] = nil }
    }

    mutating func finish(at end: TraceInstant) {
      isFinished = true
      plans = plans.filter { $0.key == .say }
      if var spans = stretches, let last = spans.popLast() {
        stretches = spans + [(last.start, min(last.end, end))]
      }
    }
  }

  // MARK: Actions

  /// What a person plans, in the order of what is due at once; `change` is of the presence.
  enum Act: CaseIterable { case change, signIn, invite, tap, say, close, giveUp }

  /// The time in seconds after its last heartbeat at which a guest without a reference is away.
  private static let silence = 15.0
  /// The time in seconds after which a person gives up a game that does not go on, by the original's
  /// rules.
  private static let patience = 45.0

  package mutating func act(_ person: Int, at now: TraceInstant) {
    for act in Act.allCases {
      guard let time = people[person].plans[act], time <= now else { continue }
      people[person].plans[act] = nil
      switch act {
      case .change: changePresence(of: person, at: now)
      case .signIn:
        let player = people[person]
        give(player.hasAccount ? player.login : player.registration, to: person, at: now)
      case .invite: invite(person, at: now)
      case .tap: tap(person, at: now)
      case .say:
        let draw = people[person].random.next()
        give(
          .say(SeededPlayer.lines[Int(draw % UInt64(SeededPlayer.lines.count))]), to: person,
          at: now)
      case .close: close(person, at: now)
      case .giveUp: giveUp(person, at: now)
      }
    }
  }

  private mutating func changePresence(of person: Int, at now: TraceInstant) {
    let isKnown = people[person].stretches != nil
    let isAway = isKnown ? people[person].isAway(at: now) : true
    people[person].planArrival(after: now)
    guard isAway != people[person].engine.isInBackground else { return }
    give(isAway ? .background : .foreground, to: person, at: now)
    if isAway { people[person].clearPlans() } else { plan(person, at: now) }
  }

  /// A heartbeat shows that a guest without a reference is there.
  mutating func noteGuestIsThere(_ guest: Int, at now: TraceInstant) {
    guard people[guest].stretches == nil, !people[guest].isFinished else { return }
    people[guest].plans[.change] = now.advanced(bySeconds: SimulatedTicTacToe.silence)
    if people[guest].engine.isInBackground {
      give(.foreground, to: guest, at: now)
      plan(guest, at: now)
    }
  }

  /// Plans what a person does next, by what the phone shows.
  mutating func plan(_ person: Int, at now: TraceInstant) {
    people[person].clearPlans()
    guard !people[person].isFinished, people[person].engine.user != nil else { return }
    guard let game = people[person].engine.game else {
      // Observers look for games; the others do now and then.
      let factor = people[person].isGuest ? people[person].random.uniform(20...120) : 2
      people[person].plans[.invite] = people[person].after(factor, now)
      return
    }
    guard game.result == nil else {
      people[person].plans[.close] = people[person].after(1, now)
      return
    }
    if game.isMyTurn, !people[person].tapsByActions, people[person].engine.pendingMove == nil {
      people[person].plans[.tap] = people[person].after(1, now)
    }
    if !rules.keepsGames {
      people[person].plans[.giveUp] = now.advanced(bySeconds: SimulatedTicTacToe.patience)
    }
  }

  private mutating func invite(_ person: Int, at now: TraceInstant) {
    people[person].plans[.invite] = people[person].after(people[person].isGuest ? 40 : 1.5, now)
    let phone = people[person].engine
    guard phone.user != nil, phone.game == nil, phone.attempt == nil,
      let newest = phone.online.first
    else { return }
    let draw = people[person].random.next()
    give(draw % 2 == 0 ? .invite(newest) : .inviteAnyone(draw: draw >> 1), to: person, at: now)
    guard let attempt = people[person].engine.attempt, attempt.to != phone.attempt?.to else {
      return
    }
    log("asks", "asks \(name(of: attempt.to)) for a game", of: person, at: now)
  }

  private mutating func tap(_ person: Int, at now: TraceInstant) {
    let phone = people[person].engine
    guard let game = phone.game, let board = phone.shownBoard,
      let square = SeededPlayer.square(on: board, as: game.mark, draw: people[person].random.next())
    else { return }
    give(.tap(square), to: person, at: now)
    guard people[person].random.unit() < 0.2 else { return }
    people[person].plans[.say] = people[person].after(0.4, now)
  }

  /// After a game: another one with the same person, or back to the list.
  private mutating func close(_ person: Int, at now: TraceInstant) {
    if !people[person].isGuest, people[person].menuMatch != people[person].match {
      people[person].menuMatch = people[person].match
      give(.ask(.menu), to: person, at: now)
    }
    let wantsMore = people[person].random.unit() < 0.15
    if wantsMore, people[person].engine.game.map({ isThere($0.opponent, for: person) }) ?? false {
      let name = people[person].engine.game?.opponentName ?? ""
      give(.rematch, to: person, at: now)
      if people[person].engine.attempt != nil {
        log("asks", "asks \(name) for another game", of: person, at: now)
        people[person].plans[.close] = now.advanced(bySeconds: rules.attemptLifetime + 2)
        return
      }
    }
    give(.leave, to: person, at: now)
    plan(person, at: now)
  }

  private func isThere(_ user: UserID, for person: Int) -> Bool {
    people[person].engine.online.contains(user)
  }

  private mutating func giveUp(_ person: Int, at now: TraceInstant) {
    guard let game = people[person].engine.game, game.result == nil else { return }
    log(
      "gives-up",
      "gives up the game with \(game.opponentName), which does not go on: \(game.board.words)",
      of: person, at: now)
    if let match = openMatch(of: person) { matches[match].isStalled = true }
    give(.leave, to: person, at: now)
    plan(person, at: now)
  }

  mutating func perform(_ action: Action, _ person: Int, at now: TraceInstant) {
    switch action {
    case .pause: give(.background, to: person, at: now)
    case .resume:
      give(.foreground, to: person, at: now)
      plan(person, at: now)
    case .confirm: tap(person, at: now)
    case .cancel:
      give(.leave, to: person, at: now)
      plan(person, at: now)
    case .arm, .disarm, .continue, .enrollStraight, .enrollHook, .enrollUppercut, .enrollEnd: break
    }
  }

  package mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    let state = isNew ? "newly installed" : "restored from an older state"
    guard let person = endpoint.phone else {
      serverRestarts += 1
      unconfirmed = Set(people.indices)
      // The server lost what it acknowledged since that state.
      for (pair, count) in acknowledgedLines {
        acknowledgedLines[pair] = min(count, server.lineCount(of: pair))
      }
      acknowledgedRecords.formIntersection(server.records.map(\.id))
      acknowledgedMoves = acknowledgedMoves.filter { server.has($0) }
      return log("restart", "uses a server that is \(state)", of: 0, at: now)
    }
    if serverRestarts > 0 { unconfirmed.insert(person) }
    log("restart", "goes on with a phone that is \(state)", of: person, at: now)
    people[person].installations += 1
    people[person].clearPlans()
    let isAway = people[person].isFinished || people[person].isAway(at: now)
    guard !isAway else {
      if !people[person].engine.isInBackground { give(.background, to: person, at: now) }
      return
    }
    if people[person].engine.isInBackground { give(.foreground, to: person, at: now) }
    if people[person].engine.user == nil { people[person].plans[.signIn] = now }
    plan(person, at: now)
  }
}
