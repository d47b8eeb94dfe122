public import AppEngines
package import Detectors
package import TraceModel

/// Two people play picture-guess matches with the drags of their traces.
///
/// **Recorded drags.** Every touch of a trace goes to its person's phone, in order, and the detections
/// are those of the detector alone. What they mean in the match: the recorded screen has a number of
/// slots, so the other person looks for a picture of a word with that many letters (four others are
/// shown until one fits). The recorded person wanted a tile for each slot, which the trace's reference
/// states, but no letters. So before each recorded board the simulation arranges the twelve tiles:
/// where the finger will grab lies the letter that the person wants in that slot. What the person
/// wants is the answer, or with a stated probability a wrong word. Where the tile is dropped decides
/// the detector; so a missed slot is a board that is not full, and a wrong slot a wrong guess. A
/// recorded board counts from its beginning or not at all. What people drag while the other guesses
/// is detected and scored, and moves no letters.
///
/// **Without drags.** If the word has another length, the trace has no reference, or it is over, a
/// seeded person places letters at an even pace, and sometimes rearranges a full board in time.
///
/// **Further people.** The log calls people by name. In each match a third person of the thread answers
/// once. Some people close the app, take a message back, or have a picture that cannot be fetched; all
/// from the setup's seed.
///
/// **Transport.** Each phone has one of its own, unless the preset's messages travel in plain text. With
/// ``PlainThread`` the answers of the default are readable too, which `readable_answers` counts.
package struct SimulatedPictureGuess: PictureGuessSimulation {
  /// What travels: bytes, as the transport of the sender's phone made them.
  package typealias Message = [UInt8]

  let setup: AppSetup
  let rules: PictureGuessRules
  package var server = NoServer()
  package var people: [Player] = []
  package var exchange: Exchange<PictureGuessPhone, NoServer, Message>
  package var events: [AppEvent] = []
  package internal(set) var detections: [DetectionRecord] = []
  /// When each word was sent, until the other person sees it.
  var sent: [SentWord] = []
  /// The times in seconds from sending to the other person's screen.
  var delays: [Double] = []
  /// The results of the matches, in the order in which they were known first.
  var results: [MatchState] = []
  var begun: [MatchID] = []
  /// The matches in which the third person has answered.
  var disturbed: [MatchID] = []
  var thirdAnswers = 0
  var abandoned = 0
  /// The matches that no rule ends, long after the last move.
  var unended = 0
  /// The words whose messages could be read by everybody in the thread.
  var readable: Set<SentWord> = []
  /// The message that a phone takes now, if its transport could read it.
  var opened: ThreadEnvelope.Content?
  /// The results that each phone has shown since its last restart, by match.
  var shown: [[MatchID: MatchState]] = []

  struct SentWord: Hashable, Sendable {
    var match: MatchID
    var games: Int
    var author: Int
    var time = TraceInstant.zero
  }

  package init(_ setup: AppSetup) throws(TraceError) { self.init(setup) { PlainThread() } }

  /// - Parameter transport: returns the transport of a phone, for presets that hide the answers.
  package init(_ setup: AppSetup, transport: () -> any ThreadTransport) {
    self.setup = setup
    rules = Self.rules(setup)
    exchange = Exchange(
      setup.network, phones: setup.people.count, decisions: setup.decisions)
    var random = SeededGenerator(seed: setup.seed)
    for (index, person) in setup.people.enumerated() {
      people.append(
        Player(
          person, number: index, engine: newPhone(index), random: random.split(),
          transport: rules.hidesAnswers ? transport() : PlainThread()))
    }
    shown = people.map { _ in [:] }
    for index in people.indices { plan(.open, after: 1, index, at: people[index].start) }
    beginExchange()
  }

  package func newServer() -> NoServer { NoServer() }

  package func newPhone(_ person: Int) -> PictureGuessPhone {
    PictureGuessPhone(
      rules: rules, me: person, others: setup.people.indices.filter { $0 != person },
      installation: StableHash(seed: setup.seed).with(person).value,
      for: setup.people[person].header, changing: setup.parameters)
  }

  // MARK: What comes

  package mutating func take(_ reading: Reading) {
    let person = reading.device.index
    guard people.indices.contains(person) else { return }
    switch reading.value {
    case .touch(let touch): takeTouch(touch, reading, of: person)
    case .action(let action):
      give(.action(action), to: person, at: reading.arrived)
      guard action == .continue else { break }
      people[person].isBetweenBoards = true
      arrange(person, at: reading.arrived)
    default: break
    }
    updateDeadline()
  }

  private mutating func takeTouch(_ touch: Touch, _ reading: Reading, of person: Int) {
    let (count, counts) = (detections.count, people[person].engine.isFresh)
    if touch.phase == .began { people[person].isBetweenBoards = false }
    feel(.touch(touch, measured: exchange.stamp(reading)), on: person, at: reading.arrived)
    guard touch.phase == .ended else { return }
    people[person].judge(
      detections[count...], at: reading.measured, counts: counts && people[person].usesDrags)
  }

  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard people.indices.contains(person.index) else { return }
    give(.sensorStopped, to: person.index, at: end)
    people[person.index].drags = []
    if people[person.index].usesDrags { beginGuess(person.index, at: end) }
    updateDeadline()
  }

  package mutating func close(at end: TraceInstant) {
    let last = drain(from: end)
    guard !begun.isEmpty else {
      return log("no-match", "no match: the two people did not meet", of: 0, at: last)
    }
    func isOpen(_ person: Int) -> Bool {
      people[person].engine.match.map { !$0.stage.isFinal } ?? false
    }
    let open = people.indices.filter(isOpen)
    guard !open.isEmpty else { return }
    log("undecided", undecided(open[0]), of: open[0], at: last)
    // Nobody plays on, so the next thing that happens is that the phones give up.
    for person in open {
      var effects: [PictureGuessPhone.Effect] = []
      let later = last.advanced(bySeconds: rules.abandonAfter + 1)
      while let due = people[person].engine.deadline, due <= later {
        people[person].engine.advance(to: due, into: &effects)
      }
    }
    abandoned += 1
    if open.contains(where: isOpen) { unended += 1 }
  }
}

