/// The chance to win, from the two profiles: a logistic regression on the differences of the stats,
/// with an intercept for who moves first.
///
///     chance = 1 / (1 + exp(-(intercept + Σ weight · difference)))
///
/// The coefficients are fitted on fights between **simulated** people (``FightModel``), whose
/// stats decide their abilities in the way that is written there. They are the odds of those people
/// and say nothing of real ones: nobody has fought enough real fights.
public struct FightOdds: Hashable, Sendable {
  /// The log odds that the challenger, who moves first, wins among equals.
  public var intercept: Double
  /// In the order of ``Feature``.
  public var weights: [Double]

  public init(intercept: Double, weights: [Double]) {
    precondition(weights.count == Feature.allCases.count)
    self.intercept = intercept
    self.weights = weights
  }

  /// What is compared: rows of the versus table, of which wins and losses make one figure, each
  /// divided by about its standard deviation among the simulated people.
  public enum Feature: String, CaseIterable, Hashable, Sendable, Codable {
    case bodyType, height, weight, reach, jailTime, gpa, tattoos
    /// (wins - losses) / (wins + losses + 3): -1...1, and near 0 after few fights.
    case record

    /// nil = not said.
    func value(of person: BasicProfile) -> Double? {
      switch self {
      case .bodyType: person.value(of: .bodyType).map { Double($0) / 1.4 }
      case .height: person.value(of: .height).map { Double($0) / 4 }
      case .weight: person.value(of: .weight).map { Double($0) / 30 }
      case .reach: person.value(of: .reach).map { Double($0) / 4 }
      case .jailTime: person.value(of: .jailTime).map { Double($0) / 12 }
      case .gpa: person.value(of: .gpa).map { Double($0) / 60 }
      case .tattoos: person.value(of: .tattoos).map { Double($0) / 4 }
      case .record:
        2 * (Double(person.wins) - Double(person.losses))
          / (Double(person.wins) + Double(person.losses) + 3)
      }
    }
  }

  /// The first one's less the second one's, by ``Feature``. What one of the two has not said differs
  /// by nothing.
  public static func differences(_ first: BasicProfile, _ second: BasicProfile) -> [Double] {
    Feature.allCases.map { feature in
      guard let one = feature.value(of: first), let other = feature.value(of: second) else {
        return 0
      }
      return one - other
    }
  }

  /// That the first one, who makes the challenge, wins; 0...1.
  public func chance(of first: BasicProfile, against second: BasicProfile) -> Double {
    LogisticFit.probability(
      intercept: intercept, weights: weights, FightOdds.differences(first, second))
  }
}
