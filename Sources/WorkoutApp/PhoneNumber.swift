/// A telephone number in international form (ITU-T E.164): `+` and 7 to 15 digits, the
/// first not 0. Different notations of a number are equal.
public struct PhoneNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable,
  CodingKeyRepresentable, CustomStringConvertible
{
  /// The notation of numbers in a country.
  public struct Region: Hashable, Sendable, Codable {
    /// The country code without a plus, e.g. `49`.
    public var countryCode: String
    /// The prefix of a number within the country, which is omitted after a country code.
    public var nationalPrefix: String
    /// The prefix that is dialled instead of the plus, in addition to `00`.
    public var internationalPrefix: String

    public init(countryCode: String, nationalPrefix: String, internationalPrefix: String = "00") {
      (self.countryCode, self.nationalPrefix) = (countryCode, nationalPrefix)
      self.internationalPrefix = internationalPrefix
    }

    public static let germany = Region(countryCode: "49", nationalPrefix: "0")
    public static let unitedStates = Region(
      countryCode: "1", nationalPrefix: "1", internationalPrefix: "011")
    /// The zero is part of the number.
    public static let italy = Region(countryCode: "39", nationalPrefix: "")
  }

  /// E.g. `+12025550123`.
  public let rawValue: String

  /// - Returns: nil if it is not in international form.
  public init?(rawValue: String) {
    let bytes = Array(rawValue.utf8)
    guard bytes.first == 0x2B, (8...16).contains(bytes.count), bytes[1] != 0x30,
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.rawValue = rawValue
  }

  /// Parses a number from an address book:
  /// - spaces, hyphens, dots, slashes, parentheses and invisible marks from copying are ignored, as
  ///   is a `(0)` after a country code, as in `+49 (0)30 901820` and `0049 (0)30 901820`;
  /// - digits of any script count;
  /// - `+`, `00` or the region's own international prefix start a country code;
  /// - without one, the region's national prefix is replaced by its country code, which also goes
  ///   before a number that has neither.
  ///
  /// - Returns: nil if the result is not a number: letters, extensions, emergency numbers.
  public init?(_ text: String, in region: Region) {
    // No number is longer; an address book may contain anything.
    let prefixes = ["00", region.internationalPrefix].filter { !$0.isEmpty }
    guard text.utf8.count <= 200, let dialled = PhoneNumber.dialled(text, prefixes) else {
      return nil
    }
    let digits = dialled.digits
    if dialled.hasPlus {
      self.init(rawValue: "+" + digits)
    } else if let prefix = prefixes.first(where: digits.hasPrefix) {
      self.init(rawValue: "+" + digits.dropFirst(prefix.count))
    } else {
      let prefix = region.nationalPrefix
      let hasPrefix = !prefix.isEmpty && digits.hasPrefix(prefix)
      let national = hasPrefix ? digits.dropFirst(prefix.count) : digits[...]
      // Three digits are an emergency number, not a friend.
      guard national.count >= 4 else { return nil }
      self.init(rawValue: "+" + region.countryCode + national)
    }
  }

  /// Returns the digits and whether they had a plus; nil if there are other characters.
  ///
  /// - Parameter prefixes: the alternatives to the plus.
  private static func dialled(
    _ text: String, _ prefixes: [String]
  ) -> (digits: String, hasPlus: Bool)? {
    var digits = ""
    var hasPlus = false
    var rest = Array(text)[...]
    while let character = rest.popFirst() {
      if character == "+" || character == "\u{FF0B}" {
        guard !hasPlus, digits.isEmpty else { return nil }
        hasPlus = true
      } else if character == "(", rest.prefix(2) == ["0", ")"],
        hasPlus || prefixes.contains(where: { digits.hasPrefix($0) && digits.count > $0.count })
      {
        rest = rest.dropFirst(2)
      } else if character.isNumber, let value = character.wholeNumberValue, value < 10 {
        digits.append(String(value))
      } else if !isFiller(character) {
        return nil
      }
    }
    return (digits, hasPlus)
  }

  /// Whether a character is a separator between digits. Copied numbers contain marks of the writing
  /// direction.
  private static func isFiller(_ character: Character) -> Bool {
    character.isWhitespace
      || "-./()\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}".contains(character)
      || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
  }

  public var description: String { rawValue }

  public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Workout {
  /// An entry of the address book.
  public struct Contact: Hashable, Sendable, Codable {
    public var name: String
    /// The numbers as entered; often none.
    public var numbers: [String]

    public init(name: String, numbers: [String]) { (self.name, self.numbers) = (name, numbers) }
  }

  /// A contact who also uses the app.
  public struct Friend: Hashable, Sendable, Codable {
    public var user: UserID
    /// The name in the address book.
    public var name: String
    /// The number in the user's own address book, by which the friend was found. It is not shown.
    let number: PhoneNumber
  }
}
