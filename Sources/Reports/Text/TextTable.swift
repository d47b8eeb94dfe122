/// A plain table whose cells may have a second line (an interval below its figure), so that a
/// row with six intervals still fits a terminal.
package struct TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package var title: String
    package var alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .right) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let title: String
  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ title: String, _ columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  /// - Precondition: a cell a column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count)
    rows.append(cells)
  }

  package func render() -> String {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in
      all.flatMap { lines($0[column]) }.map(terminalWidth).max() ?? 0
    }
    var output = title + "\n"
    output += renderRow(all[0], widths)
    output += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n"
    for row in rows { output += renderRow(row, widths) }
    return output
  }

  private func renderRow(_ cells: [String], _ widths: [Int]) -> String {
    let split = cells.map(lines)
    let height = split.map(\.count).max() ?? 1
    return (0..<height).map { line in
      let parts = split.indices.map { column -> String in
        let text = line < split[column].count ? split[column][line] : ""
        let padding = String(repeating: " ", count: max(0, widths[column] - terminalWidth(text)))
        return columns[column].alignment == .left ? text + padding : padding + text
      }
      var joined = parts.joined(separator: "  ")
      while joined.last == " " { joined.removeLast() }
      return joined + "\n"
    }.joined()
  }

  private func lines(_ cell: String) -> [String] {
    cell.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
