import AppEngines
import Detectors
import TraceModel

/// What the person does outside of the board.
extension PictureGuessPhone {
  mutating func open(at now: TraceInstant, into effects: inout [Effect]) {
    isOpen = true
    hasCrashed = false
    if let state = unseen {
      unseen = nil
      adopt(state, at: now, into: &effects)
    } else if let index = progressIndex, progress[index].wasLeft, !rules.countsOnceOnReopening {
      progress[index].wasLeft = false
      // The original keeps the person's total and adds it to the total.
      let base = me == match?.one ? match?.guessesOfOne : match?.guessesOfTwo
      progress[index].wrong = min(progress[index].wrong + (base ?? 0), MatchState.guessLimit)
      faults.foreignGuesses = min(faults.foreignGuesses + (base ?? 0), MatchState.guessLimit)
    }
    if stage == .guessing {
      board.clear()
      freshen()
      fetchPicture(match?.word ?? "", into: &effects)
    }
    catchUp(at: now, into: &effects)
    noteScreen()
  }

  mutating func close() throws(Refusal) {
    try checkOpen()
    if stage == .guessing, let index = progressIndex { progress[index].wasLeft = true }
    (isOpen, style) = (false, .compact)
    board.clear()
    (isFresh, checks, returnAt) = (false, [], nil)
  }

  mutating func setStyle(_ new: PresentationStyle) throws(Refusal) {
    try checkOpen()
    style = new
    noteScreen()
  }

  func checkOpen() throws(Refusal) {
    guard isOpen, !hasCrashed else { throw Refusal("closed", "open the app first") }
  }

  private func checkStage(_ wanted: GuessStage, _ reason: String) throws(Refusal) {
    try checkOpen()
    guard stage == wanted else { throw Refusal("not-now", reason) }
  }

  /// The last word of the match, which the next one avoids; empty = none.
  var lastUsed: [String] { Array(match?.used.suffix(1) ?? []) }

  mutating func begin(_ id: MatchID, at now: TraceInstant) throws(Refusal) {
    try checkOpen()
    guard match.map({ $0.stage.isFinal }) ?? true else {
      throw Refusal("match-running", "finish this match first")
    }
    guard !finished.contains(id), match?.id != id else {
      throw Refusal("known-match", "a new match needs a new identity")
    }
    guard !others.isEmpty else { throw Refusal("alone", "start in a thread with somebody") }
    match = GuessMatch(id: id, one: me, stage: .choosing, used: lastUsed, lastMove: now)
    unseen = nil
    if firstPlayerOne == nil { firstPlayerOne = me }
  }

  mutating func offer(seed: UInt64, into effects: inout [Effect]) throws(Refusal) {
    try checkStage(.choosing, "pictures are offered when it is your turn to choose")
    var random = SeededGenerator(seed: seed)
    var words: [String] = []
    let used = match?.used ?? []
    while words.count < PictureGuessPhone.offerCount {
      let word = WordList.words[random.below(WordList.words.count)]
      // The list has more words than a match uses, so that this ends.
      if rules.avoidsUsedWords, used.contains(word) || words.contains(word) { continue }
      words.append(word)
    }
    match?.offers = words
    pictures = []
    for word in words { fetchPicture(word, into: &effects) }
  }

  /// The number of pictures to choose from.
  static let offerCount = 4

  mutating func choose(_ index: Int) throws(Refusal) {
    try checkStage(.choosing, "choose when it is your turn to send a picture")
    guard offers.indices.contains(index) else {
      throw Refusal("no-picture", "choose one of the pictures on the screen")
    }
    if !rules.keepsProgressOnCancel { progress.removeAll { $0.word == match?.newest?.answer } }
    let word = offers[index]
    match?.word = word
    match?.stage = .composed
  }

  mutating func cancel(at now: TraceInstant, into effects: inout [Effect]) throws(Refusal) {
    try checkStage(.composed, "there is no message to take back")
    match?.stage = .choosing
    guard !rules.keepsProgressOnCancel, let newest, newest.author != me else { return }
    faults.lostWords += 1
    stand(at: newest, at: now, into: &effects)
    noteScreen()
  }

  mutating func send(at now: TraceInstant, into effects: inout [Effect]) throws(Refusal) {
    try checkStage(.composed, "choose a picture first")
    guard var match else { return }
    if match.used.last == match.word { faults.repeatedWords += 1 }
    match.use(match.word)
    match.lastMove = now
    effects.append(.wordSent(match.id, games: match.games, word: match.word))
    if rules.hidesAnswers, match.two == nil {
      match.stage = .inviting
      self.match = match
      for other in others { post(.invitation(match.id), to: other, at: now, into: &effects) }
    } else {
      self.match = match
      sendState(match.state(by: me, answer: match.word), at: now, into: &effects)
    }
  }

  /// Sends a word or the result as the newest message of the match.
  mutating func sendState(_ state: MatchState, at now: TraceInstant, into effects: inout [Effect]) {
    match?.newest = state
    match?.stage = .waiting
    match?.lastMove = now
    let playerOne = firstPlayerOne ?? state.one
    if !rules.captionsFollowMatch, !state.isOver, playerOne != state.one {
      faults.wrongCaptions += 1
    }
    for receiver in receivers { post(.state(state), to: receiver, at: now, into: &effects) }
    if state.isOver { end(state, into: &effects) }
  }

  /// Who gets the words: the other player, since nobody else can read them. In iPict everybody.
  private var receivers: [Int] {
    guard rules.hidesAnswers, let match, let two = match.two else { return others }
    return [me == match.one ? two : match.one]
  }

  // MARK: The state of the match

  /// Goes to where a message puts the match.
  mutating func stand(at state: MatchState, at now: TraceInstant, into effects: inout [Effect]) {
    if match?.id != state.match {
      match = GuessMatch(
        id: state.match, one: state.one, stage: .none, used: lastUsed, lastMove: now)
      outbox.removeAll { if case .invitation = $0.message { true } else { false } }
    }
    match?.take(state, by: me, at: now)
    (checks, returnAt, pictures) = ([], nil, [])
    if firstPlayerOne == nil { firstPlayerOne = state.one }
    if state.isOver {
      end(state, into: &effects)
    } else if state.author == me {
      match?.stage = .waiting
    } else {
      startWord(into: &effects)
    }
  }

  private mutating func end(_ state: MatchState, into effects: inout [Effect]) {
    match?.stage = .over
    results.removeAll { $0.match == state.match }
    results.append(state)
    if results.count > PictureGuessPhone.finishedLimit { results.removeFirst() }
    forget(state.match)
    progress.removeAll { rules.keepsProgressByMatch && $0.match == state.match }
    if !rules.announcesDraws, state.result == .draw { faults.silentDraws += 1 }
    effects.append(.ended(state))
  }
}
