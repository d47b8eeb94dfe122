public import AppEngines
import Detectors
package import TraceModel

/// People who see who is online, play tic-tac-toe and chat, each with a phone.
///
/// **People.** Each trace is the phone of one person, the observer, with the heartbeats that it
/// received. The peers of a trace become simulated people with phones of their own, who play against
/// the observers. Such a person is there when the trace's reference says so, otherwise from a
/// heartbeat until 15 s after the last one; meanwhile their phone is suspended and nobody plays.
///
/// **Heartbeats.** A peer's phone sends each heartbeat of the trace to the observer's phone at the
/// time at which it arrived in the recording, with the recorded time of sending: the recorded way is
/// behind it, and the simulated network is added to it. So on an ideal network the observer's
/// detections are those of the plain detector on the trace, which makes the score on `presence` one
/// of the whole app. The observers' own phones send theirs by their timers. Only detections of peers
/// in the observer's own trace are scored, because no reference states when the others are there.
///
/// **Play.** An observer asks people of the list for games, and people of the list ask now and then
/// too. If a trace has `confirm` actions, its person taps when they say, otherwise after a seeded
/// time; the squares and the messages are a seeded player's. `pause` and `resume` suspend the app,
/// `cancel` leaves the game.
package struct SimulatedTicTacToe: AppSimulation {
  package static let name = "tictactoe"
  package static let summary = "people find each other online, play tic-tac-toe and chat"
  package static let presets = [
    AppPreset("default", summary: "the server keeps the games; each ends by a rule"),
    AppPreset("ticChatToe", summary: "the original app, including its faults"),
  ]
  package static let peopleCount = 1...8
  package static let channel = Channel.heartbeat
  package static let furtherChannels: [Channel] = []
  package static let task = ReferenceTask.presence
  package static let detector: String? = PresenceDetector.name
  package static let faultCounts = [
    "stalled_games", "two_o_games", "occupied_moves", "moves_out_of_turn", "lost_moves",
    "lost_chat_lines", "contradicting_results",
  ]

  /// Heartbeats are by far the most: what is larger is kept elsewhere, so that the messages in transit
  /// are quick to move.
  package enum Message: Sendable, Encodable {
    indirect case request(TicTacToeRequest)
    indirect case reply(TicTacToeReply)
    indirect case notice(TicTacToeNotice)
    case beat(Beat)
  }

  /// Two people, the one with the lower number first.
  struct Pair: Hashable, Sendable {
    let first: UserID
    let second: UserID

    init(_ one: UserID, _ other: UserID) { (first, second) = (min(one, other), max(one, other)) }
  }

  /// The most simulated people of all traces together; heartbeats of others are ignored.
  package static let mostFurtherPeople = 190

  package static func phoneCount(_ people: [AppSetup.Person]) -> Int {
    people.count
      + min(people.reduce(0) { $0 + peers(of: $1).count }, mostFurtherPeople)
  }

  /// The peers that the trace's reference names, in order.
  private static func peers(of person: AppSetup.Person) -> [Int32] {
    Set(person.header.reference(.presence)?.events.compactMap(\.place) ?? []).sorted()
  }

  let setup: AppSetup
  let rules: TicTacToeRules
  package var server: TicTacToeServer
  package var people: [Player] = []
  package var exchange: Exchange<TicTacToeClient, TicTacToeServer, Message>
  package var events: [AppEvent] = []
  package internal(set) var detections: [DetectionRecord] = []
  var matches: [Match] = []
  /// A move that the server has acknowledged.
  struct KnownMove: Hashable, Sendable {
    let game: GameID
    let begun: TraceInstant
    let turn: Int
    let move: Move
  }

  /// The people by the numbers that the server gave them.
  var persons: [UserID: Int] = [:]
  var chatLines = 0
  /// The numbers of chat lines that answers have shown, by the two people.
  var acknowledgedLines: [Pair: Int] = [:]
  /// The chat lines that were acknowledged, by the original's rules.
  var acknowledgedRecords: Set<RecordID> = []
  var acknowledgedMoves: Set<KnownMove> = []
  var serverRestarts = 0
  /// The people whose phones may show what the server knew before its last restart.
  var unconfirmed: Set<Int> = []

  package init(_ setup: AppSetup) throws(TraceError) {
    self.setup = setup
    let rules: TicTacToeRules = Self.rules(setup)
    self.rules = rules
    server = TicTacToeServer(rules: rules)
    exchange = Exchange(
      setup.network, phones: setup.people.count + SimulatedTicTacToe.mostFurtherPeople,
      decisions: setup.decisions)
    for (index, person) in setup.people.enumerated() {
      people.append(
        Player(
          observer: person, account: freeName(person.name), engine: newPhone(index),
          seed: seed(of: index)))
    }
    for (index, person) in setup.people.enumerated() {
      for peer in Self.peers(of: person) { addGuest(peer, of: index, at: person.start) }
    }
    beginExchange()
  }

  package func newServer() -> TicTacToeServer { TicTacToeServer(rules: rules) }

  package func newPhone(_ person: Int) -> TicTacToeClient {
    let count = people.indices.contains(person) ? people[person].installations : 0
    return TicTacToeClient(
      rules: rules, address: person,
      installation: StableHash(seed: setup.seed).with(person).with(count).value,
      beatsByItself: person < setup.people.count, changing: setup.parameters)
  }

  private func seed(of person: Int) -> UInt64 {
    StableHash(seed: setup.seed).with(setup.script?.seed ?? 0).with(person).value
  }

  // MARK: Guests

  /// Adds a simulated person for a peer of a trace, who has an account already.
  @discardableResult
  mutating func addGuest(_ peer: Int32, of observer: Int, at now: TraceInstant) -> Int? {
    guard people.count < setup.people.count + Self.mostFurtherPeople else { return nil }
    let index = people.count
    let number = people.count - setup.people.count
    let name = freeName(SeededPlayer.names[number % SeededPlayer.names.count])
    people.append(
      Player(
        guest: peer, of: observer, setup.people[observer], name: name, engine: newPhone(index),
        seed: seed(of: index)))
    introduce(index, at: now)
    if people[index].isAway(at: now) { give(.background, to: index, at: now) }
    people[index].planArrival(after: now)
    return index
  }

  /// Returns the name as the app accepts it, with a number if it is taken in any letter case.
  private func freeName(_ name: String) -> String {
    var base = String(name.filter { TicTacToeAccount.isReadable("a\($0)a") }.prefix(24))
    while base.utf8.count > 100 { base.removeLast() }
    base = base.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if base.isEmpty { base = "player" }
    var number = 1
    var free = base
    while people.contains(where: {
      TicTacToeServer.key(ofName: $0.account) == TicTacToeServer.key(ofName: free)
    }) {
      number += 1
      free = "\(base) \(number)"
    }
    return free
  }

  /// Registers a guest without the network: the account is from before the run.
  private mutating func introduce(_ person: Int, at now: TraceInstant) {
    var inputs: [TicTacToeClient.Input] = [people[person].registration]
    while !inputs.isEmpty {
      var effects: [TicTacToeClient.Effect] = []
      try? people[person].engine.handle(inputs.removeFirst(), at: now, into: &effects)
      for effect in effects {
        note(effect, of: person, at: now)
        guard case .send(let request) = effect else { continue }
        var answers: [TicTacToeServer.Effect] = []
        try? server.handle(
          TicTacToeServer.Input(from: person, request, token: token(for: request, of: person)),
          at: now, into: &answers)
        for answer in answers {
          if case .reply(let reply, person) = answer {
            inputs.append(.reply(reply))
          } else if let posting = posting(of: answer) {
            exchange.post(posting, from: .server, at: now)
          }
        }
      }
    }
  }

  // MARK: What comes

  package mutating func take(_ reading: Reading) {
    let index = reading.device.index
    guard setup.people.indices.contains(index), !people[index].isFinished else { return }
    let now = reading.arrived
    setWallClock(of: index, at: now)
    switch reading.value {
    case .heartbeat(let heartbeat):
      guard let guest = guest(heartbeat.peer, of: index, at: now) else { break }
      setWallClock(of: guest, at: now)
      noteGuestIsThere(guest, at: now)
      give(
        .emitBeat(counter: heartbeat.sequence, sent: reading.measured, to: index), to: guest,
        at: now)
    case .action(let action): perform(action, index, at: now)
    default: break
    }
    updateDeadline()
  }

  private mutating func guest(_ peer: Int32, of observer: Int, at now: TraceInstant) -> Int? {
    people.firstIndex { $0.peer == peer && $0.observer == observer }
      ?? addGuest(peer, of: observer, at: now)
  }

  /// Passes the error of a phone's wall clock to its app when it has changed.
  private mutating func setWallClock(of index: Int, at now: TraceInstant) {
    exchange.noteClock(of: index, at: now)
    let ahead = exchange.trueTime(of: now, on: index, at: now).nanoseconds(to: now)
    guard ahead != people[index].engine.wallAhead else { return }
    give(.wallClock(ahead: ahead), to: index, at: now)
  }

  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    let index = person.index
    guard setup.people.indices.contains(index), !people[index].isFinished else { return }
    people[index].finish(at: end)
    give(.background, to: index, at: end)
    updateDeadline()
  }

  /// Everybody leaves. The server ends the open games by its rules.
  package mutating func close(at end: TraceInstant) {
    for index in setup.people.indices { finish(device: DeviceID(index), at: end) }
    for index in people.indices where !people[index].isFinished {
      people[index].finish(at: end)
      give(.background, to: index, at: end)
    }
    var last = drain(from: end)
    let limit = last.advanced(bySeconds: rules.forfeitAfter + rules.turnLimit)
    while let end = server.deadline, end <= limit {
      let due = min(deadline ?? end, end)
      advance(to: due)
      last = max(last, due)
    }
    settleMatches(at: last)
  }

  package var violations: [String] { engineViolations + boardViolations }

  /// The boards that contradict the server's, of the phones that have heard of its last state.
  private var boardViolations: [String] {
    guard rules.keepsGames else { return [] }
    return people.indices.compactMap { person in
      guard !unconfirmed.contains(person), let view = people[person].engine.game,
        let game = server.game(view.game, begun: view.begun),
        !game.moves.starts(with: view.moves)
      else { return nil }
      return "\(people[person].name)'s board contradicts the server's"
    }
  }
}

