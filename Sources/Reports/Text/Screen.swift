import Diagnostics

/// The width and the styles of printed text.
package struct Screen: Equatable, Sendable {
  /// In terminal columns.
  package var width: Int
  /// Whether headings are bold and bad results red.
  package var isStyled: Bool

  package init(width: Int = Screen.standardWidth, isStyled: Bool = false) {
    self.width = max(width, Screen.leastWidth)
    self.isStyled = isStyled
  }

  package static let standardWidth = 80
  /// The longest numbers need this width.
  package static let leastWidth = 24

  /// The screen behind a stream.
  /// - Parameters:
  ///   - terminalWidth: nil = not known, or no terminal.
  ///   - environment: `COLUMNS` is the width without a terminal, `NO_COLOR` (https://no-color.org)
  ///     and `TERM=dumb` prevent styles.
  package init(terminalWidth: Int?, isTerminal: Bool, environment: [String: String]) {
    let stated = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let allowsStyle = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    self.init(
      width: terminalWidth ?? stated ?? Screen.standardWidth, isStyled: isTerminal && allowsStyle)
  }

  // MARK: Style

  package func heading(_ text: String) -> String { styled(text, "1") }
  package func bad(_ text: String) -> String { styled(text, "31") }

  /// Styles each line without its indentation.
  private func styled(_ text: String, _ code: String) -> String {
    guard isStyled else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let blanks = line.prefix { $0 == " " }
      let rest = line.dropFirst(blanks.count)
      return rest.isEmpty ? String(line) : "\(blanks)\u{1B}[\(code)m\(rest)\u{1B}[0m"
    }.joined(separator: "\n")
  }

  /// Escapes all control characters except the styles of this type.
  package static func escapingAllButStyles(_ text: String) -> String {
    text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      let style = ["1m", "31m", "0m"].first { part.hasPrefix($0) }
      guard index > 0 else { return escapingControls(String(part)) }
      return style.map { "\u{1B}[\($0)" + escapingControls(String(part.dropFirst($0.count))) }
        ?? escapingControls("\u{1B}[" + part)
    }.joined()
  }

  /// The text without control characters, wrapped at blanks, and within longer words.
  /// - Parameter indent: blanks before each continued line.
  package func wrapped(_ text: String, indent: Int = 0) -> String {
    escapingControls(text).split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { wrappedLines(String($0), width: width, indent: indent) }
      .joined(separator: "\n")
  }
}

/// Wraps a line at blanks, and keeps its indentation.
func wrappedLines(_ line: String, width: Int, indent: Int = 0) -> [String] {
  guard terminalWidth(line) > width else { return [line] }
  let blanks = String(line.prefix { $0 == " " })
  let continuation = String(repeating: " ", count: min(blanks.count + indent, width / 2))
  var lines: [String] = []
  var current = String(blanks.prefix(width / 2))
  var isEmpty = true
  for word in line.split(separator: " ") {
    for piece in pieces(of: word, width: width - continuation.count) {
      if !isEmpty, terminalWidth(current) + 1 + terminalWidth(piece) > width {
        lines.append(current)
        (current, isEmpty) = (continuation, true)
      }
      current += (isEmpty ? "" : " ") + piece
      isEmpty = false
    }
  }
  return lines + [current]
}

private func pieces(of word: Substring, width: Int) -> [String] {
  guard terminalWidth(String(word)) > width else { return [String(word)] }
  var pieces = [""]
  for character in word {
    if terminalWidth(pieces[pieces.count - 1]) + terminalWidth(String(character)) > width {
      pieces.append("")
    }
    pieces[pieces.count - 1].append(character)
  }
  return pieces
}
