import Foundation
import SealedThreads
import Secrets
import Synchronization
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// Whole matches, whose messages travel as bytes, and what somebody who reads the thread sees of them.
@Suite struct SealedMatchTests {
  /// The bytes in the thread, as everybody can read them.
  final class Tap: Sendable {
    let captured = Mutex<[(bytes: [UInt8], content: ThreadEnvelope.Content)]>([])
    /// The saved state of each phone's transport: its keys.
    let states = Mutex<[Int: SealedThread]>([:])
  }

  /// A transport that is listened to.
  struct Tapped: ThreadTransport {
    var inner = SealedThread()
    var person = 0
    var tap = Tap()

    mutating func pack(
      _ content: ThreadEnvelope.Content, for receiver: Int
    ) throws(Refusal) -> [UInt8] {
      let bytes = try inner.pack(content, for: receiver)
      tap.captured.withLock { $0.append((bytes, content)) }
      tap.states.withLock { $0[person] = inner }
      return bytes
    }

    mutating func unpack(
      _ bytes: [UInt8], from sender: Int
    ) throws(Refusal) -> ThreadEnvelope.Content { try inner.unpack(bytes, from: sender) }
  }

  struct Match {
    var simulation: SimulatedPictureGuess
    let tap: Tap

    func value(_ name: String) -> Double? {
      simulation.outcomes.first { $0.name == name && $0.person == nil }?.value
    }
  }

  /// Two people play without recorded drags.
  private static func play(
    _ preset: String = "default", _ network: NetworkSetup = NetworkSetup(), seed: UInt64 = 1,
    seconds: Double = 600
  ) throws -> Match {
    let end = TraceInstant.zero.advanced(bySeconds: seconds)
    let people = ["Ann", "Ben"].map { name in
      AppSetup.Person(header: TraceHeader(id: name, origin: .synthetic), name: name)
    }
    let tap = Tap()
    let setup = AppSetup(preset: preset, people: people, network: network, seed: seed)
    var match = Match(simulation: SimulatedPictureGuess(setup) { Tapped() }, tap: tap)
    for person in people.indices where match.simulation.people[person].transport is Tapped {
      match.simulation.people[person].transport = Tapped(person: person, tap: tap)
    }
    while let due = match.simulation.deadline, due <= end { match.simulation.advance(to: due) }
    for person in people.indices { match.simulation.finish(device: DeviceID(person), at: end) }
    match.simulation.close(at: end)
    return match
  }

  @Test(arguments: ["default", "iPict"]) func answersAreInPlainText(preset: String) throws {
    let match = try Self.play(preset)
    let readable = try #require(match.value("readable_answers"))
    #expect(match.value("matches_finished").map { $0 >= 2 } == true)
    #expect(preset == "iPict" ? readable >= 12 : readable == 0)
  }

