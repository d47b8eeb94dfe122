import AppEngines
import TraceModel

/// The tables of the original: every phone writes records, and reads the newest of all people.
extension TicTacToeServer {
  mutating func performOnRecords(
    _ call: TicTacToeCall, by user: UserID
  ) throws(Refusal) -> TicTacToeAnswer {
    guard !rules.keepsGames else {
      throw Refusal("no-records", "the server keeps the games itself; update the app")
    }
    switch call {
    case .post(let content): return .posted(try post(content, by: user))
    case .query(let table): return .records(newest(of: table, for: user))
    case .delete(let ids):
      // As in the original, anybody deletes anything.
      let doomed = Set(ids.prefix(TicTacToeLimits.records))
      records.removeAll { doomed.contains($0.id) }
      return .done
    case .report(let isWon):
      count(isWon, of: user)
      return .done
    default: throw Refusal("no-records", "this call is not about records")
    }
  }

  private mutating func post(
    _ content: GameRecord.Content, by user: UserID
  ) throws(Refusal) -> RecordID {
    if case .chat(let text, _) = content { try Self.checkLine(text) }
    if rules.usesServerTime { dropExpired() }
    if content == .presence {
      records.removeAll { $0.author == user && $0.content == .presence }
    }
    let record = GameRecord(
      id: nextRecord, author: user, authorName: accounts[user].name, created: clock,
      content: content)
    nextRecord += 1
    records.append(record)
    let table = content.table
    if records.count(where: { $0.content.table == table }) > TicTacToeLimits.records,
      let oldest = records.firstIndex(where: { $0.content.table == table })
    {
      records.remove(at: oldest)
    }
    return record.id
  }

  private func newest(of table: GameRecord.Table, for user: UserID) -> [GameRecord] {
    let limit =
      switch table {
      case .presence, .attempts: rules.recordLimit
      case .moves: rules.moveLimit
      case .chat: rules.chatShown
      }
    let isHidden: (GameRecord) -> Bool = { record in
      guard rules.chatsPerPair, case .chat(_, let other) = record.content else { return false }
      return record.author != user && other != user
    }
    return records.reversed().lazy.filter { $0.content.table == table && !isHidden($0) }
      .prefix(max(limit, 0)).map { record in
        var record = record
        record.age = record.created.nanoseconds(to: clock)
        return record
      }
  }

  private mutating func dropExpired() {
    let now = clock
    let rules = rules
    records.removeAll { record in
      guard let lifetime = rules.lifetime(of: record.content.table) else { return false }
      return record.created.advanced(bySeconds: lifetime) < now
    }
  }

  /// Counts a game as the phone reports it.
  private mutating func count(_ isWon: Bool?, of user: UserID) {
    accounts[user].lastPlayed = clock
    switch isWon {
    case true?: accounts[user].wins += 1
    case false?: accounts[user].losses += 1
    case nil: accounts[user].draws += 1
    }
  }
}

extension TicTacToeRules {
  /// The age in seconds at which a record expires; nil = never.
  func lifetime(of table: GameRecord.Table) -> Double? {
    switch table {
    case .presence: presenceLifetime
    case .attempts: attemptLifetime
    case .moves: moveLifetime
    case .chat: chatLifetime
    }
  }
}
