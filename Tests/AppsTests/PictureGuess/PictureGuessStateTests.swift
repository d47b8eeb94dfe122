import Detectors
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// Random inputs, legal and illegal, for a phone in a match.
private struct GuessInputs {
  var random: SeededGenerator
  var now = TraceInstant.zero
  private var stamps: [RequestStamp] = []
  private var matches = 0
  private var queue: [PictureGuessPhone.Input] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
  mutating func chance(_ probability: Double) -> Bool { random.unit() < probability }

  /// Returns the next of some inputs that belong together, or another one, and its time.
  mutating func next(for phone: PictureGuessPhone) -> (PictureGuessPhone.Input, TraceInstant) {
    if !queue.isEmpty { return (queue.removeFirst(), now) }
    step()
    if chance(0.05) { queue = solution(of: phone) }
    if chance(0.05) { queue = drag(on: phone) }
    return (queue.isEmpty ? input(for: phone) : queue.removeFirst(), now)
  }

  private mutating func step() {
    now = now.advanced(bySeconds: random.unit() * (chance(0.02) ? 40 : 0.4))
    if chance(0.002) { now = now.advanced(bySeconds: 700_000) }
    if chance(0.01) { now = now.advanced(bySeconds: -50) }
  }

  private mutating func number() -> Int { pick([0, 1, 2, 3, 4, 5, -1, 12, .max, .min]) }

  private mutating func coordinate() -> Double {
    chance(0.97) ? random.uniform(0...600) : pick([.nan, .infinity, -.infinity, 1e308, -1e308])
  }

  private mutating func id() -> MatchID { MatchID(high: 0, low: UInt64(random.below(4))) }

  private mutating func state(for phone: PictureGuessPhone) -> MatchState {
    // Mostly what can follow, sometimes anything.
    if let newest = phone.newest, !newest.isOver, chance(0.7) {
      var next = newest
      next.games += 1
      next.author = next.authorByTurn ?? 0
      if chance(0.1) { next.author = number() }
      if next.author == next.one { next.guessesOfOne += 1 } else { next.guessesOfTwo += 1 }
      next.answer = next.isOver ? "" : pick(WordList.words)
      return next
    }
    let games = chance(0.9) ? random.below(7) : number()
    return MatchState(
      match: chance(0.5) ? phone.match?.id ?? id() : id(),
      answer: games == 6 ? "" : chance(0.9) ? pick(WordList.words) : pick(["", "x", "ABCDEFGH"]),
      author: chance(0.9) ? random.below(3) : number(),
      one: chance(0.9) ? random.below(2) : number(),
      two: chance(0.9) ? random.below(3) : chance(0.5) ? nil : number(), games: games,
      guessesOfOne: chance(0.9) ? random.below(9) : number(),
      guessesOfTwo: chance(0.9) ? random.below(9) : number())
  }

  private mutating func message(for phone: PictureGuessPhone) -> ThreadMessage {
    let id = chance(0.6) ? phone.match?.id ?? id() : id()
    switch random.below(10) {
    case 0: return .invitation(id)
    case 1, 2: return .acceptance(id)
    case 3: return .declined(id)
    case 4: return .ask(chance(0.5) ? nil : state(for: phone))
    default: return .state(state(for: phone))
    }
  }

  private mutating func content(for phone: PictureGuessPhone) -> ThreadEnvelope.Content {
    let fresh = RequestStamp(epoch: random.next(), number: number())
    if chance(0.2) { return .receipt(phone.outbox.first?.stamp ?? fresh, of: id()) }
    if stamps.count < 20 { stamps.append(fresh) }
    return .message(chance(0.8) ? fresh : pick(stamps), message(for: phone))
  }

  private mutating func touch() -> PictureGuessPhone.Input {
    let phase = pick(Touch.Phase.allCases)
    let measured =
      chance(0.98)
      ? now : pick([TraceInstant(nanoseconds: .max), TraceInstant(nanoseconds: .min), .zero])
    return .touch(
      Touch(x: coordinate(), y: coordinate(), phase: phase, pointer: Int32(random.below(3))),
      measured: measured)
  }

  /// A drag from a tile to a slot of the phone's screen.
  private mutating func drag(on phone: PictureGuessPhone) -> [PictureGuessPhone.Input] {
    let layout = phone.sensor.layout
    let (tile, slot) = (layout.tiles[random.below(12)], pick(layout.slots))
    func touch(_ point: TileLayout.Point, _ phase: Touch.Phase) -> PictureGuessPhone.Input {
      .touch(Touch(x: point.x, y: point.y, phase: phase), measured: now)
    }
    return [touch(tile, .began), touch(slot, .moved), touch(slot, .ended)]
  }

