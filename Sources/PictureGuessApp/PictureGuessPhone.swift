public import AppEngines
public import Detectors
public import TraceModel

/// A phone in a picture-guess match, which travels in the messages of a thread. There is no server.
///
/// **Match.** Player one invites and sends the first picture; player two guesses first. Whoever has
/// guessed a word chooses the next picture. Six words are three rounds; the lower total of guesses
/// wins. The message with `games` guessed words is newer than all with fewer, so that copies, late
/// messages and restored phones do no harm: a phone takes only what is newer than what it knows, and
/// answers what is older with its own state. A message is sent again until its receipt comes; a phone
/// that is opened asks for what it may have missed. So no ``ReplyMemory`` is needed: to take a message
/// twice is the same as once.
///
/// **Guessing.** Touches feed the detector `tiledrag`, and its drops move the letters. A board that
/// was full for the check delay is a guess. Where a recording states the number of slots that its
/// screen showed, the detector keeps that number, because it is a fact of the recording: drags move
/// letters only if the word is that long, and only on a board that began empty under this word.
///
/// **End.** A match without a move for ``PictureGuessRules/abandonAfter`` is abandoned; a newer
/// message still continues it.
public struct PictureGuessPhone: AppEngine {
  public enum Input: Hashable, Sendable, Codable {
    case open, close
    case setStyle(PresentationStyle)
    /// Starts a match as player one, from the start screen or as a rematch. The identity is random.
    case begin(MatchID)
    /// Shows four (other) pictures, drawn with a random seed.
    case offer(seed: UInt64)
    /// Chooses one of the four pictures, 0 to 3.
    case choose(Int)
    /// Sends the chosen picture, or takes it out of the message field again.
    case send, cancel
    /// Shows the twelve tiles in another order: the letter of tile `order[0]` comes first.
    case arrange([Int])
    case touch(Touch, measured: TraceInstant)
    /// A recorded action; `continue` clears the board.
    case action(Action)
    /// A letter is placed without a recorded touch: place on the screen 0 to 11, slot from 0.
    case place(Int, slot: Int)
    /// A letter is taken off its slot.
    case remove(Int)
    case sensorStopped
    case pictureFetched(String), pictureFailed(String)
    case retryPicture(String)
    case received(ThreadEnvelope.Content, from: Int)
    /// Something arrived that the transport does not take, with the reason.
    case unreadable(Refusal, from: Int)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case send(ThreadEnvelope)
    /// The detector found a drop, a miss, a cancel or a full board.
    case detected(DetectionRecord)
    case screen(GuessScreen)
    case caption(String)
    case fetchPicture(String)
    /// A new word can be guessed on the screen.
    case wordShown(MatchID, games: Int, word: String)
    /// A full board was counted. `guesses` = those of this word so far, with this one.
    case guessed(String, isRight: Bool, guesses: Int)
    /// A picture was sent, for the first time.
    case wordSent(MatchID, games: Int, word: String)
    /// A match is over. Once more with another result, if a phone went back and the two had two.
    case ended(MatchState)
    case abandoned(MatchID)
    /// A message changed nothing, with the reason.
    case ignored(Refusal, from: Int)
    /// The app stopped (iPict's rules).
    case stopped(String)
  }

  public static let name = "pictureguess-phone"
  public static let stateVersion = 1

  public let rules: PictureGuessRules
  /// The person's number in the thread.
  public let me: Int
  public let others: [Int]
  let drag: TileDragDetector.Parameters
  /// Whether the recording states the number of slots.
  let hasFixedSlots: Bool
  var sensor: TileDragDetector
  var sensorHasStopped = false
  /// The fingers on the screen, at most ``fingerLimit``.
  var fingers: [Int32] = []
  public internal(set) var isOpen = false
  public internal(set) var style = PresentationStyle.compact
  var hasCrashed = false
  var match: GuessMatch?
  /// The matches that are over, newest last.
  var finished: [MatchID] = []
  /// The results of the last matches, newest last: a phone that went back may ask for one of them.
  var results: [MatchState] = []
  /// By the original's rules: the message that the app has not looked at yet.
  var unseen: MatchState?
  /// By the original's rules: player one of the phone's first match.
  var firstPlayerOne: Int?
  var progress: [WordProgress] = []
  var board = GuessBoard(letters: 0)
  /// The tile at each place of the screen.
  var order = Array(0..<LetterTiles.count)
  /// Whether the board began empty under this word, so that drags on it count.
  var isFresh = false
  /// Whether the last letter came from a recorded drag.
  var isTouched = false
  /// The checks of boards that were filled without touches, and when the letters go home.
  var checks: [TraceInstant] = []
  var returnAt: TraceInstant?
  /// The word whose screen was announced last.
  var announced: Announced?
  public internal(set) var pictures: [GuessPicture] = []
  var outbox: Outbox<ThreadLetter>
  public internal(set) var faults = PictureGuessFaults()
  var clock = TraceInstant(nanoseconds: .min)

