@testable import Reports
@testable import Evaluation
import Diagnostics
import Detectors
import Testing

@testable import Harness

@Suite struct QuantityTests {
  @Test(
    arguments: [
      ("2g", .metersPerSecondSquared, 19.6133), ("2 g", .metersPerSecondSquared, 19.6133),
      ("19.6m/s2", .metersPerSecondSquared, 19.6), ("19.6 m/s^2", .metersPerSecondSquared, 19.6),
      ("12", .metersPerSecondSquared, 12), ("250ms", .seconds, 0.25), ("1e-3s", .seconds, 0.001),
      ("2min", .seconds, 120), ("60m", .meters, 60), ("1mi", .meters, 1609.344),
      ("-3", .one, -3), ("36km/h", .metersPerSecond, 10), ("50Hz", .hertz, 50),
      ("0.1 kHz", .hertz, 100), ("50s", .hertz, nil), ("g", .metersPerSecondSquared, nil),
      ("2km", .metersPerSecondSquared, nil), ("", .seconds, nil), ("1 2 x", .seconds, nil),
      ("nan", .one, nil), ("inf", .meters, nil), ("1e400", .one, nil), ("5s", .one, nil),
    ] as [(String, ParameterUnit, Double?)])
  func values(text: String, unit: ParameterUnit, expected: Double?) {
    let value = Quantity.value(of: text, unit: unit)
    guard let expected else {
      #expect(value == nil)
      return
    }
    #expect(value.map { abs($0 - expected) <= 1e-12 * abs(expected) } == true)
  }

  @Test func negativeDurationsAreNone() {
    #expect(Quantity.duration(of: "-1s") == nil)
    #expect(Quantity.duration(of: "150 ms") == .milliseconds(150))
  }
}

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
