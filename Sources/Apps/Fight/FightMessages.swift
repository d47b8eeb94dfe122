import Detectors
public import TraceModel

/// Numbers from 0 in the order of registration.
public typealias UserID = Int
/// Numbers from 0 in the order of the challenges.
public typealias FightID = Int

/// A place on Earth, degrees, WGS84.
public struct Coordinate: Hashable, Sendable, Codable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  var isValid: Bool { Geodesy.isValid(latitude: latitude, longitude: longitude) }

  /// Degrees between the points that coarse positions lie on: 1.1 km northwards.
  public static let coarseStep = 0.01

  /// The nearest point of a grid that is the same for everybody, so that asking often, or from
  /// other places, tells no more.
  public var coarse: Coordinate {
    func rounded(_ degrees: Double) -> Double {
      // No negative zero: its sign would tell on which side of the line somebody is.
      (degrees / Coordinate.coarseStep).rounded() * Coordinate.coarseStep + 0
    }
    return Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))
  }

  /// Metres.
  public func distance(to other: Coordinate) -> Double {
    Geodesy.distance(
      latitude: latitude, longitude: longitude, toLatitude: other.latitude,
      longitude: other.longitude)
  }

  /// Degrees clockwise from true north, 0..<360.
  public func bearing(to other: Coordinate) -> Double {
    Geodesy.initialBearing(
      latitude: latitude, longitude: longitude, toLatitude: other.latitude,
      longitude: other.longitude)
  }
}

/// What the provider of a social login vouches for.
public struct SocialLogin: Hashable, Sendable, Codable {
  /// The provider's own name for the person, which never changes.
  public var subject: String
  /// What a new account starts with.
  public var profile: Profile

  public init(subject: String, profile: Profile) {
    self.subject = subject
    self.profile = profile
  }
}

/// What a phone asks of the authority.
public enum FightCall: Hashable, Sendable, Codable {
  /// Signs in, with a new account where there is none; another phone of the person is signed out.
  case logIn(SocialLogin)
  case logOut
  /// Puts the profile in the old one's place.
  case saveProfile(Profile)
  case reportPlace(Coordinate)
  /// The next opponent of the queue.
  case findOpponent
  /// Not this one: the next.
  case backDown
  /// This one: their profile, and both side by side.
  case hitThat
  /// Starts a fight with somebody who was revealed or fought before.
  case challenge(UserID)
  case punch(FightID, PunchReport)
  /// HitThat's punch: what both have left.
  case writeStamina(FightID, origin: Double, recipient: Double)
  /// HitThat's end: the phone says that the fight is won.
  case reportWin(FightID)
  case viewFight(FightID)
  case listFights
  case viewProfile(UserID)
  /// Where somebody is who was revealed or fought before; they are told.
  case track(UserID)
  /// Lets somebody see the exact position, if they let me see theirs.
  case showPosition(UserID, isShown: Bool)
}

/// A call with its number: what has come already is answered as it was, and neither done nor judged
/// again.
public struct FightRequest: Hashable, Sendable, Codable {
  /// The phone, by a secret of its own that it made when the app was installed.
  public var installation: String
  /// Rises with each request of the installation; it sends the next when it has an answer.
  public var number: Int
  /// From the login; 0 before.
  public var session: UInt64
  public var call: FightCall

  public init(installation: String, number: Int, session: UInt64, call: FightCall) {
    self.installation = installation
    self.number = number
    self.session = session
    self.call = call
  }
}

/// What the authority says to a request.
public enum FightAnswer: Hashable, Sendable, Codable {
  case done
  case session(UInt64, user: UserID, isNew: Bool, profile: Profile)
  /// Nobody is left: nil.
  case opponent(Opponent?)
  case revealed(BasicProfile, Versus)
  case fight(FightView)
  case fights(FightLists)
  case profile(BasicProfile)
  case tracking(TrackingView)
}

/// An opponent before the reveal: only how far away, metres, nil = not known.
public struct Opponent: Hashable, Sendable, Codable {
  public var distance: Double?

  public init(distance: Double?) {
    self.distance = distance
  }
}

public struct FightReply: Hashable, Sendable, Codable {
  public enum Result: Hashable, Sendable, Codable {
    case answer(FightAnswer)
    /// By the rules; or made of the engine's own refusal by who carries the messages.
    case refusal(Refusal)
  }
  /// The request's.
  public var number: Int
  public var result: Result

  public init(number: Int, result: Result) {
    self.number = number
    self.result = result
  }
}

/// A fight as one of the two sees it.
public struct FightView: Hashable, Sendable, Codable {
  public var fight: FightID
  public var opponent: UserID
  public var opponentAlias: String
  public var side: FightSide
  public var bout: Bout
  public var lastMoved: TraceInstant

  public init(
    fight: FightID, opponent: UserID, opponentAlias: String, side: FightSide, bout: Bout,
    lastMoved: TraceInstant
  ) {
    self.fight = fight
    self.opponent = opponent
    self.opponentAlias = opponentAlias
    self.side = side
    self.bout = bout
    self.lastMoved = lastMoved
  }

  public var mine: Stamina { bout.stamina(of: side) }
  public var theirs: Stamina { bout.stamina(of: side.other) }
  public var isMyTurn: Bool { bout.turn == side }
  public var isOver: Bool { bout.winner != nil }
  public var haveWon: Bool { bout.winner == side }
}

/// My fights, each list newest first.
public struct FightLists: Hashable, Sendable, Codable {
  public var active: [FightView]
  public var won: [FightView]
  public var lost: [FightView]

  public init(active: [FightView], won: [FightView], lost: [FightView]) {
    self.active = active
    self.won = won
    self.lost = lost
  }
}

/// The way to an opponent.
public struct TrackingView: Hashable, Sendable, Codable {
  public var user: UserID
  /// Whether the position is exact, and not only to ``Coordinate/coarse``.
  public var isExact: Bool
  /// Metres from me to that position.
  public var distance: Double
  /// Degrees clockwise from true north, 0..<360.
  public var bearing: Double
  /// From me to that position, to draw on a map.
  public var route: [Coordinate]

  public init(user: UserID, isExact: Bool, from here: Coordinate, to there: Coordinate) {
    self.user = user
    self.isExact = isExact
    distance = here.distance(to: there)
    bearing = here.bearing(to: there)
    route = [here, there]
  }
}

/// What a phone shows although nobody asked. It names the fight, and opens it when it is tapped.
public struct FightNotice: Hashable, Sendable, Codable {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case challenged, hit, reminder, won, lost, tracked, signedOut
  }
  public var kind: Kind
  /// The user and session that it is for: a phone with another one leaves it alone.
  public var session: UInt64
  public var text: String
  /// The fight that it is about and opens.
  public var fight: FightID?
  /// As it is now, if the notice carries it.
  public var view: FightView?

  public init(
    _ kind: Kind, session: UInt64, text: String, fight: FightID? = nil, view: FightView? = nil
  ) {
    self.kind = kind
    self.session = session
    self.text = text
    self.fight = fight
    self.view = view
  }
}
