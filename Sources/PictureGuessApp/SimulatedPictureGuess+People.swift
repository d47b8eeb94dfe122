package import AppEngines
import Detectors
package import TraceModel

extension SimulatedPictureGuess {
  /// A person of the simulation: planned actions, recorded drags and the history.
  package struct Player: ExchangePerson {
    package var engine: PictureGuessPhone
    var transport: any ThreadTransport
    package let name: String
    let start: TraceInstant
    var random: SeededGenerator
    /// The planned actions, the earliest first.
    var plans: [Plan] = []
    /// The recorded drags that are still to come, by time.
    var drags: [Drag]
    /// Whether the recorded person is at the next board and has not touched it yet.
    var isBetweenBoards = true
    /// Whether the word is guessed with recorded drags.
    var usesDrags = false
    /// The word that is placed without drags; nil = the next one is to be thought of.
    var attempt: Attempt?
    // History.
    var guessed = 0
    var wrongBoards = 0
    var guesses = 0
    var won = 0
    var drops = DropCounts()

    struct Plan: Sendable {
      var time: TraceInstant
      var act: Act
    }

    struct Drag: Sendable {
      /// The time of the release on the run's axis.
      var time: TraceInstant
      /// The place on the screen from 0; nil = not stated.
      var tile: Int?
      /// The slot from 0.
      var slot: Int
    }

    struct Attempt: Sendable {
      var tiles: [Int]
      var next = 0
      /// The slot with a wrong letter, and the right tile for it; nil = none.
      var correction: (slot: Int, tile: Int)?
    }

    /// What became of the recorded drags on boards of the match.
    struct DropCounts: Sendable {
      var intended = 0
      var hits = 0
      var nearMisses = 0
      var wrongSlots = 0
    }

    init(
      _ person: AppSetup.Person, number: Int, engine: PictureGuessPhone, random: SeededGenerator,
      transport: any ThreadTransport
    ) {
      self.engine = engine
      self.transport = transport
      self.random = random
      (name, start) = (person.name, person.start)
      let events = person.header.reference(.drop)?.events ?? []
      drags = events.compactMap { event in
        guard let slot = event.place, slot >= 1 else { return nil }
        let tile =
          event.originalLabel.hasPrefix("tile-") ? Int(event.originalLabel.dropFirst(5)) : nil
        return Drag(
          time: event.onset.advanced(byNanoseconds: person.start.nanoseconds),
          tile: tile.flatMap { (1...LetterTiles.count).contains($0) ? $0 - 1 : nil },
          slot: Int(slot) - 1)
      }
      drags.sort { $0.time < $1.time }
    }

    /// A full board that is not checked yet may end a word, which then travels.
    package var isWaiting: Bool { !engine.outbox.isEmpty || !engine.checks.isEmpty }

    /// The guesses of the word that is being guessed; those of earlier words travel in the messages.
    package func losses(to new: PictureGuessPhone) -> [AppOutcome] {
      let match = engine.match
      func guesses(_ progress: [WordProgress]) -> Int {
        progress.lazy.filter { $0.match == match?.id && $0.games == match?.games }
          .reduce(0) { $0 + $1.wrong + ($1.isSolved ? 1 : 0) }
      }
      let lost = max(0, guesses(engine.progress) - guesses(new.progress))
      return [.count("restart_lost_guesses", lost)]
    }

    package var deadline: TraceInstant? { plans.first?.time }

    /// The largest distance in ns of a release from its reference, as in the score.
    private static var tolerance: Int64 { 150_000_000 }
    /// The largest distance in points of a near miss, as in the score.
    private static var nearMiss: Double { 22.0 }

    /// Compares a release with the recorded drag that it ended.
    mutating func judge(_ found: ArraySlice<DetectionRecord>, at time: TraceInstant, counts: Bool) {
      let limit = Player.tolerance
      drags.removeAll { $0.time.nanoseconds(to: time) > limit }
      guard let drag = drags.first, drag.time.nanoseconds(to: time) >= -limit else { return }
      drags.removeFirst()
      guard counts else { return }
      drops.intended += 1
      guard let release = found.first(where: { $0.kind == "drop" || $0.kind == "miss" }) else {
        return
      }
      let isWanted = release.place == Int32(drag.slot + 1)
      switch (release.kind == "drop", isWanted) {
      case (true, true): drops.hits += 1
      case (true, false): drops.wrongSlots += 1
      case (false, true) where release.value <= Player.nearMiss: drops.nearMisses += 1
      case (false, _): break
      }
    }
  }

  enum Act: Hashable, Sendable {
    case open, begin, choose, send, place, rearrange, rematch, third
    case picture(String), retry(String)
  }

  mutating func plan(_ act: Act, after seconds: Double, _ person: Int, at now: TraceInstant) {
    people[person].plans.removeAll { $0.act == act }
    let time = now.advanced(bySeconds: max(seconds, 0.001))
    let index = people[person].plans.partitioningIndex { $0.time > time }
    people[person].plans.insert(Player.Plan(time: time, act: act), at: index)
  }

