import AppEngines
import TraceModel

extension TicTacToeClient {
  mutating func invite(
    _ other: UserID, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    try checkSignedIn()
    guard game.map({ $0.result != nil }) ?? true else {
      throw Refusal("in-a-game", "finish or leave your game first")
    }
    guard attempt == nil else {
      throw Refusal("asking", "you are asking somebody already; wait for the answer")
    }
    let isOpponent = game?.opponent == other
    guard other != user, online.contains(other) || isOpponent else {
      throw Refusal("not-online", "this person is not there; choose somebody from the list")
    }
    guard rules.keepsGames || rules.repeatsAttempts || !visit.hasAttempted else {
      throw Refusal("one-attempt", "you have asked once in this visit; open the list again")
    }
    let call: TicTacToeCall =
      rules.keepsGames ? .ask(other) : .post(.attempt(to: other, isHeard: false))
    guard enqueue(call, at: now, into: &effects) else { return }
    attempt = OpenAttempt(to: other, until: now.advanced(bySeconds: rules.attemptLifetime))
    guard !rules.keepsGames else { return }
    // The original asks from the list, where the ended game is no longer shown.
    game = nil
    visit.attempt(other)
    scheduleLook(at: now)
  }

  mutating func rematch(at now: TraceInstant, into effects: inout [Effect]) throws(Refusal) {
    guard let game, game.result != nil else {
      throw Refusal("no-ended-game", "a rematch follows a game; finish one first")
    }
    try invite(game.opponent, at: now, into: &effects)
  }

  mutating func tap(
    _ square: Square, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let game = try openGame()
    guard pendingMove == nil else {
      throw Refusal("wait", "your move is on its way; wait for the other's move")
    }
    guard game.isMyTurn else {
      throw Refusal("not-your-turn", "it is not your turn; wait for the other's move")
    }
    guard game.board[square] == nil else {
      throw Refusal("square-taken", "\(square.words) is taken; choose a free one")
    }
    let move = Move(game.mark, square)
    guard rules.keepsGames else { return write(move, at: now, into: &effects) }
    guard enqueue(.move(game.game, turn: game.turn, move), at: now, into: &effects) else { return }
    pendingMove = move
    effects.append(.moved(move, turn: game.turn, game))
  }

  private func openGame() throws(Refusal) -> GameView {
    guard let game else { throw Refusal("no-game", "ask somebody for a game first") }
    guard game.result == nil else {
      throw Refusal("game-over", "this game is over; ask for a rematch")
    }
    return game
  }

  mutating func say(
    _ text: String, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let game else { throw Refusal("no-game", "ask somebody for a game first") }
    try TicTacToeServer.checkLine(text)
    let call: TicTacToeCall =
      rules.keepsGames
      ? .say(game.game, text) : .post(.chat(text, to: rules.chatsPerPair ? game.opponent : nil))
    enqueue(call, at: now, into: &effects)
  }

  mutating func leave(at now: TraceInstant, into effects: inout [Effect]) throws(Refusal) {
    try checkSignedIn()
    visit = Visit()
    guard let old = game else { return }
    if rules.keepsGames, old.result == nil {
      // The answer ends the game.
      enqueue(.leave(old.game), at: now, into: &effects)
      return
    }
    (game, pendingMove) = (nil, nil)
    scheduleLook(at: now)
  }

  /// The board with the person's own move before it is confirmed.
  public var shownBoard: Board? {
    game.map { game in
      var board = game.board
      if let pendingMove { board.place(pendingMove) }
      return board
    }
  }
}
