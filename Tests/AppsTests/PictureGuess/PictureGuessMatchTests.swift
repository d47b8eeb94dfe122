import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// The rules of a match, sentence by sentence.
@Suite struct PictureGuessMatchTests {
  // MARK: The course of a match

  @Test func stateTravelsFromPhoneToPhone() throws {
    var table = try GuessTable.began()
    try table.send("TABLE", by: 0)
    let state = try #require(table.phones[1].newest)
    #expect(state == table.phones[0].newest)
    #expect(
      state
        == MatchState(
          match: MatchID(high: 0, low: 1), answer: "TABLE", author: 0, one: 0, two: 1, games: 0,
          guessesOfOne: 0, guessesOfTwo: 0))
    #expect(table.phones[0].screen == .send && table.phones[1].screen == .guess)
  }

  @Test func playerOneSendsFirstAndPlayerTwoGuessesFirst() throws {
    var table = try GuessTable.began()
    #expect(table.phones[0].stage == .choosing && table.phones[1].stage == .none)
    #expect(table.refusal(of: .offer(seed: 1), to: 1) == "not-now")
    try table.send(by: 0)
    #expect(table.phones[0].stage == .waiting && table.phones[1].stage == .guessing)
    try table.guess(by: 1)
    #expect(table.phones[1].stage == .choosing && table.phones[0].stage == .waiting)
    try table.send(by: 1)
    #expect(table.phones[0].stage == .guessing && table.phones[1].stage == .waiting)
  }

  @Test func sixWordsAreThreeRoundsWithThreeWordsEach() throws {
    var table = try GuessTable.began()
    var rounds: [Int] = []
    for word in 0..<6 {
      try table.send(by: word % 2)
      rounds.append(try #require(table.phones[0].newest).round)
      try table.guess(by: 1 - word % 2)
    }
    #expect(rounds == [1, 1, 2, 2, 3, 3])
    #expect(table.phones.allSatisfy { $0.screen == .result && $0.newest?.games == 6 })
    for phone in 0..<2 {
      #expect(table.kinds(phone) { if case .wordShown = $0 { true } else { false } } == 3)
      #expect(table.kinds(phone) { if case .ended = $0 { true } else { false } } == 1)
    }
  }

  @Test func theLowerTotalWins() throws {
    var table = try GuessTable.began()
    for word in 0..<6 {
      try table.send(by: word % 2)
      // Player one needs two boards for its first word.
      if word == 1 { try table.guess(false, by: 0) }
      try table.guess(by: 1 - word % 2)
    }
    let result = try #require(table.phones[0].newest)
    #expect((result.guessesOfOne, result.guessesOfTwo) == (4, 3) && result.result == .two)
    #expect(table.phones[1].caption == "Player two wins with 3 guesses to 4")
    #expect(table.phones[0].newest == table.phones[1].newest)
  }

  @Test func equalTotalsAreADraw() throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 6)
    #expect(table.phones.allSatisfy { $0.newest?.result == .draw })
    #expect(table.phones[0].caption == "A draw: both needed 3 guesses")
  }

  @Test func whoAsksForARematchIsPlayerOne() throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 6)
    let last = try #require(table.phones[1].match?.used.last)
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 1)
    try table.send(by: 1)
    #expect(table.phones[0].stage == .guessing)
    let state = try #require(table.phones[0].newest)
    #expect(state.one == 1 && state.two == 0 && state.games == 0)
    #expect((state.guessesOfOne, state.guessesOfTwo) == (0, 0))
    #expect(state.answer != last)
    #expect(table.phones[0].caption == "A picture by player one: round 1 of 3")
    #expect(table.refusal(of: .begin(MatchID(high: 0, low: 3)), to: 0) == "match-running")
  }

  @Test func captionsAreState() throws {
    var table = GuessTable()
    for phone in 0..<2 { try table.open(phone) }
    #expect(table.phones[0].caption.isEmpty)
    try table.give(.begin(MatchID(high: 0, low: 1)), to: 0)
    table.isHolding = true
    try table.send(by: 0)
    #expect(table.phones[0].caption == GuessCaption.invitation)
    table.release()
    #expect(table.phones[1].caption == "A picture by player one: round 1 of 3")
    try table.guess(by: 1)
    try table.send(by: 1)
    #expect(table.phones[0].caption == "A picture by player two: round 1 of 3")
    let captions = table.effects[0].compactMap {
      if case .caption(let text) = $0 { text } else { nil }
    }
    #expect(captions.last == table.phones[0].caption && captions.first == GuessCaption.invitation)
  }

  @Test func twoInvitationsCross() throws {
    var table = GuessTable()
    for phone in 0..<2 { try table.open(phone) }
    for phone in 0..<2 {
      try table.give(.begin(MatchID(high: 0, low: UInt64(8 - phone))), to: phone)
    }
    table.isHolding = true
    for phone in 0..<2 { try table.send(by: phone) }
    table.release()
    // The smaller identity counts on both phones.
    #expect(table.phones.allSatisfy { $0.newest?.match.low == 7 && $0.newest?.one == 1 })
    #expect(table.phones[0].stage == .guessing && table.phones[1].stage == .waiting)
  }

  // MARK: Choosing

  @Test func oneOfFourPicturesIsChosen() throws {
    var table = try GuessTable.began()
    #expect(table.refusal(of: .choose(0), to: 0) == "no-picture")
    try table.give(.offer(seed: 3), to: 0)
    let offers = table.phones[0].offers
    #expect(offers.count == 4 && Set(offers).count == 4)
    #expect(offers.allSatisfy { WordList.words.contains($0) })
    #expect(table.refusal(of: .choose(4), to: 0) == "no-picture")
    #expect(table.refusal(of: .choose(.min), to: 0) == "no-picture")
    #expect(table.refusal(of: .send, to: 0) == "not-now")
    try table.give(.choose(2), to: 0)
    #expect(table.phones[0].match?.word == offers[2] && table.phones[0].screen == .send)
    // Equal seeds show equal pictures, others show others.
    try table.give(.cancel, to: 0)
    try table.give(.offer(seed: 3), to: 0)
    #expect(table.phones[0].offers == offers)
    try table.give(.offer(seed: 4), to: 0)
    #expect(table.phones[0].offers != offers)
  }

  @Test func cancellingBeforeSendingKeepsEverything() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    try table.guess(false, by: 1)
    try table.guess(by: 1)
    let before = try #require(table.phones[1].match)
    try table.choose(by: 1)
    try table.give(.cancel, to: 1)
    #expect(table.phones[1].stage == .choosing)
    #expect(table.phones[1].match?.guessesOfTwo == 2 && before.guessesOfTwo == 2)
    try table.send(by: 1)
    #expect(table.phones[0].newest?.guessesOfTwo == 2 && table.phones[0].newest?.games == 1)
  }

  // MARK: Guessing

  @Test func everyFullBoardCountsOne() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    for wrong in 1...3 {
      try table.guess(false, by: 1)
      #expect(table.phones[1].wrongCount == wrong && table.phones[1].stage == .guessing)
    }
    try table.guess(by: 1)
    #expect(table.phones[1].match?.guessesOfTwo == 4 && table.phones[1].stage == .choosing)
    let guesses = table.effects[1].compactMap {
      if case .guessed(_, let isRight, let guesses) = $0 { "\(isRight) \(guesses)" } else { nil }
    }
    #expect(guesses == ["false 1", "false 2", "false 3", "true 4"])
  }

  @Test func aWrongBoardSendsAllTilesBack() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    try table.place(table.wrongWord(for: 1), by: 1)
    #expect(!table.phones[1].shownWord.contains("_"))
    table.wait(0.6)
    #expect(table.phones[1].board.isEmpty)
    #expect(table.phones[1].shownWord.allSatisfy { $0 == "_" })
  }

  @Test func aFullBoardIsCheckedAfterHalfASecond() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    try table.place(table.word(of: 1), by: 1)
    table.wait(0.499)
    #expect(table.phones[1].stage == .guessing)
    table.wait(0.001)
    #expect(table.phones[1].stage == .choosing)
  }

  @Test func lettersAreTakenOffAndSlotsAreTaken() throws {
    var table = try GuessTable.began()
    try table.send("TABLE", by: 0)
    try table.give(.place(3, slot: 0), to: 1)
    #expect(table.refusal(of: .place(4, slot: 0), to: 1) == "slot-taken")
    #expect(table.refusal(of: .place(12, slot: 0), to: 1) == "no-slot")
    #expect(table.refusal(of: .place(0, slot: 5), to: 1) == "no-slot")
    #expect(table.refusal(of: .remove(4), to: 1) == "no-letter")
    #expect(table.refusal(of: .arrange(Array(0..<12)), to: 1) == "letters-placed")
    // A letter moves from slot to slot.
    try table.give(.place(3, slot: 2), to: 1)
    #expect(table.phones[1].board.slots == [nil, nil, 3, nil, nil])
    try table.give(.remove(3), to: 1)
    #expect(table.phones[1].board.isEmpty)
    #expect(table.refusal(of: .place(0, slot: 0), to: 0) == "not-guessing")
  }

  @Test func tilesCanBeArranged() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    let letters = table.phones[1].letters
    for order in [[0], Array(repeating: 1, count: 12), Array(1...12)] {
      #expect(table.refusal(of: .arrange(order), to: 1) == "no-order")
    }
    try table.give(.arrange(Array((0..<12).reversed())), to: 1)
    #expect(table.phones[1].letters == letters.reversed())
    try table.guess(by: 1)
    #expect(table.phones[1].stage == .choosing)
  }

  @Test func reopeningKeepsTheTilesAndTheCount() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    try table.guess(false, by: 1)
    let letters = table.phones[1].letters
    for _ in 0..<3 {
      try table.give(.close, to: 1)
      #expect(table.phones[1].screen == .start)
      #expect(table.refusal(of: .place(0, slot: 0), to: 1) == "closed")
      try table.open(1)
      #expect(table.phones[1].letters == letters && letters.count == 12)
      #expect(table.phones[1].wrongCount == 1)
    }
    // Even a newly installed phone deals the same tiles.
    let new = GuessTable()
    table.phones[1] = new.phones[1]
    try table.open(1)
    #expect(table.phones[1].letters == letters)
  }

  // MARK: Messages

  @Test func aMessageChangesTheOpenApp() throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 1)
    #expect(table.phones[0].screen == .send)
    try table.send("TABLE", by: 1)
    #expect(table.phones[0].screen == .guess)
    #expect(
      table.effects[0].last { if case .wordShown = $0 { true } else { false } }
        == .wordShown(MatchID(high: 0, low: 1), games: 1, word: "TABLE"))
  }

  @Test func aMessageToAClosedAppWaitsForOpening() throws {
    var table = try GuessTable.began()
    try table.give(.close, to: 1)
    try table.send(by: 0)
    #expect(table.phones[1].stage == .invited && table.phones[1].screen == .start)
    try table.open(1)
    #expect(table.phones[1].screen == .guess)
  }

  @Test func anOldMessageIsRefused() throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 3)
    let old = MatchState(
      match: MatchID(high: 0, low: 1), answer: "TABLE", author: 1, one: 0, two: 1, games: 1,
      guessesOfOne: 0, guessesOfTwo: 1)
    let stamp = RequestStamp(epoch: 5, number: 1)
    let before = table.phones[0].match
    try table.give(.received(.message(stamp, .state(old)), from: 1), to: 0)
    #expect(table.phones[0].match == before)
    #expect(
      table.effects[0].contains {
        if case .ignored(let refusal, from: 1) = $0 { refusal.code == "old-message" } else { false }
      })
  }

  @Test(arguments: [
    (2, 9, "TABLE", 1), (1, 0, "TABLE", 2), (1, 1, "TABLE", 0), (1, 2, "TABLE", 1),
  ]) func impossibleStatesAreIgnored(
    _ each: (one: Int, two: Int, answer: String, author: Int)
  )
    throws
  {
    // Word 2 of a match in which player two needed one guess: author 1, totals 0 and 1.
    var table = try GuessTable.began()
    try table.send(by: 0)
    let good = MatchState(
      match: MatchID(high: 0, low: 1), answer: each.answer, author: each.author, one: 0, two: 1,
      games: 1, guessesOfOne: each.one, guessesOfTwo: each.two)
    let before = table.phones[0].match
    let stamp = RequestStamp(epoch: 5, number: 1)
    // Ignored, or refused because no match can have it.
    do {
      try table.give(.received(.message(stamp, .state(good)), from: 1), to: 0)
    } catch {
      #expect(error.code == "impossible-state")
    }
    #expect(table.phones[0].match == before)
  }

  /// A phone goes back to a match that is over, while the other one is in the next. It learns the
  /// result, whether it asks before it guesses the last word again or only then.
  @Test(arguments: [false, true]) func aResultIsOneForBoth(guessesAgain: Bool) throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 5)
    try table.send(by: 1)
    let old = table.phones[0]
    try table.guess(by: 0)
    let result = try #require(table.phones[0].newest)
    try #require(result.isOver && table.phones[1].newest == result)
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 1)
    try table.send(by: 1)
    table.phones[0] = old
    if guessesAgain {
      table.isHolding = true
      try table.guess(false, by: 0)
      try table.guess(by: 0)
      try #require(table.phones[0].newest?.guessesOfOne == result.guessesOfOne + 1)
      table.isHolding = false
      table.release()
      // The message is repeated until its receipt comes.
      table.wait(200)
    } else {
      try table.give(.close, to: 0)
      try table.open(0)
    }
    let known = [table.phones[0].newest, table.phones[0].results.last]
    #expect(known.contains(result), "\(known)")
    #expect(table.phones[0].results.allSatisfy { $0 == result })
    #expect(table.phones[1].newest?.match == MatchID(high: 0, low: 2))
  }

  /// Both phones know a result of the same match, and play others. In random runs they told each other
  /// their results for ever.
  @Test func twoResultsBecomeOneInTheNextMatch() throws {
    var table = try GuessTable.began()
    try table.play(untilGames: 5)
    try table.send(by: 1)
    let old = table.phones[0]
    try table.guess(by: 0)
    let result = try #require(table.phones[0].newest)
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 1)
    table.isHolding = true
    table.phones[0] = old
    try table.guess(false, by: 0)
    try table.guess(by: 0)
    let other = try #require(table.phones[0].newest)
    try #require(other.isOver && other != result)
    try table.give(.begin(MatchID(high: 0, low: 3)), to: 0)
    table.release()
    table.wait(200)
    #expect(table.phones.map(\.results) == [[result], [result]])
    #expect(table.kinds(0) { $0 == .ended(result) } == 2)
  }

  /// Two phones with any two messages of one word: after a few messages both have the same one.
  @Test(.longer, arguments: [2, 3, 6], [false, true])
  func twoMessagesOfOneWordBecomeOne(games: Int, playsOn: Bool) throws {
    var random = SeededGenerator(seed: UInt64(games))
    var kinds = Set<String>()
    for _ in 0..<LongTests.count(quick: 40, long: 400) {
      let least = MatchState.wordsGuessed(afterGames: games)
      var tables: [GuessTable] = []
      for _ in 0..<2 {
        var table = try GuessTable.began()
        try table.play(untilGames: 1)
        try table.send(by: 1)
        var state = try #require(table.phones[0].newest)
        state.games = games
        state.author = games % 2
        state.guessesOfOne = least.one + random.below(3)
        state.guessesOfTwo = least.two + random.below(3)
        let word = WordList.words[random.below(WordList.words.count)]
        state.answer = games == MatchState.wordCount ? "" : word
        for phone in 0..<2 {
          var news: [PictureGuessPhone.Effect] = []
          table.phones[phone].adopt(state, at: table.now, into: &news)
        }
        tables.append(table)
      }
      var table = tables[0]
      table.phones[1] = tables[1].phones[1]
      table.effects = [[], []]
      let (first, second) = (
        try #require(table.phones[0].newest), try #require(table.phones[1].newest)
      )
      if playsOn, games == MatchState.wordCount {
        try table.give(.begin(MatchID(high: 0, low: 2)), to: 0)
        try table.give(.begin(MatchID(high: 0, low: 3)), to: 1)
        table.phones[0].post(.state(first), to: 1, at: table.now, into: &table.effects[0])
      }
      let begins = random.below(2)
      if !playsOn || games < MatchState.wordCount {
        try table.give(.close, to: begins)
        try table.open(begins)
      }
      table.wait(300)
      let ends =
        games == MatchState.wordCount
        ? table.phones.map { $0.results.last { $0.match == first.match } }
        : table.phones.map(\.newest)
      #expect(ends[0] == ends[1] && [first, second].contains(ends[0]), "\(first) \(second)")
      let sent = (0..<2).reduce(0) { sum, phone in
        sum + table.kinds(phone) { if case .send = $0 { true } else { false } }
      }
      #expect(sent <= 12, "\(sent): \(first) \(second)")
      kinds.insert(first == second ? "same" : ends[0] == first ? "first" : "second")
    }
    #expect(kinds.isSuperset(of: ["first", "second"]))
  }

  /// From word 0 to word 5 at once: player one has guessed two words, and player two three.
  @Test(
    arguments: [
      (2, 2, nil), (9, 2, nil), (1, 2, "impossible-state"), (2, 1, "impossible-state"),
      (0, 9, "impossible-state"),
    ] as [(Int, Int, String?)])
  func eachGuessedWordCostsAGuess(_ each: (one: Int, two: Int, refusal: String?)) throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    let state = MatchState(
      match: MatchID(high: 0, low: 1), answer: "ACORN", author: 1, one: 0, two: 1, games: 5,
      guessesOfOne: each.one, guessesOfTwo: each.two + 1)
    let stamp = RequestStamp(epoch: 5, number: 1)
    #expect(
      table.refusal(of: .received(.message(stamp, .state(state)), from: 1), to: 0) == each.refusal)
    #expect((table.phones[0].newest == state) == (each.refusal == nil))
  }

  /// The totals are enough for the words of the whole match, but not for the words since the last.
  @Test func theWordsSinceTheNewestMessageCostGuessesToo() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    try table.guess(false, by: 1)
    try table.guess(false, by: 1)
    try table.guess(by: 1)
    try table.send(by: 1)
    let before = table.phones[0].match
    #expect(before?.guessesOfTwo == 3)
    let state = MatchState(
      match: MatchID(high: 0, low: 1), answer: "ACORN", author: 1, one: 0, two: 1, games: 5,
      guessesOfOne: 2, guessesOfTwo: 4)
    let stamp = RequestStamp(epoch: 5, number: 1)
    try table.give(.received(.message(stamp, .state(state)), from: 1), to: 0)
    #expect(table.phones[0].match == before)
  }

  @Test func damagedStatesAreRefused() throws {
    var table = try GuessTable.began()
    var state = MatchStateTests.state
    state.games = 9
    let stamp = RequestStamp(epoch: 5, number: 1)
    #expect(
      table.refusal(of: .received(.message(stamp, .state(state)), from: 1), to: 0)
        == "impossible-state")
    #expect(
      table.refusal(of: .received(.message(stamp, .ask(state)), from: 1), to: 0)
        == "impossible-state")
    #expect(table.refusal(of: .received(.receipt(stamp, of: nil), from: 1), to: 0) == "not-asked")
    #expect(
      table.refusal(of: .received(.message(stamp, .ask(nil)), from: 9), to: 0) == "not-in-thread")
  }

  // MARK: The end

  @Test func aMatchWithoutAMoveIsAbandoned() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    table.wait(604_799)
    #expect(table.phones.allSatisfy { !$0.stage.isFinal })
    table.wait(2)
    #expect(table.phones.allSatisfy { $0.stage == .abandoned && $0.screen == .result })
    try table.give(.begin(MatchID(high: 0, low: 2)), to: 0)
    #expect(table.refusal(of: .begin(MatchID(high: 0, low: 1)), to: 1) == "known-match")
  }

  @Test func aMoveAfterAllContinuesAnAbandonedMatch() throws {
    var table = try GuessTable.began()
    try table.send(by: 0)
    table.wait(600_000)
    try table.guess(by: 1)
    table.wait(5_000)
    #expect(table.phones[0].stage == .abandoned && table.phones[1].stage == .choosing)
    try table.send(by: 1)
    #expect(table.phones[0].stage == .guessing)
    try table.guess(by: 0)
    try table.play(untilGames: 6)
    #expect(table.phones.allSatisfy { $0.stage == .over })
  }

  @Test func theWrongMomentIsRefused() throws {
    var table = GuessTable()
    #expect(table.refusal(of: .begin(MatchID(high: 0, low: 1)), to: 0) == "closed")
    #expect(table.refusal(of: .close, to: 0) == "closed")
    #expect(table.refusal(of: .setStyle(.expanded), to: 0) == "closed")
    try table.open(0)
    #expect(table.refusal(of: .cancel, to: 0) == "not-now")
    #expect(table.refusal(of: .choose(0), to: 0) == "not-now")
    #expect(table.refusal(of: .pictureFetched("TABLE"), to: 0) == "no-picture")
    #expect(table.refusal(of: .retryPicture("TABLE"), to: 0) == "no-picture")
    var alone = GuessTable(people: 1)
    try alone.open(0)
    #expect(alone.refusal(of: .begin(MatchID(high: 0, low: 1)), to: 0) == "alone")
  }
}
