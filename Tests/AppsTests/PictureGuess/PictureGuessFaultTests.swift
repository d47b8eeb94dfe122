import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// What iPict did wrong: under its preset it happens, under the default it does not.
@Suite struct PictureGuessFaultTests {
  private static let stamp = RequestStamp(epoch: 99, number: 1, mark: 7)

  /// The second person has just filled the board with a wrong word.
  /// - Returns: the places of its letters too.
  private func afterAWrongWord(_ preset: String) throws -> (table: GuessTable, places: [Int]) {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send("TABLE", by: 0)
    try table.open(1)
    let wrong = try table.wrongWord(for: 1)
    let places = try table.places(of: wrong, on: 1)
    try table.place(wrong, by: 1)
    table.wait(0.3)
    return (table, places)
  }

  @Test(arguments: GuessTable.presets) func rearrangingCountsTwice(preset: String) throws {
    let isOriginal = preset == "iPict"
    let start = try afterAWrongWord(preset)
    var table = start.table
    // Another wrong letter into the first slot, within the delay.
    let letters = table.phones[1].letters
    let other = try #require(
      letters.indices.first { !start.places.contains($0) && letters[$0] != 84 })
    if !isOriginal { try table.give(.remove(start.places[0]), to: 1) }
    try table.give(.place(other, slot: 0), to: 1)
    table.wait(2)
    #expect(table.phones[1].wrongCount == (isOriginal ? 2 : 1))
    #expect(table.phones[1].faults.doubleGuesses == (isOriginal ? 1 : 0))
  }

  /// Rearranged to the right word: the original ends the word twice.
  @Test(arguments: GuessTable.presets) func aRightWordCountsTwice(preset: String) throws {
    let isOriginal = preset == "iPict"
    let start = try afterAWrongWord(preset)
    var table = start.table
    let letters = table.phones[1].letters
    let right = try #require(
      letters.indices.first { !start.places.dropFirst().contains($0) && letters[$0] == 84 })
    if !isOriginal { try table.give(.remove(start.places[0]), to: 1) }
    try table.give(.place(right, slot: 0), to: 1)
    table.wait(2)
    #expect(table.phones[1].match?.guessesOfTwo == (isOriginal ? 2 : 1))
    #expect(table.phones[1].stage == .choosing)
  }

  @Test(arguments: GuessTable.presets) func keysOfWordsCollide(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send("TABLE", by: 0)
    try table.open(1)
    try table.guess(false, by: 1)
    try table.guess(false, by: 1)
    // The match is abandoned, and the next one has the same word.
    table.wait(604_800 + 10)
    table.phones[0] = GuessTable(try GuessTable.preset(preset)).phones[0]
    try table.open(0)
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 0)
    try table.send("TABLE", by: 0)
    if preset == "iPict" { try table.open(1) }
    #expect(table.phones[1].newest?.match.low == 2 && table.phones[1].stage == .guessing)
    #expect(table.phones[1].wrongCount == (preset == "iPict" ? 2 : 0))
    #expect((table.phones[1].faults.foreignGuesses > 0) == (preset == "iPict"))
  }

  @Test(arguments: GuessTable.presets) func cancellingLosesTheWord(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send(by: 0)
    if preset == "iPict" { try table.open(1) }
    try table.guess(false, by: 1)
    try table.guess(by: 1)
    try table.choose(by: 1)
    try table.give(.cancel, to: 1)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].stage == (isOriginal ? .guessing : .choosing))
    #expect(table.phones[1].match?.guessesOfTwo == (isOriginal ? 0 : 2))
    #expect(table.phones[1].faults.lostWords == (isOriginal ? 1 : 0))
  }

  @Test(arguments: GuessTable.presets) func arrivalsChangeNothing(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send(by: 0)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].screen == (isOriginal ? .start : .guess))
    #expect(table.phones[1].faults.missedArrivals == (isOriginal ? 1 : 0))
    try table.open(1)
    #expect(table.phones[1].screen == .guess)
  }

  @Test(arguments: GuessTable.presets) func aMissingPictureStopsTheApp(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send("TABLE", by: 0)
    try table.open(1)
    try table.give(.pictureFailed("TABLE"), to: 1)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].stage == (isOriginal ? .stopped : .guessing))
    #expect(table.phones[1].faults.crashes == (isOriginal ? 1 : 0))
    if isOriginal {
      #expect(table.refusal(of: .place(0, slot: 0), to: 1) == "closed")
      #expect(
        table.effects[1].last { if case .stopped = $0 { true } else { false } }
          == .stopped("the picture of TABLE could not be fetched"))
      try table.open(1)
    } else {
      #expect(table.phones[1].pictures == [GuessPicture(word: "TABLE", status: .placeholder)])
      try table.give(.retryPicture("TABLE"), to: 1)
      #expect(table.refusal(of: .retryPicture("TABLE"), to: 1) == "no-retry")
    }
    try table.give(.pictureFetched("TABLE"), to: 1)
    try table.guess(by: 1)
    #expect(table.phones[1].stage == .choosing)
  }

  @Test(arguments: GuessTable.presets) func theLastWordIsOfferedAgain(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send("TABLE", by: 0)
    try table.open(1)
    try table.guess(by: 1)
    var (repeated, equal) = (0, 0)
    for seed in 0..<5_000 {
      try table.give(.offer(seed: UInt64(seed)), to: 1)
      if table.phones[1].offers.contains("TABLE") { repeated += 1 }
      if Set(table.phones[1].offers).count < 4 { equal += 1 }
    }
    let isOriginal = preset == "iPict"
    #expect((repeated > 0) == isOriginal && (equal > 0) == isOriginal)
    guard isOriginal else { return }
    try table.send("TABLE", by: 1)
    #expect(table.phones[1].faults.repeatedWords == 1)
  }

  @Test(arguments: GuessTable.presets) func aThirdPersonAnswers(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset), people: 3)
    try table.send("TABLE", by: 0)
    try table.open(1)
    try table.open(2)
    let isOriginal = preset == "iPict"
    // The first who accepts plays. In the original everybody may guess.
    #expect(table.phones[1].stage == .guessing)
    #expect(table.phones[2].stage == (isOriginal ? .guessing : .none))
    try table.guess(by: 1)
    try table.send(by: 1)
    try table.open(0)
    if isOriginal {
      try table.give(.close, to: 2)
      try table.open(2)
      try table.guess(by: 2)
      try table.send("ACORN", by: 2)
      try table.open(0)
      #expect(table.phones[0].newest?.answer == "ACORN")
    } else {
      // In the running match, and in others, however long.
      let before = table.phones[0].match
      for (match, one, games) in [(1, 0, 2), (0, 0, 2), (2, 2, 4), (2, 2, 3), (2, 2, 6)]
        as [(
          UInt64, Int, Int
        )]
      {
        let state = MatchState(
          match: MatchID(high: 0, low: match), answer: games == 6 ? "" : "ACORN",
          author: games % 2 == 0 ? one : 2 - one, one: one, two: 2 - one, games: games,
          guessesOfOne: 3, guessesOfTwo: 3)
        try table.give(.received(.message(Self.stamp, .state(state)), from: 2), to: 0)
        #expect(table.phones[0].match == before)
      }
    }
    #expect(table.phones[0].faults.thirdPersonAnswers == (isOriginal ? 1 : 0))
  }

  @Test(arguments: GuessTable.presets) func anOldMessageTakesTheMatchBack(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    try table.send("TABLE", by: 0)
    let old = try #require(table.phones[0].newest)
    for word in 1..<3 {
      try table.open(2 - word)
      try table.guess(by: 2 - word)
      try table.send(by: 2 - word)
    }
    try table.open(1)
    try table.give(.received(.message(Self.stamp, .state(old)), from: 0), to: 1)
    try table.open(1)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].newest?.games == (isOriginal ? 0 : 2))
    #expect(table.phones[1].faults.oldMessagesTaken == (isOriginal ? 1 : 0))
  }

  @Test(arguments: GuessTable.presets) func aDrawIsNotAnnounced(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    for word in 0..<6 {
      if word > 0 { try table.open(word % 2) }
      try table.send(by: word % 2)
      try table.open(1 - word % 2)
      try table.guess(by: 1 - word % 2)
    }
    let phone = table.phones[0]
    #expect(phone.newest?.result == .draw && phone.screen == .result)
    #expect(phone.caption.isEmpty == (preset == "iPict"))
    #expect(phone.faults.silentDraws == (preset == "iPict" ? 1 : 0))
  }

  @Test(arguments: GuessTable.presets) func reopeningCountsEarlierWordsAgain(preset: String) throws
  {
    var table = try GuessTable.began(GuessTable.preset(preset))
    for word in 0..<3 {
      try table.open(word % 2)
      try table.send(by: word % 2)
      try table.open(1 - word % 2)
      if word < 2 { try table.guess(by: 1 - word % 2) }
    }
    // Player two has one guess of its first word, and reopens the second.
    #expect(table.phones[1].wrongCount == 0)
    try table.give(.close, to: 1)
    try table.open(1)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].wrongCount == (isOriginal ? 1 : 0))
    try table.guess(by: 1)
    #expect(table.phones[1].match?.guessesOfTwo == (isOriginal ? 3 : 2))
  }

  @Test(arguments: GuessTable.presets) func captionsNameTheWrongPlayer(preset: String) throws {
    var table = try GuessTable.began(GuessTable.preset(preset))
    for word in 0..<6 {
      try table.open(word % 2)
      try table.send(by: word % 2)
      try table.open(1 - word % 2)
      try table.guess(by: 1 - word % 2)
    }
    try table.open(1)
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 1)
    try table.send(by: 1)
    // The person who asked for the rematch is player one.
    let player = preset == "iPict" ? "two" : "one"
    #expect(table.phones[1].caption == "A picture by player \(player): round 1 of 3")
    #expect(table.phones[1].faults.wrongCaptions == (preset == "iPict" ? 1 : 0))
  }
}
