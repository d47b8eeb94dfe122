package import AppEngines
package import TraceModel

/// The log: what the observers do, and what their phones show them.
extension SimulatedTicTacToe {
  /// Logs for an observer; the lines of others are not of any trace.
  mutating func log(
    _ kind: String, _ text: String, of person: Int, at now: TraceInstant, value: Double? = nil,
    unit: String = ""
  ) {
    guard people.indices.contains(person), !people[person].isGuest else { return }
    events.append(
      AppEvent(
        kind, text, person: DeviceID(person), at: now, value: value,
        unit: value == nil ? "" : unit))
  }

  func name(of user: UserID) -> String { persons[user].map { people[$0].name } ?? "somebody" }

  package mutating func note(_ effect: TicTacToeClient.Effect, of person: Int, at now: TraceInstant)
  {
    switch effect {
    case .send, .beat, .lost: break
    case .detected(let record): noteDetection(record, of: person, at: now)
    case .signedIn(let user):
      persons[user] = person
      if !people[person].hasAccount {
        log(
          "registers", "registers as \(people[person].account) and is online", of: person, at: now)
      } else {
        log("logs-in", "logs in", of: person, at: now)
      }
      people[person].hasAccount = true
      if !people[person].engine.isInBackground { plan(person, at: now) }
    case .signedOut(let reason):
      log("signed-out", "is logged out: “\(reason)”", of: person, at: now)
      people[person].clearPlans()
      // Who logs out by choice stays out.
      guard reason != TicTacToeClient.chosenSignOut else { break }
      if !people[person].isFinished { people[person].plans[.signIn] = people[person].after(1, now) }
    case .answer(let answer, let call):
      noteAcknowledged(call, answer, of: person)
      if hasDecisions { noteMore(answer, to: call, of: person, at: now) }
      if case .menu(let score) = answer {
        log("menu", "sees in the menu: \(score.words)", of: person, at: now)
      }
    case .refused(let refusal, let call): noteRefused(refusal, call, of: person, at: now)
    case .friendRequest(_, let name):
      log("friend-request", "is asked by \(name) to be a friend", of: person, at: now)
    case .asked(let other):
      log("asked", "is asked for a game by \(name(of: other))", of: person, at: now)
    case .attemptEnded(let other):
      log("no-answer", "gets no answer from \(name(of: other))", of: person, at: now)
      if !rules.keepsGames, people[person].engine.game == nil {
        give(.leave, to: person, at: now)
        plan(person, at: now)
      }
    case .opened, .moved, .board, .heard, .ended, .gone, .wentBack:
      noteGame(effect, of: person, at: now)
    }
  }

  private mutating func noteGame(
    _ effect: TicTacToeClient.Effect, of person: Int, at now: TraceInstant
  ) {
    if exchange.isOfOldServer { unconfirmed.insert(person) }
    switch effect {
    case .opened(let view): noteOpened(view, of: person, at: now)
    case .moved(let move, let turn, let view):
      noteMove(move, turn: turn, view, of: person, at: now)
      var board = view.board
      board.place(move)
      log(
        "plays", "plays \(move.mark.rawValue) on \(move.square.words): \(board.words)", of: person,
        at: now)
    case .board(let view): noteChange(of: view, of: person, at: now)
    case .heard(let line):
      chatLines += 1
      log("reads", "reads \(name(of: line.author)): “\(line.text)”", of: person, at: now)
    case .ended(let view):
      noteEnd(of: view, on: person)
      log("ended", ending(view), of: person, at: now)
      plan(person, at: now)
    case .gone(let view):
      log(
        "gone", "loses the game with \(view.opponentName): the server no longer knows it",
        of: person, at: now)
      if let match = match(of: view, on: person), matches[match].result == nil {
        matches[match].isGone = true
      }
      plan(person, at: now)
    case .wentBack(let view):
      if let match = match(of: view, on: person) { matches[match].looked[person] = view.turn }
      log(
        "went-back", "sees an older board, because the server went back: \(view.board.words)",
        of: person, at: now)
      plan(person, at: now)
    default: break
    }
  }

  private mutating func noteOpened(_ view: GameView, of person: Int, at now: TraceInstant) {
    noteOpening(of: view, on: person)
    log(
      "game",
      "is in a game with \(view.opponentName) and plays \(view.mark.rawValue)"
        + (view.mark == .x ? ", the first move" : ""),
      of: person, at: now)
    noteBoard(view, on: person, at: now)
    plan(person, at: now)
  }

  private mutating func noteChange(of view: GameView, of person: Int, at now: TraceInstant) {
    if let last = view.moves.last,
      last.mark != view.mark || Mark.onTurn(view.turn - 1) != view.mark
    {
      log(
        "sees-move",
        "sees \(view.opponentName) play \(last.mark.rawValue) on \(last.square.words): "
          + view.board.words,
        of: person, at: now)
    }
    noteBoard(view, on: person, at: now)
    if view.result == nil { plan(person, at: now) }
  }

