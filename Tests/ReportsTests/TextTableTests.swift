@testable import Reports
import Testing

/// The laws of the layout: nothing is wider than its screen, no number is broken, and the least
/// important columns go first.
@Suite struct TextTableTests {
  /// A table of random words and numbers.
  private struct Sample {
    var table: TextTable
    var titles: [String]
    var ranks: [Int]
    var cells: [[String]]

    init(_ generator: inout some RandomNumberGenerator) {
      let count = Int.random(in: 1...9, using: &generator)
      titles = (0..<count).map { "c\($0)" + (Bool.random(using: &generator) ? " long\ntitle" : "") }
      ranks = (0..<count).map { $0 == 0 ? 0 : Int.random(in: 0...4, using: &generator) }
      table = TextTable(
        "A title of some words",
        zip(titles, ranks).map {
          .init($0, Bool.random() ? .left : .right, rank: $1, isText: .random())
        })
      cells = []
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let row = (0..<count).map { _ -> String in
          let value = "\(Int.random(in: 100...99_999_999, using: &generator)).25"
          switch Int.random(in: 0...3, using: &generator) {
          case 0: return value
          case 1: return "\(value)\n\(value)-7.5"
          case 2: return String(repeating: "word ", count: Int.random(in: 1...9)) + value
          default: return ""
          }
        }
        cells.append(row)
        table.add(row)
      }
    }
  }

  @Test func neitherTooWideNorBroken() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let sample = Sample(&generator)
      let width = Int.random(in: Screen.leastWidth...160)
      let text = sample.table.render(Screen(width: width))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= width }, "width \(width):\n\(text)")
      let words = Set(text.split { " \n".contains($0) }.map(String.init))
      // A number is complete, or left out with its column.
      for (column, rank) in sample.ranks.enumerated() where rank == 0 {
        for cell in sample.cells.map({ $0[column] }) {
          for number in cell.split(whereSeparator: { " \n".contains($0) })
          where number.contains(".") {
            #expect(words.contains(String(number)), "\(number) at width \(width):\n\(text)")
          }
        }
      }
    }
  }

  private let columns: [TextTable.Column] = [
    .init("key", .left), .init("aaaaaaaa", rank: 1), .init("bbbbbbbb", rank: 3),
    .init("cccccccc", rank: 2), .init("dddddddd", rank: 3),
  ]

  @Test(arguments: [
    (43, ""), (42, "dddddddd"), (32, "bbbbbbbb, dddddddd"), (24, "bbbbbbbb, dddddddd"),
  ]) func theLeastImportantColumnsGoFirst(width: Int, left: String) throws {
    var table = TextTable("", columns)
    table.remedy = "elsewhere"
    table.add(["x", "1", "2", "3", "4"])
    let text = table.render(Screen(width: width))
    let note = text.replacing("\n", with: " ")
    #expect(note.contains("\(left) (elsewhere).") == !left.isEmpty, "\(text)")
    #expect(note.contains("further column") == !left.isEmpty, "\(text)")
    let heading = try #require(text.split(separator: "\n").first)
    #expect(heading.contains("key") && heading.contains("aaaaaaaa"))
    for name in left.split(separator: ", ") { #expect(!heading.contains(name)) }
  }

  @Test func textIsWrappedBeforeColumnsAreLeftOut() {
    var table = TextTable(
      "", [.init("key", .left), .init("note", .left, isText: true), .init("n", rank: 1)])
    table.add(["a", "a note of several words that is long", "1"])
    #expect(
      table.render(Screen(width: 30)) == """
        key  note                    n
        ---  ----------------------  -
        a    a note of several       1
             words that is long

        """)
  }

  @Test func aTableThatCannotFitBecomesRecords() {
    var table = TextTable("Title", [.init("name", .left), .init("a figure\nwith interval")])
    table.add(["a name that is very long indeed", "0.512\n0.409-0.952"])
    table.add(["b", "1"])
    #expect(
      table.render(Screen(width: 30)) == """
        Title
        name
          a name that is very long
          indeed
        a figure with interval
          0.512 0.409-0.952

        name             b
        a figure with interval  1

        """)
  }

  @Test func theWidthIsTheTerminalsOrColumnsOr80() {
    func width(_ terminal: Int?, _ environment: [String: String]) -> Int {
      Screen(terminalWidth: terminal, isTerminal: terminal != nil, environment: environment).width
    }
    #expect(width(120, ["COLUMNS": "60"]) == 120)
    #expect(width(nil, ["COLUMNS": "60"]) == 60)
    #expect(width(nil, [:]) == 80)
    for nonsense in ["", "0", "-3", "wide"] { #expect(width(nil, ["COLUMNS": nonsense]) == 80) }
    #expect(width(5, [:]) == Screen.leastWidth)
  }

  @Test(arguments: [
    (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
    (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
    (true, ["TERM": "xterm"], true),
  ]) func stylesAreForTerminalsOnly(
    isTerminal: Bool, environment: [String: String], isStyled: Bool
  ) {
    let screen = Screen(terminalWidth: 80, isTerminal: isTerminal, environment: environment)
    #expect(screen.isStyled == isStyled)
    var table = TextTable("Title", columns)
    table.add(["x", "1", "2", "3", "4"])
    let text = table.render(screen) + screen.bad("a bad result")
    #expect(text.contains("\u{1B}[1mTitle\u{1B}[0m") == isStyled)
    #expect(text.contains("\u{1B}[31m") == isStyled)
    #expect(text.contains("\u{1B}") == isStyled)
  }

  /// A style changes no column.
  @Test func aStyledTableWithoutEscapesEqualsThePlainOne() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let table = Sample(&generator).table
      let styled = table.render(Screen(width: 60, isStyled: true))
      #expect(styled.replacing(/\u{1B}\[\d+m/, with: "") == table.render(Screen(width: 60)))
    }
  }

  @Test func textIsWrappedAtBlanks() {
    let screen = Screen(width: 24)
    #expect(screen.wrapped("short\n\nlines stay") == "short\n\nlines stay")
    #expect(
      screen.wrapped("  a line of several words that is long", indent: 2)
        == "  a line of several\n    words that is long")
    let long = String(repeating: "x", count: 60)
    #expect(screen.wrapped(long).split(separator: "\n").allSatisfy { $0.count <= 24 })
    #expect(screen.wrapped(long).filter { $0 == "x" }.count == 60)
  }
}
