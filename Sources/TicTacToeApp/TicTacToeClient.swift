public import AppEngines
public import Detectors
public import TraceModel

/// The phone's part of Tic Chat Toe: heartbeats, the people who are there, the open game, the chat,
/// and requests that are repeated until they are answered.
///
/// **Presence.** Each phone sends its heartbeats to the other phones directly, not through the
/// server: so people see each other while the server is down or slow, and a heartbeat takes one way
/// instead of two. The people and their phones come from the server. The transport states the phone
/// that a heartbeat comes from; a heartbeat in another person's name is refused. Received ones feed
/// the phone's own ``PresenceDetector``.
///
/// **Time.** Only the monotonic `now` counts. The wall clock is used by the original's rules alone,
/// which compare it with the times of the server's records.
///
/// **A server whose state went back** is noticed by a game's revision: an answer that is older than
/// what the phone knew before it asked is correct, and an older notice is only late.
public struct TicTacToeClient: AppEngine {
  // Heartbeats are by far the most inputs and effects: larger ones are kept elsewhere, so that all are
  // quick to move.

  public enum Input: Hashable, Sendable, Codable {
    indirect case register(name: String, PasswordVerifier, salt: [UInt8], picture: String?)
    case logIn(name: String, PasswordVerifier)
    /// A call that needs no more than a login, e.g. ``TicTacToeCall/menu``.
    indirect case ask(TicTacToeCall)
    /// Asks a person of the list for a game.
    case invite(UserID)
    /// Asks the person of the list that random bits choose.
    case inviteAnyone(draw: UInt64)
    case tap(Square)
    case say(String)
    /// Asks the opponent of the ended game for another one.
    case rematch
    /// Leaves the game, or closes the ended one. The list is shown: a new visit.
    case leave
    /// The system suspends the app, or it comes to the front. A suspended app does nothing.
    case background, foreground
    /// Sends a heartbeat that a recording contains, to the phone that recorded it. The recording
    /// states it when it arrives, so the app may be suspended by now.
    case emitBeat(counter: Int64, sent: TraceInstant, to: PhoneAddress)
    /// A heartbeat arrived, from the phone that the transport states.
    case beat(Beat, from: PhoneAddress)
    /// The wall clock is so many nanoseconds ahead of the server's.
    case wallClock(ahead: Int64)
    indirect case reply(TicTacToeReply)
    indirect case notice(TicTacToeNotice)
  }

  public enum Effect: Hashable, Sendable, Codable {
    indirect case send(TicTacToeRequest)
    case beat(Beat, to: PhoneAddress)
    /// The presence detector found that a person came or went; the place is the user.
    indirect case detected(DetectionRecord)
    indirect case answer(TicTacToeAnswer, to: TicTacToeCall)
    indirect case refused(Refusal, TicTacToeCall)
    /// A request without an answer is given up, by the original's rules.
    indirect case lost(TicTacToeCall)
    case signedIn(UserID)
    case signedOut(String)
    /// The person is asked for a game, and the phone answers.
    case asked(by: UserID)
    case friendRequest(from: UserID, name: String)
    /// Nobody answered the attempt in time.
    case attemptEnded(UserID)
    indirect case opened(GameView)
    /// The person's move is on its way.
    indirect case moved(Move, turn: Int, GameView)
    indirect case board(GameView)
    case heard(ChatLine)
    indirect case ended(GameView)
    /// The open game is no longer known to the server.
    indirect case gone(GameView)
    /// The server knows less of the game than before.
    indirect case wentBack(GameView)
  }

  public static let name = "tictactoe-phone"
  public static let stateVersion = 1
  /// The time in seconds between two requests for the people's phones.
  static let contactsPoll = 30.0

  struct OpenAttempt: Hashable, Sendable, Codable {
    var to: UserID
    var until: TraceInstant
  }

  /// What was known when a request was first sent.
  struct Asked: Hashable, Sendable, Codable {
    var mark: UInt64
    var game: GameView?
    var newest: GameAge?
  }

  public let rules: TicTacToeRules
  public let address: PhoneAddress
  /// Whether the phone's timer sends heartbeats; a recording of heartbeats replaces it.
  public let beatsByItself: Bool
  var outbox: Outbox<TicTacToeCall>
  var detector: PresenceDetector
  /// The people that the detector has heard of, sorted.
  var peers: [UserID] = []
  private var asked = Asked(mark: 0)
  var clock = TraceInstant(nanoseconds: .min)
  private var beatAt: TraceInstant?
  var lookAt: TraceInstant?
  /// The earliest deadline, kept because every step of a replay asks for it.
  private var due: TraceInstant?
  private var listAt: TraceInstant?
  var chatAt: TraceInstant?
  private var contactsAt: TraceInstant?
  private var counter: Int64 = 0
  /// The state by the original's rules.
  var visit = Visit()
  /// The moves and messages that were read and are used at the next look.
  var unusedRecords: [GameRecord.Table: [GameRecord]] = [:]
  var wallAhead: Int64 = 0