extension SimulatedPictureGuess: ExchangedApp {
  package mutating func posting(
    of effect: PictureGuessPhone.Effect, by phone: Int
  ) -> Posting<Message>? {
    guard case .send(let envelope) = effect,
      let bytes = try? people[phone].transport.pack(envelope.content, for: envelope.to)
    else { return nil }
    noteReadable(bytes)
    return Posting(to: .phone(envelope.to), bytes, saying: envelope.content)
  }

  /// Tries to read a message as everybody in the thread can.
  private mutating func noteReadable(_ bytes: [UInt8]) {
    guard
      case .message(_, let message)? = try? PlainThread().unpack(bytes, from: people.count),
      let state = message.state, !state.answer.isEmpty
    else { return }
    readable.insert(SentWord(match: state.match, games: state.games, author: state.author))
  }

  package func posting(of effect: Never) -> Posting<Message>? {}
  package func serverInput(of message: Message, from phone: Int) -> Never? { nil }
  package func answer(to message: Message, refusedWith refusal: Refusal) -> Message? { nil }

  package mutating func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> PictureGuessPhone.Input? {
    opened = nil
    guard let sender = sender.phone else { return nil }
    do throws(Refusal) {
      let content = try people[phone].transport.unpack(message, from: sender)
      opened = content
      return .received(content, from: sender)
    } catch {
      return .unreadable(error, from: sender)
    }
  }

