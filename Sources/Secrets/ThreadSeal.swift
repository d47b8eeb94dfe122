/// One player's side of a sealed thread: keys, and the numbers of the messages.
///
/// **Protocol.** The invitation carries the inviter's X25519 key, made for this match. The responder
/// makes a key too, and every later message carries its sender's public key in the header.
/// HKDF-SHA256 (salt = the match's identity, info = the name of the protocol and both public keys, the
/// inviter's first) derives one key per direction from the shared secret. A message is sealed with
/// ChaCha20-Poly1305. Its key is derived from the key of the direction and 16 random bytes of the
/// header; its nonce is its number. A phone that continues from an older state may repeat a number,
/// but never a key with a nonce. The header and a digest of both public keys are authenticated with
/// the body. All bodies have the same length.
///
/// **Numbers** increase in each direction, and a message is opened only if its number is higher than
/// the last one. Each body has the highest number that its sender has opened; a phone that went back
/// to an older state continues above it.
///
/// The section "Sealed threads" of docs/apps.md states what it protects against, and what not.
///
/// **Saving.** The state is `Codable` and contains the private key. The app must keep the file private
/// to its user, and delete it after the match.
package struct ThreadSeal: Hashable, Sendable, Codable {
  /// The largest number of bytes of a payload.
  package static let payloadLimit = 1024
  /// All numbers of sent messages are below it.
  static let numberLimit: UInt64 = 1 << 53
  /// The largest step between numbers, so that no single message uses up the numbers.
  static let jumpLimit: UInt64 = 1 << 20
  /// The name of the protocol, which is part of the keys.
  private static let protocolName = Array("shadowbox thread seal 1".utf8)
  /// The highest number opened (8), the length (2) and the payload, filled up.
  static let frameLength = 8 + 2 + payloadLimit

  /// The identity of the match, 16 bytes.
  package let match: [UInt8]
  /// The direction of what this player sends.
  package let direction: SealedMessage.Direction
  private let privateKey: [UInt8]
  /// This player's public key, 32 bytes.
  package let publicKey: [UInt8]
  /// The other person's public key, trusted on first use; nil = nobody has answered yet.
  package private(set) var otherKey: [UInt8]?
  private var keys: Keys?
  /// The number of the next message.
  private var next: UInt64 = 1
  /// The highest number that was opened.
  private var opened: UInt64 = 0
  /// Whether a message of the other person was opened. Before that, the answered key may come from an
  /// altered invitation.
  package var hasOpened: Bool { opened > 0 }
  /// Whether this side began the thread.
  package var hasInvited: Bool { direction == .fromInviter }

  private struct Keys: Hashable, Sendable, Codable {
    var sending: [UInt8]
    var receiving: [UInt8]
    /// The digest of both public keys.
    var digest: [UInt8]
  }

  /// - Throws: `DecodingError` if a key has a wrong length, or if a number is too high.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    match = try values.decode([UInt8].self, forKey: .match)
    direction = try values.decode(SealedMessage.Direction.self, forKey: .direction)
    privateKey = try values.decode([UInt8].self, forKey: .privateKey)
    publicKey = try values.decode([UInt8].self, forKey: .publicKey)
    otherKey = try values.decodeIfPresent([UInt8].self, forKey: .otherKey)
    keys = try values.decodeIfPresent(Keys.self, forKey: .keys)
    next = try values.decode(UInt64.self, forKey: .next)
    opened = try values.decode(UInt64.self, forKey: .opened)
    let all = [privateKey, publicKey, otherKey, keys?.sending, keys?.receiving, keys?.digest]
    guard match.count == SealedMessage.matchLength, (otherKey == nil) == (keys == nil),
      all.allSatisfy({ $0.map { $0.count == Primitives.keyLength } ?? true }),
      (1...ThreadSeal.numberLimit).contains(next), opened < .max - ThreadSeal.jumpLimit
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no valid state of a thread"))
    }
  }

  // MARK: The first messages

  /// Begins a thread as the person who invites.
  /// - Parameter match: 16 random bytes.
  package init(inviting match: [UInt8]) throws(SecretsError) {
    try self.init(match, .fromInviter, try SecureRandom.bytes(Primitives.keyLength))
  }

  /// Answers an invitation and trusts its key from now on.
  package init(answering invitation: SealedMessage) throws(SecretsError) {
    guard invitation.number == 0, invitation.direction == .fromInviter else {
      throw SecretsError(.malformed, "expected an invitation, found a later message; ask for one")
    }
    try self.init(invitation.match, .fromResponder, try SecureRandom.bytes(Primitives.keyLength))
    keys = try derived(with: invitation.senderKey)
    otherKey = invitation.senderKey
  }

  /// - Parameter privateKey: 32 bytes; tests pass the keys of known messages.
  init(
    _ match: [UInt8], _ direction: SealedMessage.Direction, _ privateKey: [UInt8]
  ) throws(SecretsError) {
    guard match.count == SealedMessage.matchLength else {
      throw SecretsError(.malformed, "expected an identity of 16 bytes, found \(match.count)")
    }
    (self.match, self.direction, self.privateKey) = (match, direction, privateKey)
    publicKey = try Primitives.publicKey(of: privateKey)
  }

  /// Returns the invitation. Its body has the length of all bodies: the note, which everybody can read,
  /// and random bytes.
  /// - Parameter note: at most ``payloadLimit`` bytes.
  /// - Throws: if this person has not invited, or if the note is too long.
  package func invitation(carrying note: [UInt8] = []) throws(SecretsError) -> SealedMessage {
    guard note.count <= ThreadSeal.payloadLimit else {
      throw SecretsError(
        .tooLong, "expected a note of at most \(ThreadSeal.payloadLimit) bytes, found \(note.count)"
      )
    }
    guard direction == .fromInviter else {
      throw SecretsError(.malformed, "only the person who begins the thread invites")
    }
    return SealedMessage(
      match: match, direction: direction, number: 0, senderKey: publicKey,
      salt: try SecureRandom.bytes(SealedMessage.saltLength),
      body: note + (try SecureRandom.bytes(SealedMessage.bodyLength - note.count)))
  }

  // MARK: Keys

  private func derived(with otherKey: [UInt8]) throws(SecretsError) -> Keys {
    let secret = try Primitives.sharedSecret(privateKey, otherKey)
    let isInviter = direction == .fromInviter
    let both = isInviter ? publicKey + otherKey : otherKey + publicKey
    let bytes = try Primitives.derive(
      2 * Primitives.keyLength, from: secret, salt: match, info: ThreadSeal.protocolName + both)
    let (first, second) = (
      Array(bytes.prefix(Primitives.keyLength)), Array(bytes.suffix(Primitives.keyLength))
    )
    return Keys(
      sending: isInviter ? first : second, receiving: isInviter ? second : first,
      digest: try Primitives.sha256(both))
  }

  private static func messageKey(
    _ key: [UInt8], _ message: SealedMessage
  ) throws(SecretsError) -> [UInt8] {
    try Primitives.derive(
      Primitives.keyLength, from: key, salt: message.salt, info: protocolName + [1])
  }

  private static func nonce(of message: SealedMessage) -> [UInt8] {
    [0, 0, 0, 0] + message.number.bigEndianBytes
  }

  // MARK: Sealing

  /// Seals a payload as the next message.
  /// - Throws: if it is longer than ``payloadLimit``, or if nobody has answered yet; nothing changes then.
  package mutating func seal(_ payload: [UInt8]) throws(SecretsError) -> SealedMessage {
    guard payload.count <= ThreadSeal.payloadLimit else {
      throw SecretsError(
        .tooLong,
        "expected at most \(ThreadSeal.payloadLimit) bytes to seal, found \(payload.count)")
    }
    guard let keys else {
      throw SecretsError(.noKey, "nobody has answered the invitation yet; wait for the answer")
    }
    guard next < ThreadSeal.numberLimit else {
      throw SecretsError(.tooLong, "the thread is full; begin a new one")
    }
    let length = [UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    let frame = opened.bigEndianBytes + length + payload
    let filler = [UInt8](repeating: 0, count: ThreadSeal.frameLength - frame.count)
    let open = SealedMessage(
      match: match, direction: direction, number: next, senderKey: publicKey,
      salt: try SecureRandom.bytes(SealedMessage.saltLength), body: [])
    let body = try Primitives.seal(
      frame + filler, key: try ThreadSeal.messageKey(keys.sending, open),
      nonce: ThreadSeal.nonce(of: open), header: open.header + keys.digest)
    next += 1
    return SealedMessage(
      match: match, direction: direction, number: open.number, senderKey: publicKey,
      salt: open.salt, body: body)
  }

  /// Opens a message and returns its payload. The first answer to an invitation is trusted.
  /// - Throws: with the reason; nothing changes then.
  package mutating func open(_ message: SealedMessage) throws(SecretsError) -> [UInt8] {
    guard message.match == match, message.direction == direction.reversed else {
      throw SecretsError(
        .notForThisThread, "the message is of another match or of this phone; ignore it")
    }
    guard message.number > 0 else {
      throw SecretsError(.malformed, "an invitation has no content; answer it instead")
    }
    if let otherKey, otherKey != message.senderKey {
      throw SecretsError(.altered, "the message has the key of a third person; ask for it again")
    }
    let keys = if let known = keys { known } else { try derived(with: message.senderKey) }
    let frame = try Primitives.open(
      message.body, key: try ThreadSeal.messageKey(keys.receiving, message),
      nonce: ThreadSeal.nonce(of: message), header: message.header + keys.digest)
    guard let frame, frame.count == ThreadSeal.frameLength else {
      throw SecretsError(.altered, "the message was altered on its way; ask for it again")
    }
    guard message.number > opened else {
      throw SecretsError(
        .old, "expected a message after number \(opened), found \(message.number); ignore it")
    }
    guard message.number - opened <= ThreadSeal.jumpLimit else {
      throw SecretsError(.malformed, "the number of the message is too high; ask for it again")
    }
    let known = frame[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let length = Int(frame[8]) << 8 | Int(frame[9])
    guard length <= ThreadSeal.payloadLimit, known < ThreadSeal.numberLimit,
      known < next || known - next <= ThreadSeal.jumpLimit
    else { throw SecretsError(.malformed, "the content has no valid length; update the app") }
    (self.keys, otherKey, opened) = (keys, message.senderKey, message.number)
    next = max(next, known + 1)
    return Array(frame[10..<10 + length])
  }
}

extension ThreadSeal: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The direction and the number of the next message, without keys.
  package var description: String { "thread seal, \(direction), next number \(next)" }

  package var debugDescription: String { description }

  /// Has no children, so that `dump` and failed tests show no key.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
