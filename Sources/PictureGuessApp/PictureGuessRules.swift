public import AppEngines

/// The rules of the picture-guess match. Each switch is a fault of iPict that the default fixes; the
/// engine is the same for both.
public struct PictureGuessRules: AppRules {
  /// A match begins with an invitation and its acceptance, so that both phones have a key before the
  /// first word travels; the transport then seals every message but the invitation. Fault without it:
  /// every message has the answer in plain text.
  public var hidesAnswers = true
  /// A third person of a thread takes no part in a match of two. Fault without it: whoever answers
  /// plays.
  public var limitsToTwo = true
  /// A phone that knows the match refuses an older message. Fault without it: it goes back.
  public var refusesOldMessages = true
  /// The match continues when a message arrives. Fault without it: only when the app is opened again.
  public var followsArrivals = true
  /// A word's tiles and guesses are kept for the match. Fault without it: for the word, so that they
  /// reach the next match with that word.
  public var keepsProgressByMatch = true
  /// Cancelling before sending keeps the word that was guessed. Fault without it: it must be guessed
  /// again.
  public var keepsProgressOnCancel = true
  /// Reopening a match counts nothing. Fault without it: the person's guesses of earlier words are
  /// added again.
  public var countsOnceOnReopening = true
  /// The four pictures differ, and none is of a word of this match or of the last word before it.
  /// Fault without it: each is drawn from all words.
  public var avoidsUsedWords = true
  /// A picture that cannot be fetched shows a placeholder and a retry. Fault without it: the app
  /// stops.
  public var survivesMissingPictures = true
  /// Equal totals are announced as a draw. Fault without it: the crown is drawn off the screen.
  public var announcesDraws = true
  /// The captions name the players of this match. Fault without it: those of the first match on the
  /// phone.
  public var captionsFollowMatch = true
  /// The preset of the tile-drag detector. The original's counts a full board twice when it is
  /// rearranged within the delay.
  public var dragPreset = "default"

  /// The time in seconds without a move after which a match is abandoned: 7 days.
  public var abandonAfter = 604_800.0
  /// The waits between the attempts to deliver a message.
  public var backoff = Backoff(first: 1, longest: 60)

  /// The rules without the faults.
  public static let `default` = PictureGuessRules()

  /// The rules of iPict.
  ///
  /// Source: Jlinnister/iPict @18c5011, in the folder MessagesExtension; `RULES.md` has the places.
  public static let iPict: PictureGuessRules = {
    var rules = PictureGuessRules()
    (rules.hidesAnswers, rules.limitsToTwo, rules.refusesOldMessages) = (false, false, false)
    (rules.followsArrivals, rules.keepsProgressByMatch) = (false, false)
    (rules.keepsProgressOnCancel, rules.countsOnceOnReopening) = (false, false)
    (rules.avoidsUsedWords, rules.survivesMissingPictures) = (false, false)
    (rules.announcesDraws, rules.captionsFollowMatch) = (false, false)
    rules.dragPreset = "iPict"
    return rules
  }()

  public static func preset(named name: String) -> PictureGuessRules? {
    ["default": .default, "iPict": .iPict][name]
  }
}

/// What went wrong on a phone, counted whatever the rules are. All are 0 under the default rules.
public struct PictureGuessFaults: Hashable, Sendable, Codable {
  /// Guesses of a board that was not refilled since the last guess.
  public var doubleGuesses = 0
  /// Words that were sent although the word before was the same.
  public var repeatedWords = 0
  /// Messages of people other than the two players that changed the match.
  public var thirdPersonAnswers = 0
  /// Older messages that took the match back.
  public var oldMessagesTaken = 0
  /// Messages that arrived while the app was open and changed nothing until it was opened again.
  public var missedArrivals = 0
  /// Words that were guessed and had to be guessed again after cancelling.
  public var lostWords = 0
  /// Guesses that a word began with, from another match or from reopening.
  public var foreignGuesses = 0
  /// Stops of the app because of a picture.
  public var crashes = 0
  /// Draws that the result did not announce.
  public var silentDraws = 0
  /// Captions that named the wrong player.
  public var wrongCaptions = 0

  /// The counts by the name of their outcome.
  static var fields: [(name: String, path: KeyPath<PictureGuessFaults, Int>)] {
    [
      ("double_guesses", \.doubleGuesses), ("repeated_words", \.repeatedWords),
      ("third_person_answers_taken", \.thirdPersonAnswers),
      ("old_messages_taken", \.oldMessagesTaken), ("missed_arrivals", \.missedArrivals),
      ("lost_words", \.lostWords), ("foreign_guesses", \.foreignGuesses),
      ("app_stops", \.crashes), ("silent_draws", \.silentDraws),
      ("wrong_captions", \.wrongCaptions),
    ]
  }
}
