public import AppEngines

/// What phones tell each other in a thread.
public enum ThreadMessage: Hashable, Sendable, Codable {
  /// The sender wants to play and is player one. It has no word.
  case invitation(MatchID)
  /// The sender wants to be player two of that match.
  case acceptance(MatchID)
  /// The match has two other players, or is unknown to the receiver of an acceptance.
  case declined(MatchID)
  case state(MatchState)
  /// The sender was opened and asks for what is newer than its state; nil = it knows no match.
  case ask(MatchState?)

  var match: MatchID? {
    switch self {
    case .invitation(let id), .acceptance(let id), .declined(let id): id
    case .state(let state): state.match
    case .ask(let state): state?.match
    }
  }
}

/// A message with its way.
public struct ThreadEnvelope: Hashable, Sendable, Codable {
  public enum Content: Hashable, Sendable, Codable {
    case message(RequestStamp, ThreadMessage)
    /// The message with that stamp, about that match, has arrived; it need not be sent again.
    case receipt(RequestStamp, of: MatchID?)

    public var match: MatchID? {
      switch self {
      case .message(_, let message): message.match
      case .receipt(_, let match): match
      }
    }
  }

  /// The receiver, by the number in the thread.
  public var to: Int
  public var content: Content

  public init(to receiver: Int, _ content: Content) { (to, self.content) = (receiver, content) }
}

/// A message that waits for its receipt.
struct ThreadLetter: Hashable, Sendable, Codable {
  var to: Int
  var message: ThreadMessage
}
