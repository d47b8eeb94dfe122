/// Makes texts fit for terminals and for the logs of CI services, which names from files would otherwise
/// command: a terminal by control characters, a service by lines such as `::error::` and `##[error]`.
package enum PrintedText {
  /// Returns a text for people, whose names are on one line each.
  package static func text(_ text: String) -> String { withoutCommands(escapingControls(text)) }

  /// Returns JSON with the same values.
  package static func json(_ text: String) -> String {
    let text = escaping(text) { scalar in
      "\(scalar)".utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    return withoutCommands(text, hash: "\\u0023")
  }

  /// Returns CSV without line breaks in its cells.
  package static func csv(_ text: String) -> String {
    let text = escapingControls(text)
    guard text.utf8.contains(0x22) else { return withoutCommands(text) }
    var isQuoted = false
    let rows = text.unicodeScalars.reduce(into: "") { rows, scalar in
      if scalar == "\"" { isQuoted.toggle() }
      rows += isQuoted && scalar == "\n" ? "\\n" : String(scalar)
    }
    return withoutCommands(rows)
  }

  /// Escapes the characters that begin a command of GitHub, Azure Pipelines or TeamCity: `::` at the start
  /// of a line, and `##[` or `##word[` anywhere.
  package static func withoutCommands(_ text: String, hash: String = "\\u{23}") -> String {
    guard hasPair(":", in: text) || hasPair("#", in: text) else { return text }
    let scalars = Array(text.unicodeScalars)
    var isAtStart = true
    return scalars.indices.reduce(into: "") { result, index in
      let (scalar, rest) = (scalars[index], scalars[(index + 1)...])
      if isAtStart, scalar == ":", rest.first == ":" {
        result += "\\u{3a}"
      } else if scalar == "#", rest.first == "#",
        rest.dropFirst().first(where: { !$0.properties.isAlphabetic }) == "["
      {
        result += hash
      } else {
        result.unicodeScalars.append(scalar)
      }
      isAtStart = scalar == "\n" || isAtStart && scalar.properties.isWhitespace
    }
  }

  private static func hasPair(_ character: Unicode.Scalar, in text: String) -> Bool {
    let byte = UInt8(ascii: character)
    var last: UInt8 = 0
    for next in text.utf8 {
      if next == byte, last == byte { return true }
      last = next
    }
    return false
  }

  /// - Parameters:
  ///   - kept: control characters that stay.
  ///   - escape: the text of a character that must not be printed.
  package static func escaping(
    _ text: String, keeping kept: Set<Unicode.Scalar> = [], _ escape: (Unicode.Scalar) -> String
  ) -> String {
    let isPlain = text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }
    guard !isPlain, text.unicodeScalars.contains(where: isHidden) else { return text }
    var previous: Unicode.Scalar?
    return text.reduce(into: "") { shown, character in
      guard !flags.contains(String(character)) else { return shown.append(character) }
      let scalars = Array(character.unicodeScalars)
      for (index, scalar) in scalars.enumerated() {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        let isShown =
          !isHidden(scalar) || kept.contains(scalar)
          || shapes(scalar, after: previous, before: next)
        shown += isShown ? String(scalar) : escape(scalar)
        previous = isShown ? scalar : nil
      }
    }
  }

  /// The flags of England, Scotland and Wales. Other sequences of tags may hide a text.
  private static let flags = Set(
    ["gbeng", "gbsct", "gbwls"].map { region in
      let tags = region.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) }
      return "\u{1F3F4}" + String(String.UnicodeScalarView(tags)) + "\u{E007F}"
    })

  /// Whether a character controls a terminal or the order of others, or shows nothing: also fillers and
  /// the blanks of Braille, notes, Khitan and hieroglyphs. A line feed is none of these.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
    case 0x2800, 0x16FE4, 0x13430...0x1343F, 0x1D159: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a hidden character shapes the one before it, which is printed: in emoji, and in words of
  /// Persian, Hindi, Mongolian or Japanese. One such character follows, so that a text cannot be hidden.
  private static func shapes(
    _ scalar: Unicode.Scalar, after base: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard let base else { return false }
    switch scalar.value {
    case 0x200C, 0x200D: return !base.isASCII && ![0x200C, 0x200D].contains(base.value)
    case 0xFE0E, 0xFE0F:
      // Digits have the sign only in the emoji of keys.
      return base.properties.isEmoji && (!base.isASCII || next == "\u{20E3}")
    case 0xFE00...0xFE02, 0xE0100...0xE01EF: return base.properties.isIdeographic
    case 0x180B...0x180D, 0x180F:
      return (0x1800...0x180A).contains(base.value)
        || (0x1810...0x18AF).contains(base.value)
    default: return false
    }
  }
}

extension String {
  /// Returns the text with these characters replaced. A character that others follow or precede, such as
  /// an accent, is one of them for ``replacing(_:with:)``, which then leaves it.
  package func replacing(_ texts: [Unicode.Scalar: String]) -> String {
    let starts = Set(texts.keys.compactMap { UTF8.encode($0)?.first })
    guard utf8.contains(where: starts.contains) else { return self }
    return unicodeScalars.reduce(into: "") { result, scalar in
      if let text = texts[scalar] {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
