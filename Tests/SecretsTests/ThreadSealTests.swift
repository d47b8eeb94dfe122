import AppEngines
@testable import PictureGuessApp
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import Secrets

@Suite struct ThreadSealTests {
  static let match = [UInt8](0..<16)

  /// Two people after the invitation.
  static func pair(
    match: [UInt8] = ThreadSealTests.match
  ) throws -> (inviter: ThreadSeal, responder: ThreadSeal) {
    let inviter = try ThreadSeal(inviting: match)
    return (inviter, try ThreadSeal(answering: inviter.invitation()))
  }

  /// Two people who know each other's keys.
  static func met() throws -> (inviter: ThreadSeal, responder: ThreadSeal) {
    var (inviter, responder) = try pair()
    _ = try inviter.open(responder.seal([]))
    _ = try responder.open(inviter.seal([]))
    return (inviter, responder)
  }

  static func refusal(_ seal: inout ThreadSeal, _ message: SealedMessage) -> SecretsError.Kind? {
    let before = seal
    let found = kind { () throws(SecretsError) in _ = try seal.open(message) }
    if found != nil { #expect(seal == before, "a refused message changes nothing") }
    return found
  }

  // MARK: Use

  @Test func whatIsSealedIsOpened() throws {
    var (inviter, responder) = try Self.pair()
    for payload in [[], [1], [UInt8](repeating: 7, count: ThreadSeal.payloadLimit)] {
      #expect(try inviter.open(responder.seal(payload)) == payload)
      #expect(try responder.open(inviter.seal(payload)) == payload)
    }
    #expect(inviter.otherKey == responder.publicKey && responder.otherKey == inviter.publicKey)
  }

  @Test func whatIsTooLongOrTooEarlyIsRefused() throws {
    var (inviter, responder) = try Self.pair()
    let long = [UInt8](repeating: 0, count: ThreadSeal.payloadLimit + 1)
    #expect(kind { () throws(SecretsError) in _ = try responder.seal(long) } == .tooLong)
    #expect(kind { () throws(SecretsError) in _ = try inviter.seal([1]) } == .noKey)
    #expect(
      kind { () throws(SecretsError) in _ = try ThreadSeal(inviting: [1, 2]) } == .malformed)
    #expect(kind { () throws(SecretsError) in _ = try responder.invitation() } == .malformed)
    let answer = try responder.seal([1])
    #expect(
      kind { () throws(SecretsError) in _ = try ThreadSeal(answering: answer) } == .malformed)
    let invitation = try inviter.invitation()
    #expect(Self.refusal(&responder, invitation) == .malformed)
  }

  @Test func aSavedStateGoesOn() throws {
    var (inviter, responder) = try Self.met()
    let saved = try JSONEncoder().encode(inviter)
    inviter = try JSONDecoder().decode(ThreadSeal.self, from: saved)
    #expect(try responder.open(inviter.seal([5])) == [5])
    #expect(try inviter.open(responder.seal([6])) == [6])
  }

  /// A phone that goes back uses its numbers again, but no key and nonce twice, and continues above
  /// what the other has opened.
  @Test func aRestoredPhoneGoesOn() throws {
    var (inviter, responder) = try Self.met()
    let old = inviter
    let lost = try inviter.seal([1])
    #expect(try responder.open(lost) == [1])
    inviter = old
    let again = try inviter.seal([1])
    #expect(again.number == lost.number && again.body != lost.body && again.salt != lost.salt)
    #expect(Self.refusal(&responder, again) == .old)
    // The answer contains the number.
    #expect(try inviter.open(responder.seal([2])) == [2])
    #expect(try responder.open(inviter.seal([3])) == [3])
  }

  @Test func noTextOfASealShowsItsKeys() throws {
    let (inviter, _) = try Self.met()
    var dumped = ""
    dump(inviter, to: &dumped)
    for text in ["\(inviter)", String(reflecting: inviter), dumped] {
      #expect(!text.contains("Key") && !text.contains("["), "\(text)")
    }
  }

  // MARK: Attacks

  /// A message of the other person, with any number and any number said to be known.
  private static func forged(
    _ seal: ThreadSeal, number: UInt64, known: UInt64
  ) throws -> SealedMessage {
    let saved = try JSONEncoder().encode(seal)
    let fields = try #require(JSONSerialization.jsonObject(with: saved) as? [String: Any])
    let keys = try #require(fields["keys"] as? [String: Any])
    let sending = try #require(keys["sending"] as? [UInt8])
    let digest = try #require(keys["digest"] as? [UInt8])
    let salt = [UInt8](repeating: 9, count: SealedMessage.saltLength)
    func message(_ body: [UInt8]) -> SealedMessage {
      SealedMessage(
        match: seal.match, direction: seal.direction, number: number, senderKey: seal.publicKey,
        salt: salt, body: body)
    }
    let key = try Primitives.derive(
      32, from: sending, salt: salt, info: Array("shadowbox thread seal 1".utf8) + [1])
    let filler = [UInt8](repeating: 0, count: ThreadSeal.frameLength - 8)
    return message(
      try Primitives.seal(
        known.bigEndianBytes + filler, key: key,
        nonce: [0, 0, 0, 0] + number.bigEndianBytes, header: message([]).header + digest))
  }

  /// A peer with the keys can seal such numbers. They are refused, and the thread goes on.
  @Test func aNumberTooHighDoesNotStopTheThread() throws {
    var (inviter, responder) = try Self.met()
    let jump = ThreadSeal.jumpLimit
    for (number, known) in [
      (UInt64.max, 0), (jump + 2, 0), (2, .max), (2, jump + 3), (2, ThreadSeal.numberLimit),
    ] as [(UInt64, UInt64)] {
      let message = try Self.forged(responder, number: number, known: known)
      #expect(Self.refusal(&inviter, message) == .malformed, "\(number) \(known)")
    }
    let highest = try Self.forged(responder, number: jump + 1, known: jump + 2)
    var copy = inviter
    #expect(try copy.open(highest) == [])
    #expect(try inviter.open(responder.seal([2])) == [2])
    #expect(try responder.open(inviter.seal([3])) == [3])
  }

  /// Every byte of header and body, each of its bits.
  @Test(.longer) func anyChangedBitIsDetected() throws {
    var (inviter, responder) = try Self.met()
    let bytes = try responder.seal(Array("the word is TABLE".utf8)).bytes
    #expect(bytes.count == SealedMessage.byteCount)
    let step = LongTests.count(quick: 8, long: 1)
    for index in bytes.indices {
      let isHeader = index < 80
      for bit in stride(from: index % step, to: 8, by: isHeader ? 1 : step) {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        let isOpened =
          (try? SealedMessage(bytes: changed)).map { Self.refusal(&inviter, $0) == nil } ?? false
        if isOpened { Issue.record("byte \(index), bit \(bit) may be changed") }
      }
    }
    #expect(try inviter.open(SealedMessage(bytes: bytes)) == Array("the word is TABLE".utf8))
  }

  @Test func replaysReflectionsAndOtherThreadsAreRefused() throws {
    var (inviter, responder) = try Self.met()
    let first = try responder.seal([1])
    let second = try responder.seal([2])
    #expect(try inviter.open(second) == [2])
    // Late, and twice.
    #expect(Self.refusal(&inviter, first) == .old)
    #expect(Self.refusal(&inviter, second) == .old)
    // Back to its sender, as it is and with the direction turned around.
    #expect(Self.refusal(&responder, second) == .notForThisThread)
    var bytes = second.bytes
    bytes[1] ^= 1
    let turned = try SealedMessage(bytes: bytes)
    #expect(Self.refusal(&responder, turned) == .altered)
    // Another match, as it is and with the identity replaced.
    var (other, _) = try Self.pair(match: [UInt8](16..<32))
    #expect(Self.refusal(&other, second) == .notForThisThread)
    var moved = second.bytes
    moved.replaceSubrange(2..<18, with: other.match)
    let stolen = try SealedMessage(bytes: moved)
    #expect(Self.refusal(&other, stolen) == .altered)
  }

  @Test func aThirdPersonIsRefusedAfterTheFirstAnswer() throws {
    var (inviter, responder) = try Self.pair()
    var third = try ThreadSeal(answering: inviter.invitation())
    #expect(try inviter.open(responder.seal([1])) == [1])
    let message = try third.seal([2])
    #expect(Self.refusal(&inviter, message) == .altered)
    // And reads nothing of what the two write.
    let secret = try inviter.seal([3])
    #expect(Self.refusal(&third, secret) == .altered)
  }

  @Test func truncatedAndLongerMessagesAreRefused() throws {
    var (_, responder) = try Self.pair()
    let message = try responder.seal([1])
    for text in [
      String(message.text.dropLast()), message.text + "A", "", String(message.text.dropFirst()),
    ] {
      #expect(
        kind { () throws(SecretsError) in _ = try SealedMessage(text) } == .malformed)
    }
    let bytes = Array(message.bytes.dropLast())
    #expect(
      kind { () throws(SecretsError) in _ = try SealedMessage(bytes: bytes) } == .malformed)
    #expect(try SealedMessage(message.text) == message)
  }

  /// Any text is read or refused.
  @Test(.longer) func theParserTakesAnything() throws {
    var random = SeededGenerator(seed: 5)
    var (inviter, responder) = try Self.met()
    let good = Array(try responder.seal([1, 2, 3]).text.utf8)
    var read = 0
    for _ in 0..<LongTests.count(quick: 2_000, long: 100_000) {
      var bytes = good
      for _ in 0...Int(random.unit() * 4) {
        let index = Int(random.unit() * Double(bytes.count))
        switch Int(random.unit() * 4) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeLast(min(bytes.count - 1, Int(random.unit() * 40)))
        case 2: bytes.append(UInt8(truncatingIfNeeded: random.next()))
        default: bytes[index] = good[Int(random.unit() * Double(good.count))]
        }
      }
      guard bytes != good, let message = try? SealedMessage(String(decoding: bytes, as: UTF8.self))
      else { continue }
      read += 1
      if Self.refusal(&inviter, message) == nil { Issue.record("opened \(bytes)") }
    }
    #expect(read > 100)
  }

  // MARK: What a third person learns

  /// With the source, the thread and the list of all words: all messages are equally long, none
  /// contains a word or a key, and no key that the public data give opens one.
  @Test(.longer) func aThreadTellsNothingOfItsWords() throws {
    let thread = try words().map { word in
      var (inviter, responder) = try Self.met()
      let state = MatchState(
        match: MatchID(high: 1, low: 2), answer: word, author: 0, one: 0, two: 1, games: 2,
        guessesOfOne: 3, guessesOfTwo: 4)
      let message = try inviter.seal(Array(state.query.utf8))
      #expect(try responder.open(message) == Array(state.query.utf8))
      return (word, message, inviter.publicKey, responder.publicKey)
    }
    #expect(Set(thread.map(\.1.bytes.count)) == [SealedMessage.byteCount])
    #expect(Set(thread.map(\.1.text.utf8.count)).count == 1)
    for (word, message, one, two) in thread {
      #expect(!message.text.uppercased().contains("ANSWER"))
      #expect(!contains(message.bytes, Array(word.utf8)) && !contains(message.body, one))
      // The keys that can be made from what is public.
      let publicKeys = [one, two, message.salt + message.salt, Self.match + Self.match]
      for key in publicKeys {
        let derived = try Primitives.derive(
          32, from: key, salt: message.salt, info: Array("shadowbox thread seal 1".utf8) + [1])
        for key in [key, derived] {
          #expect(
            try Primitives.open(
              message.body, key: key, nonce: [0, 0, 0, 0] + message.number.bigEndianBytes,
              header: message.header + Primitives.sha256(one + two)) == nil)
        }
      }
    }
  }

  /// Sealing the same word twice, or each word of the list, gives bodies that differ in half of
  /// their bits: nothing distinguishes the right word.
  @Test(.longer) func aDictionaryFindsNoDifference() throws {
    var (inviter, _) = try Self.met()
    let captured = try inviter.seal(Array("TABLE".utf8))
    var shares: [(word: String, share: Double)] = []
    for word in try words() {
      let tried = try inviter.seal(Array(word.utf8))
      let bits = zip(captured.body, tried.body).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
      shares.append((word, Double(bits) / Double(8 * captured.body.count)))
    }
    // 8,400 bits: half of them, within 7 standard deviations of 0.0055.
    #expect(shares.allSatisfy { (0.461...0.539).contains($0.share) })
    let right = try inviter.seal(Array("TABLE".utf8))
    let bits = zip(captured.body, right.body).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    let share = Double(bits) / Double(8 * captured.body.count)
    #expect((0.461...0.539).contains(share), "the right word is no different")
  }

  /// Bodies with the same content have no byte more often than others.
  @Test func bodiesLookRandom() throws {
    var (inviter, _) = try Self.met()
    var counts = [Int](repeating: 0, count: 256)
    for _ in 0..<100 {
      for byte in try inviter.seal([]).body { counts[Int(byte)] += 1 }
    }
    let expected = Double(counts.reduce(0, +)) / 256
    let chiSquared = counts.reduce(0) {
      $0 + (Double($1) - expected) * (Double($1) - expected) / expected
    }
    // 255 degrees of freedom: mean 255, standard deviation 22.6.
    #expect((100...420).contains(chiSquared), "\(chiSquared)")
  }

  private func words() throws -> [String] {
    WordList.lengths.flatMap { LongTests.everyOther(WordList.words(ofLength: $0)) }
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    // Words of three letters are in random bytes by chance.
    guard part.count > 4, bytes.count >= part.count else { return false }
    return bytes.indices.dropLast(part.count - 1).contains { start in
      bytes[start..<start + part.count].elementsEqual(part)
    }
  }
}
