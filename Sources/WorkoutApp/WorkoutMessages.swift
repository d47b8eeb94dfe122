public import AppEngines

extension Workout {
  /// The people whose activities a feed shows.
  public enum FeedScope: String, CaseIterable, Hashable, Sendable, Codable {
    case mine
    case mineAndFriends = "mine-and-friends"
  }

  /// A request of a phone to the server. Requests can be late, duplicated, reordered or lost; they
  /// are idempotent.
  public enum Request: Hashable, Sendable, Codable {
    case signUp(name: String, number: PhoneNumber)
    /// The code that was sent to the number shows whose it is.
    case verify(PhoneNumber, code: String)
    /// All numbers of the address book. The newest revision wins, in any order of arrival.
    case contacts(revision: Int64, [PhoneNumber])
    case save(Record)
    case feed(FeedScope)
    case open(ActivityID)

    /// Whether it only reads, so that it may be executed again.
    var isReading: Bool {
      switch self {
      case .feed, .open: true
      case .signUp, .verify, .contacts, .save: false
      }
    }
  }

  /// A request with the stamp that its answer quotes.
  public struct Letter: Hashable, Sendable, Codable {
    /// The random number of the app's installation: each numbers its requests.
    public var installation: UInt64
    public var stamp: RequestStamp
    public var request: Request
  }

  /// A contact who uses the app.
  public struct Match: Hashable, Sendable, Codable {
    public var user: UserID
    public var name: String
    public var number: PhoneNumber
  }

  public enum Answer: Hashable, Sendable, Codable {
    case signedUp
    case verified
    /// The code does not show whose the number is. An answer and not a refusal, because attempts are
    /// counted.
    case codeRejected(Refusal)
    case contacts([Match])
    /// The server has stored the activity permanently.
    case saved(ActivityID)
    case feed([Summary], [Match])
    case activity(Record)
    case refused(Refusal)
    /// The request was not executed, because its number does not fit: continue from the position.
    case outOfStep(StampPosition)
  }
}

extension Refusal {
  /// Whether the same request can succeed later: the server is unavailable, or the sign-up or the
  /// code is still in transit.
  var isPassing: Bool { ["unavailable", "not-signed-up", "not-verified"].contains(code) }
}
