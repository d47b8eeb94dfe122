internal import TraceModel

/// Reads the lines of a fixture and the fields in them.
struct FixtureScanner {
  /// The name of the file, for messages.
  let name: String
  private let bytes: [UInt8]
  private let powers = FixtureDecimal.powers
  private var position = 0
  /// The number of the current line, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Whether the line begins with a number.
  var isAtRow: Bool {
    position < bytes.count
      && (bytes[position] &- UInt8(ascii: "0") < 10 || bytes[position] == UInt8(ascii: "-"))
  }

  private func isEndOfLine(_ position: Int) -> Bool {
    position == bytes.count || bytes[position] == UInt8(ascii: "\n")
      || (bytes[position] == UInt8(ascii: "\r")
        && (position + 1 == bytes.count || bytes[position + 1] == UInt8(ascii: "\n")))
  }

  /// Whether no field is left in the line.
  var isAtEndOfLine: Bool {
    var next = position
    while next < bytes.count, bytes[next] == UInt8(ascii: " ") { next += 1 }
    return isEndOfLine(next)
  }

  /// Returns the next field; empty = the line has no more.
  mutating func field() -> Range<Int> {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: " ") || byte < 0x0E && isEndOfLine(position) { break }
      position += 1
    }
    return start..<position
  }

  /// Moves to the next line.
  /// - Throws: if a field is left.
  mutating func endLine() throws(TraceError) {
    let left = field()
    guard left.isEmpty else { throw refused("the end of the line", left) }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    if position < bytes.count { position += 1 }
    line += 1
  }

  mutating func skipLine() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    if position < bytes.count { position += 1 }
    line += 1
  }

  /// Returns the first word of the line, as it is written.
  mutating func keyword() -> String { String(decoding: bytes[field()], as: UTF8.self) }

  /// Returns the text up to the end of the line, and moves to the next line.
  mutating func text() throws(TraceError) -> String {
    // One blank separates it from what is before it; further ones are its own.
    if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    let start = position
    while !isEndOfLine(position) { position += 1 }
    let found = start..<position
    guard let text = FixtureText.text(bytes[found]) else {
      throw refused(
        "UTF-8, with a backslash and two hexadecimal digits for a control character", found)
    }
    try endLine()
    return text
  }

  mutating func word(_ what: String) throws(TraceError) -> String {
    let found = field()
    guard !found.isEmpty, let word = FixtureText.word(bytes[found]) else {
      throw refused(what, found)
    }
    return word
  }

  mutating func choice<Value>(
    _ values: [Value], _ name: (Value) -> String, _ what: String
  ) throws(TraceError) -> Value {
    let expected = "\(what): \(values.map(name).joined(separator: ", "))"
    let word = try word(expected)
    guard let value = values.first(where: { name($0) == word }) else {
      throw refused(expected, FixtureText.quoted(word))
    }
    return value
  }

  mutating func integer<Integer: FixedWidthInteger>(
    _ what: String, as type: Integer.Type = Integer.self
  ) throws(TraceError) -> Integer {
    let found = field()
    guard let value = Self.integer(bytes, found, as: type) else { throw refused(what, found) }
    return value
  }

  private static func integer<Integer: FixedWidthInteger>(
    _ bytes: [UInt8], _ range: Range<Int>, as type: Integer.Type
  ) -> Integer? {
    var (position, end) = (range.lowerBound, range.upperBound)
    guard position < end else { return nil }
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    guard position < end, !isNegative || Integer.isSigned else { return nil }
    var value: Integer = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) =
        isNegative
        ? product.subtractingReportingOverflow(Integer(digit))
        : product.addingReportingOverflow(Integer(digit))
      guard !isTooLarge, !isBeyond else { return nil }
      value = sum
      position += 1
    }
    return value
  }

  mutating func number<Number: FixtureNumber>(
    _ what: String, as type: Number.Type = Number.self
  ) throws(TraceError) -> Number {
    let found = field()
    guard let decimal = FixtureDecimal(bytes, found) else {
      guard let special = Number(special: bytes[found]) else { throw refused(what, found) }
      return special
    }
    if let double = decimal.double(powers), let value = Number(nearest: double) { return value }
    guard let value = Number(String(decoding: bytes[found], as: UTF8.self)), value.isFinite else {
      throw refused("\(what) in the range of \(Number.self)", found)
    }
    return value
  }

  func refused(_ expected: String, _ found: Range<Int>) -> TraceError {
    refused(expected, found.isEmpty ? "nothing" : shown(found))
  }

  /// - Parameter line: nil = the current one.
  func refused(
    _ expected: String, _ found: String, at line: Int? = nil,
    remedy: String = "export the trace again, or correct the line"
  ) -> TraceError {
    TraceError(
      place: "\(name):\(line ?? self.line)", expected: expected, found: found, remedy: remedy)
  }

  /// What a message quotes: at most 40 bytes, without control characters.
  private func shown(_ range: Range<Int>) -> String {
    var quoted: [UInt8] = []
    for byte in bytes[range].prefix(40) {
      FixtureText.append(text: String(UnicodeScalar(byte < 0x80 ? byte : 0x3F)), to: &quoted)
    }
    return "\"\(String(decoding: quoted, as: UTF8.self))\(range.count > 40 ? "…" : "")\""
  }
}
