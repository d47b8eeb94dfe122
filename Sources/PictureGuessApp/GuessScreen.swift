/// How much room the message app gives: a strip below the thread, or the whole screen.
public enum PresentationStyle: String, CaseIterable, Hashable, Sendable, Codable {
  case compact, expanded
}

/// Where a person stands in a match.
public enum GuessStage: String, CaseIterable, Hashable, Sendable, Codable {
  case none
  /// Somebody invites; opening the app accepts.
  case invited
  /// The invitation is accepted, and the first word is on its way.
  case accepted
  /// The first picture is chosen, and nobody has accepted the invitation yet.
  case inviting
  /// It is time to choose one of four pictures.
  case choosing
  /// A picture is chosen and not sent yet.
  case composed
  /// The other person guesses.
  case waiting
  case guessing
  case over
  /// Nobody made a move for too long.
  case abandoned
  /// The app stopped because of a picture (iPict's rules); it must be opened again.
  case stopped

  /// Whether no further move belongs to the match.
  var isFinal: Bool { self == .over || self == .abandoned }
}

public enum GuessScreen: String, CaseIterable, Hashable, Sendable, Codable {
  /// The button to play.
  case start
  /// Four pictures.
  case choose
  /// The picture that is being sent, or that the other person guesses; its tiles do not move.
  case send
  /// The picture, the slots and the twelve tiles.
  case guess
  /// Both totals and the winner, with the button for a rematch.
  case result

  /// The screen is a function of the stage and the style alone.
  public init(_ stage: GuessStage, _ style: PresentationStyle) {
    guard style == .expanded else {
      self = .start
      return
    }
    self =
      switch stage {
      case .none, .invited, .stopped: .start
      case .choosing: .choose
      case .accepted, .inviting, .composed, .waiting: .send
      case .guessing: .guess
      case .over, .abandoned: .result
      }
  }
}

/// The captions of the messages, as functions of their content.
public enum GuessCaption {
  public static let invitation = "Player one invites you to guess pictures"

  /// Returns the caption of a word or a result.
  /// - Parameters:
  ///   - playerOne: the person whom the caption calls player one.
  ///   - announcesDraws: whether equal totals have a caption.
  public static func text(
    of state: MatchState, playerOne: Int, announcesDraws: Bool = true
  ) -> String {
    switch state.result {
    case nil:
      let player = state.author == playerOne ? "one" : "two"
      return "A picture by player \(player): round \(state.round) of \(MatchState.roundCount)"
    case .draw:
      return announcesDraws ? "A draw: both needed \(state.guessesOfOne) guesses" : ""
    case .one: return won("one", state.guessesOfOne, state.guessesOfTwo)
    case .two: return won("two", state.guessesOfTwo, state.guessesOfOne)
    }
  }

  private static func won(_ player: String, _ guesses: Int, _ others: Int) -> String {
    "Player \(player) wins with \(guesses) guesses to \(others)"
  }
}

public struct GuessPicture: Hashable, Sendable, Codable {
  public enum Status: String, Hashable, Sendable, Codable {
    case loading, shown
    /// A placeholder with a button to try again.
    case placeholder
  }

  public var word: String
  public var status: Status
}
