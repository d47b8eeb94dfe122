public import AppEngines
public import TraceModel

/// The server of Tic Chat Toe: accounts, the handshake, games, messages, scores.
///
/// Each phone numbers its requests. The server keeps the last answers of each phone in a
/// ``ReplyMemory``: a repeated request gets the same answer and is not executed again, and a phone
/// whose numbers do not fit gets the next valid one. A refusal is an answer too.
///
/// **Trust.** The transport states the phone that a request comes from, and passes a fresh token for
/// a login. Only the players of a game move in it or write to each other, a request counts only with
/// the session and from the phone of the login, and ``TicTacToeLimits`` bounds everything that
/// people can make the server store.
///
/// **Ends.** A game ends by the board, by leaving, after an absence of ``TicTacToeRules/forfeitAfter``
/// or after a turn of ``TicTacToeRules/turnLimit``. So every game ends, whatever messages are lost.
public struct TicTacToeServer: AppEngine {
  /// A request with what the transport knows about it.
  public struct Input: Hashable, Sendable, Codable {
    public var phone: PhoneAddress
    public var request: TicTacToeRequest
    /// Fresh random bits, for the session if the request is a login.
    public var token: SessionToken
    /// The salt to answer with if a request for a salt names nobody: always the same for a name, and
    /// for who does not know the transport's secret like that of an account. Empty = such a request
    /// is refused.
    public var decoySalt: [UInt8]

    public init(
      from phone: PhoneAddress, _ request: TicTacToeRequest, token: SessionToken,
      decoySalt: [UInt8] = []
    ) {
      (self.phone, self.request) = (phone, request)
      (self.token, self.decoySalt) = (token, decoySalt)
    }
  }

  public enum Effect: Hashable, Sendable, Codable {
    indirect case reply(TicTacToeReply, to: PhoneAddress)
    indirect case notify(TicTacToeNotice, on: PhoneAddress)
  }

  public static let name = "tictactoe-server"
  public static let stateVersion = 1
  /// The number of answers kept for each phone; more than a phone can have in transit.
  static let keptReplies = 2 * TicTacToeLimits.outbox

  public let rules: TicTacToeRules
  var accounts: [TicTacToeAccount] = []
  /// The games by number: the open ones, and the last that ended.
  var games: [Game] = []
  var nextGame: GameID = 0
  var attempts: [Attempt] = []
  var nextAttempt: AttemptID = 0
  var threads: [ChatThread] = []
  var records: [GameRecord] = []
  var nextRecord: RecordID = 0
  var logins = 0
  /// The numbers of games that ended with a winner, and as draws.
  var decidedGames = 0
  var drawnGames = 0
  /// The phones that have asked something, by address.
  var phones: [Phone] = []
  private var replies: ReplyMemory<PhoneAddress, TicTacToeReply.Result>
  /// The earliest end of an open game by time, kept because every step of a replay asks for it.
  private var due: TraceInstant?
  private(set) var clock = TraceInstant(nanoseconds: .min)

  public init(rules: TicTacToeRules = .default) {
    self.rules = rules
    // Without repetitions the original's requests are independent of each other.
    replies = ReplyMemory(
      rules.repeatsRequests ? .serial : .parallel, window: TicTacToeServer.keptReplies)
  }

