/// A token of Swift source, with its line.
struct SwiftToken: Equatable {
  var text: Substring
  /// The line number, counted from 1.
  var line: Int

  var isWord: Bool { text.utf8.first.map(isWordByte) ?? false }
}

/// The tokens of Swift source without comments and string literals; code in string interpolations
/// stays.
///
/// Words are identifiers, keywords and numbers; every other visible character is a token of its
/// own. This is enough to find names, not to compile. A bare regular expression literal (`/…/`)
/// is read as code, and a character outside ASCII as a letter.
func swiftTokens(of source: String) -> [SwiftToken] {
  var lexer = Lexer(bytes: Array(source.utf8))
  lexer.readCode(until: nil)
  return lexer.tokens
}

/// By bytes: all of the project's sources are read, and without optimisation characters are slow.
private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
  default: false
  }
}

private enum Mark {
  static let newline = UInt8(ascii: "\n")
  static let quote = UInt8(ascii: "\"")
  static let pound = UInt8(ascii: "#")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")
  static let backslash = UInt8(ascii: "\\")
  static let open = UInt8(ascii: "(")
  static let close = UInt8(ascii: ")")
}

private struct Lexer {
  let bytes: [UInt8]
  var position = 0
  var line = 1
  var tokens: [SwiftToken] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { byte(0) }

  private func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// Whether these bytes come next.
  private func comes(_ mark: UInt8, _ count: Int, at offset: Int = 0) -> Bool {
    for index in 0..<count where byte(offset + index) != mark { return false }
    return true
  }

  /// Reads to the end, or past the mark that closes the one already read.
  mutating func readCode(until closing: UInt8?) {
    var depth = 0
    while let next {
      if isWordByte(next) {
        readWord()
      } else if next <= 0x20 {
        drop(1)
      } else if next == Mark.slash, byte(1) == Mark.slash {
        while let next = self.next, next != Mark.newline { drop(1) }
      } else if next == Mark.slash, byte(1) == Mark.star {
        skipBlockComment()
      } else if let pounds = poundsOfString(next) {
        skipString(pounds: pounds)
      } else if next == closing, depth == 0 {
        drop(1)
        return
      } else {
        if closing == Mark.close { depth += next == Mark.open ? 1 : next == Mark.close ? -1 : 0 }
        take(1)
      }
    }
  }

  private mutating func readWord() {
    var count = 1
    while let next = byte(count), isWordByte(next) { count += 1 }
    take(count)
  }

  private mutating func take(_ count: Int) {
    let text = String(decoding: bytes[position..<position + count], as: UTF8.self)
    tokens.append(SwiftToken(text: text[...], line: line))
    position += count
  }

  /// Skips a block comment; block comments nest.
  private mutating func skipBlockComment() {
    var depth = 0
    while let next {
      if next == Mark.slash, byte(1) == Mark.star {
        depth += 1
        drop(2)
      } else if next == Mark.star, byte(1) == Mark.slash {
        depth -= 1
        drop(2)
        if depth == 0 { return }
      } else {
        drop(1)
      }
    }
  }

  /// Returns the number of `#` before a quotation mark, if a string literal begins here.
  private func poundsOfString(_ next: UInt8) -> Int? {
    guard next == Mark.pound || next == Mark.quote else { return nil }
    var count = 0
    while byte(count) == Mark.pound { count += 1 }
    return byte(count) == Mark.quote ? count : nil
  }

  private mutating func skipString(pounds: Int) {
    drop(pounds)
    let quotes = comes(Mark.quote, 3) ? 3 : 1
    drop(quotes)
    while let next {
      if comes(Mark.quote, quotes), comes(Mark.pound, pounds, at: quotes) {
        drop(quotes + pounds)
        return
      }
      if next == Mark.backslash, comes(Mark.pound, pounds, at: 1) {
        drop(1 + pounds)
        let isCode = self.next == Mark.open
        drop(1)
        if isCode { readCode(until: Mark.close) }
      } else if quotes == 1, next == Mark.newline {
        return  // Not valid Swift; a lost quotation mark must not hide the rest of the file.
      } else {
        drop(1)
      }
    }
  }

  private mutating func drop(_ count: Int) {
    for _ in 0..<count {
      if next == Mark.newline { line += 1 }
      position = min(position + 1, bytes.count)
    }
  }
}