  public internal(set) var session: SessionToken?
  public internal(set) var user: UserID?
  public internal(set) var contacts: [Contact] = []
  /// The people who are there, the last to come at the top.
  public internal(set) var online: [UserID] = []
  /// The game on the screen, open or ended; nil = the list of people.
  public internal(set) var game: GameView?
  /// The person's move that the server has not confirmed yet.
  public internal(set) var pendingMove: Move?
  var attempt: OpenAttempt?
  /// The newest game that was opened: a late message about an older one opens nothing.
  var newest: GameAge?
  public internal(set) var isInBackground = false

  /// - Parameters:
  ///   - address: the installation's address in the network.
  ///   - installation: a number of the installation, as different from those of others as possible.
  ///   - changes: values that replace those of the presence detector.
  public init(
    rules: TicTacToeRules = .default, address: PhoneAddress, installation: UInt64,
    beatsByItself: Bool = true, changing changes: [String: ParameterValue] = [:]
  ) {
    (self.rules, self.address, self.beatsByItself) = (rules, address, beatsByItself)
    outbox = Outbox(
      rules.repeatsRequests ? .serial : .parallel, backoff: rules.backoff,
      limit: TicTacToeLimits.outbox, epoch: installation)
    let parameters = rules.presence(for: TraceHeader(id: "", origin: .synthetic))
    detector = PresenceDetector(
      PresenceDetector.parameterFields.changed(by: changes, in: parameters), places: [])
  }

  public var isWaiting: Bool { !isInBackground && !outbox.isEmpty }

