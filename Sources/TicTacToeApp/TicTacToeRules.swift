public import AppEngines
import Detectors
import TraceModel

/// The rules of Tic Chat Toe. Each switch is a fault of the original that the default fixes; the
/// engines are the same for both.
///
/// In the original the phones write records (presence, attempts, moves, chat) into tables of the
/// server, and each reads the newest records of all people. The other switches of the first group
/// also work with such records, so that each fault can be enabled alone.
public struct TicTacToeRules: AppRules {
  /// The server pairs people, orders and checks the moves, and ends games. Fault without it: the
  /// phones write records and judge what they read, so two boards can differ permanently.
  public var keepsGames = true
  /// If two people ask each other at once, the one with the lower number is the caller. Fault
  /// without it: each takes the other for the caller, so that both play O and nobody may begin.
  public var breaksTies = true
  /// An attempt can be repeated. Fault without it: one attempt in each visit to the list.
  public var repeatsAttempts = true
  /// A move that arrives must be on a free square, of the mover's own mark, and in turn. Fault
  /// without it: it is put on the board whatever it is. One's own taps are always checked.
  public var checksMoves = true
  /// A move names its game. Fault without it: moves of the previous game of the same two people are
  /// put on the new board.
  public var namesGames = true
  /// A request is repeated until it is answered. Fault without it: it is sent once.
  public var repeatsRequests = true
  /// The ages of records are the server's, which deletes them itself. Fault without it: a phone
  /// compares their times with its wall clock and deletes what it takes for expired, of everybody.
  public var usesServerTime = true
  /// Messages are for the opponent only. Fault without it: everybody reads all messages.
  public var chatsPerPair = true

  /// A phone uses the moves and messages that it reads when they arrive. Fault without it: only at its
  /// next look, one cycle later.
  public var usesAnswersAtOnce = true
  /// The age in seconds at which a move's record is lost; nil = never.
  public var moveLifetime: Double?
  /// The number of newest moves, of all games, that a phone reads.
  public var moveLimit = 1000
  /// The number of newest records of presence and of attempts that a phone reads.
  public var recordLimit = 1000
  /// The number of newest messages that a phone shows.
  public var chatShown = 100
  /// The age in seconds at which a message is deleted; nil = never.
  public var chatLifetime: Double?

  public var presencePreset = "default"
  /// The time in seconds between two heartbeats.
  public var heartbeatInterval = 1.5
  /// The age in seconds at which a record of presence expires.
  public var presenceLifetime = 10.0
  /// The time in seconds after which an attempt ends: 20 ticks of 0.5 s.
  public var attemptLifetime = 10.0
  /// The times in seconds between two looks: at attempts while one waits for an answer, and at the
  /// game.
  public var attemptPoll = 5.0
  public var gamePoll = 5.0
  /// With records, the times in seconds between two looks at the list of people and at the messages.
  /// The list is read together with the attempts, and the phone's presence record is renewed.
  public var listPoll = 1.5
  public var chatPoll = 3.0
  /// The absence in seconds after which a game is forfeited: no request of the player reached the
  /// server. If neither player was seen for so long, the game is closed without a winner.
  public var forfeitAfter = 60.0
  /// The opponent counts as there if a request came in the last so many seconds.
  public var thereWithin = 20.0
  /// The longest turn in seconds. Then the player forfeits.
  public var turnLimit = 300.0

  public static let `default` = TicTacToeRules()

  /// The rules of Tic Chat Toe.
  ///
  /// Source: itc395group/TicChatToe @9c2a7c7, in the folder TicChatToe: `timedFunc` and
  /// `garbageCollection` of TicTacToeTableViewController.swift (every third tick of 0.5 s uses what the
  /// last one read of moves and messages, and reads again), `timedFunc` and `atemptToConnect` of
  /// UserSelectionTableViewController.swift (attempts every tick, the list every third); `RULES.md` has
  /// the other places.
  public static let ticChatToe: TicTacToeRules = {
    var rules = TicTacToeRules()
    (rules.keepsGames, rules.breaksTies, rules.repeatsAttempts) = (false, false, false)
    (rules.checksMoves, rules.namesGames, rules.repeatsRequests) = (false, false, false)
    (rules.usesServerTime, rules.chatsPerPair) = (false, false)
    (rules.moveLifetime, rules.moveLimit, rules.recordLimit) = (30, 20, 50)
    (rules.chatShown, rules.chatLifetime) = (5, 30)
    rules.presencePreset = "ticChatToe"
    rules.usesAnswersAtOnce = false
    (rules.attemptPoll, rules.gamePoll, rules.chatPoll) = (0.5, 1.5, 1.5)
    return rules
  }()

  public static func preset(named name: String) -> TicTacToeRules? {
    ["default": .default, "ticChatToe": .ticChatToe][name]
  }

  func presence(for header: TraceHeader) -> PresenceDetector.Parameters {
    (PresenceDetector.preset(named: presencePreset) ?? PresenceDetector.presets[0])
      .parameters(for: header)
  }

  /// The waits between the attempts to send a request. Without repetitions the wait is the time
  /// until a request counts as lost.
  var backoff: Backoff {
    repeatsRequests ? Backoff(first: 1, longest: 8) : Backoff(first: 10, longest: 10, jitter: 0)
  }
  var attemptLimit: Int? { repeatsRequests ? nil : 1 }
}

/// The largest sizes of what people can make others store.
public enum TicTacToeLimits {
  public static let accounts = 10_000
  /// The installations that the server remembers. If there are more, one is forgotten that is not
  /// signed in and has sent nothing for ``phoneSilence`` seconds.
  public static let phones = 10_000
  public static let phoneSilence = 3600.0
  /// The people whom one phone can register in a row; one more after each ``registrationRefill``
  /// seconds.
  public static let registrations = 5
  public static let registrationRefill = 3600.0
  /// The logins of one phone in a row, right or wrong; one more after each ``loginRefill`` seconds.
  public static let logins = 20
  public static let loginRefill = 30.0
  /// The names whose wrong passwords are counted for each phone.
  public static let failures = 16
  /// The characters and bytes of a name.
  public static let nameCharacters = 32
  public static let nameBytes = 128
  /// The bytes of a reference to a picture.
  public static let pictureBytes = 256
  /// The characters and bytes of a message.
  public static let lineCharacters = 280
  public static let lineBytes = 1120
  /// The messages of a pair that are kept; older ones are dropped.
  public static let threadLines = 100
  /// The messages of a pair that a game's view contains.
  public static let viewLines = 20
  /// The pairs whose messages are kept.
  public static let threads = 10_000
  /// The messages of one person to another within ``lineWindow``.
  public static let linesAtOnce = 10
  /// In seconds.
  public static let lineWindow = 10.0
  /// The people on a phone's list: those whose requests are the newest.
  public static let contacts = 500
  /// The time in seconds without a request after which a person is no longer listed.
  public static let silence = 1800.0
  /// The people that a phone's presence detector has heard of until it starts again.
  public static let peers = 1000
  public static let friends = 200
  public static let friendRequests = 50
  public static let leaders = 10
  public static let endedGames = 256
  public static let records = 1000
  /// The wrong passwords for a name after which a phone cannot log in with it for ``blockTime``
  /// seconds. Other phones can.
  public static let wrongPasswords = 5
  public static let blockTime = 60.0
  /// The requests of a phone that wait for their answers.
  public static let outbox = 64
}
