public import AppEngines
public import PictureGuessApp
import Foundation
import Secrets

/// Messages of picture-guess matches that only the two players can read.
///
/// ```swift
/// var thread = SealedThread()
/// // What the app sends:
/// for case .send(let envelope) in effects {
///   post(try thread.pack(envelope.content, for: envelope.to), to: envelope.to)
/// }
/// // What has arrived:
/// do throws(Refusal) {
///   try phone.handle(.received(try thread.unpack(bytes, from: sender), from: sender), …)
/// } catch { try phone.handle(.unreadable(error, from: sender), …) }
/// ```
///
/// An invitation has a public key, made for this match and this receiver. Everything else about a match
/// is sealed: acceptances, refusals, words, results, questions and receipts. All messages have
/// ``messageLength`` bytes. Only the question of a phone that knows no match, and its receipt,
/// travel unencrypted.
///
/// **Threat model.** Third parties who read or alter the thread, not the guesser's own phone, which needs
/// the answer. The invitation's key and that of the first answer are trusted on first use.
/// `Sources/Secrets/ThreadSeal.swift` has the protocol, and docs/apps.md all its limits.
///
/// **Saving.** The state is `Codable` and has private keys. Keep it in the system's keychain and not with
/// the app's state: a phone that is restored from an older state, or reinstalled, then continues its
/// matches. Without the keys it cannot, and such a match is abandoned. The keys of the last
/// ``matchLimit`` matches with each person are kept, and older ones deleted: a stolen phone opens no
/// more than those. Matches in which this phone has done nothing but get invited count apart, up to
/// ``invitationLimit``: anybody can forge invitations.
public struct SealedThread: ThreadTransport, Codable {
  public static let messageLength = SealedMessage.byteCount
  /// The number of matches with each person whose keys are kept.
  public static let matchLimit = PictureGuessPhone.finishedLimit
  /// The number of invitations of each person whose keys are kept, until this phone takes part.
  static let invitationLimit = 4
  /// The largest number of people.
  static let personLimit = 64
  /// The number of different keys that one match's invitations may have, until something sealed comes.
  static let inviterKeyLimit = 4

  private var sides: [Side] = []

  /// This phone's side of a match with one person.
  private struct Side: Codable {
    let match: MatchID
    let person: Int
    /// One for each key that invitations of this match had, the last invitation's at the end: until
    /// something sealed was opened, nobody knows which of them were altered on their way. Then, and for
    /// the person who invites, one.
    var seals: [ThreadSeal]
    /// Whether this phone has invited, accepted or played; nil = an older version has not stored it.
    var takesPart: Bool?

    var isInUse: Bool { takesPart ?? seals.contains { $0.hasOpened || $0.hasInvited } }
  }

  public init() {}

  public mutating func pack(
    _ content: ThreadEnvelope.Content, for receiver: Int
  ) throws(Refusal) -> [UInt8] {
    guard let match = content.match else { return OpenMessage.bytes(of: content.text) }
    var seals = seals(of: match, with: receiver)
    if case .message(let stamp, .invitation) = content {
      let known = seals.last
      let seal = try sealing { () throws(SecretsError) in
        if let known { known } else { try ThreadSeal(inviting: match.bytes) }
      }
      let bytes = try sealing { () throws(SecretsError) in
        try seal.invitation(carrying: Stamp(stamp).bytes).bytes
      }
      keep([seal], match, receiver, takesPart: true)
      return bytes
    }
    guard var seal = seals.popLast() else {
      throw Refusal("no-key", "this phone has no key of the match; start a new one")
    }
    let bytes = try sealing { () throws(SecretsError) in
      try seal.seal(Array(content.text.utf8)).bytes
    }
    keep(seals + [seal], match, receiver, takesPart: content.isOfPlayer)
    return bytes
  }

  // MARK: Receiving

  public mutating func unpack(
    _ bytes: [UInt8], from sender: Int
  ) throws(Refusal) -> ThreadEnvelope.Content {
    if let text = OpenMessage.text(of: bytes) {
      let content = try ThreadEnvelope.Content(text: text)
      guard content.match == nil else {
        throw Refusal("not-sealed", "this message is not sealed, so anybody can have written it")
      }
      return content
    }
    let message = try sealing { () throws(SecretsError) in try SealedMessage(bytes: bytes) }
    let match = MatchID(bytes: message.match)
    let known = seals(of: match, with: sender)
    if message.number == 0 { return try takeInvitation(message, to: match, from: sender, known) }
    let (seal, payload) = try opened(message, by: known)
    let content = try ThreadEnvelope.Content(text: String(decoding: payload, as: UTF8.self))
    guard content.match == match else {
      throw Refusal("other-match", "this message is about another match than its keys")
    }
    keep([seal], match, sender)
    return content
  }

  /// Opens a message by the last of the seals that can.
  private func opened(
    _ message: SealedMessage, by seals: [ThreadSeal]
  ) throws(Refusal) -> (ThreadSeal, [UInt8]) {
    var refusal = Refusal("no-key", "this phone has no key of the match; start a new one")
    for index in seals.indices.reversed() {
      var seal = seals[index]
      do throws(Refusal) {
        let payload = try sealing { () throws(SecretsError) in try seal.open(message) }
        return (seal, payload)
      } catch {
        refusal = error
      }
    }
    throw refusal
  }