  func ending(_ view: GameView) -> String {
    let board = "the board is \(view.board.words)"
    return switch view.result {
    case .won(view.mark): "wins against \(view.opponentName): \(board)"
    case .won: "loses against \(view.opponentName): \(board)"
    case .draw: "plays a draw with \(view.opponentName): \(board)"
    case .forfeited(view.mark, let reason):
      "wins, because \(view.opponentName) \(words(reason)): \(board)"
    case .forfeited(_, .left): "leaves the game with \(view.opponentName) and loses it: \(board)"
    case .forfeited(_, let reason):
      "loses the game with \(view.opponentName), having \(words(reason)): \(board)"
    case .closed, nil: "has no result with \(view.opponentName), because both were away: \(board)"
    }
  }

  /// Words that follow a name, or `having`.
  private func words(_ reason: ForfeitReason) -> String {
    switch reason {
    case .left: "left"
    case .stayedAway: "stayed away for \(Int(rules.forfeitAfter)) s"
    case .madeNoMove: "made no move for \(Int(rules.turnLimit)) s"
    }
  }

  /// Logs a result that the observers' phones have not heard of.
  mutating func logLateEnd(
    of match: Match, _ result: GameResult, _ board: Board, at now: TraceInstant
  ) {
    for person in match.people where !people[person].isGuest {
      let other = people[match.other(than: person)].name
      let text =
        switch result {
        case .closed: "has gone, \(other) too, and the server closes the game"
        default: "has gone, and the server ends the game with \(other)"
        }
      log("ended", "\(text): the board is \(board.words)", of: person, at: now)
    }
  }

  private mutating func noteAcknowledged(
    _ call: TicTacToeCall, _ answer: TicTacToeAnswer, of person: Int
  ) {
    guard let user = people[person].engine.user, !exchange.isOfOldServer else { return }
    switch answer {
    case .game, .look: unconfirmed.remove(person)
    default: break
    }
    switch (call, answer) {
    case (.say, .game(let view)):
      let pair = Pair(user, view.opponent)
      let count = (view.chat.first?.number ?? -1) + 1
      acknowledgedLines[pair] = max(acknowledgedLines[pair] ?? 0, count)
    case (.post(.chat), .posted(let record)): acknowledgedRecords.insert(record)
    case (.move(let game, let turn, let move), .game(let view)) where view.game == game:
      acknowledgedMoves.insert(KnownMove(game: game, begun: view.begun, turn: turn, move: move))
    default: break
    }
  }

  private mutating func noteRefused(
    _ refusal: Refusal, _ call: TicTacToeCall, of person: Int, at now: TraceInstant
  ) {
    switch call {
    case .register where refusal.code == "name-taken":
      people[person].hasAccount = true
      people[person].plans[.signIn] = people[person].after(0.5, now)
    case .logIn where refusal.code == "unknown-name":
      people[person].hasAccount = false
      people[person].plans[.signIn] = people[person].after(0.5, now)
    case .register, .logIn:
      people[person].plans[.signIn] = people[person].after(4, now)
    case .move(_, let turn, let move): noteRefusedMove(move, turn: turn, of: person)
    case .look, .contacts, .hear: return
    default: break
    }
    log("refused", "gets the answer “\(refusal.reason)”", of: person, at: now)
  }

  package mutating func noteRefusal(_ refusal: Refusal, of person: Int, at now: TraceInstant) {
    switch refusal.code {
    case "one-attempt":
      // The next visit to the list.
      give(.leave, to: person, at: now)
    case "not-your-turn", "square-taken", "wait", "no-game":
      log("refused", "taps, but the app says “\(refusal.reason)”", of: person, at: now)
    default: break
    }
  }

  // MARK: Presence

  private mutating func noteDetection(
    _ record: DetectionRecord, of person: Int, at now: TraceInstant
  ) {
    guard !people[person].isGuest, let place = record.place,
      let other = persons[UserID(place)]
    else { return }
    let isPresent = record.kind == "present"
    if isPresent {
      log("online", "sees \(people[other].name) come online", of: person, at: now)
    } else {
      let silence = (record.value * 10).rounded() / 10
      log(
        "offline", "sees that \(people[other].name) has gone: silent for \(silence) s", of: person,
        at: now, value: record.value, unit: "s")
      noteDeparture(of: other, seenBy: person, at: now)
    }
    guard people[other].observer == person else { return }
    var record = record
    record.device = DeviceID(person)
    record.place = people[other].peer
    detections.append(record)
  }

  private mutating func noteDeparture(of other: Int, seenBy person: Int, at now: TraceInstant) {
    guard people[other].stretches != nil else { return }
    guard people[other].isAway(at: now) else {
      people[person].tally.falseDepartures += 1
      return
    }
    guard let departure = people[other].departure(by: now) else { return }
    people[person].tally.goneAfter.append(Double(departure.nanoseconds(to: now)) / 1e9)
  }
}
