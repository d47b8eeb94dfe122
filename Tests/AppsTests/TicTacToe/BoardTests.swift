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
    let moves = ["T1X", "T2O", "T3X", "M2O", "M1X", "M3O", "B2X", "B1O", "B3X"].compactMap {
      Move($0)
    }
    #expect(moves.count == 9 && Board(moves).result == .draw)
    #expect(Board(Array(moves.dropLast())).result == nil)
    #expect(Board(moves).words == "X O X / X O O / O X X")
  }

  /// The first printed column is the left one: second column of the top row is `T2`.
  @Test func aMoveIsRowColumnAndSymbol() {
    #expect(Move("T2X") == Move(.x, .t2) && Move(.o, .b3).description == "B3O")
    for square in Square.allCases {
      for mark in Mark.allCases {
        let move = Move(mark, square)
        #expect(Move(move.description) == move)
        #expect(square.row * 3 + square.column == square.rawValue)
      }
    }
  }

  @Test(arguments: [
    "", "T", "T2", "X2T", "t2x", "T0X", "T4X", "T2Z", "T2X ", " T2X", "T22X", "Т2X", "T2X\u{301}",
    "T２X",
  ])
  func whatIsNoMoveIsRefused(text: String) {
    #expect(Move(text) == nil)
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
