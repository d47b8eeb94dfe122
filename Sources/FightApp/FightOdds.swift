/// The chance to win, from two profiles: a logistic regression on the differences of the stats,
/// with an intercept for the first mover.
///
///     chance = 1 / (1 + exp(-(intercept + Σ weight · difference)))
///
/// The coefficients are fitted on fights between **simulated** people (``FightModel``), whose stats
/// determine their abilities as documented there. The odds apply to those people and not to real
/// ones, for whom there are not enough fights.
public struct FightOdds: Hashable, Sendable {
  /// The log odds of the challenger, who moves first, against an equal opponent.
  public var intercept: Double
  /// The weights in the order of ``Feature``.
  public var weights: [Double]

  public init(intercept: Double, weights: [Double]) {
    precondition(weights.count == Feature.allCases.count)
    self.intercept = intercept
    self.weights = weights
  }

  /// A compared feature: a row of the versus table (wins and losses are one feature), divided by
  /// about its standard deviation among the simulated people.
  public enum Feature: String, CaseIterable, Hashable, Sendable, Codable {
    case bodyType, height, weight, reach, jailTime, gpa, tattoos
    /// (wins - losses) / (wins + losses + 3): -1...1, and near 0 after few fights.
    case record

    /// Returns the value of the feature; nil = not stated.
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

  /// Returns the differences first - second by ``Feature``; 0 if one of the two has not stated the
  /// value.
  public static func differences(_ first: BasicProfile, _ second: BasicProfile) -> [Double] {
    Feature.allCases.map { feature in
      guard let one = feature.value(of: first), let other = feature.value(of: second) else {
        return 0
      }
      return one - other
    }
  }

  /// Returns the probability that the first one, the challenger, wins; 0...1.
  public func chance(of first: BasicProfile, against second: BasicProfile) -> Double {
    LogisticFit.probability(
      intercept: intercept, weights: weights, FightOdds.differences(first, second))
  }
}
