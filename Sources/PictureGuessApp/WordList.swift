/// The words whose pictures can be chosen: nouns of 3 to 6 letters that a picture can show.
///
/// The list is this project's own. It has at least ``leastCount`` words of each length, all
/// different, so that a match of six words need not repeat one.
public enum WordList {
  /// The number of letters that a word can have.
  public static let lengths = 3...6
  /// The smallest number of words of each length.
  public static let leastCount = 120

  /// All words in capitals, by length and then in alphabetical order.
  public static let words: [String] = lengths.flatMap(words(ofLength:))

  /// Returns the words of a length in capitals, in alphabetical order; empty out of ``lengths``.
  public static func words(ofLength length: Int) -> [String] {
    let text =
      switch length {
      case 3: threeLetters
      case 4: fourLetters
      case 5: fiveLetters
      case 6: sixLetters
      default: ""
      }
    return text.split { $0 == " " || $0 == "\n" }.map { $0.uppercased() }
  }

  /// Whether a text can be an answer: 3 to 6 capital letters A to Z. It need not be in the list,
  /// which another version of the app may have changed.
  static func isAnswer(_ text: String) -> Bool {
    lengths.contains(text.utf8.count) && text.utf8.allSatisfy { (65...90).contains($0) }
  }
}
