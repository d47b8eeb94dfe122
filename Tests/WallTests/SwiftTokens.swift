/// A token of Swift source, with its line.
struct SwiftToken: Equatable {
  var text: Substring
  /// The line number, counted from 1.
  var line: Int

  var isWord: Bool {
    guard let first = text.first else { return false }
    return first.isLetter || first == "_" || first.isNumber
  }
}

/// The tokens of Swift source without comments and string literals; code in string interpolations
/// stays.
///
/// Words are identifiers, keywords and numbers; every other visible character is a token of its
/// own. This is enough to find names, not to compile. A bare regular expression literal (`/…/`)
/// is read as code.
func swiftTokens(of source: String) -> [SwiftToken] {
  var lexer = Lexer(rest: source[...])
  lexer.readCode(until: nil)
  return lexer.tokens
}

private struct Lexer {
  var rest: Substring
  var line = 1
  var tokens: [SwiftToken] = []

  /// Reads to the end, or past the mark that closes the one already read.
  mutating func readCode(until closing: Character?) {
    var depth = 0
    while let next = rest.first {
      if rest.hasPrefix("//") {
        skip { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        skipBlockComment()
      } else if let hashes = hashesOfString() {
        skipString(hashes: hashes)
      } else if next.isLetter || next.isNumber || next == "_" {
        readWord()
      } else {
        if closing == next, depth == 0 {
          drop(1)
          return
        }
        if closing == ")" { depth += next == "(" ? 1 : next == ")" ? -1 : 0 }
        if !next.isWhitespace { tokens.append(SwiftToken(text: rest.prefix(1), line: line)) }
        drop(1)
      }
    }
  }

  private mutating func readWord() {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    tokens.append(SwiftToken(text: word, line: line))
    rest = rest[word.endIndex...]
  }

  /// Skips a block comment; block comments nest.
  private mutating func skipBlockComment() {
    var depth = 0
    while !rest.isEmpty {
      if rest.hasPrefix("/*") {
        depth += 1
        drop(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        drop(2)
        if depth == 0 { return }
      } else {
        drop(1)
      }
    }
  }

  /// Returns the number of `#` before a quotation mark, if a string literal begins here.
  private func hashesOfString() -> Int? {
    let hashes = rest.prefix { $0 == "#" }
    return rest[hashes.endIndex...].first == "\"" ? hashes.count : nil
  }

  private mutating func skipString(hashes: Int) {
    let pounds = String(repeating: "#", count: hashes)
    drop(hashes)
    let quote = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    drop(quote.count)
    while let next = rest.first {
      if rest.hasPrefix(quote + pounds) {
        drop(quote.count + hashes)
        return
      }
      if rest.hasPrefix("\\" + pounds) {
        drop(1 + hashes)
        if rest.first == "(" {
          drop(1)
          readCode(until: ")")
        } else {
          drop(1)
        }
      } else if quote == "\"", next.isNewline {
        return  // Invalid Swift; an unclosed literal must not hide the rest of the file.
      } else {
        drop(1)
      }
    }
  }

  private mutating func skip(while condition: (Character) -> Bool) {
    while let next = rest.first, condition(next) { drop(1) }
  }

  private mutating func drop(_ count: Int) {
    for character in rest.prefix(count) where character.isNewline { line += 1 }
    rest = rest.dropFirst(count)
  }
}