  package mutating func note(
    _ effect: PictureGuessPhone.Effect, of person: Int, at now: TraceInstant
  ) {
    switch effect {
    case .detected(var record):
      record.device = DeviceID(person)
      detections.append(exchange.onAxis(record, of: person))
    case .screen(let screen):
      if hasDecisions { log("screen", "sees the screen “\(screen.rawValue)”", of: person, at: now) }
      if screen == .result || screen == .choose { resume(person, at: now) }
    case .fetchPicture(let word):
      plan(.picture(word), after: people[person].random.uniform(0.2...0.5), person, at: now)
    case .wordShown(let match, let games, let word):
      noteShown(match, games, word, of: person, at: now)
    case .guessed(let word, let isRight, let guesses):
      noteGuess(word, isRight, guesses, of: person, at: now)
    case .wordSent(let match, let games, let word):
      noteSent(match, games, word, of: person, at: now)
    case .ended(let state): noteEnd(state, of: person, at: now)
    case .abandoned:
      log("abandoned", "sees that the match is abandoned", of: person, at: now)
    case .stopped(let reason):
      log("stopped", "sees the app stop: \(reason)", of: person, at: now)
      resume(person, at: now)
    case .ignored(_, let sender):
      if sender >= people.count { noteThird(isTaken: false, of: person, at: now) }
    case .caption(let caption):
      if hasDecisions { log("caption", "the caption is “\(caption)”", of: person, at: now) }
    case .send: break
    }
  }

  package mutating func noteDelivery(of message: Message, to person: Int, at now: TraceInstant) {
    guard case .message(_, .state(let state)) = opened else { return }
    let phone = people[person].engine
    if state.author >= people.count {
      noteThird(isTaken: phone.newest == state || phone.unseen == state, of: person, at: now)
    }
    // The thread shows a new message, so the person opens it.
    guard phone.unseen != nil || !phone.isOpen else { return }
    plan(.open, after: people[person].random.uniform(2...4), person, at: now)
  }

  package mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    guard let person = endpoint.phone, people.indices.contains(person) else { return }
    let state = isNew ? "newly installed" : "restored from an older state"
    log("restart", "goes on with a phone that is \(state)", of: person, at: now)
    shown[person] = [:]
    people[person].plans = []
    (people[person].usesDrags, people[person].attempt) = (false, nil)
    plan(.open, after: 1, person, at: now)
  }
}

/// What a simulation of the app states, whatever its messages travel in.
package protocol PictureGuessSimulation: AppSimulation {}

extension PictureGuessSimulation {
  package static var name: String { "pictureguess" }
  package static var summary: String {
    "two people guess each other's pictures by dragging letters"
  }
  package static var presets: [AppPreset] {
    [
      AppPreset("default", summary: "sealed words; a message, a word and a board count once"),
      AppPreset("iPict", summary: "the original app, including its faults"),
    ]
  }
  package static var peopleCount: ClosedRange<Int> { 2...2 }
  /// The third person of the thread, who has no phone here.
  package static var mostFurtherPeople: Int { 1 }
  package static var hasServer: Bool { false }
  package static var channel: Channel { Channel.touch }
  package static var furtherChannels: [Channel] { [] }
  package static var task: ReferenceTask { ReferenceTask.drop }
  package static var detector: String? { TileDragDetector.name }
  package static var legend: String {
    """
    Each match has six words; the lower total of guesses wins. winner: of more matches. wrong boards:
    guesses that were not the word. double guesses: a board counted twice. drop hit rate, near misses:
    recorded drags on a board of the match that ended in the wanted slot, or at most 22 points beside it.
    message delay: from sending a picture to the other person's screen. double guesses to unended matches:
    counts of faults; contradicting results: the two phones show different totals; unended matches: neither
    finished nor abandoned, even long after.
    restart lost guesses: of a word that was being guessed, before a restart took them.
    """
  }

  package static var faultCounts: [String] {
    PictureGuessFaults.fields.map(\.name)
      + ["readable_answers", "contradicting_results", "unended_matches"]
  }

  package static func rules(of preset: String) -> (any AppRules)? {
    PictureGuessRules.preset(named: preset)
  }

  package static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] {
    TileDragDetector.parameterFields.resolved(
      in: PictureGuessPhone.dragParameters(rules as? PictureGuessRules ?? .default, for: header))
  }
}

extension PlainThread {
  /// The simulation of the app with messages in plain text, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SimulatedPictureGuess.self }
}
