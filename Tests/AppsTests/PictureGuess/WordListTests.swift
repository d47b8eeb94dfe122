import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

@Suite struct WordListTests {
  @Test func eachLengthHasEnoughWords() {
    #expect(WordList.lengths == TileLayout.letterCounts)
    for length in WordList.lengths {
      let words = WordList.words(ofLength: length)
      #expect(words.count >= 120)
      #expect(words.allSatisfy { $0.utf8.count == length && WordList.isAnswer($0) })
      #expect(words == words.sorted() && Set(words).count == words.count)
    }
    #expect(WordList.words.count == Set(WordList.words).count)
    #expect(WordList.words(ofLength: 2).isEmpty && WordList.words(ofLength: 7).isEmpty)
  }

  @Test func whatCannotBeAnAnswer() {
    for text in ["", "AB", "abc", "ABCDEFG", "AB C", "ÄBC", "A1B"] {
      #expect(!WordList.isAnswer(text), "\(text)")
    }
  }
}

@Suite struct LetterTilesTests {
  @Test func twelveTilesHaveTheAnswersLetters() {
    for (number, word) in WordList.words.enumerated() {
      let tiles = LetterTiles.deal(for: word, seed: UInt64(number))
      #expect(tiles.count == 12 && tiles.allSatisfy { (65...90).contains($0) })
      var rest = tiles
      for letter in word.utf8 {
        guard let index = rest.firstIndex(of: letter) else {
          Issue.record("\(word): no tile \(letter)")
          break
        }
        rest.remove(at: index)
      }
      #expect(LetterTiles.deal(for: word, seed: UInt64(number)) == tiles)
    }
  }

  /// Of 12,000 deals with nine free tiles each, every letter is a free tile about as often, and
  /// every place has the first letter about as often: within 6 standard deviations.
  @Test func freeTilesAreUniformAndShuffled() {
    var letters = [Int](repeating: 0, count: 26)
    var places = [Int](repeating: 0, count: 12)
    for seed in 0..<12_000 {
      var tiles = LetterTiles.deal(for: "ZZZ", seed: UInt64(seed))
      if let place = tiles.firstIndex(where: { $0 == 90 }) { places[place] += 1 }
      for _ in 0..<3 { tiles.remove(at: tiles.firstIndex(of: 90) ?? 0) }
      for tile in tiles { letters[Int(tile) - 65] += 1 }
    }
    // 108,000 / 26 = 4153.8, standard deviation 63.2.
    #expect(letters.allSatisfy { (3775...4533).contains($0) }, "\(letters)")
    // Tiles of the answer are not only the first ones: the last place starts three of them never.
    #expect(places[..<9].allSatisfy { $0 > 50 } && places[0] > 2500, "\(places)")
  }
}

@Suite struct MatchStateTests {
  static let state = MatchState(
    match: MatchID(high: 0xAB, low: 7), answer: "TABLE", author: 1, one: 0, two: 1, games: 3,
    guessesOfOne: 5, guessesOfTwo: 4)

  @Test func theStateIsTheQueryOfAnURL() throws {
    let query = Self.state.query
    #expect(
      query == "Match=00000000000000ab0000000000000007&Answer=TABLE&Author=1&Player=0&Other=1"
        + "&Games=3&Guesses=5&OpponentGuesses=4")
    #expect(try MatchState(query: query) == Self.state)
    var first = Self.state
    (first.two, first.games, first.author) = (nil, 0, 0)
    #expect(try MatchState(query: first.query) == first)
  }

  @Test(arguments: [
    "", "Match=1", "a=b&a=b", "&&&&&&&&&&", "=", "Games=99",
    state.query + "&More=1", String(state.query.dropLast(12)),
    state.query.replacing("Games=3", with: "Games=7"),
    state.query.replacing("TABLE", with: "table"), state.query.replacing("TABLE", with: ""),
    state.query.replacing("Guesses=5", with: "Guesses=-1"),
    state.query.replacing("Guesses=5", with: "Guesses=99999999999999999999"),
    state.query.replacing("Other=1", with: "Other=0"),
    state.query.replacing("00ab", with: "0xab"), state.query.replacing("00ab", with: "é"),
  ]) func damagedQueriesAreRefused(query: String) {
    #expect(throws: Refusal.self) { try MatchState(query: query) }
  }

  @Test func aQueryTakesAnything() {
    var random = SeededGenerator(seed: 3)
    var read = 0
    for _ in 0..<5_000 {
      var bytes = Array(Self.state.query.utf8)
      for _ in 0...random.below(4) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if (try? MatchState(query: String(decoding: bytes, as: UTF8.self))) != nil { read += 1 }
    }
    #expect(read > 0 && read < 5_000)
  }

  @Test func roundsAndResults() throws {
    let rounds = (0...6).map { games in
      var state = Self.state
      state.games = games
      return state.round
    }
    #expect(rounds == [1, 1, 2, 2, 3, 3, 3])
    for (one, two, result) in [(5, 6, MatchResult.one), (9, 6, .two), (7, 7, .draw)] {
      var state = Self.state
      (state.games, state.answer) = (6, "")
      (state.guessesOfOne, state.guessesOfTwo) = (one, two)
      try state.validate()
      #expect(state.result == result)
      #expect(GuessCaption.text(of: state, playerOne: 0).isEmpty == false)
    }
    #expect(Self.state.result == nil)
  }

  @Test func identitiesAreReadAsTheyAreWritten() {
    let id = MatchID(high: .max, low: 1)
    #expect(id.description == "ffffffffffffffff0000000000000001" && MatchID(id.description) == id)
    for text in ["", "+" + id.description.dropFirst(), id.description.uppercased(), "0x"] {
      #expect(MatchID(text) == nil)
    }
    #expect(MatchID(high: 1, low: 9) < MatchID(high: 2, low: 0))
  }

  /// Which screen shows is a function of the stage and the style.
  @Test func screensFollowFromStageAndStyle() {
    for stage in GuessStage.allCases { #expect(GuessScreen(stage, .compact) == .start) }
    let expected: [GuessStage: GuessScreen] = [
      .none: .start, .invited: .start, .stopped: .start, .choosing: .choose, .accepted: .send,
      .inviting: .send, .composed: .send, .waiting: .send, .guessing: .guess, .over: .result,
      .abandoned: .result,
    ]
    #expect(expected.count == GuessStage.allCases.count)
    for (stage, screen) in expected { #expect(GuessScreen(stage, .expanded) == screen) }
    #expect(Set(expected.values) == Set(GuessScreen.allCases))
  }
}
