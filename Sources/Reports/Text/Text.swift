package enum OutputFormat: String, CaseIterable, Sendable {
  case table, json, csv
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order of their first appearance.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A row of CSV with its line feed.
package func csvRow(_ cells: [String]) -> String {
  cells.map { csvCell($0) }.joined(separator: ",") + "\n"
}

/// A number as a cell of CSV, with all digits; empty if undefined.
package func csvCell(_ value: Double?) -> String { value.map { $0.isFinite ? "\($0)" : "" } ?? "" }

/// A cell by RFC 4180. Compares bytes, because a quote with a combining mark is one `Character`, and so
/// is a line end of two bytes.
package func csvCell(_ text: String) -> String {
  guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
  let doubled = text.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }
  return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
}

/// `1 trace`, `2 traces`; with an irregular plural `counted(2, "entry", "entries")`.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// `a, b and 3 more`.
func listed(_ names: some Collection<String>, most: Int) -> String {
  let more = names.count - most
  return names.prefix(most).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
}

/// The text padded to a number of terminal columns.
func padded(_ text: String, to width: Int, _ alignment: TextTable.Alignment = .left) -> String {
  let blanks = String(repeating: " ", count: max(0, width - terminalWidth(text)))
  return alignment == .left ? text + blanks : blanks + text
}

/// The number of terminal columns of a text: East Asian characters and emoji take two.
package func terminalWidth(_ text: String) -> Int {
  text.reduce(0) { width, character in
    let value = character.unicodeScalars.first?.value ?? 0
    return width + (wideScalars.contains { $0.contains(value) } ? 2 : 1)
  }
}

/// The blocks with only wide characters (Unicode Standard Annex 11, East Asian Width W and F).
private let wideScalars: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
  0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
  0x1F900...0x1F9FF, 0x20000...0x3FFFD,
]
