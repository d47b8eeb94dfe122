public import AppEngines

/// Turns the messages of a thread into the bytes that travel, and back. Each phone has its own.
///
/// Its data on the phone, such as keys, are not part of the app's state. They stay when the app is
/// restored from an older state or reinstalled.
public protocol ThreadTransport: Sendable {
  /// The transport of a phone that knows no match.
  init()

  /// Returns the bytes of a message. Each attempt to send it is packed again.
  /// - Throws: why it cannot be sent, e.g. because this phone has no key of the match. It is lost then.
  mutating func pack(
    _ content: ThreadEnvelope.Content, for receiver: Int
  ) throws(Refusal) -> [UInt8]

  /// Returns the message of bytes that came from a person.
  /// - Throws: why they are not taken. Then nothing has changed.
  mutating func unpack(_ bytes: [UInt8], from sender: Int) throws(Refusal) -> ThreadEnvelope.Content
}

/// Messages in plain text, as iPict sends them: everybody in the thread can read them.
public struct PlainThread: ThreadTransport {
  public init() {}

  public func pack(_ content: ThreadEnvelope.Content, for receiver: Int) -> [UInt8] {
    Array(content.text.utf8)
  }

  public func unpack(_ bytes: [UInt8], from sender: Int) throws(Refusal) -> ThreadEnvelope.Content {
    guard bytes.count <= ThreadEnvelope.Content.textLimit else { throw MatchState.unreadable }
    return try ThreadEnvelope.Content(text: String(decoding: bytes, as: UTF8.self))
  }
}

extension ThreadEnvelope.Content {
  /// No text of a message has more bytes.
  public static let textLimit = 512

  /// The message as the query of a URL: its kind, its stamp, and what the kind has.
  public var text: String {
    switch self {
    case .receipt(let stamp, let match):
      "Kind=receipt&\(Self.text(of: stamp))&Match=\(match.map { "\($0)" } ?? "")"
    case .message(let stamp, let message):
      switch message {
      case .invitation(let id): "Kind=invitation&\(Self.text(of: stamp))&Match=\(id)"
      case .acceptance(let id): "Kind=acceptance&\(Self.text(of: stamp))&Match=\(id)"
      case .declined(let id): "Kind=declined&\(Self.text(of: stamp))&Match=\(id)"
      case .state(let state): "Kind=state&\(Self.text(of: stamp))&\(state.query)"
      case .ask(nil): "Kind=ask&\(Self.text(of: stamp))&Match="
      case .ask(let state?): "Kind=ask&\(Self.text(of: stamp))&\(state.query)"
      }
    }
  }

  private static func text(of stamp: RequestStamp) -> String {
    "Epoch=\(stamp.epoch)&Number=\(stamp.number)&Mark=\(stamp.mark)"
  }

  /// Reads what ``text`` writes.
  /// - Throws: if the text is anything else, or if no match can have its state.
  public init(text: String) throws(Refusal) {
    let parts = text.split(separator: "&", maxSplits: 4, omittingEmptySubsequences: false)
    func value(_ index: Int, _ name: String) -> Substring? {
      let pair = parts[index].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return pair.count == 2 && pair[0] == name ? pair[1] : nil
    }
    guard parts.count == 5, let kind = value(0, "Kind"),
      let epoch = value(1, "Epoch").flatMap({ UInt64($0) }),
      let number = value(2, "Number").flatMap({ Int($0) }),
      let mark = value(3, "Mark").flatMap({ UInt64($0) })
    else { throw MatchState.unreadable }
    let stamp = RequestStamp(epoch: epoch, number: number, mark: mark)
    let rest = String(parts[4])
    if kind == "state" || kind == "ask" && rest != "Match=" {
      let state = try MatchState(query: rest)
      self = .message(stamp, kind == "state" ? .state(state) : .ask(state))
      return
    }
    let id = value(4, "Match").flatMap { MatchID($0) }
    switch (kind, id) {
    case ("receipt", _) where id != nil || rest == "Match=": self = .receipt(stamp, of: id)
    case ("ask", nil): self = .message(stamp, .ask(nil))
    case ("invitation", let id?): self = .message(stamp, .invitation(id))
    case ("acceptance", let id?): self = .message(stamp, .acceptance(id))
    case ("declined", let id?): self = .message(stamp, .declined(id))
    default: throw MatchState.unreadable
    }
  }
}
