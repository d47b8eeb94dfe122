/// Texts and words of a fixture.
///
/// A text goes to the end of its line, a word to the next blank. A control character and a backslash,
/// and in a word also a blank, are a backslash and two hexadecimal digits. The empty word is `-`.
enum FixtureText {
  private static let backslash = UInt8(ascii: "\\")

  static func append(text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 { append(byte, isEscaped: isControl(byte), to: &bytes) }
  }

  static func append(word: String, to bytes: inout [UInt8]) {
    if word.isEmpty {
      bytes.append(UInt8(ascii: "-"))
    } else if word == "-" {
      append(UInt8(ascii: "-"), isEscaped: true, to: &bytes)
    } else {
      for byte in word.utf8 {
        append(byte, isEscaped: isControl(byte) || byte == UInt8(ascii: " "), to: &bytes)
      }
    }
  }

  /// Returns a text in quotes for a message: at most 40 characters, without control characters.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text: String(text.prefix(40)), to: &bytes)
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == backslash
  }

  private static func append(_ byte: UInt8, isEscaped: Bool, to bytes: inout [UInt8]) {
    guard isEscaped else { return bytes.append(byte) }
    bytes.append(backslash)
    bytes.append(digit(byte >> 4))
    bytes.append(digit(byte & 15))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Returns the text that `bytes` encode; nil = they do not encode UTF-8.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(backslash) else { return String(validating: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  static func word(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.elementsEqual([UInt8(ascii: "-")]) ? "" : text(bytes)
  }

  /// The value of a hexadecimal digit; nil = it is not one.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
