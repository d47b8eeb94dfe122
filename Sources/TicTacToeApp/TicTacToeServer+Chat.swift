import AppEngines
import TraceModel

extension TicTacToeServer {
  /// The messages of two people.
  struct ChatThread: Hashable, Sendable, Codable {
    struct Line: Hashable, Sendable, Codable {
      var line: ChatLine
      var written: TraceInstant
    }

    /// The one with the lower number, and the other.
    let first: UserID
    let second: UserID
    /// The newest lines, oldest first.
    var lines: [Line] = []
    /// The number of lines so far.
    var count = 0
  }

  /// Adds a message to the thread of a game's two players.
  mutating func say(
    _ text: String, in id: GameID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> TicTacToeAnswer {
    let (index, mark) = try player(user, in: id)
    try Self.checkLine(text)
    let other = games[index].user(mark.other)
    let (position, isKnown) = threadIndex(user, other)
    if isKnown {
      let since = clock.advanced(bySeconds: -TicTacToeLimits.lineWindow)
      let recent = threads[position].lines.count { $0.line.author == user && $0.written > since }
      guard recent < TicTacToeLimits.linesAtOnce else {
        throw Refusal("too-fast", "you wrote many messages at once; wait a few seconds")
      }
    } else if threads.count >= TicTacToeLimits.threads {
      throw Refusal("full", "the server keeps no more conversations; try again another day")
    } else {
      threads.insert(ChatThread(first: min(user, other), second: max(user, other)), at: position)
    }
    let line = ChatLine(number: threads[position].count, author: user, text: text)
    threads[position].count += 1
    threads[position].lines.append(ChatThread.Line(line: line, written: clock))
    if threads[position].lines.count > TicTacToeLimits.threadLines {
      threads[position].lines.removeFirst()
    }
    games[index].revision += 1
    notify(other, .game(view(index, for: other)), into: &effects)
    return .game(view(index, for: user))
  }

  static func checkLine(_ text: String) throws(Refusal) {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Refusal("empty-message", "write something first")
    }
    guard text.utf8.count <= TicTacToeLimits.lineBytes,
      text.count <= TicTacToeLimits.lineCharacters
    else {
      throw Refusal(
        "long-message",
        "a message has at most \(TicTacToeLimits.lineCharacters) characters; shorten it")
    }
  }

  /// Returns the kept messages of two people, newest first.
  func thread(of user: UserID, with other: UserID) -> [ChatLine] {
    let (position, isKnown) = threadIndex(user, other)
    return isKnown ? threads[position].lines.reversed().map(\.line) : []
  }

  /// Returns the number of lines that two people have written so far.
  func lineCount(of pair: SimulatedTicTacToe.Pair) -> Int {
    let (position, isKnown) = threadIndex(pair.first, pair.second)
    return isKnown ? threads[position].count : 0
  }

  /// Returns the position of the thread of two people, or where it belongs.
  private func threadIndex(_ user: UserID, _ other: UserID) -> (position: Int, isKnown: Bool) {
    let pair = (min(user, other), max(user, other))
    let position = threads.partitioningIndex { ($0.first, $0.second) >= pair }
    let isKnown =
      position < threads.count && (threads[position].first, threads[position].second) == pair
    return (position, isKnown)
  }
}
