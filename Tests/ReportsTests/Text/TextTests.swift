import Diagnostics
import Testing

@testable import Reports

@Suite struct TextTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (-0.001, 2, "0.00"), (-1.005, 1, "-1.0"), (.nan, 1, "-"),
    (.infinity, 0, "inf"),
  ])
  func fixedDecimals(value: Double, decimals: Int, text: String) {
    #expect(fixed(value, decimals) == text)
  }

  @Test(arguments: [(0.0, "0"), (999.4, "999"), (1000, "1,000"), (1_234_567.8, "1,234,568")])
  func thousands(value: Double, text: String) {
    #expect(grouped(value) == text)
  }

  @Test(arguments: [
    ("a", "a"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
    ("a\r\nb", "\"a\r\nb\""), ("a\"\u{301}", "\"a\"\"\u{301}\""), ("a,\u{301}", "\"a,\u{301}\""),
  ])
  func csvCells(text: String, cell: String) {
    #expect(csvCell(text) == cell)
  }

  @Test(arguments: [
    ("Ann", "Ann", 3), ("李雷", "李雷", 4), ("e\u{301}", "e\u{301}", 1), ("🏃a", "🏃a", 3),
    ("a\nb", "a\\nb", 4), ("a\r\nb\u{1B}[2J", "a\\u{d}\\nb\\u{1b}[2J", 18),
  ])
  func textsOfFilesStayInTheirLine(text: String, line: String, width: Int) {
    #expect(inLine(text) == line)
    #expect(terminalWidth(inLine(text)) == width)
  }

  @Test func tablesAlignAndTakeTwoLines() {
    var table = TextTable("T", [.init("name", .left), .init("figure")])
    table.add(["a", "0.5\n0.4-0.6"])
    table.add(["longer", "1"])
    #expect(
      table.render() == """
        T
        name     figure
        ------  -------
        a           0.5
                0.4-0.6
        longer        1

        """)
  }
}
