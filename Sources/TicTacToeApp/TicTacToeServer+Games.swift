import AppEngines
import TraceModel

extension TicTacToeServer {
  /// A game between two people.
  struct Game: Hashable, Sendable, Codable {
    let id: GameID
    let begun: TraceInstant
    /// The caller, and the person who heard.
    let x: UserID
    let o: UserID
    var moves: [Move] = []
    var result: GameResult?
    /// The number of changes so far.
    var revision = 0
    /// The last requests of the players.
    var xSeen: TraceInstant
    var oSeen: TraceInstant
    var lastMoved: TraceInstant

    func mark(of user: UserID) -> Mark? { user == x ? .x : user == o ? .o : nil }
    func user(_ mark: Mark) -> UserID { mark == .x ? x : o }
    func seen(_ mark: Mark) -> TraceInstant { mark == .x ? xSeen : oSeen }

    /// The time at which it ends if no request comes.
    func due(by rules: TicTacToeRules) -> TraceInstant {
      var due = lastMoved.advanced(bySeconds: rules.turnLimit)
      due = min(due, max(xSeen, oSeen).advanced(bySeconds: rules.forfeitAfter))
      for mark in Mark.allCases {
        let absent = seen(mark).advanced(bySeconds: rules.forfeitAfter)
        if seen(mark.other).advanced(bySeconds: rules.thereWithin) >= absent {
          due = min(due, absent)
        }
      }
      return due
    }

    /// Returns the result of absence or of a turn's time limit; nil = the game continues.
    func resultByTime(at now: TraceInstant, _ rules: TicTacToeRules) -> GameResult? {
      guard due(by: rules) <= now else { return nil }
      let absent = Mark.allCases.filter {
        seen($0).advanced(bySeconds: rules.forfeitAfter) <= now
      }
      if absent.count == 2 { return .closed }
      guard let absent = absent.first else {
        return .forfeited(to: Mark.onTurn(moves.count).other, .madeNoMove)
      }
      return .forfeited(to: absent.other, .stayedAway)
    }

    var violations: [String] {
      var found: [String] = []
      if moves.enumerated().contains(where: { $1.mark != Mark.onTurn($0) }) {
        found.append("a player moved out of turn")
      }
      if Set(moves.map(\.square)).count != moves.count {
        found.append("a square was used twice")
      }
      let end = Board(moves).result
      switch result {
      case .won, .draw: if end != result { found.append("the result is not the board's") }
      case .forfeited, .closed: if end != nil { found.append("an ended game was forfeited") }
      case nil: if end != nil { found.append("a decided game goes on") }
      }
      if x == o { found.append("somebody plays against themselves") }
      return found
    }
  }

  // MARK: The handshake

  /// Records an attempt. If the other asks too, the game opens: the one with the lower number calls.
  mutating func ask(
    _ other: UserID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    try checkOther(other, than: user)
    try checkFree(user, other)
    dropAttempts()
    if rules.breaksTies, attempts.contains(where: { $0.from == other && $0.to == user }) {
      let index = open(caller: min(user, other), max(user, other))
      notify(other, .game(view(index, for: other)), into: &effects)
      return .game(view(index, for: user))
    }
    attempts.removeAll { $0.from == user }
    let attempt = Attempt(id: nextAttempt, from: user, to: other, made: clock)
    nextAttempt += 1
    attempts.append(attempt)
    notify(other, .asked(attempt), into: &effects)
    return .asked(attempt.id)
  }

  /// Answers an attempt. The game opens.
  mutating func hear(
    _ id: AttemptID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    if let game = openGame(of: user) { return .game(view(game, for: user)) }
    dropAttempts()
    guard let attempt = attempts.first(where: { $0.id == id && $0.to == user }) else {
      throw Refusal("attempt-over", "the other person no longer asks; choose somebody yourself")
    }
    try checkFree(user, attempt.from)
    let index = open(caller: attempt.from, user)
    notify(attempt.from, .game(view(index, for: attempt.from)), into: &effects)
    return .game(view(index, for: user))
  }

  private func checkFree(_ user: UserID, _ other: UserID) throws(Refusal) {
    guard openGame(of: user) == nil else {
      throw Refusal("in-a-game", "finish or leave your game first")
    }
    guard openGame(of: other) == nil else {
      throw Refusal("busy", "\(accounts[other].name) is in a game; choose somebody else")
    }
  }

  private mutating func dropAttempts() {
    let lifetime = rules.attemptLifetime
    let now = clock
    attempts.removeAll { $0.made.advanced(bySeconds: lifetime) <= now }
  }

  private mutating func open(caller: UserID, _ callee: UserID) -> Int {
    attempts.removeAll {
      $0.from == caller || $0.from == callee || $0.to == caller || $0.to == callee
    }
    games.append(
      Game(
        id: nextGame, begun: clock, x: caller, o: callee, xSeen: clock, oSeen: clock,
        lastMoved: clock))
    nextGame += 1
    return games.count - 1
  }

  // MARK: Looking

  func openGame(of user: UserID) -> Int? {
    games.lastIndex { $0.result == nil && $0.mark(of: user) != nil }
  }