  struct Announced: Hashable, Sendable, Codable {
    var match: MatchID
    var games: Int
    var word: String
  }

  /// The largest number of other people in a thread; further ones are left out.
  public static let otherLimit = 31
  static let fingerLimit = 20
  /// Also of results. A transport with keys keeps those of as many matches.
  public static let finishedLimit = 16
  static let progressLimit = 16
  static let checkLimit = 16

  /// - Parameters:
  ///   - me: the person's number in the thread.
  ///   - others: the numbers of the others.
  ///   - installation: a number of the installation, as different from others as possible.
  ///   - header: the header of the touches' trace, which states the screen.
  ///   - changes: values that replace those of the detector of drags.
  public init(
    rules: PictureGuessRules = .default, me: Int, others: [Int], installation: UInt64,
    for header: TraceHeader, changing changes: [String: ParameterValue] = [:]
  ) {
    (self.rules, self.me) = (rules, me)
    var distinct: [Int] = []
    for other in others where other != me && !distinct.contains(other) { distinct.append(other) }
    self.others = Array(distinct.prefix(PictureGuessPhone.otherLimit))
    drag = TileDragDetector.parameterFields.changed(
      by: changes, in: PictureGuessPhone.dragParameters(rules, for: header))
    let stated = header.info(.touch)?.attributes["letters"].flatMap { Int($0) }
    hasFixedSlots = stated.map(TileLayout.letterCounts.contains) ?? false
    sensor = TileDragDetector(drag, places: [])
    outbox = Outbox(
      .parallel, backoff: rules.backoff, limit: 8 * PictureGuessPhone.otherLimit,
      epoch: installation)
  }

  static func dragParameters(
    _ rules: PictureGuessRules, for header: TraceHeader
  ) -> TileDragDetector.Parameters {
    let preset = TileDragDetector.preset(named: rules.dragPreset) ?? TileDragDetector.presets[0]
    return preset.parameters(for: header)
  }

  // MARK: What the screen shows

  public var stage: GuessStage { hasCrashed ? .stopped : match?.stage ?? .none }

  public var screen: GuessScreen { GuessScreen(stage, style) }

  /// The caption of the newest message; empty = there is none.
  public var caption: String {
    guard let match else { return "" }
    guard let state = match.newest else {
      return match.stage == .invited || match.stage == .inviting ? GuessCaption.invitation : ""
    }
    let playerOne = rules.captionsFollowMatch ? state.one : firstPlayerOne ?? state.one
    return GuessCaption.text(of: state, playerOne: playerOne, announcesDraws: rules.announcesDraws)
  }

  /// The words of the four pictures.
  public var offers: [String] { match?.offers ?? [] }

  /// The twelve letters in the order of the screen; empty = no word is guessed.
  public var letters: [UInt8] {
    guard stage == .guessing, let index = progressIndex else { return [] }
    let tiles = progress[index].tiles
    return order.compactMap { tiles.indices.contains($0) ? tiles[$0] : nil }
  }

  /// The letters in the slots, with `_` for a free one.
  public var shownWord: String {
    guard let index = progressIndex else { return "" }
    return board.word(progress[index].tiles)
  }

  /// The number of letters of the word to guess; nil = none.
  public var wordLength: Int? { stage == .guessing ? match?.word.utf8.count : nil }

  /// The wrong boards of the word to guess.
  public var wrongCount: Int { progressIndex.map { progress[$0].wrong } ?? 0 }

  /// Whether the recorded drags fit the word to guess.
  public var takesDrags: Bool { wordLength == sensor.layout.slots.count && !sensorHasStopped }

  public var newest: MatchState? { match?.newest }

