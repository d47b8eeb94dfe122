import TraceModel

/// A comparison of two people: ten rows, each with an advantage.
public struct Versus: Hashable, Sendable, Codable {
  /// The rows of HitThat's table.
  public enum Row: String, CaseIterable, Hashable, Sendable, Codable {
    case gender, bodyType, height, weight, reach, wins, losses, jailTime, gpa, tattoos

    /// The direction of the advantage. More is better in the original too, where it compares.
    /// Losses and body type are an assumption of this project: few losses indicate skill, and
    /// strong people hit harder. Gender adds nothing to height, weight, reach and build.
    public var direction: Direction {
      switch self {
      case .gender: .none
      case .bodyType, .height, .weight, .reach, .wins, .jailTime, .gpa, .tattoos: .more
      case .losses: .less
      }
    }

    public var title: String {
      switch self {
      case .bodyType: "body type"
      case .jailTime: "jail time"
      case .gpa: "GPA"
      case .gender, .height, .weight, .reach, .wins, .losses, .tattoos: rawValue
      }
    }
  }

  public enum Direction: String, Hashable, Sendable, Codable {
    /// ``BodyType`` from slim to muscular.
    case more
    case less
    /// No value is an advantage.
    case none
  }

  public enum Advantage: String, Hashable, Sendable, Codable {
    case mine, theirs, even
    /// The row has no advantage, or one of the two has not stated the value.
    case none
  }

  public struct Line: Hashable, Sendable, Codable {
    public var row: Row
    public var mine: String
    public var theirs: String
    public var advantage: Advantage
  }

  /// The lines, in the order of ``Row/allCases``.
  public var lines: [Line]
  /// The chance to win, 0...1; nil if the rules compute none. Each row ahead multiplies the odds by 1.5,
  /// each row behind divides them by it: a rule of the game, because no data of fights exist to fit.
  public var chance: Double?

  public init(_ mine: BasicProfile, against theirs: BasicProfile, rules: FightRules) {
    lines = Row.allCases.map { row in
      Line(
        row: row, mine: mine.text(of: row), theirs: theirs.text(of: row),
        advantage: Versus.advantage(of: row, mine, theirs, rules: rules))
    }
    let ahead = lines.count { $0.advantage == .mine } - lines.count { $0.advantage == .theirs }
    chance = rules.computesOdds ? 1 / (1 + Math.exp(-Double(ahead) * Math.log(1.5))) : nil
  }

  private static func advantage(
    of row: Row, _ mine: BasicProfile, _ theirs: BasicProfile, rules: FightRules
  ) -> Advantage {
    guard rules.comparesWholeValues else { return advantageByHitThat(of: row, mine, theirs) }
    guard row.direction != .none, let left = mine.value(of: row), let right = theirs.value(of: row)
    else { return .none }
    if left == right { return .even }
    return (left > right) == (row.direction == .more) ? .mine : .theirs
  }

  /// The original's comparison, which knows no even values.
  private static func advantageByHitThat(
    of row: Row, _ mine: BasicProfile, _ theirs: BasicProfile
  ) -> Advantage {
    guard let left = mine.value(of: row), let right = theirs.value(of: row) else { return .none }
    switch row {
    case .gender, .bodyType: return .none
    case .height, .reach:
      // Not less by the first character, the feet.
      guard let first = mine.text(of: row).first, let second = theirs.text(of: row).first else {
        return .none
      }
      return first < second ? .theirs : .mine
    case .weight, .wins, .jailTime, .gpa, .tattoos: return left > right ? .mine : .theirs
    case .losses: return .theirs
    }
  }
}

extension BasicProfile {
  /// Returns the compared number; nil = not stated.
  func value(of row: Versus.Row) -> Int? {
    switch row {
    case .gender: nil
    case .bodyType: profile.bodyType?.rank
    case .height: profile.height
    case .weight: profile.weight
    case .reach: profile.reach
    case .wins: wins
    case .losses: losses
    case .jailTime: profile.jailTime
    case .gpa: profile.gpa
    case .tattoos: profile.tattoos
    }
  }

  fileprivate func text(of row: Versus.Row) -> String {
    switch row {
    case .gender: return profile.gender?.rawValue ?? "-"
    case .bodyType: return profile.bodyType?.rawValue ?? "-"
    case .gpa:
      guard let points = profile.gpa else { return "-" }
      return "\(points / 100).\(points % 100 / 10)\(points % 10)"
    case .height, .reach:
      guard let inches = value(of: row) else { return "-" }
      return "\(inches / 12) ft \(inches % 12) in"
    case .weight: return profile.weight.map { "\($0) lb" } ?? "-"
    case .jailTime: return profile.jailTime.map { $0 == 1 ? "1 month" : "\($0) months" } ?? "-"
    case .wins, .losses, .tattoos: return value(of: row).map { "\($0)" } ?? "-"
    }
  }
}