  /// Performs the person's due actions.
  package mutating func act(_ person: Int, at now: TraceInstant) {
    while let plan = people[person].plans.first, plan.time <= now {
      people[person].plans.removeFirst()
      perform(plan.act, person, at: now)
    }
  }

  private mutating func perform(_ act: Act, _ person: Int, at now: TraceInstant) {
    let stage = people[person].engine.stage
    switch act {
    case .open: open(person, at: now)
    case .begin where stage == .none: begin(person, at: now)
    case .rematch where stage.isFinal:
      log("rematch", "asks for a rematch and is player one", of: person, at: now)
      begin(person, at: now)
    case .choose where stage == .choosing: choose(person, at: now)
    case .send where stage == .composed: send(person, at: now)
    case .place where stage == .guessing: place(person, at: now)
    case .rearrange where stage == .guessing: rearrange(person, at: now)
    case .picture(let word): fetch(word, person, at: now)
    case .retry(let word): give(.retryPicture(word), to: person, at: now)
    case .third: disturb(person, at: now)
    default: break
    }
  }

  private mutating func chance(_ probability: Double, _ person: Int) -> Bool {
    people[person].random.unit() < probability
  }

  private mutating func open(_ person: Int, at now: TraceInstant) {
    if people[person].engine.isOpen { give(.close, to: person, at: now) }
    give(.open, to: person, at: now)
    give(.setStyle(.expanded), to: person, at: now)
    resume(person, at: now)
  }

  private mutating func begin(_ person: Int, at now: TraceInstant) {
    let id = MatchID(high: people[person].random.next(), low: people[person].random.next())
    begun.append(id)
    give(.begin(id), to: person, at: now)
  }

  /// Plans what the person does next, from what the phone shows.
  mutating func resume(_ person: Int, at now: TraceInstant) {
    let phone = people[person].engine
    func pause(_ range: ClosedRange<Double>) -> Double { people[person].random.uniform(range) }
    switch phone.stage {
    case .none where person == 0: plan(.begin, after: 5, person, at: now)
    case .choosing: plan(.choose, after: pause(1...3), person, at: now)
    case .composed: plan(.send, after: pause(0.5...1.5), person, at: now)
    case .guessing: beginGuess(person, at: now)
    case .stopped: plan(.open, after: 5, person, at: now)
    case .over, .abandoned:
      guard let state = phone.newest, wantsRematch(person, state) else { return }
      plan(.rematch, after: pause(4...8), person, at: now)
    case .none, .invited, .accepted, .inviting, .waiting: break
    }
  }

  /// Who lost wants a rematch; of a draw, player two.
  private func wantsRematch(_ person: Int, _ state: MatchState) -> Bool {
    switch state.result {
    case .one, .draw, nil: person != state.one
    case .two: person == state.one
    }
  }

  // MARK: Sending

  /// The number of times that a person looks at four other pictures.
  private static var looks: Int { 20 }

  private mutating func choose(_ person: Int, at now: TraceInstant) {
    let other = people[people.count - 1 - person].engine
    let wanted =
      other.hasFixedSlots && !other.sensorHasStopped ? other.sensor.layout.slots.count : nil
    var index: Int?
    for _ in 0..<SimulatedPictureGuess.looks where index == nil {
      give(.offer(seed: people[person].random.next()), to: person, at: now)
      index = people[person].engine.offers.firstIndex { word in
        wanted.map { $0 == word.utf8.count } ?? true
      }
    }
    give(.choose(index ?? 0), to: person, at: now)
    resume(person, at: now)
  }

  private static var cancelChance: Double { 0.1 }
  private static var closeChance: Double { 0.25 }

  private mutating func send(_ person: Int, at now: TraceInstant) {
    guard chance(Self.cancelChance, person) else {
      give(.send, to: person, at: now)
      if chance(Self.closeChance, person) { give(.close, to: person, at: now) }
      return
    }
    give(.cancel, to: person, at: now)
    let again = people[person].engine.stage == .guessing
    log(
      "cancel",
      again
        ? "takes the message back before sending it, and has to guess the last word again"
        : "takes the message back before sending it, and chooses again", of: person, at: now)
    resume(person, at: now)
  }

  private static var missingPictureChance: Double { 0.03 }

  private mutating func fetch(_ word: String, _ person: Int, at now: TraceInstant) {
    guard
      people[person].engine.pictures.contains(where: { $0.word == word && $0.status == .loading })
    else { return }
    guard chance(Self.missingPictureChance, person) else {
      return give(.pictureFetched(word), to: person, at: now)
    }
    give(.pictureFailed(word), to: person, at: now)
    guard people[person].engine.stage != .stopped else { return }
    log(
      "picture", "sees a placeholder for a picture that could not be fetched, and tries again",
      of: person, at: now)
    plan(.retry(word), after: 2, person, at: now)
  }

  // MARK: Guessing

  private static var rightChance: Double { 0.6 }
  private static var rearrangeChance: Double { 0.3 }

