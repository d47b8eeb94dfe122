public import AppEngines
public import TraceModel

/// The number of a fight, from 0 in the order of the challenges.
public typealias FightID = Int

/// The identity confirmed by the provider of a social login.
public struct SocialLogin: Hashable, Sendable, Codable {
  /// The provider's permanent id of the person.
  public var subject: String
  /// The initial profile of a new account.
  public var profile: Profile

  public init(subject: String, profile: Profile) {
    (self.subject, self.profile) = (subject, profile)
  }
}

public enum FightCall: Hashable, Sendable, Codable {
  /// Signs in and creates an account if necessary; signs out another phone of the person.
  case logIn(SocialLogin)
  case logOut
  case saveProfile(Profile)
  case reportPlace(Coordinate)
  /// Requests the next opponent of the queue, with the comparison of the stats and the odds.
  case findOpponent
  /// Rejects this opponent and requests the next.
  case backDown
  /// Accepts this opponent after the comparison, and requests the rest of the profile.
  case hitThat
  /// Starts a fight with a revealed or former opponent.
  case challenge(UserID)
  case punch(FightID, PunchReport)
  /// HitThat's punch: writes the opponent's stamina as an absolute number.
  case writeStamina(FightID, left: Double)
  /// HitThat's end: the phone reports that the fight is won.
  case reportWin(FightID)
  case viewFight(FightID)
  case listFights
  case viewProfile(UserID)
  /// Requests the position of a revealed or former opponent, who is notified.
  case track(UserID)
  /// Shows the exact position to a user who also shows theirs.
  case showPosition(UserID, isShown: Bool)
}

/// A call with its stamp: a repeated request gets the same answer and is not executed again.
public struct FightRequest: Hashable, Sendable, Codable {
  /// The phone, identified by a secret created at installation.
  public var installation: String
  /// The identity of the request. Numbers increase; the next request follows the answer.
  public var stamp: RequestStamp
  public var session: SessionToken?
  public var call: FightCall
}

/// A request as the transport passes it to the authority.
public struct FightArrival: Hashable, Sendable, Codable {
  public var request: FightRequest
  /// 128 bits that the transport draws for this arrival from the system's generator for secrets. A
  /// login makes them the session; other calls need none.
  public var token: SessionToken?

  public init(_ request: FightRequest, token: SessionToken?) {
    (self.request, self.token) = (request, token)
  }
}

/// The answer of the authority to a request.
public enum FightAnswer: Hashable, Sendable, Codable {
  case done
  case session(SessionToken, user: UserID, isNew: Bool, profile: Profile)
  /// The next opponent; nil = none left.
  case opponent(Opponent?)
  case revealed(BasicProfile, Versus)
  case fight(FightView)
  /// The fight after a punch that took less than reported.
  case limited(FightView, HitLimit)
  case fights(FightLists)
  case profile(BasicProfile)
  case tracking(TrackingView)
}

/// An opponent before the decision: enough to compare, not to know who it is.
public struct Opponent: Hashable, Sendable, Codable {
  public var alias: String
  /// A part of the picture; nil = none.
  public var photo: Photo?
  public var versus: Versus
  /// The distance in metres; nil = not known.
  public var distance: Double?
}

public typealias FightReply = StampedReply<FightAnswer>

public struct FightView: Hashable, Sendable, Codable {
  public var fight: FightID
  public var opponent: UserID
  public var opponentAlias: String
  public var side: FightSide
  public var bout: Bout
  public var lastMoved: TraceInstant

  public var mine: Stamina { bout.stamina(of: side) }
  public var theirs: Stamina { bout.stamina(of: side.other) }
  public var isMyTurn: Bool { bout.turn == side }
  public var isOver: Bool { bout.winner != nil }
  public var haveWon: Bool { bout.winner == side }
}

/// The user's fights, each list newest first and of at most ``limit`` fights.
public struct FightLists: Hashable, Sendable, Codable {
  public static let limit = 100

  public var active: [FightView]
  public var won: [FightView]
  public var lost: [FightView]
}

public struct TrackingView: Hashable, Sendable, Codable {
  public var user: UserID
  /// Whether the position is exact instead of ``Coordinate/coarse``.
  public var isExact: Bool
  /// The own position and that of the opponent, to draw on a map.
  public var from: Coordinate
  public var to: Coordinate

  /// The distance in metres.
  public var distance: Double { from.distance(to: to) }
  /// The bearing in degrees clockwise from true north, 0..<360.
  public var bearing: Double { from.bearing(to: to) }
}

/// A notification that the phone did not request. It names the fight and opens it when tapped.
public struct FightNotice: Hashable, Sendable, Codable {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case challenged, hit, won, lost, tracked, signedOut
  }
  public var kind: Kind
  /// The addressed user and session; a phone with another session ignores it.
  public var session: SessionToken
  public var text: String
  public var fight: FightID?
  public var view: FightView?
}
