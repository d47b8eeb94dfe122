import AppEngines
import Detectors
import TraceModel

extension PictureGuessPhone {
  // MARK: Words

  /// The index of the progress of the match's word; nil = there is none.
  var progressIndex: Int? {
    guard let match, let state = match.newest else { return nil }
    return progress.firstIndex {
      $0.word == state.answer
        && (!rules.keepsProgressByMatch || $0.match == match.id && $0.games == state.games)
    }
  }

  /// Starts or continues the guessing of the newest message's word.
  mutating func startWord(into effects: inout [Effect]) {
    guard let match, let state = match.newest else { return }
    if let index = progressIndex {
      if progress[index].isSolved { return noteSolved(index) }
      if progress[index].match != match.id {
        faults.foreignGuesses = min(
          faults.foreignGuesses + progress[index].wrong, MatchState.guessLimit)
      }
    } else {
      let seed = LetterTiles.seed(of: match.id, games: state.games, answer: state.answer)
      progress.append(
        WordProgress(
          match: match.id, games: state.games, word: state.answer,
          tiles: LetterTiles.deal(for: state.answer, seed: seed)))
      if progress.count > PictureGuessPhone.progressLimit { progress.removeFirst() }
    }
    self.match?.stage = .guessing
    order = Array(0..<LetterTiles.count)
    board = GuessBoard(letters: state.answer.utf8.count)
    if !hasFixedSlots, sensor.layout.slots.count != board.slots.count {
      var drag = drag
      drag.letters = Double(board.slots.count)
      sensor = TileDragDetector(drag, places: [])
      fingers = []
    } else if !hasFixedSlots {
      var found: [Detection<TileDragEvent>] = []
      sensor.handle(.continue, at: clock, into: &found)
    }
    (isFresh, isTouched) = (false, false)
    freshen()
    fetchPicture(state.answer, into: &effects)
    noteScreen()
  }

  /// Counts a guessed word, so that the next picture can be chosen.
  private mutating func noteSolved(_ index: Int) {
    guard match?.stage != .choosing else { return }
    match?.add(progress[index].wrong + 1, to: me)
    match?.games += 1
    match?.stage = .choosing
    match?.offers = []
  }

  // MARK: Touches

  mutating func feel(
    _ touch: Touch, measured: TraceInstant, at now: TraceInstant, into effects: inout [Effect]
  ) {
    // A reading at a deadline comes before it, as in every replay of a detector.
    if let due = sensor.deadline, due < now {
      let old = self
      advanceSensor(before: now, into: &effects)
      announce(since: old, into: &effects)
    }
    noteFinger(touch)
    var found: [Detection<TileDragEvent>] = []
    sensor.ingest(touch, measured: measured, arrived: now, into: &found)
    guard !found.isEmpty else { return }
    let old = self
    for detection in found { follow(detection, sensor.board, at: now, into: &effects) }
    freshen()
    announce(since: old, into: &effects)
  }

  private mutating func noteFinger(_ touch: Touch) {
    if touch.phase == .began, !fingers.contains(touch.pointer),
      fingers.count < PictureGuessPhone.fingerLimit
    {
      fingers.append(touch.pointer)
    } else if touch.phase.isLast {
      fingers.removeAll { $0 == touch.pointer }
    }
  }

  mutating func take(_ action: Action, at now: TraceInstant, into effects: inout [Effect]) {
    advanceSensor(before: now, into: &effects)
    var found: [Detection<TileDragEvent>] = []
    sensor.handle(action, at: now, into: &found)
    guard action == .continue else { return }
    if isTouched { board.clear() }
    freshen()
  }

  private mutating func advanceSensor(before now: TraceInstant, into effects: inout [Effect]) {
    while !sensorHasStopped, let due = sensor.deadline, due < now {
      advanceSensor(through: due, into: &effects)
    }
  }

  /// Lets the detector act at its deadline, if it is due.
  mutating func advanceSensor(through now: TraceInstant, into effects: inout [Effect]) {
    while !sensorHasStopped, let due = sensor.deadline, due <= now {
      let shown = sensor.board
      var found: [Detection<TileDragEvent>] = []
      sensor.advance(to: due, into: &found)
      for detection in found { follow(detection, shown, at: now, into: &effects) }
      if isTouched { mirror(sensor.board, isDrop: false) }
      freshen()
    }
  }

  /// Reports a detection, and lets it move the letters if the drags count.
  private mutating func follow(
    _ detection: Detection<TileDragEvent>, _ shown: [Int?], at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    effects.append(.detected(DetectionRecord(detection, device: DeviceID(me))))
    let event = detection.event
    if event.type == .full {
      if isTouched { countBoard(at: now, into: &effects) }
      return
    }
    guard stage == .guessing, screen == .guess, isOpen, isFresh, takesDrags else { return }
    if event.type == .drop { isTouched = true }
    if isTouched { mirror(shown, isDrop: event.type == .drop) }
  }

  private mutating func mirror(_ shown: [Int?], isDrop: Bool) {
    guard isFresh, takesDrags || stage == .choosing else { return }
    board.mirror(shown.map { place in place.map { order[$0 - 1] } }, isDrop: isDrop)
  }

  /// Lets drags count from now on if the screen of the recording shows an empty board.
  mutating func freshen() {
    guard !isFresh, stage == .guessing, isOpen, fingers.isEmpty, takesDrags,
      sensor.board.allSatisfy({ $0 == nil })
    else { return }
    (isFresh, isTouched) = (true, false)
  }