  private mutating func takeInvitation(
    _ invitation: SealedMessage, to match: MatchID, from sender: Int, _ known: [ThreadSeal]
  ) throws(Refusal) -> ThreadEnvelope.Content {
    guard invitation.isFromInviter, known.last?.hasInvited != true else {
      throw Refusal("own-invitation", "this invitation comes back to who sent it")
    }
    guard let stamp = Stamp(bytes: invitation.note(Stamp.length)) else {
      throw Refusal("unreadable", "this invitation is damaged; ask for another one")
    }
    var answers = known
    if let index = known.firstIndex(where: { $0.otherKey == invitation.senderKey }) {
      answers.append(answers.remove(at: index))
    } else {
      guard !known.contains(where: \.hasOpened) else {
        throw Refusal("other-key", "this invitation has the key of a third person")
      }
      // The first is kept: many altered ones push out none but each other.
      if answers.count == SealedThread.inviterKeyLimit { answers.remove(at: 1) }
      answers.append(
        try sealing { () throws(SecretsError) in try ThreadSeal(answering: invitation) })
    }
    keep(answers, match, sender)
    return .message(stamp.stamp, .invitation(match))
  }

  // MARK: Keys

  private func seals(of match: MatchID, with person: Int) -> [ThreadSeal] {
    sides.first { $0.match == match && $0.person == person }?.seals ?? []
  }

  /// Keeps a side, the newest last, and deletes the keys of older matches: an invitation pushes out
  /// none but another one.
  /// - Parameter takesPart: whether this phone now invites, accepts or plays.
  private mutating func keep(
    _ seals: [ThreadSeal], _ match: MatchID, _ person: Int, takesPart: Bool = false
  ) {
    var side = Side(match: match, person: person, seals: seals, takesPart: takesPart)
    if let index = sides.firstIndex(where: { $0.match == match && $0.person == person }) {
      side.takesPart = takesPart || sides[index].isInUse
      // What becomes a match of this phone is its newest.
      guard side.isInUse, !sides[index].isInUse else { return sides[index] = side }
      sides.remove(at: index)
    }
    sides.append(side)
    let alike = sides.indices.filter {
      sides[$0].person == person && sides[$0].isInUse == side.isInUse
    }
    let limit = side.isInUse ? SealedThread.matchLimit : SealedThread.invitationLimit
    // Of invitations the first is kept, as of the keys of one.
    if alike.count > limit { sides.remove(at: alike[side.isInUse ? 0 : 1]) }
    if sides.count > SealedThread.personLimit * SealedThread.matchLimit {
      sides.remove(at: sides.firstIndex { !$0.isInUse } ?? 0)
    }
  }
}

// MARK: Bytes

extension ThreadEnvelope.Content {
  /// Whether it is what only a player sends. Receipts, refusals and questions answer anybody.
  fileprivate var isOfPlayer: Bool {
    guard case .message(_, let message) = self else { return false }
    return switch message {
    case .invitation, .acceptance, .state, .ask: true
    case .declined: false
    }
  }
}

/// A message that everybody can read, as long as a sealed one: a zero, the length of the text (2 bytes),
/// the text, and zeros.
private enum OpenMessage {
  static func bytes(of text: String) -> [UInt8] {
    let text = Array(text.utf8)
    let head: [UInt8] = [0, UInt8(text.count >> 8), UInt8(text.count & 255)]
    let filler = [UInt8](repeating: 0, count: SealedThread.messageLength - head.count - text.count)
    return head + text + filler
  }

  /// Returns the text; nil = the bytes are something else.
  static func text(of bytes: [UInt8]) -> String? {
    guard bytes.count == SealedThread.messageLength, bytes[0] == 0 else { return nil }
    let count = Int(bytes[1]) << 8 | Int(bytes[2])
    guard count <= ThreadEnvelope.Content.textLimit, bytes[(3 + count)...].allSatisfy({ $0 == 0 })
    else { return nil }
    return String(validating: bytes[3..<3 + count], as: UTF8.self)
  }
}

private struct Stamp {
  static let length = 24

  let stamp: RequestStamp

  init(_ stamp: RequestStamp) { self.stamp = stamp }

  init?(bytes: [UInt8]) {
    let words = bytes.words
    guard words.count == 3, let number = Int(exactly: words[1]) else { return nil }
    stamp = RequestStamp(epoch: words[0], number: number, mark: words[2])
  }

  var bytes: [UInt8] { stamp.epoch.bytes + UInt64(clamping: stamp.number).bytes + stamp.mark.bytes }
}

extension MatchID {
  fileprivate var bytes: [UInt8] { high.bytes + low.bytes }

  /// - Parameter bytes: 16 bytes.
  fileprivate init(bytes: [UInt8]) {
    let words = bytes.words
    self.init(high: words[0], low: words[1])
  }
}

extension UInt64 {
  /// The eight bytes, the highest first.
  fileprivate var bytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}

extension [UInt8] {
  /// The numbers of eight bytes each, the highest first.
  fileprivate var words: [UInt64] {
    stride(from: 0, to: count / 8 * 8, by: 8).map { start in
      self[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// Runs `body`; an error of the seal becomes a refusal with its reason.
private func sealing<Value>(_ body: () throws(SecretsError) -> Value) throws(Refusal) -> Value {
  do throws(SecretsError) {
    return try body()
  } catch {
    let code =
      switch error.kind {
      case .old: "old-message"
      case .altered, .malformed, .notForThisThread: "altered"
      case .noKey: "no-key"
      case .system, .tooLong: "no-secret"
      }
    throw Refusal(code, error.reason)
  }
}
