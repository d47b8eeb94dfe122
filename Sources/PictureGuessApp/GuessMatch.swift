import AppEngines
import TraceModel

/// A match as one phone knows it.
struct GuessMatch: Hashable, Sendable, Codable {
  let id: MatchID
  var one: Int
  /// nil = nobody has accepted the invitation yet.
  var two: Int?
  var stage: GuessStage
  /// The newest message that was sent or taken; nil = none.
  var newest: MatchState?
  // The totals, which are one word ahead of the newest message while the next picture is chosen.
  var games = 0
  var guessesOfOne = 0
  var guessesOfTwo = 0
  /// The word that is guessed, chosen, or on its way.
  var word = ""
  /// The words of the four pictures; empty = not drawn yet.
  var offers: [String] = []
  /// The last words, newest last.
  var used: [String] = []
  var lastMove: TraceInstant

  /// The number of remembered words: a match has six, and the last of the match before.
  static let usedLimit = 8

  /// Whether it has words and is not over.
  var isRunning: Bool { newest != nil && !stage.isFinal }

  func includes(_ person: Int) -> Bool { person == one || person == two }

  /// The two players of a match that is agreed and not over; nil = it is not agreed, or over.
  func players(me: Int) -> Set<Int?>? {
    guard isRunning || stage == .accepted else { return nil }
    return [one, stage == .accepted ? me : two]
  }

  mutating func use(_ word: String) {
    guard !word.isEmpty, used.last != word else { return }
    used.append(word)
    if used.count > GuessMatch.usedLimit { used.removeFirst() }
  }

  /// Takes over what a message says, except the stage.
  mutating func take(_ state: MatchState, by me: Int, at now: TraceInstant) {
    newest = state
    one = state.one
    // iPict's messages do not name player two: that is the one who is not player one.
    two = [state.two, two, state.author, me].compactMap(\.self).first { $0 != state.one }
    games = state.games
    (guessesOfOne, guessesOfTwo) = (state.guessesOfOne, state.guessesOfTwo)
    word = state.answer
    offers = []
    lastMove = now
    use(state.answer)
  }

  mutating func add(_ guesses: Int, to person: Int) {
    func sum(_ total: Int) -> Int { min(total + guesses, MatchState.guessLimit) }
    if person == one { guessesOfOne = sum(guessesOfOne) } else { guessesOfTwo = sum(guessesOfTwo) }
  }

  /// The message of the next word; with six games, the result.
  func state(by author: Int, answer: String) -> MatchState {
    MatchState(
      match: id, answer: answer, author: author, one: one, two: two, games: games,
      guessesOfOne: guessesOfOne, guessesOfTwo: guessesOfTwo)
  }

  /// Why a message of this match cannot follow the newest one; nil = it can, or it is old.
  func conflict(with state: MatchState, me: Int) -> Refusal? {
    let refusal = Refusal("impossible-state", "this message does not continue the match")
    guard state.one == one, two == nil || state.two == two else { return refusal }
    guard let newest, state.games > newest.games else { return nil }
    let ones = state.guessesOfOne - newest.guessesOfOne
    let twos = state.guessesOfTwo - newest.guessesOfTwo
    // Each word costs its player one guess at least, and nobody else any.
    let least = MatchState.wordsGuessed(afterGames: state.games)
    let before = MatchState.wordsGuessed(afterGames: newest.games)
    func fits(_ guesses: Int, _ words: Int) -> Bool { words == 0 ? guesses == 0 : guesses >= words }
    return fits(ones, least.one - before.one) && fits(twos, least.two - before.two) ? nil : refusal
  }
}

/// What a person has done for a word.
struct WordProgress: Hashable, Sendable, Codable {
  let match: MatchID
  let games: Int
  let word: String
  /// The twelve letters.
  let tiles: [UInt8]
  var wrong = 0
  var isSolved = false
  /// Whether the app was closed while the word was guessed.
  var wasLeft = false
}