  // MARK: Letters without touches

  private func checkGuessing() throws(Refusal) {
    try checkOpen()
    guard screen == .guess else {
      throw Refusal("not-guessing", "letters move when a word is shown that you guess")
    }
  }

  mutating func arrange(_ new: [Int]) throws(Refusal) {
    try checkGuessing()
    guard new.count == LetterTiles.count, new.sorted() == Array(0..<LetterTiles.count) else {
      throw Refusal("no-order", "an order names each of the twelve tiles once")
    }
    guard board.isEmpty else { throw Refusal("letters-placed", "take the letters off first") }
    order = new
  }

  mutating func place(_ place: Int, _ slot: Int, at now: TraceInstant) throws(Refusal) {
    try checkGuessing()
    guard order.indices.contains(place), board.slots.indices.contains(slot) else {
      throw Refusal("no-slot", "place one of the twelve letters in a slot of the word")
    }
    let tile = order[place]
    if let other = board.slots[slot], other != tile, drag.rule == .nearest {
      throw Refusal("slot-taken", "take the letter off the slot first")
    }
    if drag.stopsCheck, board.slots.contains(tile) { checks = [] }
    isTouched = false
    board.place(tile, in: slot)
    guard board.isFull, checks.count < PictureGuessPhone.checkLimit else { return }
    checks.append(now.advanced(bySeconds: drag.checkDelay))
  }

  mutating func remove(_ place: Int) throws(Refusal) {
    try checkGuessing()
    guard order.indices.contains(place), board.slots.contains(order[place]) else {
      throw Refusal("no-letter", "take off a letter that lies in a slot")
    }
    if drag.stopsCheck { checks = [] }
    isTouched = false
    board.remove(order[place])
  }

  mutating func advanceChecks(into effects: inout [Effect]) {
    while let due = checks.first, due <= clock {
      checks.removeFirst()
      countBoard(at: clock, into: &effects)
      guard !board.isEmpty else { continue }
      if drag.returnDelay > 0 {
        returnAt = returnAt ?? due.advanced(bySeconds: drag.returnDelay)
      } else {
        board.clear()
      }
    }
    guard let due = returnAt, due <= clock else { return }
    returnAt = nil
    board.clear()
  }

  private mutating func countBoard(at now: TraceInstant, into effects: inout [Effect]) {
    guard !board.isEmpty, let index = progressIndex else { return }
    let isDouble = board.drops < board.slots.count
    // By the original's rules a guessed word that was rearranged in time counts once more.
    if stage == .choosing, isDouble, !drag.stopsCheck {
      faults.doubleGuesses += 1
      match?.add(1, to: me)
    }
    guard stage == .guessing, board.isFull || !drag.stopsCheck else { return }
    if isDouble { faults.doubleGuesses += 1 }
    board.countGuess()
    match?.lastMove = now
    let word = shownWord
    if word == progress[index].word {
      progress[index].isSolved = true
      effects.append(.guessed(word, isRight: true, guesses: progress[index].wrong + 1))
      noteSolved(index)
      (isFresh, pictures) = (isFresh && drag.returnDelay > 0, [])
      guard let match, match.games == MatchState.wordCount else { return }
      sendState(match.state(by: me, answer: ""), at: now, into: &effects)
    } else {
      progress[index].wrong = min(progress[index].wrong, MatchState.guessLimit - 1) + 1
      effects.append(.guessed(word, isRight: false, guesses: progress[index].wrong))
    }
  }

  // MARK: Pictures

  mutating func fetchPicture(_ word: String, into effects: inout [Effect]) {
    guard !word.isEmpty else { return }
    if let index = pictures.firstIndex(where: { $0.word == word }) {
      guard pictures[index].status != .shown else { return }
      pictures[index].status = .loading
    } else {
      pictures.append(GuessPicture(word: word, status: .loading))
      if pictures.count > PictureGuessPhone.offerCount { pictures.removeFirst() }
    }
    effects.append(.fetchPicture(word))
  }

  private func pictureIndex(_ word: String) throws(Refusal) -> Int {
    guard let index = pictures.firstIndex(where: { $0.word == word }) else {
      throw Refusal("no-picture", "this picture is not on the screen any more")
    }
    return index
  }

  mutating func notePicture(_ word: String, _ status: GuessPicture.Status) throws(Refusal) {
    pictures[try pictureIndex(word)].status = status
  }

  mutating func failPicture(_ word: String, into effects: inout [Effect]) throws(Refusal) {
    let index = try pictureIndex(word)
    guard !rules.survivesMissingPictures else {
      pictures[index].status = .placeholder
      return
    }
    faults.crashes += 1
    (hasCrashed, isOpen, isFresh) = (true, false, false)
    (style, pictures, checks, returnAt) = (.compact, [], [], nil)
    board.clear()
    effects.append(.stopped("the picture of \(word) could not be fetched"))
  }

  mutating func retryPicture(_ word: String, into effects: inout [Effect]) throws(Refusal) {
    try checkOpen()
    guard pictures[try pictureIndex(word)].status == .placeholder else {
      throw Refusal("no-retry", "the picture is shown or on its way")
    }
    fetchPicture(word, into: &effects)
  }
}
