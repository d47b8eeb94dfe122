extension Workout {
  /// Whose activities a feed shows.
  public enum FeedScope: String, CaseIterable, Hashable, Sendable, Codable {
    case mine
    case mineAndFriends = "mine-and-friends"
  }

  /// What a phone asks of the server. Each can come late, twice, out of order or not at all, and
  /// does the same once as often.
  public enum Request: Hashable, Sendable, Codable {
    case signUp(name: String, number: PhoneNumber)
    /// All numbers of the address book. The newest revision holds, whatever arrives last.
    case contacts(revision: Int64, [PhoneNumber])
    case save(Record)
    case feed(FeedScope)
    case open(ActivityID)

    /// The text names what is asked, for logs.
    public var name: String {
      switch self {
      case .signUp: "sign-up"
      case .contacts: "contacts"
      case .save: "save"
      case .feed: "feed"
      case .open: "open"
      }
    }
  }

  /// A request with the number that its answer quotes.
  public struct Letter: Hashable, Sendable, Codable {
    public var number: Int
    public var request: Request

    public init(number: Int, request: Request) {
      self.number = number
      self.request = request
    }
  }

  /// Somebody of the address book who has the app.
  public struct Match: Hashable, Sendable, Codable {
    public var user: UserID
    /// As they call themselves.
    public var name: String
    public var number: PhoneNumber

    public init(user: UserID, name: String, number: PhoneNumber) {
      self.user = user
      self.name = name
      self.number = number
    }
  }

  public enum Answer: Hashable, Sendable, Codable {
    case signedUp
    case contacts([Match])
    /// The server has it, and will not lose it.
    case saved(ActivityID)
    case feed([Summary], [Match])
    case activity(Record)
    case refused(Refusal)
  }
}

extension Refusal {
  /// Whether the same request can succeed later: the server is away, or the sign-up is still on
  /// its way.
  var isPassing: Bool { code == "unavailable" || code == "not-signed-up" }
}