  // MARK: Requests

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(now, clock)
    let isKnown = phoneIndex(input.phone) != nil
    let isFull = !isKnown && phones.count >= TicTacToeLimits.phones
    let forgotten = isFull ? phoneToForget(at: now) : nil
    guard !isFull || forgotten != nil else {
      throw Refusal("full", "too many phones use this server; try again another day")
    }
    let stamp = input.request.stamp
    func reply(_ result: TicTacToeReply.Result) -> Effect {
      .reply(TicTacToeReply(stamp: stamp, result: result), to: input.phone)
    }
    switch replies.verdict(on: stamp, from: input.phone) {
    case .known(let result): return effects.append(reply(result))
    case .outOfStep(let next): return effects.append(reply(.outOfStep(next)))
    case .new: break
    }
    clock = now
    if let forgotten {
      phones.removeAll { $0.address == forgotten }
      replies.forget(forgotten)
    }
    noteRequest(from: input.phone)
    var following: [Effect] = []
    let result = result(of: input, into: &following)
    dropEndedGames()
    updateDue()
    replies.remember(result, to: stamp, from: input.phone)
    effects.append(reply(result))
    effects += following
  }

  private mutating func result(
    of input: Input, into effects: inout [Effect]
  ) -> TicTacToeReply.Result {
    do throws(Refusal) {
      switch input.request.call {
      case .register(let name, let verifier, let salt, let picture):
        return .answer(
          try register(
            TicTacToeAccount(name: name, verifier: verifier, salt: salt, picture: picture), input,
            into: &effects))
      case .salt(let name): return .answer(.salt(try salt(of: name, input)))
      case .logIn(let name, let verifier):
        return .answer(try logIn(name, verifier, input, into: &effects))
      default:
        let user = try user(of: input)
        touch(user, into: &effects)
        return .answer(try perform(input.request.call, by: user, into: &effects))
      }
    } catch {
      return .refusal(error)
    }
  }

  private func user(of input: Input) throws(Refusal) -> UserID {
    guard let session = input.request.session,
      let user = accounts.firstIndex(where: { $0.session == session }),
      accounts[user].phone == input.phone
    else {
      throw Refusal(
        "signed-out", "you are signed in on another phone or not at all; log in here again")
    }
    return user
  }

  private mutating func perform(
    _ call: TicTacToeCall, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    switch call {
    case .register, .salt, .logIn: throw Refusal("signed-in", "log out first")
    case .logOut: return logOut(user)
    case .setPicture(let picture): return try setPicture(picture, of: user)
    case .menu: return .menu(accounts[user].score(of: user))
    case .contacts: return .contacts(contacts(for: user))
    case .ask(let other): return try ask(other, by: user, into: &effects)
    case .hear(let attempt): return try hear(attempt, by: user, into: &effects)
    case .look: return .look(look(of: user))
    case .move(let game, let turn, let move):
      return try play(move, on: turn, in: game, by: user, into: &effects)
    case .leave(let game): return try leave(game, by: user, into: &effects)
    case .say(let game, let text): return try say(text, in: game, by: user, into: &effects)
    case .thread(let other): return .thread(thread(of: user, with: other))
    case .befriend(let other): return try befriend(other, by: user, into: &effects)
    case .unfriend(let other): return unfriend(other, by: user)
    case .friends: return friends(of: user)
    case .leaders: return .scores(leaders())
    case .post, .query, .delete, .report: return try performOnRecords(call, by: user)
    }
  }

  /// Notifies a person who is signed in.
  func notify(_ user: UserID, _ content: TicTacToeNotice.Content, into effects: inout [Effect]) {
    guard accounts.indices.contains(user), let phone = accounts[user].phone else { return }
    effects.append(.notify(TicTacToeNotice(user: user, content: content), on: phone))
  }

  // MARK: Time

  public var deadline: TraceInstant? {
    guard let due, clock.nanoseconds < .max else { return nil }
    return max(due, clock.advanced(byNanoseconds: 1))
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    for index in games.indices where games[index].result == nil {
      guard let result = games[index].resultByTime(at: clock, rules) else { continue }
      end(index, result, into: &effects)
    }
    dropEndedGames()
    updateDue()
  }

  private mutating func updateDue() {
    due = nil
    for game in games where game.result == nil { due = earlier(due, game.due(by: rules)) }
  }

  // MARK: Invariants

  public var violations: [String] {
    var found = replies.violations
    var busy: Set<UserID> = []
    for game in games {
      found += game.violations.map { "game \(game.id): \($0)" }
      guard game.result == nil else { continue }
      for player in [game.x, game.o] where !busy.insert(player).inserted {
        found.append("\(accounts[player].name) plays two games at once")
      }
    }
    let (wins, losses, draws) = accounts.reduce(into: (0, 0, 0)) {
      $0 = ($0.0 + $1.wins, $0.1 + $1.losses, $0.2 + $1.draws)
    }
    if rules.keepsGames, wins != decidedGames || losses != decidedGames || draws != 2 * drawnGames {
      found.append(
        "\(decidedGames) won games and \(drawnGames) draws, but \(wins) wins, \(losses) losses, "
          + "\(draws) draws are counted")
    }
    let sessions = accounts.compactMap(\.session)
    if Set(sessions).count != sessions.count { found.append("two people have one session") }
    let signedIn = accounts.compactMap(\.phone)
    if Set(signedIn).count != signedIn.count {
      found.append("two people are signed in on one phone")
    }
    return found + sizeViolations
  }

  private var sizeViolations: [String] {
    var found: [String] = []
    if games.count(where: { $0.result != nil }) > TicTacToeLimits.endedGames {
      found.append("too many ended games are kept")
    }
    if threads.contains(where: { $0.lines.count > TicTacToeLimits.threadLines }) {
      found.append("a thread is too long")
    }
    if phones.count > TicTacToeLimits.phones { found.append("too many phones are remembered") }
    if phones.contains(where: { $0.failures.count > TicTacToeLimits.failures }) {
      found.append("too many wrong passwords are remembered")
    }
    if Set(attempts.map(\.from)).count != attempts.count {
      found.append("a person makes two attempts at once")
    }
    for table in GameRecord.Table.allCases
    where records.count(where: { $0.content.table == table }) > TicTacToeLimits.records {
      found.append("the table \(table.rawValue) is too long")
    }
    return found
  }
}
