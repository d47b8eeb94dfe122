import Detectors
import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// Recorded touches on the board of a match.
@Suite struct PictureGuessDragTests {
  private static func header(letters: Int?) -> TraceHeader {
    var header = TraceHeader(id: "x", origin: .synthetic)
    header.screen = ScreenSize(width: 375, height: 667)
    let attributes = letters.map { ["letters": "\($0)", "layout": "fitted"] } ?? [:]
    header.channels = [ChannelInfo(channel: .touch, count: 0, attributes: attributes)]
    return header
  }

  private static func table(
    _ preset: String = "default", letters: Int? = nil, word: String = "TABLE"
  ) throws -> GuessTable {
    var table = GuessTable(try GuessTable.preset(preset), header: header(letters: letters))
    for phone in 0..<2 { try table.open(phone) }
    try table.give(.begin(MatchID(high: 0, low: 1)), to: 0)
    try table.send(word, by: 0)
    try table.open(1)
    return table
  }

  private static func touch(
    _ point: TileLayout.Point, _ phase: Touch.Phase, _ table: inout GuessTable
  ) throws {
    table.wait(0.02)
    try table.give(
      .touch(Touch(x: point.x, y: point.y, phase: phase), measured: table.now), to: 1)
  }

  /// Drags the tile at a place to a slot, both from 0.
  private static func drag(
    _ place: Int, to slot: Int, _ table: inout GuessTable, isLifted: Bool = true
  ) throws {
    let layout = table.phones[1].sensor.layout
    try touch(layout.tiles[place], .began, &table)
    try touch(layout.slots[slot], .moved, &table)
    if isLifted { try touch(layout.slots[slot], .ended, &table) }
  }

  private static func fill(_ word: String, _ table: inout GuessTable) throws {
    for (slot, place) in try table.places(of: word, on: 1).enumerated() {
      try drag(place, to: slot, &table)
    }
  }

  @Test(arguments: GuessTable.presets, ["CAT", "TABLE", "WINDOW"])
  func dragsMoveLetters(preset: String, word: String) throws {
    var table = try Self.table(preset, word: word)
    #expect(table.phones[1].sensor.layout.slots.count == word.utf8.count)
    try Self.fill(table.wrongWord(for: 1), &table)
    #expect(!table.phones[1].shownWord.contains("_"))
    table.wait(1.3)
    #expect(table.phones[1].wrongCount == 1 && table.phones[1].board.isEmpty)
    try Self.fill(word, &table)
    table.wait(1.3)
    #expect(table.phones[1].stage == .choosing && table.phones[1].match?.guessesOfTwo == 2)
    let drops = table.effects[1].count {
      if case .detected(let record) = $0 { record.kind == "drop" } else { false }
    }
    #expect(drops == 2 * word.utf8.count)
  }

  @Test(arguments: GuessTable.presets) func rearrangingByDragsCountsTwice(preset: String) throws {
    var table = try Self.table(preset)
    let wrong = try table.wrongWord(for: 1)
    let places = try table.places(of: wrong, on: 1)
    try Self.fill(wrong, &table)
    table.wait(0.2)
    let layout = table.phones[1].sensor.layout
    let letters = table.phones[1].letters
    let other = try #require(
      letters.indices.first { !places.contains($0) && letters[$0] != 84 })
    // The first letter home, and another one in its place.
    try Self.touch(layout.slots[0], .began, &table)
    try Self.touch(layout.tiles[0], .moved, &table)
    try Self.touch(layout.tiles[0], .ended, &table)
    try Self.drag(other, to: 0, &table)
    table.wait(2)
    let isOriginal = preset == "iPict"
    #expect(table.phones[1].wrongCount == (isOriginal ? 2 : 1))
    #expect(table.phones[1].faults.doubleGuesses == (isOriginal ? 1 : 0))
  }

  @Test func aDragThatBeganBeforeTheWordDoesNotCount() throws {
    var table = try Self.table(letters: 5)
    try table.guess(by: 1)
    // Drags while the other guesses are detected and move nothing.
    try Self.drag(0, to: 0, &table)
    try Self.drag(1, to: 1, &table, isLifted: false)
    #expect(table.phones[1].board.isEmpty)
    try table.send(by: 1)
    try table.guess(by: 0)
    try table.send("ACORN", by: 0)
    #expect(table.phones[1].stage == .guessing && !table.phones[1].isFresh)
    for slot in 2..<5 { try Self.drag(slot, to: slot, &table) }
    table.wait(2)
    #expect(table.phones[1].board.isEmpty && table.phones[1].wrongCount == 0)
    // The next board counts.
    try table.give(.action(.continue), to: 1)
    #expect(table.phones[1].isFresh)
    try Self.fill("ACORN", &table)
    table.wait(1)
    #expect(table.phones[1].stage == .choosing)
  }

  @Test func theActionContinueClearsTheBoard() throws {
    var table = try Self.table(letters: 5)
    try Self.drag(0, to: 0, &table)
    #expect(table.phones[1].board.slots[0] == 0)
    try table.give(.action(.arm), to: 1)
    #expect(table.phones[1].board.slots[0] == 0)
    try table.give(.action(.continue), to: 1)
    #expect(table.phones[1].board.isEmpty)
  }

  /// A recording of another number of slots cannot spell the word.
  @Test func aWordOfAnotherLengthTakesNoDrags() throws {
    var table = try Self.table(letters: 4)
    #expect(!table.phones[1].takesDrags && table.phones[1].sensor.layout.slots.count == 4)
    for slot in 0..<4 { try Self.drag(slot, to: slot, &table) }
    table.wait(2)
    #expect(table.phones[1].board.isEmpty && table.phones[1].wrongCount == 0)
    try table.guess(by: 1)
    #expect(table.phones[1].stage == .choosing)
  }

  @Test func inTheStripNothingMoves() throws {
    var table = try Self.table()
    try table.give(.setStyle(.compact), to: 1)
    try Self.drag(0, to: 0, &table)
    #expect(table.phones[1].board.isEmpty && table.phones[1].screen == .start)
    #expect(table.refusal(of: .place(0, slot: 0), to: 1) == "not-guessing")
  }

  @Test func afterTheTouchesTheDetectorIsSilent() throws {
    var table = try Self.table()
    try Self.fill(table.wrongWord(for: 1), &table)
    try table.give(.sensorStopped, to: 1)
    table.wait(2)
    #expect(table.phones[1].wrongCount == 0 && !table.phones[1].takesDrags)
  }
}
