public import AppEngines
public import TraceModel

/// What the server keeps instead of a password: bytes that the outside derived from the password and
/// a salt. The engine sees no password; it stores verifiers and compares them.
public struct PasswordVerifier: Hashable, Sendable, Codable {
  public let bytes: [UInt8]

  /// The accepted lengths in bytes.
  static let lengths = 16...64

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the length is one of a verifier, 16 to 64 bytes; others are refused.
  public var isValid: Bool { PasswordVerifier.lengths.contains(bytes.count) }

  /// Compares all bytes in constant time, so that the response time discloses nothing.
  func matches(_ other: PasswordVerifier) -> Bool {
    var difference = UInt8(bytes.count == other.bytes.count ? 0 : 1)
    for index in 0..<PasswordVerifier.lengths.upperBound {
      let mine = index < bytes.count ? bytes[index] : 0
      let theirs = index < other.bytes.count ? other.bytes[index] : 0
      difference |= mine ^ theirs
    }
    return difference == 0
  }
}

/// The address of a phone's installation, as the transport has authenticated it.
public typealias PhoneAddress = Int

struct TicTacToeAccount: Hashable, Sendable, Codable {
  var name: String
  /// What names that look the same have in common, see ``TicTacToeServer/key(ofName:)``.
  let key: String
  var verifier: PasswordVerifier
  /// What the phone needs to derive the verifier again; opaque.
  var salt: [UInt8]
  var picture: String?
  var wins = 0
  var losses = 0
  var draws = 0
  var lastPlayed: TraceInstant?
  var friends: [UserID] = []
  /// The people who were asked to be friends and have not answered.
  var friendRequests: [UserID] = []
  var session: SessionToken?
  /// The phone on which the person is signed in; nil = none.
  var phone: PhoneAddress?
  /// The order of the last login.
  var signedIn = 0
  /// The last request.
  var seen = TraceInstant(nanoseconds: .min)

  init(name: String, verifier: PasswordVerifier, salt: [UInt8], picture: String?) {
    (self.name, self.verifier, self.salt, self.picture) = (name, verifier, salt, picture)
    key = TicTacToeServer.key(ofName: name)
  }

  /// Whether a name has no characters that nobody sees, or that change how others are shown.
  static func isReadable(_ name: String) -> Bool {
    guard name.first?.isWhitespace == false, name.last?.isWhitespace == false else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
  }

  func score(of user: UserID) -> Score {
    Score(user: user, name: name, wins: wins, losses: losses, draws: draws, lastPlayed: lastPlayed)
  }
}

public struct Score: Hashable, Sendable, Codable {
  public var user: UserID
  public var name: String
  public var wins: Int
  public var losses: Int
  public var draws: Int
  /// The end of the last game; nil = none yet.
  public var lastPlayed: TraceInstant?

  /// Wins divided by losses, as the menu shows it; nil without a loss.
  public var ratio: Double? { losses == 0 ? nil : Double(wins) / Double(losses) }

  /// E.g. `3 won, 2 lost (ratio 1.5)`.
  public var words: String {
    let tenths = ratio.map { ($0 * 10).rounded() / 10 }
    return "\(wins) won, \(losses) lost" + (tenths.map { " (ratio \($0))" } ?? "")
  }
}

/// A person as others see them.
public struct Contact: Hashable, Sendable, Codable {
  public var user: UserID
  public var name: String
  public var picture: String?
  /// The phone that sends the person's heartbeats, and that receives those of others.
  public var phone: PhoneAddress
  /// The order of the last login: a higher number is newer.
  public var signedIn: Int
}
