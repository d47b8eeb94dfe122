import AppEngines
import TraceModel

/// The original's rules: the phone writes records, reads the newest ones of all people, and judges
/// them itself.
extension TicTacToeClient {
  struct Visit: Hashable, Sendable, Codable {
    /// The person with whom a game shall open.
    var selected: UserID?
    var mark = Mark.x
    var hasAttempted = false
    /// The record of the caller's attempt.
    var record: RecordID?

    mutating func attempt(_ other: UserID) {
      (selected, mark, hasAttempted, record) = (other, .x, true, nil)
    }
  }

  /// The answers that a phone writes when the game opens.
  private static let heardCopies = 16
  /// The most moves that a phone puts on a board, whatever is sent to it.
  private static let mostMoves = 64

  // MARK: Reading

  mutating func readList(into effects: inout [Effect]) {
    guard game == nil else { return }
    enqueue(.post(.presence), at: clock, into: &effects)
    refresh(.query(.presence), at: clock, into: &effects)
  }

  mutating func readRecords(into effects: inout [Effect]) {
    useRecords(of: .moves, into: &effects)
    refresh(.query(game == nil ? .attempts : .moves), at: clock, into: &effects)
  }

  mutating func notePosted(_ id: RecordID, _ call: TicTacToeCall) {
    guard case .post(.attempt(let other, isHeard: false)) = call else { return }
    if visit.selected == other, visit.mark == .x { visit.record = id }
  }

  /// Uses what was read at the last look.
  mutating func useRecords(of table: GameRecord.Table, into effects: inout [Effect]) {
    guard let records = unusedRecords.removeValue(forKey: table) else { return }
    use(records, of: table, at: clock, into: &effects)
  }

  mutating func take(
    _ records: [GameRecord], of table: GameRecord.Table, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    guard rules.usesAnswersAtOnce || table == .presence || table == .attempts else {
      return unusedRecords[table] = records
    }
    use(records, of: table, at: now, into: &effects)
  }

  private mutating func use(
    _ records: [GameRecord], of table: GameRecord.Table, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    guard !rules.keepsGames else { return }
    let live = records.filter { !isExpired($0, at: now) }
    // The original deletes everybody's records that have expired by the phone's clock.
    if !rules.usesServerTime, live.count < records.count {
      let expired = records.filter { isExpired($0, at: now) }
      enqueue(.delete(expired.map(\.id)), at: now, into: &effects)
    }
    switch table {
    case .presence: takeList(live)
    case .attempts: takeAttempts(live, at: now, into: &effects)
    case .moves: takeMoves(live, at: now, into: &effects)
    case .chat: takeChat(live, into: &effects)
    }
  }

  private func isExpired(_ record: GameRecord, at now: TraceInstant) -> Bool {
    guard let lifetime = rules.lifetime(of: record.content.table) else { return false }
    let age =
      rules.usesServerTime
      ? record.age : record.created.nanoseconds(to: now.advanced(byNanoseconds: wallAhead))
    return TraceInstant.zero.advanced(bySeconds: lifetime).nanoseconds < age
  }

  private mutating func takeList(_ records: [GameRecord]) {
    var list: [UserID] = []
    for record in records.prefix(TicTacToeLimits.contacts)
    where record.author != user && !list.contains(record.author) {
      list.append(record.author)
    }
    online = list
  }

  // MARK: The handshake

  private mutating func takeAttempts(
    _ records: [GameRecord], at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard let user, game == nil else { return }
    for record in records {
      guard case .attempt(user, let isHeard) = record.content else { continue }
      if isHeard {
        guard visit.selected == record.author else { continue }
        for _ in 0..<Self.heardCopies {
          enqueue(.post(.attempt(to: record.author, isHeard: true)), at: now, into: &effects)
        }
        openRecorded(with: record, at: now, into: &effects)
        return
      }
      if rules.breaksTies, visit.mark == .x, visit.selected == record.author,
        user < record.author
      {
        continue
      }
      if visit.selected != record.author { effects.append(.asked(by: record.author)) }
      (visit.selected, visit.mark, visit.record) = (record.author, .o, record.id)
      enqueue(.post(.attempt(to: record.author, isHeard: true)), at: now, into: &effects)
      return
    }
  }

  private mutating func openRecorded(
    with record: GameRecord, at now: TraceInstant, into effects: inout [Effect]
  ) {
    let view = GameView(
      game: rules.namesGames ? visit.record ?? -1 : -1, begun: now, revision: 0,
      opponent: record.author, opponentName: record.authorName, mark: visit.mark)
    visit = Visit()
    open(view, at: now, into: &effects)
  }

  // MARK: The game

  /// Puts the person's move on the board and writes its record.
  mutating func write(_ move: Move, at now: TraceInstant, into effects: inout [Effect]) {
    guard let game, game.moves.count < Self.mostMoves else { return }
    let tag = rules.namesGames ? game.game : nil
    effects.append(.moved(move, turn: game.turn, game))
    enqueue(.post(.move(turn: game.turn, move, game: tag)), at: now, into: &effects)
    add(move, at: now, into: &effects)
  }

  private mutating func takeMoves(
    _ records: [GameRecord], at now: TraceInstant, into effects: inout [Effect]
  ) {
    for record in records {
      guard let game, game.result == nil, game.moves.count < Self.mostMoves else { return }
      guard record.author == game.opponent,
        case .move(let turn, let move, let tag) = record.content, turn >= game.turn,
        !rules.namesGames || tag == game.game
      else { continue }
      if rules.checksMoves {
        guard turn == game.turn, !game.isMyTurn, move.mark == game.mark.other,
          game.board[move.square] == nil
        else { continue }
      }
      enqueue(.delete([record.id]), at: now, into: &effects)
      add(move, at: now, into: &effects)
    }
  }

  private mutating func add(_ move: Move, at now: TraceInstant, into effects: inout [Effect]) {
    guard let old = game else { return }
    var new = old
    new.moves.append(move)
    new.revision = new.revision.addingReportingOverflow(1).partialValue
    new.result = new.board.result
    update(from: old, to: new, into: &effects)
    guard let result = new.result else { return }
    enqueue(.report(result.winner.map { $0 == new.mark }), at: now, into: &effects)
  }

  private mutating func takeChat(_ records: [GameRecord], into effects: inout [Effect]) {
    guard let old = game else { return }
    var new = old
    new.chat = records.prefix(max(rules.chatShown, 0)).compactMap { record in
      guard case .chat(let text, _) = record.content else { return nil }
      return ChatLine(number: record.id, author: record.author, text: text)
    }
    update(from: old, to: new, into: &effects)
  }
}
