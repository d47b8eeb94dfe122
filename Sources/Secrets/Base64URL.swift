/// Bytes as text that a URL carries unchanged: base64url without padding (RFC 4648, section 5).
enum Base64URL {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = group.reduce(0) { $0 << 8 | UInt32($1) }
      word <<= UInt32(8 * (3 - group.count))
      for place in 0...group.count {
        text.append(letters[Int(word >> UInt32(18 - 6 * place) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a text; nil if it is not exactly what ``text(of:)`` writes.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits) = (UInt32(0), 0)
    for letter in text.utf8 {
      guard let value = value(of: letter) else { return nil }
      word = (word << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    // One letter too many, or bits that no byte has: another text of the same bytes.
    guard bits < 6, word & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case 65...90: UInt32(letter - 65)
    case 97...122: UInt32(letter - 71)
    case 48...57: UInt32(letter + 4)
    case 45: 62
    case 95: 63
    default: nil
    }
  }
}
