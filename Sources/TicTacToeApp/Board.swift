/// A player's symbol. The caller plays X and moves first.
public enum Mark: String, CaseIterable, Hashable, Sendable, Codable {
  case x = "X"
  case o = "O"

  public var other: Mark { self == .x ? .o : .x }

  /// Returns the mark that moves on a turn: X on even ones.
  public static func onTurn(_ turn: Int) -> Mark { turn % 2 == 0 ? .x : .o }
}

/// A square, by its row (top, middle, bottom) and column, row by row.
public enum Square: Int, CaseIterable, Hashable, Sendable, Codable {
  case t1, t2, t3, m1, m2, m3, b1, b2, b3

  /// The row from 0, at the top.
  public var row: Int { rawValue / 3 }
  /// The column from 0, at the left.
  public var column: Int { rawValue % 3 }

  /// E.g. `T2`.
  public var name: String { ["T", "M", "B"][row] + String(column + 1) }

  /// E.g. `the top left square`.
  public var words: String {
    if self == .m2 { return "the middle square" }
    return "the \(["top", "middle", "bottom"][row]) \(["left", "middle", "right"][column]) square"
  }

  var bit: UInt16 { 1 << UInt16(rawValue) }
}

/// A mark on a square. Its text is the app's: row letter, column and symbol, e.g. `T2X`.
public struct Move: Hashable, Sendable, Codable, CustomStringConvertible {
  public var square: Square
  public var mark: Mark

  public init(_ mark: Mark, _ square: Square) { (self.mark, self.square) = (mark, square) }

  public var description: String { square.name + mark.rawValue }
}

public struct Board: Hashable, Sendable, Codable {
  /// The squares of each mark, one bit each.
  private var x: UInt16 = 0
  private var o: UInt16 = 0

  /// The three rows, the three columns and the two diagonals.
  public static let lines: [[Square]] = [
    [.t1, .t2, .t3], [.m1, .m2, .m3], [.b1, .b2, .b3],
    [.t1, .m1, .b1], [.t2, .m2, .b2], [.t3, .m3, .b3],
    [.t1, .m2, .b3], [.t3, .m2, .b1],
  ]
  private static let masks: [UInt16] = lines.map { $0.reduce(0) { $0 | $1.bit } }

  public init() {}

  /// Creates the board after moves. A move replaces the mark on its square.
  public init(_ moves: [Move]) {
    for move in moves { place(move) }
  }

  public subscript(_ square: Square) -> Mark? {
    x & square.bit != 0 ? .x : o & square.bit != 0 ? .o : nil
  }

  /// Puts a mark on a square and replaces what is there.
  public mutating func place(_ move: Move) {
    x &= ~move.square.bit
    o &= ~move.square.bit
    if move.mark == .x { x |= move.square.bit } else { o |= move.square.bit }
  }

  /// The mark with a line; nil = none. Legal games have at most one; of two lines O's counts, as in
  /// the original.
  public var winner: Mark? {
    if Board.masks.contains(where: { $0 & o == $0 }) { return .o }
    return Board.masks.contains(where: { $0 & x == $0 }) ? .x : nil
  }

  public var isFull: Bool { (x | o).nonzeroBitCount == 9 }

  public var freeSquares: [Square] { Square.allCases.filter { self[$0] == nil } }

  /// The rows from the top, e.g. `X O . / . X . / . . O`.
  public var words: String {
    [0, 1, 2].map { row in
      Square.allCases.filter { $0.row == row }.map { self[$0]?.rawValue ?? "." }
        .joined(separator: " ")
    }.joined(separator: " / ")
  }
}

/// What the loser of a forfeited game did.
public enum ForfeitReason: String, CaseIterable, Hashable, Sendable, Codable {
  case left
  /// No request of the player reached the server.
  case stayedAway
  /// The player was there and did not move.
  case madeNoMove
}

public enum GameResult: Hashable, Sendable, Codable {
  case won(by: Mark)
  /// A full board without a line.
  case draw
  case forfeited(to: Mark, ForfeitReason)
  /// Nobody was there any more: no winner.
  case closed

  public var winner: Mark? {
    switch self {
    case .won(let mark), .forfeited(let mark, _): mark
    case .draw, .closed: nil
    }
  }
}

extension Board {
  public var result: GameResult? { winner.map { .won(by: $0) } ?? (isFull ? .draw : nil) }
}
