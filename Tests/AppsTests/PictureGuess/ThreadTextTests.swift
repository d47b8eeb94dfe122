import Testing
import TraceModel

@testable import AppEngines
@testable import PictureGuessApp

/// The text of messages in a thread.
@Suite struct ThreadTextTests {
  private static let contents: [ThreadEnvelope.Content] = {
    let stamp = RequestStamp(epoch: .max, number: 1 << 53, mark: 7)
    let id = MatchID(high: 1, low: .max)
    var first = MatchStateTests.state
    first.two = nil
    return [
      .receipt(stamp, of: id), .receipt(stamp, of: nil), .message(stamp, .invitation(id)),
      .message(stamp, .acceptance(id)), .message(stamp, .declined(id)), .message(stamp, .ask(nil)),
      .message(stamp, .ask(MatchStateTests.state)), .message(stamp, .state(MatchStateTests.state)),
      .message(stamp, .state(first)),
    ]
  }()

  @Test func everyMessageIsReadBack() throws {
    for content in Self.contents {
      #expect(try ThreadEnvelope.Content(text: content.text) == content)
      let bytes = PlainThread().pack(content, for: 1)
      #expect(try PlainThread().unpack(bytes, from: 0) == content)
      #expect(bytes.count <= ThreadEnvelope.Content.textLimit)
    }
    #expect(Set(Self.contents.map(\.text)).count == Self.contents.count)
  }

  /// The original's message is the query of a URL with the answer in it.
  @Test func aWordIsReadableInPlainText() throws {
    let text = Self.contents[7].text
    #expect(text.hasSuffix("&" + MatchStateTests.state.query))
    #expect(text.contains("&Answer=\(MatchStateTests.state.answer)&"))
  }

  @Test func anythingElseIsRefused() throws {
    var random = SeededGenerator(seed: 5)
    for content in Self.contents {
      let text = content.text
      for end in 0..<text.utf8.count {
        let part = String(text.prefix(end))
        if let other = try? ThreadEnvelope.Content(text: part) {
          // Only a shorter number is still a text of the same kind.
          #expect(other.text == part && other != content)
        }
      }
      for _ in 0..<300 {
        var bytes = Array(text.utf8)
        bytes[random.below(bytes.count)] = UInt8(32 + random.below(95))
        let changed = String(decoding: bytes, as: UTF8.self)
        if let other = try? ThreadEnvelope.Content(text: changed) {
          // Numbers may be written with a sign or zeros.
          #expect(try ThreadEnvelope.Content(text: other.text) == other)
        }
      }
    }
    let long = [UInt8](repeating: 65, count: ThreadEnvelope.Content.textLimit + 1)
    #expect(throws: Refusal.self) { try PlainThread().unpack(long, from: 0) }
  }
}
