import Diagnostics

/// Text for a line, a table cell or HTML in GitHub-flavoured Markdown.
enum MarkdownText {
  /// The most characters of a text.
  private static let longest = 200

  /// Returns a text that is shown literally, within a line. Special characters become numeric references,
  /// which have no meaning in Markdown, tables and HTML.
  static func escaped(_ text: String) -> String {
    let scalars = Array(inLine(text).unicodeScalars)
    let shown = scalars.prefix(longest)
    var result = ""
    for (position, scalar) in shown.enumerated() {
      if isSpecial(scalar, at: position, of: scalars) {
        result += "&#\(scalar.value);"
        // GitHub makes links of addresses, people and issues after it has read the references.
        if scalar == "@" || scalar == "#" { result += "<!---->" }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + (scalars.count > shown.count ? "…" : "")
  }

  private static func isSpecial(
    _ scalar: Unicode.Scalar, at position: Int, of text: [Unicode.Scalar]
  ) -> Bool {
    let (before, after) = (
      position > 0 ? text[position - 1] : " ", position + 1 < text.count ? text[position + 1] : " "
    )
    switch scalar {
    case "&", "<", ">", "|", "`", "\\", "*", "[", "]", "#", "!", "~", "@", "$", "{", "}", "\"":
      return true
    // At an end, several are a code block or a line break.
    case " ": return position == 0 || position == text.count - 1
    // Literal within a word.
    case "_": return !(isLetter(before) && isLetter(after))
    // Addresses become links.
    case ":": return after == "/"
    case ".": return before == "w" || before == "W" || (isDigit(before) && after == " ")
    case ")": return isDigit(before) && after == " "
    // At the start of a line: lists and rules.
    case "-", "+", "=": return position == 0 && text.count > 1 && !isDigit(after)
    default: return false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns a number and its unit without a line break.
  static func unbroken(_ text: String) -> String { text.replacing(" ", with: "&nbsp;") }

  /// The first two lines of a table; `>` at the end of a title aligns its column to the right.
  static func tableHead(_ columns: [String]) -> [String] {
    [
      row(columns.map { $0.hasSuffix(">") ? String($0.dropLast()) : $0 }),
      "|" + columns.map { $0.hasSuffix(">") ? "---:|" : "---|" }.joined(),
    ]
  }

  /// - Parameter cells: escaped.
  static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// Markdown of a limited size. Tables lose their last rows first.
struct MarkdownDocument {
  /// The largest summary that GitHub accepts for a step.
  static let limit = 1024 * 1024

  struct Part {
    var head: [String] = []
    var rows: [String] = []
    var tail: [String] = []
    var noun = "rows"

    /// A table behind a line that unfolds it.
    static func folded(
      _ title: String, _ columns: [String], _ rows: [String], _ noun: String
    ) -> Part {
      Part(
        head: ["<details><summary>\(title)</summary>", ""] + MarkdownText.tableHead(columns),
        rows: rows, tail: ["", "</details>", ""], noun: noun)
    }

    static func table(
      _ title: String, _ columns: [String], _ rows: [String], _ noun: String
    ) -> Part {
      Part(
        head: ["### \(title)", ""] + MarkdownText.tableHead(columns), rows: rows, tail: [""],
        noun: noun)
    }
  }

  /// The lines that are never left out, the verdict first.
  var head: [String]
  /// The most important first.
  var parts: [Part]
  var remedy: String

  /// Returns the text, of at most `limit` bytes. A note after the head counts the rows that are left out.
  func text(limit: Int = limit) -> String {
    let whole = Self.joined(head + parts.flatMap { $0.head + $0.rows + $0.tail })
    guard whole.utf8.count > limit else { return whole }
    // The note for all rows is the longest.
    let largest = note(of: parts.map(\.rows.count))
    var rest = limit - Self.size(head) - Self.size([largest, ""])
    guard rest >= 0 else { return Self.fitting(head, limit) }
    var (lines, counts): ([String], [Int]) = ([], [])
    for part in parts {
      let frame = Self.size(part.head) + Self.size(part.tail)
      guard frame <= rest else {
        counts.append(0)
        continue
      }
      rest -= frame
      let rows = part.rows.prefix { row in
        let size = Self.size([row])
        guard size <= rest else { return false }
        rest -= size
        return true
      }
      counts.append(rows.count)
      lines += part.head + rows + part.tail
    }
    return Self.joined(head + [note(of: counts), ""] + lines)
  }

  private func note(of counts: [Int]) -> String {
    let parts = zip(parts, counts).filter { !$0.0.rows.isEmpty }.map { part, count in
      "\(grouped(Double(count))) of \(grouped(Double(part.rows.count))) \(part.noun)"
    }
    return "**Cut at 1,024 KiB, the largest summary.** Shown: \(parts.joined(separator: ", ")). "
      + remedy
  }

  private static func fitting(_ lines: [String], _ limit: Int) -> String {
    var rest = limit
    return joined(
      Array(
        lines.prefix { line in
          rest -= size([line])
          return rest >= 0
        }))
  }

  private static func size(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

  private static func joined(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