  func look(of user: UserID) -> LookView {
    let game = openGame(of: user) ?? games.lastIndex { $0.mark(of: user) != nil }
    let lifetime = rules.attemptLifetime
    let asking = attempts.last {
      $0.to == user && clock < $0.made.advanced(bySeconds: lifetime)
    }
    return LookView(game: game.map { view($0, for: user) }, asking: asking)
  }

  func view(_ index: Int, for user: UserID) -> GameView {
    let game = games[index]
    let mark = game.mark(of: user) ?? .x
    let other = game.user(mark.other)
    return GameView(
      game: game.id, begun: game.begun, revision: game.revision, opponent: other,
      opponentName: accounts[other].name, mark: mark, moves: game.moves, result: game.result,
      chat: Array(thread(of: user, with: other).prefix(TicTacToeLimits.viewLines)))
  }

  func player(_ user: UserID, in id: GameID) throws(Refusal) -> (index: Int, mark: Mark) {
    let index = games.partitioningIndex { $0.id >= id }
    guard index < games.count, games[index].id == id, let mark = games[index].mark(of: user)
    else { throw Refusal("not-your-game", "this game is gone or not yours; start another one") }
    return (index, mark)
  }

  /// Returns the game with that number and start; nil = it is not kept.
  func game(_ id: GameID, begun: TraceInstant) -> Game? {
    let index = games.partitioningIndex { $0.id >= id }
    guard index < games.count, games[index].id == id, games[index].begun == begun else {
      return nil
    }
    return games[index]
  }

  /// Whether a move is in its game. Ended games that are no longer kept had it.
  func has(_ known: SimulatedTicTacToe.KnownMove) -> Bool {
    guard let game = game(known.game, begun: known.begun) else {
      return games.count { $0.result != nil } >= TicTacToeLimits.endedGames
    }
    return game.moves.indices.contains(known.turn) && game.moves[known.turn] == known.move
  }

  // MARK: Moving

  mutating func play(
    _ move: Move, on turn: Int, in id: GameID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    let (index, mark) = try player(user, in: id)
    let game = games[index]
    if game.moves.indices.contains(turn), game.moves[turn] == move, move.mark == mark {
      return .game(view(index, for: user))
    }
    guard game.result == nil else {
      throw Refusal("game-over", "this game is over; start another one")
    }
    guard move.mark == mark else {
      throw Refusal("not-your-mark", "you play \(mark.rawValue); play your own mark")
    }
    guard turn == game.moves.count, Mark.onTurn(turn) == mark else {
      throw Refusal("not-your-turn", "it is not your turn; wait for the other's move")
    }
    guard Board(game.moves)[move.square] == nil else {
      throw Refusal("square-taken", "\(move.square.words) is taken; choose a free one")
    }
    games[index].moves.append(move)
    games[index].lastMoved = clock
    change(index, tell: game.user(mark.other), into: &effects)
    return .game(view(index, for: user))
  }

  mutating func leave(
    _ id: GameID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    let (index, mark) = try player(user, in: id)
    if games[index].result == nil {
      end(
        index, .forfeited(to: mark.other, .left), tells: [games[index].user(mark.other)],
        into: &effects)
    }
    return .game(view(index, for: user))
  }

  /// Notes a change of a game: the board may have decided it.
  private mutating func change(_ index: Int, tell user: UserID, into effects: inout [Effect]) {
    if let result = Board(games[index].moves).result {
      end(index, result, tells: [user], into: &effects)
    } else {
      games[index].revision += 1
      notify(user, .game(view(index, for: user)), into: &effects)
    }
  }

  /// Ends a game and counts it once.
  mutating func end(
    _ index: Int, _ result: GameResult, tells: [UserID]? = nil, into effects: inout [Effect]
  ) {
    guard games[index].result == nil else { return }
    games[index].result = result
    games[index].revision += 1
    let game = games[index]
    if let winner = result.winner {
      decidedGames += 1
      accounts[game.user(winner)].wins += 1
      accounts[game.user(winner.other)].losses += 1
    } else if result == .draw {
      drawnGames += 1
      accounts[game.x].draws += 1
      accounts[game.o].draws += 1
    }
    for player in [game.x, game.o] { accounts[player].lastPlayed = clock }
    for player in tells ?? [game.x, game.o] {
      notify(player, .game(view(index, for: player)), into: &effects)
    }
  }

  /// Notes that a player is there. After a long absence of both, the first one seen wins.
  mutating func touch(_ user: UserID, into effects: inout [Effect]) {
    noteRequest(of: user, into: &effects)
    guard let index = openGame(of: user), let mark = games[index].mark(of: user) else { return }
    // A request exactly at the deadline comes before it.
    if games[index].due(by: rules) < clock,
      let result = games[index].resultByTime(at: clock, rules)
    {
      return end(index, result, into: &effects)
    }
    if mark == .x { games[index].xSeen = clock } else { games[index].oSeen = clock }
    let absent = games[index].seen(mark.other).advanced(bySeconds: rules.forfeitAfter)
    if absent <= clock { end(index, .forfeited(to: mark, .stayedAway), into: &effects) }
  }

  /// Keeps the last games that ended.
  mutating func dropEndedGames() {
    var surplus = games.count { $0.result != nil } - TicTacToeLimits.endedGames
    guard surplus > 0 else { return }
    games.removeAll { game in
      guard surplus > 0, game.result != nil else { return false }
      surplus -= 1
      return true
    }
  }
}
