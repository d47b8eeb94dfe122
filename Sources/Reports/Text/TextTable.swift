import Diagnostics

/// A table that fits a screen. If it is too wide, columns of text are wrapped, then the least important
/// columns are left out and named below. If even the most important columns do not fit, each row becomes
/// a record with a line per column. A number is never broken. Cells may have several lines.
package struct TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package var title: String
    package var alignment: Alignment
    /// Columns of the highest rank are left out first, columns of rank 0 never.
    package var rank: Int
    /// Whether its cells may be wrapped at blanks.
    package var isText: Bool

    package init(
      _ title: String, _ alignment: Alignment = .right, rank: Int = 0, isText: Bool = false
    ) { (self.title, self.alignment, self.rank, self.isText) = (title, alignment, rank, isText) }
  }

  private let title: String
  private let columns: [Column]
  private var rows: [[String]] = []
  var remedy = "a wider terminal or --format csv shows them"
  var hasRule = true

  /// - Parameter title: a line above the table; empty for none.
  package init(_ title: String, _ columns: [Column]) {
    (self.title, self.columns) = (title, columns)
  }

  /// - Precondition: one cell per column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count)
    rows.append(cells.map { escapingControls($0) })
  }

  package func render(_ screen: Screen = Screen()) -> String {
    let heading = screen.wrapped(title).split(separator: "\n")
      .map { screen.heading(String($0)) + "\n" }.joined()
    let shown = shownColumns(screen.width)
    guard totalWidth(shown, screen.width) <= screen.width else { return heading + records(screen) }
    return heading + grid(shown, screen) + note(without: shown, screen)
  }

  func fits(_ screen: Screen) -> Bool {
    totalWidth(Array(columns.indices), screen.width) <= screen.width
  }

  // MARK: Layout

  private func shownColumns(_ width: Int) -> [Int] {
    var shown = Array(columns.indices)
    while totalWidth(shown, width) > width {
      guard let worst = shown.map({ columns[$0].rank }).max(), worst > 0,
        let position = shown.lastIndex(where: { columns[$0].rank == worst })
      else { break }
      shown.remove(at: position)
    }
    return shown
  }

  private func totalWidth(_ shown: [Int], _ width: Int) -> Int {
    widths(shown, width).reduce(0, +) + 2 * max(shown.count - 1, 0)
  }

  /// The widths of the shown columns; text gets the width that the others leave.
  private func widths(_ shown: [Int], _ width: Int) -> [Int] {
    var widths = shown.map { texts($0).flatMap(lines).map(terminalWidth).max() ?? 0 }
    for (index, column) in shown.enumerated() where columns[column].isText {
      let excess = widths.reduce(0, +) + 2 * (shown.count - 1) - width
      guard excess > 0 else { break }
      let words = texts(column).flatMap { $0.split { " \n".contains($0) } }
      let longest = words.map { terminalWidth(String($0)) }.max() ?? 0
      widths[index] = max(widths[index] - excess, longest, min(widths[index], Self.leastTextWidth))
    }
    return widths
  }

  /// Text in narrower columns is hard to read.
  private static let leastTextWidth = 16

  private func texts(_ column: Int) -> [String] {
    [columns[column].title] + rows.map { $0[column] }
  }

  private func grid(_ shown: [Int], _ screen: Screen) -> String {
    let widths = widths(shown, screen.width)
    let titles = screen.heading(renderRow(columns.map(\.title), shown, widths))
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n"
    return titles + (hasRule ? rule : "") + rows.map { renderRow($0, shown, widths) }.joined()
  }

  private func renderRow(_ cells: [String], _ shown: [Int], _ widths: [Int]) -> String {
    let split = zip(shown, widths).map { column, width in
      columns[column].isText
        ? lines(cells[column]).flatMap { wrappedLines($0, width: width) } : lines(cells[column])
    }
    let height = split.map(\.count).max() ?? 1
    return (0..<height).map { line in
      let parts = shown.indices.map { index -> String in
        let text = line < split[index].count ? split[index][line] : ""
        return padded(text, to: widths[index], columns[shown[index]].alignment)
      }
      return trimmed(parts.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private func note(without shown: [Int], _ screen: Screen) -> String {
    let left = columns.indices.filter { !shown.contains($0) }.map { flat(columns[$0].title) }
    guard !left.isEmpty else { return "" }
    let count = counted(left.count, "further column")
    return screen.wrapped("\(count): \(left.joined(separator: ", ")) (\(remedy)).") + "\n"
  }

  /// A line per column and row, for a screen that is too narrow for a table.
  private func records(_ screen: Screen) -> String {
    let names = columns.map { flat($0.title) }
    let widest = min(names.map(terminalWidth).max() ?? 0, screen.width / 2)
    return rows.map { row in
      zip(names, row).filter { !$1.isEmpty }.map { name, cell in
        record(name, flat(cell), widest, screen.width)
      }.joined()
    }.joined(separator: "\n")
  }

  /// The value next to the name, or below it if it does not fit.
  private func record(_ name: String, _ value: String, _ widest: Int, _ width: Int) -> String {
    let line = padded(name, to: widest) + "  " + value
    if terminalWidth(line) <= width { return trimmed(line) + "\n" }
    return (wrappedLines(name, width: width) + wrappedLines("  " + value, width: width))
      .map { trimmed($0) + "\n" }.joined()
  }

  // MARK: Cells

  private func flat(_ cell: String) -> String {
    lines(cell).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func lines(_ cell: String) -> [String] {
    cell.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
