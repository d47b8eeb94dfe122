import Foundation
import TestSupport
import Testing

@testable import Secrets

/// The whole protocol against another implementation, and what its first messages do not protect.
@Suite struct ThreadVectorTests {
  private struct Case: Decodable {
    var sender: Int
    var match: String
    var privateKeys: [String]
    var publicKeys: [String]
    var message: String
    var payload: String
  }

  @Test func messagesOfAnotherProgramAreOpened() throws {
    let cases = try Fixtures.cases(of: "sealed_thread.json", as: Case.self)
    #expect(cases.count == 6)
    for item in cases {
      let receiver = 1 - item.sender
      var seal = try ThreadSeal(
        hex(item.match), receiver == 0 ? .fromInviter : .fromResponder,
        hex(item.privateKeys[receiver]))
      #expect(seal.publicKey == hex(item.publicKeys[receiver]))
      let message = try SealedMessage(bytes: hex(item.message))
      #expect(message.senderKey == hex(item.publicKeys[item.sender]))
      #expect(try seal.open(message) == hex(item.payload))
    }
  }

  /// A newly installed phone without its key answers the invitation again, and is refused.
  @Test func aPhoneThatLostItsKeyIsRefused() throws {
    var inviter = try ThreadSeal(inviting: [UInt8](0..<16))
    let invitation = try inviter.invitation()
    var responder = try ThreadSeal(answering: invitation)
    #expect(try inviter.open(responder.seal([1])) == [1])
    var installed = try ThreadSeal(answering: invitation)
    let answer = try installed.seal([2])
    #expect(kind { () throws(SecretsError) in _ = try inviter.open(answer) } == .altered)
    let word = try inviter.seal([3])
    #expect(kind { () throws(SecretsError) in _ = try installed.open(word) } == .altered)
    #expect(try responder.open(word) == [3])
  }

  /// The documented limit: an attacker who replaces both keys reads everything.
  @Test func whoReplacesBothKeysSitsInBetween() throws {
    let match = [UInt8](0..<16)
    var inviter = try ThreadSeal(inviting: match)
    var toInviter = try ThreadSeal(answering: inviter.invitation())
    var toResponder = try ThreadSeal(inviting: match)
    var responder = try ThreadSeal(answering: toResponder.invitation())
    #expect(try toResponder.open(responder.seal([1])) == [1])
    #expect(try inviter.open(toInviter.seal([1])) == [1])
    #expect(try toInviter.open(inviter.seal([2])) == [2])
    #expect(try responder.open(toResponder.seal([2])) == [2])
  }

  @Test func aSavedStateWithAnotherLengthIsRefused() throws {
    let responder = try ThreadSeal(answering: ThreadSeal(inviting: [UInt8](0..<16)).invitation())
    let saved = try JSONEncoder().encode(responder)
    #expect(try JSONDecoder().decode(ThreadSeal.self, from: saved) == responder)
    for (name, value) in [
      ("match", [1]), ("privateKey", [1]), ("publicKey", [UInt8]()), ("otherKey", [2]),
      ("otherKey", nil), ("keys", nil), ("next", 0), ("opened", UInt64.max),
    ] as [(String, Any?)] {
      var fields = try #require(JSONSerialization.jsonObject(with: saved) as? [String: Any])
      fields[name] = value
      let changed = try JSONSerialization.data(withJSONObject: fields)
      #expect(throws: DecodingError.self, "\(name)") {
        try JSONDecoder().decode(ThreadSeal.self, from: changed)
      }
    }
  }

  @Test func aSavedMessageIsItsText() throws {
    let message = try ThreadSeal(inviting: [UInt8](0..<16)).invitation()
    let saved = try JSONEncoder().encode([message])
    #expect(try JSONDecoder().decode([SealedMessage].self, from: saved) == [message])
    for text in ["", message.text + "A", String(message.text.dropLast())] {
      let changed = try JSONEncoder().encode([text])
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([SealedMessage].self, from: changed)
      }
    }
  }
}