  /// Starts to guess with recorded drags if they fit, otherwise without.
  mutating func beginGuess(_ person: Int, at now: TraceInstant) {
    people[person].attempt = nil
    let fits = people[person].engine.takesDrags && !people[person].drags.isEmpty
    people[person].usesDrags = fits
    if fits {
      arrange(person, at: now)
    } else {
      plan(.place, after: people[person].random.uniform(1.5...3), person, at: now)
    }
  }

  /// Thinks of a word: a tile for each slot.
  private mutating func think(_ person: Int) -> Player.Attempt? {
    let phone = people[person].engine
    guard phone.stage == .guessing, let index = phone.progressIndex else { return nil }
    let tiles = phone.progress[index].tiles
    var left = Array(tiles.indices)
    var picked: [Int] = []
    for letter in phone.progress[index].word.utf8 {
      guard let position = left.firstIndex(where: { tiles[$0] == letter }) else { return nil }
      picked.append(left.remove(at: position))
    }
    guard !chance(Self.rightChance, person) else { return Player.Attempt(tiles: picked) }
    let slot = people[person].random.below(picked.count)
    guard let wrong = left.first(where: { tiles[$0] != tiles[picked[slot]] }) else {
      return Player.Attempt(tiles: picked)
    }
    let right = picked[slot]
    picked[slot] = wrong
    return Player.Attempt(tiles: picked, correction: (slot, right))
  }

  /// Lays the letters that the person wants where the next recorded board's drags begin.
  mutating func arrange(_ person: Int, at now: TraceInstant) {
    guard people[person].usesDrags, people[person].engine.stage == .guessing else { return }
    people[person].drags.removeAll { $0.time < now }
    guard let first = people[person].drags.first else { return beginGuess(person, at: now) }
    guard people[person].isBetweenBoards, let attempt = think(person) else { return }
    var order = [Int?](repeating: nil, count: LetterTiles.count)
    var last = -1
    for drag in people[person].drags where drag.time >= first.time {
      // The slots of a board are filled from the left.
      guard drag.slot > last, attempt.tiles.indices.contains(drag.slot) else { break }
      last = drag.slot
      if let place = drag.tile, order[place] == nil { order[place] = attempt.tiles[drag.slot] }
    }
    var rest = (0..<LetterTiles.count).filter { !order.contains($0) }
    let whole = order.map { $0 ?? rest.removeFirst() }
    give(.arrange(whole), to: person, at: now)
  }

  /// Places the next letter without a touch.
  private mutating func place(_ person: Int, at now: TraceInstant) {
    guard !people[person].usesDrags else { return }
    if people[person].attempt == nil { people[person].attempt = think(person) }
    guard var attempt = people[person].attempt, attempt.tiles.indices.contains(attempt.next),
      let place = people[person].engine.order.firstIndex(of: attempt.tiles[attempt.next])
    else {
      people[person].attempt = nil
      return
    }
    give(.place(place, slot: attempt.next), to: person, at: now)
    attempt.next += 1
    people[person].attempt = attempt
    guard attempt.next == attempt.tiles.count else {
      return plan(.place, after: people[person].random.uniform(0.8...1.6), person, at: now)
    }
    if attempt.correction != nil, chance(Self.rearrangeChance, person) {
      return plan(.rearrange, after: 0.3, person, at: now)
    }
    // After the check, when the letters are home again.
    people[person].attempt = nil
    plan(.place, after: 2 + people[person].random.uniform(0...1), person, at: now)
  }

  /// Notices a wrong letter of a full board in time, and replaces it.
  private mutating func rearrange(_ person: Int, at now: TraceInstant) {
    guard let attempt = people[person].attempt, let correction = attempt.correction else { return }
    people[person].attempt = nil
    let phone = people[person].engine
    plan(.place, after: 3, person, at: now)
    guard phone.board.slots.indices.contains(correction.slot),
      let old = phone.board.slots[correction.slot].flatMap({ phone.order.firstIndex(of: $0) }),
      let new = phone.order.firstIndex(of: correction.tile)
    else { return }
    // By the default rules a slot must be free; the original sends its letter home.
    if phone.drag.rule == .nearest { give(.remove(old), to: person, at: now) }
    give(.place(new, slot: correction.slot), to: person, at: now)
    log("rearranges", "notices a wrong letter in time and replaces it", of: person, at: now)
  }

  /// Lets a third person of the thread answer the picture that a person has sent.
  private mutating func disturb(_ person: Int, at now: TraceInstant) {
    guard let state = people[person].engine.newest, !state.isOver,
      !disturbed.contains(state.match)
    else { return }
    disturbed.append(state.match)
    var forged = state
    (forged.author, forged.answer) = (people.count, WordList.words(ofLength: 5)[0])
    (forged.games, forged.two) = (state.games + 1, rules.hidesAnswers ? people.count : nil)
    let mark = StableHash(seed: setup.seed).with(disturbed.count).value
    let stamp = RequestStamp(epoch: mark, number: disturbed.count, mark: mark)
    let content = ThreadEnvelope.Content.message(stamp, .state(forged))
    let message = PlainThread().pack(content, for: person)
    exchange.post(
      Posting(to: .phone(person), message, saying: content), from: .phone(people.count), at: now)
  }
}
