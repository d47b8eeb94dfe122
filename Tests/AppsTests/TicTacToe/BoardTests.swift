import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

@Suite struct BoardTests {
  /// The positions that legal play reaches from a board, and the games by their results.
  private struct Search {
    var positions: Set<Board> = [Board()]
    var games: [GameResult: Int] = [:]

    mutating func play(from board: Board, turn: Int) {
      for square in board.freeSquares {
        var next = board
        next.place(Move(Mark.onTurn(turn), square))
        positions.insert(next)
        if let result = next.result {
          games[result, default: 0] += 1
        } else {
          play(from: next, turn: turn + 1)
        }
      }
    }
  }

  /// The counts are those of the literature on tic-tac-toe: 5,478 positions; 255,168 games, of
  /// which X wins 131,184, O 77,904, and 46,080 are draws.
  @Test func allPositionsAndGames() {
    var search = Search()
    search.play(from: Board(), turn: 0)
    #expect(search.positions.count == 5478)
    #expect(search.games == [.won(by: .x): 131_184, .won(by: .o): 77_904, .draw: 46_080])
    #expect(search.games.values.reduce(0, +) == 255_168)
  }

  @Test(arguments: Board.lines) func eachLineWins(line: [Square]) {
    for mark in Mark.allCases {
      let board = Board(line.map { Move(mark, $0) })
      #expect(board.winner == mark && board.result == .won(by: mark))
      for square in line {
        #expect(Board(line.filter { $0 != square }.map { Move(mark, $0) }).winner == nil)
      }
    }
  }

  @Test func linesAreTheRowsColumnsAndDiagonals() {
    let names = Board.lines.map { $0.map(\.name).joined(separator: " ") }
    #expect(
      names == [
        "T1 T2 T3", "M1 M2 M3", "B1 B2 B3", "T1 M1 B1", "T2 M2 B2", "T3 M3 B3", "T1 M2 B3",
        "T3 M2 B1",
      ])
  }

  @Test func aFullBoardWithoutALineIsADraw() {
    let squares: [Square] = [.t1, .t2, .t3, .m2, .m1, .m3, .b2, .b1, .b3]
    let moves = squares.enumerated().map { Move(Mark.onTurn($0), $1) }
    #expect(Board(moves).result == .draw)
    #expect(Board(Array(moves.dropLast())).result == nil)
    #expect(Board(moves).words == "X O X / X O O / O X X")
  }

  /// The first printed column is the left one: second column of the top row is `T2`.
  @Test func aMoveIsRowColumnAndSymbol() {
    #expect(Move(.x, .t2).description == "T2X" && Move(.o, .b3).description == "B3O")
    #expect(Square.allCases.allSatisfy { $0.row * 3 + $0.column == $0.rawValue })
    let moves = Square.allCases.flatMap { square in Mark.allCases.map { Move($0, square) } }
    #expect(Set(moves.map(\.description)).count == 18)
  }

  @Test func xMovesOnEvenTurns() {
    #expect((0..<9).map { Mark.onTurn($0).rawValue }.joined() == "XOXOXOXOX")
  }

  @Test func aMoveReplacesWhatIsThere() {
    let board = Board([Move(.x, .m2), Move(.o, .m2)])
    #expect(board[.m2] == .o && board.freeSquares.count == 8)
  }

  @Test func squaresHaveWords() {
    #expect(Square.t1.words == "the top left square" && Square.m2.words == "the middle square")
    #expect(Set(Square.allCases.map(\.words)).count == 9)
  }

  /// The seeded player takes a line, prevents one, and never fails to find a free square.
  @Test func theSeededPlayerWinsBlocksOrDraws() {
    let attack = Board([Move(.x, .t1), Move(.x, .t2), Move(.o, .m1), Move(.o, .m2)])
    #expect(SeededPlayer.square(on: attack, as: .x, draw: 0) == .t3)
    #expect(SeededPlayer.square(on: attack, as: .o, draw: 0) == .m3)
    let defence = Board([Move(.x, .t1), Move(.x, .t2), Move(.o, .m2)])
    #expect(SeededPlayer.square(on: defence, as: .o, draw: 5) == .t3)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      var board = Board()
      for turn in 0... {
        guard board.result == nil else { break }
        let square = SeededPlayer.square(on: board, as: Mark.onTurn(turn), draw: random.next())
        guard let square, board[square] == nil else {
          Issue.record("no free square on \(board.words)")
          break
        }
        board.place(Move(Mark.onTurn(turn), square))
      }
      #expect(board.result != nil)
    }
  }
}