  // MARK: Inputs

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(now, clock)
    if case .touch(let touch, let measured) = input {
      // The common case, which is never refused: without a copy.
      clock = now
      feel(touch, measured: measured, at: now, into: &effects)
      return
    }
    // A refused input changes nothing, so it is tried on a copy.
    var next = self
    var news: [Effect] = []
    next.clock = now
    try next.take(input, at: now, into: &news)
    next.announce(since: self, into: &news)
    self = next
    effects += news
  }

  private mutating func take(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .open: open(at: now, into: &effects)
    case .close: try close()
    case .setStyle(let new): try setStyle(new)
    case .begin(let id): try begin(id, at: now)
    case .offer(let seed): try offer(seed: seed, into: &effects)
    case .choose(let index): try choose(index)
    case .send: try send(at: now, into: &effects)
    case .cancel: try cancel(at: now, into: &effects)
    case .arrange(let order): try arrange(order)
    case .touch: break
    case .action(let action): take(action, at: now, into: &effects)
    case .place(let place, let slot): try self.place(place, slot, at: now)
    case .remove(let place): try remove(place)
    case .sensorStopped: sensorHasStopped = true
    case .pictureFetched(let word): try notePicture(word, .shown)
    case .pictureFailed(let word): try failPicture(word, into: &effects)
    case .retryPicture(let word): try retryPicture(word, into: &effects)
    case .received(let content, let sender):
      try receive(content, from: sender, at: now, into: &effects)
    case .unreadable(let reason, let sender): effects.append(.ignored(reason, from: sender))
    }
  }

  /// Reports what the screen shows now and did not show before.
  func announce(since old: PictureGuessPhone, into effects: inout [Effect]) {
    if screen != old.screen { effects.append(.screen(screen)) }
    if caption != old.caption { effects.append(.caption(caption)) }
    if announced != old.announced, let announced {
      effects.append(.wordShown(announced.match, games: announced.games, word: announced.word))
    }
  }

  /// Notes that a word is on the screen, if it is.
  mutating func noteScreen() {
    guard isOpen, screen == .guess, let match else { return }
    announced = Announced(match: match.id, games: match.games, word: match.word)
  }

  // MARK: Time

  public var deadline: TraceInstant? {
    var due = earlier(outbox.due, earlier(checks.first, returnAt))
    if !sensorHasStopped { due = earlier(due, sensor.deadline) }
    due = earlier(due, abandonAt)
    guard let due, clock.nanoseconds < .max else { return nil }
    return max(due, clock.advanced(byNanoseconds: 1))
  }

  private var abandonAt: TraceInstant? {
    guard let match, !match.stage.isFinal else { return nil }
    return match.lastMove.advanced(bySeconds: max(rules.abandonAfter, 0.001))
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    let old = self
    advanceSensor(through: clock, into: &effects)
    advanceChecks(into: &effects)
    for case .again(let item) in outbox.advance(to: clock) { deliver(item, into: &effects) }
    if let due = abandonAt, due <= clock, let id = match?.id {
      match?.stage = .abandoned
      forget(id)
      outbox.removeAll { $0.message.match == id }
      effects.append(.abandoned(id))
    }
    announce(since: old, into: &effects)
  }

  /// Notes that a match has ended: what is left of it is old.
  mutating func forget(_ id: MatchID) {
    finished.removeAll { $0 == id }
    finished.append(id)
    if finished.count > PictureGuessPhone.finishedLimit { finished.removeFirst() }
  }

  public var violations: [String] {
    var found = outbox.violations + board.violations
    if let match {
      if !(0...MatchState.wordCount).contains(match.games) { found.append("too many words") }
      if min(match.guessesOfOne, match.guessesOfTwo) < 0 { found.append("a total below zero") }
      if match.stage == .guessing, board.slots.count != match.word.utf8.count {
        found.append("the board has other slots than the word has letters")
      }
      if match.stage == .guessing, progressIndex == nil { found.append("a word has no tiles") }
      if let newest = match.newest, match.games < newest.games || match.games > newest.games + 1 {
        found.append("the match is not at its newest message")
      }
      if let two = match.two, two == match.one { found.append("one person is both players") }
    }
    if progress.contains(where: { $0.tiles.count != LetterTiles.count || $0.wrong < 0 }) {
      found.append("a word has no twelve tiles")
    }
    if rules == .default, faults != PictureGuessFaults() {
      found.append("a fault was counted: \(faults)")
    }
    return found
  }
}
