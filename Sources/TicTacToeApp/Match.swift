import AppEngines
import TraceModel

extension SimulatedTicTacToe {
  /// A game as an observer of both phones sees it, by any rules.
  struct Match: Sendable {
    /// A move that a person made.
    struct Played: Sendable {
      var mover: Int
      var move: Move
      var turn: Int
      var made: TraceInstant
      /// The time at which the opponent's board showed it.
      var shown: TraceInstant?
      var isRefused = false
    }

    /// A result as a phone showed it.
    struct Ending: Sendable {
      var result: GameResult
      /// The number of server restarts before the server sent it.
      var restarts: Int
    }

    /// The server's number and start, if it keeps the game.
    let game: GameID?
    let begun: TraceInstant
    /// Both people; the one who opened it first comes first.
    let people: [Int]
    /// The mark that each phone plays, by person.
    var marks: [Int: Mark] = [:]
    var moves: [Played] = []
    /// The number of moves on each phone's board that were looked at.
    var looked: [Int: Int] = [:]
    var result: GameResult?
    var winner: Int?
    /// The first result that a phone showed.
    var ending: Ending?
    /// The results that contradict it.
    var contradictions = 0
    /// Whether the server lost the game with its state.
    var isGone = false
    /// Whether a person gave it up because it did not go on.
    var isStalled = false
    var occupied = 0
    var outOfTurn = 0

    var isOpen: Bool { result == nil && !isGone && !isStalled }
    var hasTwoO: Bool { marks.count == 2 && marks.values.allSatisfy { $0 == .o } }

    func other(than person: Int) -> Int { people[0] == person ? people[1] : people[0] }
  }

  func openMatch(of person: Int) -> Int? {
    matches.lastIndex { $0.isOpen && $0.marks[person] != nil }
  }

  /// The match that a phone's game belongs to.
  func match(of view: GameView, on person: Int) -> Int? {
    if rules.keepsGames {
      if let last = people[person].match, matches[last].game == view.game,
        matches[last].begun == view.begun
      {
        return last
      }
      return matches.lastIndex { $0.game == view.game && $0.begun == view.begun }
    }
    guard let last = people[person].match, let other = persons[view.opponent],
      matches[last].people.contains(other)
    else { return nil }
    return last
  }

  /// Notes that a game opened on a phone.
  mutating func noteOpening(of view: GameView, on person: Int) {
    guard let other = persons[view.opponent], other != person else { return }
    if rules.keepsGames, let index = match(of: view, on: person) {
      matches[index].marks[person] = view.mark
      matches[index].isGone = false
      people[person].match = index
      return
    }
    let waiting = matches.lastIndex {
      $0.isOpen && $0.marks[person] == nil && $0.marks[other] != nil && $0.people.contains(person)
    }
    if !rules.keepsGames, let waiting {
      matches[waiting].marks[person] = view.mark
      people[person].match = waiting
      return
    }
    // A phone that opens another game has given up the one before.
    if let open = openMatch(of: person), !rules.keepsGames { matches[open].isStalled = true }
    var match = Match(
      game: rules.keepsGames ? view.game : nil, begun: view.begun, people: [person, other])
    match.marks[person] = view.mark
    matches.append(match)
    people[person].match = matches.count - 1
  }

  mutating func noteMove(
    _ move: Move, turn: Int, _ view: GameView, of person: Int, at now: TraceInstant
  ) {
    guard let index = match(of: view, on: person) else { return }
    matches[index].moves.append(Match.Played(mover: person, move: move, turn: turn, made: now))
  }

  /// Looks at the moves that are new on a phone's board.
  mutating func noteBoard(_ view: GameView, on person: Int, at now: TraceInstant) {
    guard let index = match(of: view, on: person) else { return }
    let known = min(matches[index].looked[person] ?? 0, view.moves.count)
    matches[index].looked[person] = view.moves.count
    for turn in known..<view.moves.count {
      let move = view.moves[turn]
      if view.moves[..<turn].contains(where: { $0.square == move.square }) {
        matches[index].occupied += 1
      }
      if move.mark != Mark.onTurn(turn) { matches[index].outOfTurn += 1 }
      let played = matches[index].moves.lastIndex {
        $0.mover != person && $0.move == move && $0.turn == turn && $0.shown == nil
          && !$0.isRefused
      }
      if let played { matches[index].moves[played].shown = now }
    }
  }

  mutating func noteRefusedMove(_ move: Move, turn: Int, of person: Int) {
    for index in matches.indices {
      for position in matches[index].moves.indices
      where matches[index].moves[position].mover == person
        && matches[index].moves[position].turn == turn
        && matches[index].moves[position].move == move
        && matches[index].moves[position].shown == nil
      {
        matches[index].moves[position].isRefused = true
      }
    }
  }

  mutating func noteEnd(of view: GameView, on person: Int) {
    guard let index = match(of: view, on: person), let result = view.result else { return }
    let ending = Match.Ending(result: result, restarts: serverRestarts - exchange.restartsSince)
    if let first = matches[index].ending {
      // A server whose state went back may end the game in another way.
      if first.restarts == ending.restarts, first.result != result {
        matches[index].contradictions += 1
      }
    } else {
      matches[index].ending = ending
    }
    if matches[index].result == nil { settle(index, result, mark: view.mark, of: person) }
  }

  private mutating func settle(_ index: Int, _ result: GameResult, mark: Mark, of person: Int) {
    matches[index].result = result
    guard let winning = result.winner else { return }
    let other = matches[index].other(than: person)
    let (winner, loser) = winning == mark ? (person, other) : (other, person)
    matches[index].winner = winner
    people[winner].tally.wins += 1
    people[loser].tally.losses += 1
  }

  /// Takes the results that no phone has heard of from the server, and finds the stalled games.
  mutating func settleMatches(at now: TraceInstant) {
    for index in matches.indices where matches[index].isOpen {
      let match = matches[index]
      guard rules.keepsGames else {
        let canGoOn = match.people.contains { person in
          let view = people[person].engine.game
          return view?.isMyTurn == true
            && view.flatMap { persons[$0.opponent] } == match.other(than: person)
        }
        if !canGoOn { matches[index].isStalled = true }
        continue
      }
      guard let id = match.game, let game = server.game(id, begun: match.begun) else {
        // It went with a state of the server.
        matches[index].isGone = true
        continue
      }
      guard let result = game.result, let person = match.people.first,
        let mark = match.marks[person]
      else { continue }
      settle(index, result, mark: mark, of: person)
      logLateEnd(of: match, result, Board(game.moves), at: now)
    }
  }
}
