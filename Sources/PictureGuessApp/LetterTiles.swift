import AppEngines
import TraceModel

/// The twelve letters that a word is guessed with.
enum LetterTiles {
  static let count = TileLayout.tileCount

  /// Returns the letters of the answer and uniform letters A to Z, twelve in all, shuffled.
  ///
  /// - Parameters:
  ///   - answer: as ``WordList/isAnswer(_:)`` accepts.
  ///   - seed: equal seeds give equal tiles.
  static func deal(for answer: String, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var letters = Array(answer.utf8.prefix(count))
    while letters.count < count { letters.append(65 + UInt8(random.below(26))) }
    // Fisher and Yates: every order is equally likely.
    for last in stride(from: count - 1, to: 0, by: -1) {
      letters.swapAt(last, random.below(last + 1))
    }
    return letters
  }

  /// Returns the seed of a word's tiles. It depends on the match, whose identity is random, so that
  /// a phone that lost its state deals the same tiles again.
  static func seed(of match: MatchID, games: Int, answer: String) -> UInt64 {
    StableHash(seed: match.high).with(match.low).with(games).with(answer).value
  }
}

extension SeededGenerator {
  /// Returns a number uniform in 0..<bound, for bounds far below 2^53.
  mutating func below(_ bound: Int) -> Int { min(Int(unit() * Double(bound)), bound - 1) }
}

/// The slots of a word and the tiles in them.
struct GuessBoard: Hashable, Sendable, Codable {
  /// The tile in each slot, 0..<12; nil = the slot is free.
  private(set) var slots: [Int?]
  /// The number of drops since the last guess: fewer than slots = the board was not refilled.
  private(set) var drops = 0

  init(letters: Int) { slots = Array(repeating: nil, count: max(0, letters)) }

  var isEmpty: Bool { slots.allSatisfy { $0 == nil } }
  var isFull: Bool { slots.allSatisfy { $0 != nil } }

  /// Returns the word in the slots, with `_` for a free one.
  func word(_ letters: [UInt8]) -> String {
    String(
      decoding: slots.map { tile in
        tile.flatMap { letters.indices.contains($0) ? letters[$0] : nil } ?? 95
      }, as: UTF8.self)
  }

  /// Puts a tile into a slot; another tile there goes home. Numbers out of range change nothing.
  mutating func place(_ tile: Int, in slot: Int) {
    guard slots.indices.contains(slot), (0..<LetterTiles.count).contains(tile) else { return }
    remove(tile)
    slots[slot] = tile
    drops = min(drops, Int.max - 1) + 1
  }

  mutating func remove(_ tile: Int) {
    for slot in slots.indices where slots[slot] == tile { slots[slot] = nil }
  }

  /// Shows what the screen of a recording shows.
  mutating func mirror(_ shown: [Int?], isDrop: Bool) {
    guard shown.count == slots.count else { return }
    // Where letters were placed without touches before, the first drop shows a whole other board.
    let changed = zip(slots, shown).count { $1 != nil && $0 != $1 }
    slots = shown
    if isDrop { drops = min(drops, Int.max - slots.count - 1) + max(changed, 1) }
  }

  mutating func clear() {
    for slot in slots.indices { slots[slot] = nil }
  }

  mutating func countGuess() { drops = 0 }

  var violations: [String] {
    let tiles = slots.compactMap { $0 }
    return Set(tiles).count == tiles.count ? [] : ["a tile is in two slots"]
  }
}
