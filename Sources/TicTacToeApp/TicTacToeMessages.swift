public import AppEngines
public import TraceModel

/// The number of a game, from 0 in the order in which they began.
public typealias GameID = Int
/// The number of an attempt, from 0.
public typealias AttemptID = Int
/// The number of a record, from 0.
public typealias RecordID = Int

public enum TicTacToeCall: Hashable, Sendable, Codable {
  // Accounts.
  case register(name: String, PasswordVerifier, salt: [UInt8], picture: String?)
  /// Requests the salt of an account, to derive the verifier from the password.
  case salt(of: String)
  case logIn(name: String, PasswordVerifier)
  case logOut
  case setPicture(String?)
  /// Requests the menu: the person's score.
  case menu
  /// Requests the people who are signed in.
  case contacts
  // Games.
  /// Asks a person for a game: records an attempt with heard = false.
  case ask(UserID)
  /// Answers an attempt: heard = true. The game opens.
  case hear(AttemptID)
  /// Requests the open game and the newest attempt of another person; shows that one is there.
  case look
  case move(GameID, turn: Int, Move)
  /// Gives up an open game.
  case leave(GameID)
  /// Sends a message to the opponent of a game.
  case say(GameID, String)
  /// Requests all kept messages with a person, newest first.
  case thread(UserID)
  // People.
  case befriend(UserID)
  case unfriend(UserID)
  /// Requests the friends, and the people who want to be friends.
  case friends
  case leaders
  // Records, by the original's rules.
  case post(GameRecord.Content)
  case query(GameRecord.Table)
  case delete([RecordID])
  /// Reports the end of a game by the phone's board: whether it was won; nil = a draw.
  case report(Bool?)
}

/// A call with its stamp: a repeated request gets the same answer and is not executed again.
public struct TicTacToeRequest: Hashable, Sendable, Codable {
  public var stamp: RequestStamp
  /// The proof of the login; nil before.
  public var session: SessionToken?
  public var call: TicTacToeCall
}

public enum TicTacToeAnswer: Hashable, Sendable, Codable {
  case done
  case salt([UInt8])
  case session(SessionToken, user: UserID, name: String)
  indirect case menu(Score)
  case contacts([Contact])
  case asked(AttemptID)
  indirect case game(GameView)
  indirect case look(LookView)
  case thread([ChatLine])
  case scores([Score])
  /// The friends, and the people who wait for an answer to their request.
  case friends([Score], requests: [Score])
  case posted(RecordID)
  case records([GameRecord])
}

public typealias TicTacToeReply = StampedReply<TicTacToeAnswer>

public struct TicTacToeNotice: Hashable, Sendable, Codable {
  public enum Content: Hashable, Sendable, Codable {
    case asked(Attempt)
    case game(GameView)
    case arrived(Contact)
    case friendRequest(from: UserID, name: String)
    case signedOut(String)
  }
  /// The addressed person; a phone on which another one is signed in ignores it.
  public var user: UserID
  public var content: Content
}

/// A request for a game that waits for its answer.
public struct Attempt: Hashable, Sendable, Codable {
  public var id: AttemptID
  public var from: UserID
  public var to: UserID
  public var made: TraceInstant
}

/// What a person who looks is shown.
public struct LookView: Hashable, Sendable, Codable {
  /// The open game, otherwise the last one that is kept; nil = none.
  public var game: GameView?
  /// The newest attempt to reach the person; nil = none.
  public var asking: Attempt?
}

public struct GameView: Hashable, Sendable, Codable {
  public var game: GameID
  /// The start, which distinguishes games with the same number after the server's state went back.
  public var begun: TraceInstant
  /// The number of changes of the game so far.
  public var revision: Int
  public var opponent: UserID
  public var opponentName: String
  public var mark: Mark
  public var moves: [Move] = []
  public var result: GameResult?
  /// The last messages of the two, newest first.
  public var chat: [ChatLine] = []

  public var board: Board { Board(moves) }
  /// The number of the turn, from 0.
  public var turn: Int { moves.count }
  public var isMyTurn: Bool { result == nil && Mark.onTurn(turn) == mark }

  /// When the game began, in an order of all games.
  var age: GameAge { GameAge(begun: begun, game: game) }

  func isSameGame(as other: GameView) -> Bool {
    game == other.game && begun == other.begun && opponent == other.opponent
  }
}

/// The order of games by their start. Their numbers alone do not order them, because a server whose
/// state went back gives them again.
struct GameAge: Hashable, Comparable, Sendable, Codable {
  var begun: TraceInstant
  var game: GameID

  static func < (one: GameAge, other: GameAge) -> Bool {
    (one.begun, one.game) < (other.begun, other.game)
  }
}

public struct ChatLine: Hashable, Sendable, Codable {
  /// The number within the thread, from 0.
  public var number: Int
  public var author: UserID
  public var text: String
}

/// A heartbeat from phone to phone.
public struct Beat: Hashable, Sendable, Codable {
  public var user: UserID
  public var counter: Int64
  /// The time of sending on the sender's monotonic clock. It orders the beats of one sender; silence
  /// is measured between arrivals.
  public var sent: TraceInstant
}

/// A record of the server's tables, by the original's rules.
public struct GameRecord: Hashable, Sendable, Codable {
  public enum Table: String, CaseIterable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    case presence, attempts, moves, chat
  }

  public enum Content: Hashable, Sendable, Codable {
    case presence
    case attempt(to: UserID, isHeard: Bool)
    /// - Parameter game: the record of the attempt that opened the game; nil = not named.
    case move(turn: Int, Move, game: RecordID?)
    /// - Parameter to: the person; nil = everybody.
    case chat(String, to: UserID?)

    public var table: Table {
      switch self {
      case .presence: .presence
      case .attempt: .attempts
      case .move: .moves
      case .chat: .chat
      }
    }
  }

  public var id: RecordID
  public var author: UserID
  public var authorName: String
  /// The time of creation on the server's clock.
  public var created: TraceInstant
  /// The age at the time of the answer, by the server, in ns.
  public var age: Int64 = 0
  public var content: Content
}
