import TraceModel

/// Received JSON (RFC 8259): values with their byte ranges, to compute a digest over the received
/// bytes and to report damage with its place.
struct JSONText {
  /// A value and its byte range.
  struct Node {
    enum Value {
      /// The members in the order of the text; the last of equal keys wins.
      case object([(key: String, node: Node)])
      case array([Node])
      case string(String)
      /// A number as written.
      case number(String)
      case bool(Bool)
      case null
    }

    var value: Value
    var range: Range<Int>
  }

  /// The maximum nesting depth: the parser is recursive.
  static let depthLimit = 64

  let bytes: [UInt8]
  /// The name for messages: the file or another source.
  let name: String
  let root: Node

  /// - Throws: ``TraceError`` with line and column if this is not one JSON value.
  init(_ bytes: [UInt8], name: String) throws(TraceError) {
    (self.bytes, self.name) = (bytes, name)
    var parser = JSONParser(bytes: bytes, name: name)
    root = try parser.document()
  }

  /// Returns the bytes of a node without the whitespace between its tokens. Strings are unchanged.
  func compact(_ node: Node) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(node.range.count)
    var isInString = false
    var isEscaped = false
    for byte in bytes[node.range] {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == JSONParser.backslash {
          isEscaped = true
        } else if byte == JSONParser.quote {
          isInString = false
        }
      } else if JSONParser.isSpace(byte) {
        continue
      } else if byte == JSONParser.quote {
        isInString = true
      }
      compact.append(byte)
    }
    return compact
  }

  /// Returns the line and column of a byte, both from 1.
  func place(of offset: Int) -> String { JSONParser.place(of: offset, in: bytes, name: name) }
}

private struct JSONParser {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  let bytes: [UInt8]
  let name: String
  private var position = 0

  init(bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func place(of offset: Int, in bytes: [UInt8], name: String) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == 0x0A } + 1
    let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return "\(name):\(line):\(column)"
  }

  mutating func document() throws(TraceError) -> JSONText.Node {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let node = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw error("the end") }
    return node
  }

  private mutating func value(depth: Int) throws(TraceError) -> JSONText.Node {
    skipSpace()
    guard depth < JSONText.depthLimit else {
      throw error("at most \(JSONText.depthLimit) levels", found: "more")
    }
    let start = position
    let value: JSONText.Node.Value
    switch peek {
    case UInt8(ascii: "{"):
      value = .object(
        try list(end: "}") { parser throws(TraceError) in try parser.member(depth: depth + 1) })
    case UInt8(ascii: "["):
      value = .array(
        try list(end: "]") { parser throws(TraceError) in try parser.value(depth: depth + 1) })
    case JSONParser.quote: value = .string(try string())
    case UInt8(ascii: "t"): value = try literal("true", .bool(true))
    case UInt8(ascii: "f"): value = try literal("false", .bool(false))
    case UInt8(ascii: "n"): value = try literal("null", .null)
    default: value = .number(try number())
    }
    return JSONText.Node(value: value, range: start..<position)
  }

  /// Parses the items of an object or an array, whose first byte is next, and its end.
  private mutating func list<Item>(
    end: Unicode.Scalar, _ item: (inout JSONParser) throws(TraceError) -> Item
  ) throws(TraceError) -> [Item] {
    var items: [Item] = []
    position += 1
    skipSpace()
    if take(UInt8(ascii: end)) { return items }
    while true {
      items.append(try item(&self))
      skipSpace()
      if take(UInt8(ascii: end)) { return items }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or \(end)") }
    }
  }

  private mutating func member(
    depth: Int
  ) throws(TraceError) -> (key: String, node: JSONText.Node) {
    skipSpace()
    guard peek == JSONParser.quote else { throw error("a key in quotes") }
    let key = try string()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw error("a colon") }
    return (key, try value(depth: depth))
  }

  private mutating func literal(
    _ word: String, _ value: JSONText.Node.Value
  ) throws(TraceError) -> JSONText.Node.Value {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value") }
    position += word.utf8.count
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(TraceError) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    // A leading zero must not be followed by digits.
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(TraceError) {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw error("a value") }
  }

  // MARK: Strings

  private mutating func string() throws(TraceError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case JSONParser.quote:
        guard let string = String(validating: text, as: UTF8.self) else {
          position = start
          throw error("a string in UTF-8", found: "other bytes")
        }
        return string
      case JSONParser.backslash: try escape(into: &text)
      case 0..<0x20:
        position -= 1
        throw error("no control character in a string")
      default: text.append(byte)
      }
    }
    throw error("the end of the string that starts at \(place(of: start))")
  }

  private mutating func escape(into text: inout [UInt8]) throws(TraceError) {
    guard let byte = peek else { throw error("an escape") }
    position += 1
    switch byte {
    case JSONParser.quote, JSONParser.backslash, UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default:
      position -= 1
      throw error("an escape of JSON")
    }
  }

  /// Parses the rest of `\uXXXX`, and the second half of a pair. A lone surrogate becomes U+FFFD.
  private mutating func scalar() throws(TraceError) -> Character {
    let first = try codeUnit()
    let isHigh = (0xD800..<0xDC00).contains(first)
    if isHigh, bytes[position...].starts(with: Array("\\u".utf8)) {
      let mark = position
      position += 2
      let second = try codeUnit()
      if (0xDC00..<0xE000).contains(second) {
        let code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return Unicode.Scalar(code).map(Character.init) ?? "\u{FFFD}"
      }
      position = mark
    }
    return Unicode.Scalar(first).map(Character.init) ?? "\u{FFFD}"
  }

  private mutating func codeUnit() throws(TraceError) -> UInt16 {
    var code: UInt16 = 0
    for _ in 0..<4 {
      let digit = peek.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard let digit else { throw error("four hexadecimal digits") }
      code = code << 4 | UInt16(digit)
      position += 1
    }
    return code
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, JSONParser.isSpace(byte) { position += 1 }
  }

  private func place(of offset: Int) -> String {
    JSONParser.place(of: offset, in: bytes, name: name)
  }

  private func error(_ expected: String, found: String? = nil) -> TraceError {
    let next = peek.map { byte in
      (0x21..<0x7F).contains(byte)
        ? "\"\(Character(Unicode.Scalar(byte)))\"" : "the byte \(byte)"
    }
    return TraceError(
      place: place(of: position), expected: expected, found: found ?? next ?? "the end",
      remedy: "the content is damaged or truncated; download it again")
  }
}