  // MARK: Inputs

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(now, clock)
    try checkAwake(for: input)
    switch input {
    case .register(let name, let verifier, let salt, let picture):
      try checkSignedOut()
      enqueue(
        .register(name: name, verifier, salt: salt, picture: picture), at: now, into: &effects)
    case .logIn(let name, let verifier):
      try checkSignedOut()
      enqueue(.logIn(name: name, verifier), at: now, into: &effects)
    case .ask(let call): try ask(call, at: now, into: &effects)
    case .invite(let other): try invite(other, at: now, into: &effects)
    case .inviteAnyone(let draw):
      guard !online.isEmpty else {
        throw Refusal("nobody-online", "nobody is there; wait until somebody comes")
      }
      try invite(online[Int(draw % UInt64(online.count))], at: now, into: &effects)
    case .tap(let square): try tap(square, at: now, into: &effects)
    case .say(let text): try say(text, at: now, into: &effects)
    case .rematch: try rematch(at: now, into: &effects)
    case .leave: try leave(at: now, into: &effects)
    case .background: isInBackground = true
    case .foreground:
      isInBackground = false
      advancePresence(to: now, into: &effects)
    case .emitBeat(let counter, let sent, let phone):
      guard let user else { throw Refusal("signed-out", "log in first") }
      effects.append(.beat(Beat(user: user, counter: counter, sent: sent), to: phone))
    case .beat(let beat, let phone): try take(beat, from: phone, at: now, into: &effects)
    case .wallClock(let ahead): wallAhead = ahead
    case .reply(let reply): try take(reply, at: now, into: &effects)
    case .notice(let notice): try take(notice, at: now, into: &effects)
    }
    clock = now
    updateDue()
  }

  private func checkAwake(for input: Input) throws(Refusal) {
    switch input {
    case .foreground, .emitBeat, .wallClock: break
    default:
      if isInBackground { throw Refusal("suspended", "the app is suspended; open it first") }
    }
  }

  private mutating func ask(
    _ call: TicTacToeCall, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch call {
    case .salt: break
    case .logOut, .setPicture, .menu, .contacts, .thread, .befriend, .unfriend, .friends, .leaders:
      try checkSignedIn()
    default:
      throw Refusal("not-here", "the phone makes this call itself; use the game's own buttons")
    }
    enqueue(call, at: now, into: &effects)
  }

  func checkSignedIn() throws(Refusal) {
    guard user != nil else { throw Refusal("signed-out", "log in first") }
  }

  private func checkSignedOut() throws(Refusal) {
    guard user == nil else { throw Refusal("signed-in", "log out first") }
  }

  // MARK: Requests

  /// - Returns: whether the request is on its way.
  @discardableResult mutating func enqueue(
    _ call: TicTacToeCall, at now: TraceInstant, into effects: inout [Effect]
  ) -> Bool {
    do throws(Refusal) {
      send(try outbox.send(call, attemptLimit: rules.attemptLimit, at: now), into: &effects)
      return true
    } catch {
      effects.append(.refused(error, call))
      return false
    }
  }

  /// Adds a request for news, unless the same one waits already.
  mutating func refresh(_ call: TicTacToeCall, at now: TraceInstant, into effects: inout [Effect]) {
    guard !outbox.items.contains(where: { $0.request == call }) else { return }
    enqueue(call, at: now, into: &effects)
  }

  mutating func send(_ item: Outbox<TicTacToeCall>.Item?, into effects: inout [Effect]) {
    guard let item else { return }
    if item.stamp.mark != asked.mark {
      asked = Asked(mark: item.stamp.mark, game: game, newest: newest)
    }
    effects.append(.send(TicTacToeRequest(stamp: item.stamp, session: session, call: item.request)))
  }

  /// What was known when that request was first sent; nil = another one was sent since.
  func asked(with stamp: RequestStamp) -> Asked? { asked.mark == stamp.mark ? asked : nil }

  // MARK: Time

  public var deadline: TraceInstant? {
    guard let due, !isInBackground, clock.nanoseconds < .max else { return nil }
    return max(due, clock.advanced(byNanoseconds: 1))
  }

  private mutating func updateDue() {
    due = earlier(outbox.due, detector.deadline)
    due = earlier(due, earlier(beatAt, lookAt))
    due = earlier(due, earlier(listAt, contactsAt))
    due = earlier(due, earlier(attempt?.until, chatAt))
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    guard !isInBackground else { return }
    defer { updateDue() }
    for overdue in outbox.advance(to: clock) {
      switch overdue {
      case .again(let item): send(item, into: &effects)
      case .givenUp(let item): effects.append(.lost(item.request))
      }
    }
    advancePresence(to: clock, into: &effects)
    if let due = beatAt, due <= clock {
      beatAt = clock.advanced(bySeconds: max(rules.heartbeatInterval, 0.001))
      sendBeats(into: &effects)
    }
    if let attempt, attempt.until <= clock {
      self.attempt = nil
      effects.append(.attemptEnded(attempt.to))
      // An attempt that has not reached the server is no longer wanted.
      outbox.removeAll { $0 == .ask(attempt.to) }
      send(outbox.sendFirst(at: clock), into: &effects)
    }
    if let due = contactsAt, due <= clock {
      contactsAt = clock.advanced(bySeconds: TicTacToeClient.contactsPoll)
      refresh(.contacts, at: clock, into: &effects)
    }
    if let due = lookAt, due <= clock { look(into: &effects) }
    if let due = listAt, due <= clock {
      listAt = clock.advanced(bySeconds: max(rules.listPoll, 0.001))
      readList(into: &effects)
    }
    if let due = chatAt, due <= clock { readChat(into: &effects) }
  }

  private mutating func readChat(into effects: inout [Effect]) {
    guard game != nil else {
      chatAt = nil
      return
    }
    chatAt = clock.advanced(bySeconds: max(rules.chatPoll, 0.001))
    useRecords(of: .chat, into: &effects)
    refresh(.query(.chat), at: clock, into: &effects)
  }

  private mutating func sendBeats(into effects: inout [Effect]) {
    guard let user else { return }
    let beat = Beat(user: user, counter: counter, sent: clock)
    counter = counter.addingClamped(1)
    effects.reserveCapacity(effects.count + contacts.count)
    for contact in contacts { effects.append(.beat(beat, to: contact.phone)) }
  }

  private mutating func look(into effects: inout [Effect]) {
    scheduleLook(at: clock)
    guard rules.keepsGames else { return readRecords(into: &effects) }
    // The request in transit or the next look brings the news.
    if outbox.isEmpty { enqueue(.look, at: clock, into: &effects) }
  }

  mutating func scheduleLook(at now: TraceInstant) {
    // The original looks for attempts with the list, and quickly while it waits for an answer.
    let isAsking = attempt != nil || (visit.selected != nil && visit.mark == .o)
    let wait =
      game != nil
      ? rules.gamePoll : rules.keepsGames || isAsking ? rules.attemptPoll : rules.listPoll
    lookAt = now.advanced(bySeconds: max(wait, 0.001))
  }

  /// Looks again at the next moment.
  mutating func lookSoon(at now: TraceInstant) { lookAt = now.advanced(byNanoseconds: 1) }

  /// Starts or stops the timers of a person who is signed in.
  mutating func setTimers(areOn: Bool, at now: TraceInstant) {
    let soon = areOn ? now.advanced(byNanoseconds: 1) : nil
    beatAt = beatsByItself ? soon : nil
    lookAt = soon
    listAt = rules.keepsGames ? nil : soon
    chatAt = nil
    contactsAt = soon
  }

  public var violations: [String] {
    var found = outbox.violations
    if rules.keepsGames, (game?.moves.count ?? 0) > 9 {
      found.append("a game has more moves than squares")
    }
    if pendingMove != nil, game == nil { found.append("a move waits without a game") }
    if user == nil, game != nil || attempt != nil { found.append("a game without a login") }
    if contacts.count > TicTacToeLimits.contacts { found.append("the list is too long") }
    if peers.count > TicTacToeLimits.peers { found.append("too many people were heard of") }
    return found
  }
}
