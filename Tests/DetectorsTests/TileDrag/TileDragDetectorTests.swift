import Detectors
import Testing
import TraceModel

/// Drags as a table: touches, and what is reported under the default and under the original's rules.
/// The screen of 320 x 568 points has squares of 43 points and a distance of 48 between slots.
@Suite struct TileDragDetectorTests {
  typealias Script = TileDragScript

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var script: @Sendable (inout Script) -> Void
    var expected: [String]
    /// Nil = the same.
    var original: [String]?
    var board: [Int?]
    var originalBoard: [Int?]?
    var testDescription: String { name }

    init(
      _ name: String, _ expected: [String], original: [String]? = nil, board: [Int?],
      originalBoard: [Int?]? = nil, _ script: @escaping @Sendable (inout Script) -> Void
    ) {
      (self.name, self.expected, self.original) = (name, expected, original)
      (self.board, self.originalBoard, self.script) = (board, originalBoard, script)
    }
  }

  /// Both presets on one layout with three slots.
  private static func parameters(original: Bool) -> TileDragDetector.Parameters {
    var parameters = original ? TileDragDetector.Parameters.iPict : .init()
    parameters.layout = .fitted
    parameters.letters = 3
    parameters.radius = 1
    return parameters
  }

  static let drops: [Case] = [
    Case("nothing", [], board: [nil, nil, nil]) { _ in },
    Case("a drop", ["drop tile-4 2 0.0 @ 31"], board: [nil, 4, nil]) {
      $0.drag(from: $0.tile(4), to: $0.slot(2))
    },
    // The finger is 40 points off the slot's centre, outside of its square, but the tile is not.
    Case("the grip does not count", ["drop tile-4 2 0.0 @ 31"], board: [nil, 4, nil]) {
      $0.drag(from: $0.tile(4), to: $0.slot(2), grip: (-20, 20))
    },
    Case(
      "at the edge of the square", ["drop tile-4 2 21.5 @ 31"], board: [nil, 4, nil]
    ) { $0.drag(from: $0.tile(4), to: $0.slot(2), off: (-21.5, 0)) },
    Case(
      "beyond the square", ["drop tile-4 2 21.5 @ 31"],
      original: ["miss tile-4 2 0.0 @ 31"], board: [nil, 4, nil], originalBoard: [nil, nil, nil]
    ) { $0.drag(from: $0.tile(4), to: $0.slot(2), off: (0, 21.5)) },
    Case(
      "between two slots, to the nearer", ["drop tile-4 3 23.0 @ 31"],
      original: ["miss tile-4 3 1.5 @ 31"], board: [nil, nil, 4], originalBoard: [nil, nil, nil]
    ) { $0.drag(from: $0.tile(4), to: $0.slot(2), off: (25, 0)) },
    Case(
      "at the radius", ["drop tile-4 1 43.0 @ 31"], original: ["miss tile-4 1 21.5 @ 31"],
      board: [4, nil, nil], originalBoard: [nil, nil, nil]
    ) { $0.drag(from: $0.tile(4), to: $0.slot(1), off: (0, -43)) },
    Case("beyond the radius", ["miss tile-4 1 22.5 @ 31"], board: [nil, nil, nil]) {
      $0.drag(from: $0.tile(4), to: $0.slot(1), off: (0, -44))
    },
    Case(
      "onto a taken slot", ["drop tile-1 2 0.0 @ 31", "miss tile-2 2 0.0 @ 61"],
      original: ["drop tile-1 2 0.0 @ 31", "drop tile-2 2 0.0 @ 61"], board: [nil, 1, nil],
      originalBoard: [nil, 2, nil]
    ) {
      $0.drag(from: $0.tile(1), to: $0.slot(2))
      $0.drag(from: $0.tile(2), to: $0.slot(2))
    },
    Case(
      "towards a taken slot, to the free one beside",
      ["drop tile-1 2 0.0 @ 31", "drop tile-2 3 38.0 @ 61"],
      original: ["drop tile-1 2 0.0 @ 31", "drop tile-2 2 10.0 @ 61"], board: [nil, 1, 2],
      originalBoard: [nil, 2, nil]
    ) {
      $0.drag(from: $0.tile(1), to: $0.slot(2))
      $0.drag(from: $0.tile(2), to: $0.slot(2), off: (10, 0))
    },
    Case(
      "from slot to slot", ["drop tile-1 2 0.0 @ 31", "drop tile-1 3 0.0 @ 61"],
      board: [nil, nil, 1]
    ) {
      $0.drag(from: $0.tile(1), to: $0.slot(2))
      $0.drag(from: $0.slot(2), to: $0.slot(3))
    },
    Case(
      "out of a slot", ["drop tile-1 2 0.0 @ 31", "miss tile-1 2 95.5 @ 61"],
      board: [nil, nil, nil]
    ) {
      $0.drag(from: $0.tile(1), to: $0.slot(2))
      $0.drag(from: $0.slot(2), to: $0.slot(2), off: (0, -117))
    },
    Case("a tap at home", ["miss tile-9 1 114.5 @ 31"], board: [nil, nil, nil]) {
      $0.drag(from: $0.tile(9), to: $0.tile(9))
    },
  ]

  static let touches: [Case] = [
    Case("no tile under the finger", [], board: [nil, nil, nil]) {
      $0.drag(from: $0.slot(1), to: $0.slot(2))
    },
    // Tile 3 begins at 136 - 21.5 and is 43 wide; its right edge is not a part of it.
    Case("beside a tile", [], board: [nil, nil, nil]) {
      $0.drag(from: $0.tile(3), to: $0.slot(2), grip: (21.5, 0))
    },
    Case(
      "cancelled", ["cancel tile-4 @ 31", "drop tile-4 1 0.0 @ 61"],
      original: ["cancel tile-4 @ 31"], board: [4, nil, nil], originalBoard: [nil, nil, nil]
    ) {
      $0.drag(from: $0.tile(4), to: $0.slot(2), off: (0, -60), last: .cancelled)
      $0.drag(from: $0.tile(4), to: $0.slot(1))
    },
    // The original leaves the tile where it is, counted for its old slot.
    Case(
      "cancelled out of a slot", ["drop tile-4 2 0.0 @ 31", "cancel tile-4 @ 61"],
      board: [nil, 4, nil]
    ) {
      $0.drag(from: $0.tile(4), to: $0.slot(2))
      $0.drag(from: $0.slot(2), to: $0.slot(3), off: (0, -80), last: .cancelled)
    },
    Case(
      "a second finger", ["drop tile-1 1 0.0 @ 51"],
      original: ["drop tile-2 2 0.0 @ 41", "drop tile-1 1 0.0 @ 51"], board: [1, nil, nil],
      originalBoard: [1, 2, nil]
    ) {
      $0.touch(.began, $0.tile(1))
      $0.touch(.began, $0.tile(2), pointer: 1)
      $0.touch(.moved, $0.slot(1))
      $0.touch(.ended, $0.slot(2), pointer: 1)
      $0.touch(.ended, $0.slot(1))
    },
    Case("two fingers on one tile", ["drop tile-1 1 0.0 @ 41"], board: [1, nil, nil]) {
      $0.touch(.began, $0.tile(1))
      $0.touch(.began, $0.tile(1), pointer: 1)
      $0.touch(.moved, $0.slot(3), pointer: 1)
      $0.touch(.ended, $0.slot(1))
      $0.touch(.ended, $0.slot(3), pointer: 1)
    },
    Case(
      "a lost end", ["cancel tile-1 @ 21", "drop tile-2 2 0.0 @ 31"], board: [nil, 2, nil]
    ) {
      $0.touch(.began, $0.tile(1))
      $0.touch(.began, $0.tile(2))
      $0.touch(.ended, $0.slot(2))
    },
    Case("moves without a began", [], board: [nil, nil, nil]) {
      $0.touch(.moved, $0.tile(1))
      $0.touch(.ended, $0.slot(2))
      $0.touch(.cancelled, $0.slot(2))
    },
    Case(
      "coordinates that are none", ["drop tile-1 1 0.0 @ 41"], board: [1, nil, nil]
    ) {
      $0.touch(.began, TileLayout.Point(x: .nan, y: 5))
      $0.touch(.began, $0.tile(1))
      $0.touch(.moved, $0.slot(1))
      $0.touch(.ended, TileLayout.Point(x: .infinity, y: 5))
    },
  ]

  @Test(arguments: drops + touches)
  func theDefault(_ each: Case) {
    var script = Script(Self.parameters(original: false))
    each.script(&script)
    #expect(script.said() == each.expected)
    #expect(script.board() == each.board)
  }

  @Test(arguments: drops + touches)
  func theOriginal(_ each: Case) {
    var script = Script(Self.parameters(original: true))
    each.script(&script)
    #expect(script.said() == each.original ?? each.expected)
    #expect(script.board() == each.originalBoard ?? each.board)
  }

  // MARK: Full boards

  private func fill(_ script: inout Script) {
    for number in 1...3 { script.drag(from: script.tile(number), to: script.slot(number)) }
  }

  @Test func aFullBoardIsCheckedAndCleared() {
    for original in [false, true] {
      var script = Script(Self.parameters(original: original))
      fill(&script)
      #expect(script.board() == [1, 2, 3])
      #expect(script.said().last == "full @ 591")
      // 1.2 s after the last drop the tiles are home under either rule.
      script.touch(.began, script.tile(1), after: 1210)
      script.touch(.ended, script.slot(3))
      #expect(script.said().last == "drop tile-1 3 0.0 @ 1311")
      #expect(script.board() == [nil, nil, 1])
    }
  }

  /// Who rearranges the full board within the delay has not guessed yet; the original counts the
  /// first check and the second one.
  @Test func rearrangingWithinTheDelay() {
    func fulls(original: Bool) -> [String] {
      var script = Script(Self.parameters(original: original))
      fill(&script)
      script.touch(.began, script.slot(1), after: 100)
      script.touch(.moved, script.tile(8))
      script.touch(.ended, script.slot(1))
      return script.said().filter { $0.hasPrefix("full") }
    }
    #expect(fulls(original: false) == ["full @ 711"])
    #expect(fulls(original: true) == ["full @ 591", "full @ 711"])
  }

  /// A cancelled touch makes the board full again, so the guess still counts.
  @Test func aCancelledTouchResumesTheCheck() {
    var script = Script(Self.parameters(original: false))
    fill(&script)
    script.drag(from: script.slot(1), to: script.tile(8), last: .cancelled)
    #expect(script.board() == [1, 2, 3])
    #expect(script.said().suffix(2) == ["cancel tile-1 @ 121", "full @ 621"])
  }

  @Test func theActionContinueStartsANewBoard() {
    var script = Script(Self.parameters(original: false))
    fill(&script)
    var detector = TileDragDetector(Self.parameters(original: false), places: [])
    var found: [Detection<TileDragEvent>] = []
    detector.ingest(contentsOf: script.columns, into: &found)
    detector.handle(.arm, at: TraceInstant(nanoseconds: 95_000_000), into: &found)
    #expect(detector.board == [1, 2, 3] && detector.deadline != nil)
    detector.handle(.continue, at: TraceInstant(nanoseconds: 95_000_000), into: &found)
    #expect(detector.board == [nil, nil, nil] && detector.deadline == nil)
    #expect(found.count == 3)
    #expect(detector.measurements.map(\.value) == [3, 3, 0])
  }
}
