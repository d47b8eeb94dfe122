public import AppEngines

public enum BodyType: String, CaseIterable, Hashable, Sendable, Codable {
  case slim, average, heavy, athletic, muscular

  /// The strength associated with it, from 0, in the order of the cases.
  var rank: Int { BodyType.allCases.firstIndex(of: self) ?? 0 }
}

public enum Gender: String, CaseIterable, Hashable, Sendable, Codable {
  case female, male, other
}

public enum HitsWith: String, CaseIterable, Hashable, Sendable, Codable {
  case left, right, both
}

/// The profile that a person states; nil = not stated.
public struct Profile: Hashable, Sendable, Codable {
  /// The name that others see, 1 to 32 characters.
  public var alias: String
  /// A text of at most 300 characters.
  public var bio = ""
  public var gender: Gender?
  public var bodyType: BodyType?
  /// The height in inches, within ``heights``.
  public var height: Int?
  /// The weight in pounds, within ``weights``.
  public var weight: Int?
  /// The reach in inches from fingertip to fingertip, within ``reaches``.
  public var reach: Int?
  /// The jail time in months, within ``jailTimes``.
  public var jailTime: Int?
  /// The grade point average in hundredths, within ``gradePoints``: 325 = 3.25.
  public var gpa: Int?
  /// The number of tattoos, within ``tattooCounts``.
  public var tattoos: Int?
  /// A text of at most 60 characters.
  public var bestMove = ""
  public var hitsWith: HitsWith?
  /// A text of at most 60 characters.
  public var lookingFor = ""
  /// The reference of the picture in the store of pictures, at most 128 bytes.
  public var photo: String?

  public init(alias: String) { self.alias = alias }

  public static let heights = 36...96
  public static let weights = 50...700
  public static let reaches = 30...108
  public static let jailTimes = 0...1200
  public static let gradePoints = 0...400
  public static let tattooCounts = 0...500

  /// - Throws: with the field out of range, and the range.
  public func validate() throws(Refusal) {
    guard !alias.isEmpty else { throw Refusal("no-alias", "enter a name that others see") }
    for (name, text, limit) in [
      ("alias", alias, 32), ("bio", bio, 300), ("best move", bestMove, 60),
      ("looking for", lookingFor, 60),
    ] where text.utf8.count > 4 * limit || text.count > limit {
      throw Refusal("too-long", "\(name): at most \(limit) characters")
    }
    guard (photo?.utf8.count ?? 0) <= 128 else {
      throw Refusal("too-long", "photo: the reference has at most 128 bytes")
    }
    for (name, value, range, unit) in [
      ("height", height, Profile.heights, "inches"),
      ("weight", weight, Profile.weights, "pounds"),
      ("reach", reach, Profile.reaches, "inches"),
      ("jail time", jailTime, Profile.jailTimes, "months"),
      ("GPA", gpa, Profile.gradePoints, "hundredths"),
      ("tattoos", tattoos, Profile.tattooCounts, "tattoos"),
    ] {
      guard let value, !range.contains(value) else { continue }
      throw Refusal(
        "out-of-range", "\(name): enter \(range.lowerBound) to \(range.upperBound) \(unit)")
    }
  }
}

/// A picture that a person may see. The engine does not read pictures: the store of pictures returns
/// the part or the whole to whoever shows this.
public struct Photo: Hashable, Sendable, Codable {
  public var reference: String
  /// Whether only a part of the picture is visible.
  public var isPart: Bool
}

/// The part of a profile that others see: of an offered opponent what ``Opponent`` states, all of it
/// after the reveal, also after the fight.
public struct BasicProfile: Hashable, Sendable, Codable {
  public var user: UserID
  public var profile: Profile
  public var wins: Int
  public var losses: Int

  /// The whole picture; nil = none.
  public var photo: Photo? { profile.photo.map { Photo(reference: $0, isPart: false) } }
}
