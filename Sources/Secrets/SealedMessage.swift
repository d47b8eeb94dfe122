/// A message of a sealed thread: a header that everybody can read, and a body that only the two
/// players can read. All messages have the same length.
package struct SealedMessage: Hashable, Sendable, Codable {
  package enum Direction: UInt8, Hashable, Sendable, Codable {
    /// From the person who invited.
    case fromInviter = 0
    /// From the person who answered.
    case fromResponder = 1

    var reversed: Direction { self == .fromInviter ? .fromResponder : .fromInviter }
  }

  /// The match, 16 bytes.
  package let match: [UInt8]
  package let direction: Direction
  /// The number of the message in its direction; 0 = the invitation, whose body is only filler.
  package let number: UInt64
  /// The public key of the sender, 32 bytes.
  package let senderKey: [UInt8]
  /// Random bytes for the key of this message, 16 bytes.
  let salt: [UInt8]
  let body: [UInt8]

  static let matchLength = 16
  static let saltLength = 16
  private static let version: UInt8 = 1
  private static let headerLength = 2 + matchLength + 8 + Primitives.keyLength + saltLength
  static let bodyLength = ThreadSeal.frameLength + Primitives.tagLength
  package static let byteCount = headerLength + bodyLength

  /// The bytes before the body, which are authenticated with it.
  var header: [UInt8] {
    [SealedMessage.version, direction.rawValue] + match + number.bigEndianBytes + senderKey + salt
  }

  package var bytes: [UInt8] { header + body }

  package var isFromInviter: Bool { direction == .fromInviter }

  /// The first bytes of an invitation's body.
  /// - Parameter count: 0...``ThreadSeal/payloadLimit``
  package func note(_ count: Int) -> [UInt8] { Array(body.prefix(count)) }

  /// The message as a value of a URL's query: base64url.
  package var text: String { Base64URL.text(of: bytes) }

  init(
    match: [UInt8], direction: Direction, number: UInt64, senderKey: [UInt8], salt: [UInt8],
    body: [UInt8]
  ) {
    (self.match, self.direction, self.number) = (match, direction, number)
    (self.senderKey, self.salt, self.body) = (senderKey, salt, body)
  }

  /// Reads the text that ``encode(to:)`` writes.
  /// - Throws: `DecodingError` for any other text.
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let text = try value.decode(String.self)
    do throws(SecretsError) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "no sealed message")
    }
  }

  /// Writes ``text``.
  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }

  /// Reads what ``text`` writes.
  /// - Throws: for any other text.
  package init(_ text: String) throws(SecretsError) {
    let expected = (SealedMessage.byteCount * 4 + 2) / 3
    guard text.utf8.count == expected, let bytes = Base64URL.bytes(of: text) else {
      throw SecretsError(
        .malformed,
        "expected \(expected) letters of base64url, found another text; ask for the message again")
    }
    try self.init(bytes: bytes)
  }

  /// Reads what ``bytes`` returns.
  package init(bytes: [UInt8]) throws(SecretsError) {
    guard bytes.count == SealedMessage.byteCount, bytes[0] == SealedMessage.version,
      let direction = Direction(rawValue: bytes[1])
    else {
      throw SecretsError(
        .malformed,
        "expected a message of version \(SealedMessage.version); update the app or ask for it again"
      )
    }
    var rest = bytes[2...]
    func next(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    let match = next(SealedMessage.matchLength)
    let number = next(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let (key, salt) = (next(Primitives.keyLength), next(SealedMessage.saltLength))
    self.init(
      match: match, direction: direction, number: number, senderKey: key, salt: salt,
      body: Array(rest))
  }
}

extension UInt64 {
  var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
  }
}
