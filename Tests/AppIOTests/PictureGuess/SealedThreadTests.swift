import Foundation
import Secrets
import TestSupport
import Testing
import TraceModel

@testable import SealedThreads
@testable import AppEngines
@testable import PictureGuessApp

/// Messages between a few phones, one at a time.
@Suite struct SealedThreadTests {
  private static let id = MatchID(high: 1, low: 2)
  private static func stamp(_ number: Int) -> RequestStamp {
    RequestStamp(epoch: .max - 5, number: number, mark: 1 << 63)
  }
  private static func state(_ word: String = "TABLE", games: Int = 0) -> ThreadEnvelope.Content {
    .message(
      stamp(9),
      .state(
        MatchState(
          match: id, answer: word, author: games % 2, one: 0, two: 1, games: games,
          guessesOfOne: games, guessesOfTwo: games)))
  }

  /// Two phones after an invitation and its acceptance.
  private static func pair() throws -> [SealedThread] {
    var threads = [SealedThread(), SealedThread()]
    let invitation = ThreadEnvelope.Content.message(stamp(1), .invitation(id))
    let first = try threads[0].pack(invitation, for: 1)
    #expect(try threads[1].unpack(first, from: 0) == invitation)
    let acceptance = ThreadEnvelope.Content.message(stamp(2), .acceptance(id))
    let second = try threads[1].pack(acceptance, for: 0)
    #expect(try threads[0].unpack(second, from: 1) == acceptance)
    return threads
  }