extension SimulatedTicTacToe: ExchangedApp {
  package func posting(of effect: TicTacToeClient.Effect, by phone: Int) -> Posting<Message>? {
    switch effect {
    case .send(let request): Posting(to: .server, .request(request))
    case .beat(let beat, let phone): Posting(to: .phone(phone), .beat(beat))
    default: nil
    }
  }

  package func posting(of effect: TicTacToeServer.Effect) -> Posting<Message>? {
    switch effect {
    case .reply(let reply, let phone): Posting(to: .phone(phone), .reply(reply))
    case .notify(let notice, let phone): Posting(to: .phone(phone), .notice(notice))
    }
  }

  package func serverInput(of message: Message, from phone: Int) -> TicTacToeServer.Input? {
    guard case .request(let request) = message else { return nil }
    return TicTacToeServer.Input(from: phone, request, token: token(for: request, of: phone))
  }

  /// The random bits that the transport draws for a request: here from the setup's seed.
  func token(for request: TicTacToeRequest, of phone: Int) -> SessionToken {
    SessionToken(drawnFrom: StableHash(seed: setup.seed).with(phone), for: request.stamp)
  }

  package func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> TicTacToeClient.Input? {
    switch message {
    case .reply(let reply): sender == .server ? .reply(reply) : nil
    case .notice(let notice): sender == .server ? .notice(notice) : nil
    case .beat(let beat): sender.phone.map { .beat(beat, from: $0) }
    case .request: nil
    }
  }

  package func answer(to message: Message, refusedWith refusal: Refusal) -> Message? {
    guard case .request(let request) = message else { return nil }
    return .reply(TicTacToeReply(stamp: request.stamp, result: .refusal(refusal)))
  }
}

extension TicTacToeClient {
  /// The simulation of the app, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SimulatedTicTacToe.self }
}