  private mutating func input(for phone: PictureGuessPhone) -> PictureGuessPhone.Input {
    switch random.below(40) {
    case 0, 1: return .open
    case 2: return .close
    case 3, 4: return .setStyle(chance(0.9) ? .expanded : .compact)
    case 5:
      matches += 1
      return .begin(chance(0.8) ? MatchID(high: 1, low: UInt64(matches)) : id())
    case 6, 7: return .offer(seed: random.next())
    case 8, 9: return .choose(chance(0.9) ? random.below(4) : number())
    case 10, 11: return .send
    case 12: return .cancel
    case 13:
      return .arrange(
        chance(0.5) ? Array((0..<12).reversed()) : Array(repeating: number(), count: 12))
    case 14: return .action(pick(Action.allCases))
    case 15...20: return .place(chance(0.95) ? random.below(12) : number(), slot: slot(of: phone))
    case 21: return .remove(chance(0.9) ? random.below(12) : number())
    case 22: return chance(0.02) ? .sensorStopped : .open
    case 23: return .pictureFetched(phone.pictures.last?.word ?? "")
    case 24: return .pictureFailed(phone.pictures.first?.word ?? pick(["", "TABLE"]))
    case 25: return .retryPicture(phone.pictures.first?.word ?? "")
    case 26...33:
      return .received(content(for: phone), from: chance(0.8) ? 1 : chance(0.8) ? 2 : number())
    default: return touch()
    }
  }

  private mutating func slot(of phone: PictureGuessPhone) -> Int {
    chance(0.95) ? phone.board.slots.firstIndex { $0 == nil } ?? random.below(6) : number()
  }

  /// The places that put the phone's word into the slots.
  private func solution(of phone: PictureGuessPhone) -> [PictureGuessPhone.Input] {
    guard let word = phone.match?.word, phone.stage == .guessing else { return [] }
    var letters = phone.letters.map { Optional($0) }
    return word.utf8.enumerated().compactMap { slot, letter in
      guard let place = letters.firstIndex(of: letter) else { return nil }
      letters[place] = nil
      return .place(place, slot: slot)
    }
  }
}

@Suite struct PictureGuessStateTests {
  /// A phone whose recording states five slots, or none.
  private static func phone(_ rules: PictureGuessRules, letters: Int?) -> PictureGuessPhone {
    var header = TraceHeader(id: "x", origin: .synthetic)
    header.screen = ScreenSize(width: 375, height: 667)
    let attributes = letters.map { ["letters": "\($0)", "layout": "fitted"] } ?? [:]
    header.channels = [ChannelInfo(channel: .touch, count: 0, attributes: attributes)]
    return PictureGuessPhone(
      rules: rules, me: 0, others: [1, 1, 0, 2], installation: 5, for: header)
  }

  private static let cases: [(String, Int?)] = [
    ("default", nil), ("default", 5), ("iPict", nil), ("iPict", 5),
  ]

  @Test(.longer, arguments: cases) func thePhoneTakesAnything(
    _ each: (preset: String, letters: Int?)
  ) throws {
    let rules = try GuessTable.preset(each.preset)
    var trial = ContractTrial()
    var kinds: Set<Substring> = []
    // A clock at the end of time stays there, so that nothing would happen any more.
    for seed in 1...LongTests.count(quick: UInt64(4), long: 50) {
      var inputs = GuessInputs(seed: seed)
      var players: Set<Int?>?
      let phone = try trial.play(
        Self.phone(rules, letters: each.letters), steps: seed == 1 ? 250 : 2_000,
        restoredEvery: seed == 1 ? 1 : 97, next: { inputs.next(for: $0) }
      ) { _, phone, effects in
        for effect in effects { kinds.insert("\(effect)".prefix { $0 != "(" }) }
        let present: Set<Int?>? = phone.match.map { [$0.one, $0.two] }
        if rules == .default, let players, present != players {
          Issue.record("seed \(seed): the players of a running match change")
        }
        players = phone.match?.isRunning == true ? present : nil
      }
      #expect(phone.progress.count <= 16 && phone.finished.count <= 16 && phone.checks.count <= 16)
    }
    kinds.formUnion(trial.codes.keys.map { $0[...] })
    for kind: Substring in [
      "send", "detected", "screen", "wordShown", "guessed", "wordSent", "ended", "abandoned",
      "not-now", "closed", "impossible-state",
    ] {
      #expect(kinds.contains(kind), "\(kind): \(kinds)")
    }
  }
}