  private func code(_ body: () throws -> ThreadEnvelope.Content) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Refusal)?.code
    }
  }

  @Test func everyKindOfMessageTravels() throws {
    var threads = try Self.pair()
    let longest = MatchState(
      match: MatchID(high: .max, low: .max), answer: "ANCHOR", author: .min, one: .max, two: .min,
      games: 3, guessesOfOne: 1_000_000, guessesOfTwo: 1_000_000)
    #expect(
      ThreadEnvelope.Content.message(
        RequestStamp(epoch: .max, number: .min, mark: .max), .state(longest)
      ).text.utf8.count <= ThreadEnvelope.Content.textLimit)
    let contents: [ThreadEnvelope.Content] = [
      .receipt(Self.stamp(1), of: Self.id), .receipt(Self.stamp(2), of: nil),
      .message(Self.stamp(3), .ask(nil)), .message(Self.stamp(4), .declined(Self.id)),
      .message(Self.stamp(5), .acceptance(Self.id)), Self.state(),
    ]
    for (from, to) in [(0, 1), (1, 0)] {
      for content in contents {
        let bytes = try threads[from].pack(content, for: to)
        #expect(bytes.count == SealedThread.messageLength)
        #expect(try threads[to].unpack(bytes, from: from) == content)
        // A second copy, except of what is open.
        let again = code { try threads[to].unpack(bytes, from: from) }
        #expect(again == (content.match == nil ? nil : "old-message"))
      }
    }
  }

  /// Each byte of a sealed message, and each of its bits once.
  @Test func anyChangedByteIsDetected() throws {
    var threads = try Self.pair()
    let bytes = try threads[0].pack(Self.state(), for: 1)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(code { try threads[1].unpack(damaged, from: 0) } != nil, "byte \(index)")
    }
    for count in [0, 1, bytes.count - 1] {
      #expect(code { try threads[1].unpack(Array(bytes.prefix(count)), from: 0) } == "altered")
    }
    #expect(code { try threads[1].unpack(bytes + [0], from: 0) } == "altered")
    // Nothing of that has changed the thread.
    #expect(try threads[1].unpack(bytes, from: 0) == Self.state())
  }

  @Test func whatIsOpenCannotBeAboutAMatch() throws {
    var threads = try Self.pair()
    for content in [Self.state("CHAIR"), .message(Self.stamp(1), .declined(Self.id))] {
      let plain = PlainThread().pack(content, for: 1)
      #expect(code { try threads[1].unpack(plain, from: 0) } == "altered")
      let text = Array(content.text.utf8)
      var bytes = [UInt8](repeating: 0, count: SealedThread.messageLength)
      (bytes[1], bytes[2]) = (UInt8(text.count >> 8), UInt8(text.count & 255))
      bytes.replaceSubrange(3..<3 + text.count, with: text)
      #expect(code { try threads[1].unpack(bytes, from: 0) } == "not-sealed")
      bytes[bytes.count - 1] = 1
      #expect(code { try threads[1].unpack(bytes, from: 0) } == "altered")
    }
  }

  /// A third person was invited too, and has keys of the same match.
  @Test func aThirdPersonReadsAndWritesNothing() throws {
    var threads = [SealedThread(), SealedThread(), SealedThread()]
    let invitation = ThreadEnvelope.Content.message(Self.stamp(1), .invitation(Self.id))
    for other in 1...2 {
      #expect(
        try threads[other].unpack(try threads[0].pack(invitation, for: other), from: 0)
          == invitation)
      let acceptance = ThreadEnvelope.Content.message(Self.stamp(2), .acceptance(Self.id))
      #expect(
        try threads[0].unpack(try threads[other].pack(acceptance, for: 0), from: other)
          == acceptance)
    }
    let word = try threads[0].pack(Self.state(), for: 1)
    #expect(code { try threads[2].unpack(word, from: 0) } == "altered")
    // What the third person seals, in the name of the second.
    let forged = try threads[2].pack(Self.state("CHAIR", games: 1), for: 0)
    #expect(code { try threads[0].unpack(forged, from: 1) } == "altered")
    #expect(code { try threads[1].unpack(forged, from: 0) } == "altered")
    // And what is turned around.
    #expect(code { try threads[0].unpack(word, from: 1) } == "altered")
    #expect(try threads[1].unpack(word, from: 0) == Self.state())
  }

  /// The key of an invitation was altered on its way. The repeated invitation mends it, as long as
  /// nothing sealed has come.
  @Test func anAlteredInvitationIsReplaced() throws {
    var threads = [SealedThread(), SealedThread()]
    let invitation = ThreadEnvelope.Content.message(Self.stamp(1), .invitation(Self.id))
    let right = try threads[0].pack(invitation, for: 1)
    var wrong = right
    wrong[30] ^= 1
    #expect(code { try threads[1].unpack(wrong, from: 0) } == nil)
    let lost = try threads[1].pack(.receipt(Self.stamp(1), of: Self.id), for: 0)
    #expect(code { try threads[0].unpack(lost, from: 1) } == "altered")
    #expect(try threads[1].unpack(right, from: 0) == invitation)
    let acceptance = try threads[1].pack(.message(Self.stamp(2), .acceptance(Self.id)), for: 0)
    #expect(code { try threads[0].unpack(acceptance, from: 1) } == nil)
    #expect(
      try threads[1].unpack(try threads[0].pack(Self.state(), for: 1), from: 0) == Self.state())
    #expect(code { try threads[1].unpack(wrong, from: 0) } == "other-key")
    #expect(code { try threads[0].unpack(right, from: 1) } == "own-invitation")
  }

  /// Altered copies of the invitation, and of what is sealed, come after the right invitation was
  /// accepted. Whatever comes in between, the match goes on.
  @Test(arguments: [1, 2, 3, 10]) func alteredInvitationsEndNoMatch(count: Int) throws {
    var threads = try Self.pair()
    let right = try threads[0].pack(.message(Self.stamp(1), .invitation(Self.id)), for: 1)
    let word = try threads[0].pack(Self.state(), for: 1)
    for index in 0..<count {
      var altered = right
      altered[30] ^= UInt8(index + 1)
      #expect(code { try threads[1].unpack(altered, from: 0) } == nil)
    }
    // The repeated invitation is answered with the key that the other phone knows.
    #expect(code { try threads[1].unpack(right, from: 0) } == nil)
    let again = try threads[1].pack(.message(Self.stamp(2), .acceptance(Self.id)), for: 0)
    #expect(code { try threads[0].unpack(again, from: 1) } == nil)
    var altered = right
    altered[30] ^= 77
    #expect(code { try threads[1].unpack(altered, from: 0) } == nil)
    #expect(try threads[1].unpack(word, from: 0) == Self.state())
    #expect(code { try threads[1].unpack(altered, from: 0) } == "other-key")
    let answer = try threads[1].pack(Self.state("CHAIR", games: 1), for: 0)
    #expect(try threads[0].unpack(answer, from: 1) == Self.state("CHAIR", games: 1))
  }

  @Test func aSavedThreadGoesOn() throws {
    var threads = try Self.pair()
    for number in 0..<4 {
      let data = try JSONEncoder().encode(threads[number % 2])
      threads[number % 2] = try JSONDecoder().decode(SealedThread.self, from: data)
      let content = Self.state(games: number)
      let bytes = try threads[number % 2].pack(content, for: 1 - number % 2)
      #expect(try threads[1 - number % 2].unpack(bytes, from: number % 2) == content)
    }
  }

  /// Without its keys a phone neither opens nor seals, and says the next step.
  @Test func withoutKeysAMatchCannotGoOn() throws {
    var threads = try Self.pair()
    threads[1] = SealedThread()
    let bytes = try threads[0].pack(Self.state(), for: 1)
    #expect(code { try threads[1].unpack(bytes, from: 0) } == "no-key")
    #expect(throws: Refusal.self) { try threads[1].pack(Self.state(), for: 0) }
    // The repeated invitation is answered with a new key, which the other phone does not take.
    let again = try threads[0].pack(.message(Self.stamp(1), .invitation(Self.id)), for: 1)
    #expect(code { try threads[1].unpack(again, from: 0) } == nil)
    let answer = try threads[1].pack(.message(Self.stamp(2), .acceptance(Self.id)), for: 0)
    #expect(code { try threads[0].unpack(answer, from: 1) } == "altered")
  }

  @Test func keysOfOldMatchesAreDeleted() throws {
    var threads = try Self.pair()
    let old = try threads[0].pack(Self.state(), for: 1)
    for number in 1...UInt64(SealedThread.matchLimit) {
      let invitation = ThreadEnvelope.Content.message(
        Self.stamp(1), .invitation(MatchID(high: number, low: 7)))
      _ = try threads[1].unpack(try threads[0].pack(invitation, for: 1), from: 0)
      let acceptance = ThreadEnvelope.Content.message(
        Self.stamp(2), .acceptance(MatchID(high: number, low: 7)))
      _ = try threads[1].pack(acceptance, for: 0)
    }
    #expect(code { try threads[1].unpack(old, from: 0) } == "no-key")
    #expect(throws: Refusal.self) { try threads[0].pack(Self.state(), for: 1) }
  }

  /// Whoever can write into the thread can invite, in the name of everybody.
  @Test(arguments: [16, LongTests.count(quick: 300, long: 10_000)])
  func forgedInvitationsPushOutNoKeysInUse(count: Int) throws {
    var threads = try Self.pair()
    var stranger = SealedThread()
    for number in 1...UInt64(count) {
      let invitation = ThreadEnvelope.Content.message(
        Self.stamp(1), .invitation(MatchID(high: number, low: 7)))
      let forged = try stranger.pack(invitation, for: 1)
      let sender = number % 3 == 0 ? Int(number) + 2 : 0
      _ = try threads[1].unpack(forged, from: sender)
      // It has arrived, and is not wanted.
      let receipt = ThreadEnvelope.Content.receipt(
        Self.stamp(1), of: MatchID(high: number, low: 7))
      _ = try? threads[1].pack(receipt, for: sender)
      _ = try? threads[1].unpack(
        try stranger.pack(.message(Self.stamp(2), .ask(nil)), for: 1), from: sender)
    }
    #expect(
      try threads[1].unpack(try threads[0].pack(Self.state(), for: 1), from: 0) == Self.state())
    let answer = Self.state(games: 1)
    #expect(try threads[0].unpack(try threads[1].pack(answer, for: 0), from: 1) == answer)
  }

  /// A state that an earlier version stored names no part that the phone takes.
  @Test func keysOfAnEarlierVersionAreInUse() throws {
    var threads = try Self.pair()
    _ = try threads[1].unpack(try threads[0].pack(Self.state(), for: 1), from: 0)
    let stored = try JSONEncoder().encode(threads[1])
    let older = String(decoding: stored, as: UTF8.self)
      .replacing("takesPart\":true", with: "takesPart\":null")
    #expect(older.contains("takesPart\":null"))
    threads[1] = try JSONDecoder().decode(SealedThread.self, from: Data(older.utf8))
    var stranger = SealedThread()
    for number in 1...40 as ClosedRange<UInt64> {
      let invitation = ThreadEnvelope.Content.message(
        Self.stamp(1), .invitation(MatchID(high: number, low: 7)))
      _ = try threads[1].unpack(try stranger.pack(invitation, for: 1), from: 0)
    }
    let next = Self.state(games: 2)
    #expect(try threads[1].unpack(try threads[0].pack(next, for: 1), from: 0) == next)
  }

  /// Bytes that nobody of the thread has made.
  @Test(.longer) func anythingIsRefusedWithoutATrap() throws {
    var threads = try Self.pair()
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    let right = try threads[0].pack(Self.state(), for: 1)
    let open = try threads[0].pack(.message(Self.stamp(1), .ask(nil)), for: 1)
    for _ in 0..<LongTests.count(quick: 2_000, long: 20_000) {
      var bytes = (random.unit() < 0.5) ? right : open
      for _ in 0...random.below(8) {
        bytes[random.below((random.unit() < 0.5) ? 80 : bytes.count)] = UInt8(random.below(256))
      }
      guard bytes != right, bytes != open else { continue }
      if let content = try? threads[1].unpack(bytes, from: 0) {
        // Only an open question, or an invitation, can be made by anybody.
        let isInvitation = if case .message(_, .invitation) = content { true } else { false }
        #expect(content.match == nil || isInvitation, "seed \(seed): \(content)")
      }
    }
    #expect(try threads[1].unpack(right, from: 0) == Self.state())
  }
}
