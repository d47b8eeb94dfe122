/// A small drawing in the cells of a terminal, two dots wide and four high each.
package struct DotCanvas {
  package enum Style {
    /// Unicode's Braille patterns: every dot is visible.
    case braille
    /// The more dots in a cell, the darker its character.
    case ascii

    /// The style for the locale's character set (POSIX: LC_ALL before LC_CTYPE before LANG).
    package static func fitting(_ environment: [String: String]) -> Style {
      let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        .first { !$0.isEmpty }
      let name = locale?.lowercased() ?? ""
      return name.contains("utf-8") || name.contains("utf8") ? .braille : .ascii
    }
  }

  /// The width in dots.
  package let width: Int
  package let height: Int
  private var cells: [UInt8]

  /// - Precondition: at least one cell either way.
  package init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0)
    width = 2 * columns
    height = 4 * rows
    cells = [UInt8](repeating: 0, count: columns * rows)
  }

  /// Sets a dot; (0, 0) is at the lower left. Dots outside are not drawn.
  package mutating func set(_ x: Int, _ y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let row = height - 1 - y
    cells[row / 4 * (width / 2) + x / 2] |= Self.bits[row % 4][x % 2]
  }

  /// A straight line with both ends.
  package mutating func line(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
    let steps = max(abs(to.x - from.x), abs(to.y - from.y))
    for step in 0...max(steps, 1) {
      let share = Double(step) / Double(max(steps, 1))
      set(
        from.x + Int((share * Double(to.x - from.x)).rounded()),
        from.y + Int((share * Double(to.y - from.y)).rounded()))
    }
  }

  /// The lines from top to bottom, without blanks at their ends.
  package func lines(_ style: Style) -> [String] {
    let columns = width / 2
    return stride(from: 0, to: cells.count, by: columns).map { start in
      var line = cells[start..<start + columns]
      while line.last == 0 { line.removeLast() }
      return String(String.UnicodeScalarView(line.map { Self.scalar($0, style) }))
    }
  }

  private static func scalar(_ cell: UInt8, _ style: Style) -> Unicode.Scalar {
    switch style {
    case .braille: cell == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(cell)) ?? " "
    case .ascii: [" ", ".", ":", ":", "+", "+", "*", "#", "#"][cell.nonzeroBitCount]
    }
  }

  /// Unicode numbers the dots of a Braille cell down the left column, then down the right, and the
  /// lowest row last (The Unicode Standard, section 21.1).
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
}