  /// Somebody with the source of this program, the captured thread and the list of all words.
  @Test func theThreadShowsNothing() throws {
    var network = NetworkConditions()
    (network.delay, network.jitter, network.loss, network.duplication) = (0.2, 0.1, 0.2, 0.1)
    let faults = try ["restart:1:100s:40s", "restart:2:200s:new"].map {
      try ExchangeFault(parsing: $0)
    }
    let match = try Self.play("default", NetworkSetup(network, faults: faults), seconds: 1200)
    let thread = match.tap.captured.withLock { $0 }
    let sealed = thread.filter { $0.bytes[0] != 0 }
    #expect(match.value("matches_finished").map { $0 >= 2 } == true && sealed.count > 60)
    #expect(thread.allSatisfy { $0.bytes.count == SealedThread.messageLength })
    // In the open: invitations' keys, and questions of phones that know no match.
    for (bytes, content) in thread where bytes[0] == 0 { #expect(content.match == nil) }
    for (bytes, content) in sealed {
      let number = try SealedMessage(bytes: bytes).number
      let isInvitation = if case .message(_, .invitation) = content { true } else { false }
      #expect((number == 0) == isInvitation)
      #expect(throws: Refusal.self) { try PlainThread().unpack(bytes, from: 2) }
    }
    // No word of any length more often than in random bytes, in the bytes or in their text. A message that
    // was sent again counts once.
    let messages = Array(Set(sealed.map(\.bytes)))
    try expectChance(messages, base: 256)
    try expectChance(messages.map { Array(try SealedMessage(bytes: $0).text.utf8) }, base: 64)
    // No key.
    let states = match.tap.states.withLock { Array($0.values) }
    let keys = try states.flatMap { Self.privateKeys(in: try JSONEncoder().encode($0)) }
    #expect(keys.count >= 2 && keys.allSatisfy { $0.count == 32 })
    let bytes = Data(thread.map(\.bytes).joined())
    for key in keys { #expect(bytes.range(of: Data(key)) == nil) }
  }

  /// Expects the words in the messages about as often as in random letters of that number.
  private func expectChance(_ messages: [[UInt8]], base: Double) throws {
    for length in WordList.lengths {
      let words = Set(WordList.words(ofLength: length).map { ArraySlice($0.utf8) })
      // Most places are no beginning of a word: a table of its two first letters is quickest.
      var begins = [Bool](repeating: false, count: 1 << 16)
      for word in words { begins[Int(word[0]) << 8 | Int(word[1])] = true }
      let places = messages.reduce(0) { $0 + $1.count - length + 1 }
      let found = messages.reduce(0) { sum, bytes in
        sum
          + (0...bytes.count - length).count {
            begins[Int(bytes[$0]) << 8 | Int(bytes[$0 + 1])]
              && words.contains(bytes[$0..<$0 + length])
          }
      }
      let mean = Double(places * words.count) / pow(base, Double(length))
      // The chance that a Poisson number is above this is below 1e-6 for each mean here.
      #expect(Double(found) <= mean + 6 * mean.squareRoot() + 4, "\(length) letters: \(mean)")
    }
  }

  /// The private keys of a saved state.
  private static func privateKeys(in state: Data) -> [[UInt8]] {
    func search(_ value: Any) -> [[UInt8]] {
      if let list = value as? [Any] { return list.flatMap(search) }
      guard let fields = value as? [String: Any] else { return [] }
      return fields.flatMap { name, value in
        let isPrivate = ["privateKey", "sending", "receiving"].contains(name)
        return isPrivate ? [(value as? [UInt8]) ?? []] : search(value)
      }
    }
    return search((try? JSONSerialization.jsonObject(with: state)) ?? [])
  }

  /// Under every fault of the network, with restarts: the keys stay on the phones.
  @Test(.longer) func sealedMatchesBreakNothing() throws {
    var finished = 0.0
    for seed in 0..<UInt64(LongTests.count(quick: 40, long: 120)) {
      let network = NetworkSetup.random(seed: seed, phones: 2, hasServer: false, length: 400)
      let match = try Self.play("default", network, seed: seed, seconds: 400)
      #expect(match.simulation.violations == [], "seed \(seed)")
      for name in SimulatedPictureGuess.faultCounts
      where name != "third_person_answers_taken" {
        #expect(match.value(name) == 0, "seed \(seed): \(name)")
      }
      #expect(match.value("third_person_answers_taken") == 0, "seed \(seed)")
      finished += match.value("matches_finished") ?? 0
    }
    #expect(finished > 20)
  }

  /// The same match, sealed and in plain text: the seal changes nothing of it.
  @Test func theSealChangesNoMatch() throws {
    let network = NetworkSetup.random(seed: 11, phones: 2, hasServer: false, length: 400)
    var network2 = network
    (network2.conditions.jitter, network2.conditions.duplication) = (0, 0)
    let end = TraceInstant.zero.advanced(bySeconds: 400)
    let people = ["Ann", "Ben"].map { name in
      AppSetup.Person(header: TraceHeader(id: name, origin: .synthetic), name: name)
    }
    func log<Transport: ThreadTransport>(_ transport: Transport.Type) throws -> [AppEvent] {
      let setup = AppSetup(preset: "default", people: people, network: network2, seed: 3)
      var simulation = SimulatedPictureGuess(setup) { Transport() }
      while let due = simulation.deadline, due <= end { simulation.advance(to: due) }
      return simulation.takeEvents()
    }
    let (sealed, plain) = (try log(SealedThread.self), try log(PlainThread.self))
    #expect(sealed == plain && sealed.count > 10)
  }
}
