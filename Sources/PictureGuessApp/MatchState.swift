public import AppEngines

/// The identity of a match: 128 random bits. They come from a source of real randomness, so that
/// matches never meet and nobody predicts one.
public struct MatchID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads 32 hexadecimal digits; nil if the text is something else.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 32, digits.allSatisfy(MatchID.isDigit),
      let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String {
    func digits(_ word: UInt64) -> String {
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
    return digits(high) + digits(low)
  }

  public static func < (left: MatchID, right: MatchID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The state of a match as a message carries it from phone to phone.
///
/// Message 0 has the first word, by player one; message `games` has the word after `games` words were
/// guessed, and message 6 the result. So `games` numbers the messages of a match.
public struct MatchState: Hashable, Sendable, Codable {
  public var match: MatchID
  /// The word of the picture in capitals; empty in the result.
  public var answer: String
  /// The sender, by the number in the thread.
  public var author: Int
  /// Player one, by the number in the thread.
  public var one: Int
  /// Player two; nil = not known yet, which only iPict's messages have.
  public var two: Int?
  /// The number of words guessed so far, 0...6.
  public var games: Int
  public var guessesOfOne: Int
  public var guessesOfTwo: Int

  /// The number of words in a match: three for each player.
  public static let wordCount = 6
  /// The number of rounds: in each, both guess one word.
  public static let roundCount = 3
  /// The largest number of guesses of a player.
  static let guessLimit = 1_000_000

  public var isOver: Bool { games >= MatchState.wordCount }

  /// The round, 1 to 3. A finished match stays in the last one.
  public var round: Int { MatchState.round(afterGames: games) }

  static func round(afterGames games: Int) -> Int {
    min(max(games, 0) / 2 + 1, MatchState.roundCount)
  }

  /// The result; nil = the match is not over. The lower total wins.
  public var result: MatchResult? {
    guard isOver else { return nil }
    if guessesOfOne == guessesOfTwo { return .draw }
    return guessesOfOne < guessesOfTwo ? .one : .two
  }

  /// The author of message `games` by the rules: player one sends first, and the players alternate.
  var authorByTurn: Int? { games % 2 == 0 ? one : two }

  /// Checks what holds for the message of any match.
  /// - Throws: what is wrong, if no phone can have sent it.
  func validate() throws(Refusal) {
    let hasWord = isOver ? answer.isEmpty : WordList.isAnswer(answer)
    let counts = 0...MatchState.guessLimit
    guard (0...MatchState.wordCount).contains(games), hasWord, one != two,
      counts.contains(guessesOfOne), counts.contains(guessesOfTwo)
    else {
      throw Refusal("impossible-state", "this message is damaged; ask for it to be sent again")
    }
  }

  /// The words that each player has guessed after a number of words: player two guesses first.
  static func wordsGuessed(afterGames games: Int) -> (one: Int, two: Int) {
    (games / 2, games / 2 + games % 2)
  }

  /// Checks that each guessed word has cost its player one guess at least.
  /// - Throws: what is wrong, if two players cannot have these totals.
  func validateTotals() throws(Refusal) {
    let least = MatchState.wordsGuessed(afterGames: games)
    guard guessesOfOne >= least.one, guessesOfTwo >= least.two else {
      throw Refusal("impossible-state", "this message has fewer guesses than guessed words")
    }
  }
}

public enum MatchResult: String, CaseIterable, Hashable, Sendable, Codable {
  /// The winner.
  case one, two
  /// Both totals are equal.
  case draw
}

extension MatchState {
  /// The state as the query of a URL, in plain text: who reads it knows the answer.
  public var query: String {
    let fields: [(String, String)] = [
      ("Match", "\(match)"), ("Answer", answer), ("Author", "\(author)"), ("Player", "\(one)"),
      ("Other", two.map { "\($0)" } ?? ""), ("Games", "\(games)"),
      ("Guesses", "\(guessesOfOne)"), ("OpponentGuesses", "\(guessesOfTwo)"),
    ]
    return fields.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// Reads what ``query`` writes.
  /// - Throws: if a field is missing, given twice or unknown, or if no match can have that state.
  public init(query: String) throws(Refusal) {
    var fields: [Substring: Substring] = [:]
    for part in query.split(separator: "&", omittingEmptySubsequences: false).prefix(9) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, fields.updateValue(pair[1], forKey: pair[0]) == nil else {
        throw MatchState.unreadable
      }
    }
    func number(_ name: Substring) -> Int? { fields[name].flatMap { Int($0) } }
    guard fields.count == 8, let match = fields["Match"].flatMap({ MatchID($0) }),
      let answer = fields["Answer"], let author = number("Author"), let one = number("Player"),
      let other = fields["Other"], other.isEmpty || Int(other) != nil,
      let games = number("Games"), let guesses = number("Guesses"),
      let opponentGuesses = number("OpponentGuesses")
    else { throw MatchState.unreadable }
    self.init(
      match: match, answer: String(answer), author: author, one: one, two: Int(other),
      games: games, guessesOfOne: guesses, guessesOfTwo: opponentGuesses)
    try validate()
  }

  static var unreadable: Refusal {
    Refusal("unreadable", "this message is not of this app or damaged; ask for it again")
  }
}
