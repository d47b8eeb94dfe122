import TraceModel

/// A person who plays by a simple strategy: complete a line, otherwise prevent one, otherwise take
/// the square that a seeded draw chooses.
enum SeededPlayer {
  /// Returns the square; nil = the board is full.
  static func square(on board: Board, as mark: Mark, draw: UInt64) -> Square? {
    let free = board.freeSquares
    guard !free.isEmpty else { return nil }
    return completing(board, mark) ?? completing(board, mark.other)
      ?? free[Int(draw % UInt64(free.count))]
  }

  /// Returns the first free square that gives the mark a line.
  private static func completing(_ board: Board, _ mark: Mark) -> Square? {
    board.freeSquares.first { square in
      var next = board
      next.place(Move(mark, square))
      return next.winner == mark
    }
  }

  /// What people write now and then.
  static let lines = [
    "Hello!", "Nice move.", "Oh no.", "I did not see that.", "Your turn soon?", "That was close.",
    "Good game.", "Once more?", "Watch the corner.", "Ha!",
  ]

  /// The names of people whom a recording knows by number alone.
  static let names = [
    "Ann", "Bea", "Cy", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Joe", "Kim", "Lou", "Mia", "Ned",
    "Oda", "Pam", "Quin", "Ray", "Sue", "Tom",
  ]
}
