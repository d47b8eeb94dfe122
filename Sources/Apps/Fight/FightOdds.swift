/// The chance to win, from the two profiles: a logistic regression on the differences of the stats,
/// with an intercept for who moves first.
///
///     chance = 1 / (1 + exp(-(intercept + Σ weight · difference)))
///
/// The coefficients are fitted on fights between **simulated** people (``FightSimulation``), whose
/// stats decide their abilities in the way that is written there. They are the odds of those people
/// and say nothing of real ones: nobody has fought enough real fights.
public struct FightOdds: Hashable, Sendable, Codable {
  /// The log odds that the challenger, who moves first, wins among equals.
  public var intercept: Double
  /// In the order of ``features``.
  public var weights: [Double]

  public init(intercept: Double, weights: [Double]) {
    precondition(weights.count == FightOdds.features.count)
    self.intercept = intercept
    self.weights = weights
  }

  /// A row of the versus table, and by how much its difference is divided: about the standard
  /// deviation among the simulated people.
  public static let features: [(row: Versus.Row, scale: Double)] = [
    (.bodyType, 1.4), (.height, 4), (.weight, 30), (.reach, 4), (.wins, 5), (.losses, 5),
    (.jailTime, 12), (.gpa, 60), (.tattoos, 4),
  ]

  /// The first one's minus the second one's, scaled. What one of the two has not said differs by
  /// nothing.
  public static func differences(
    _ first: BasicProfile, _ second: BasicProfile
  ) -> [Double] {
    features.map { feature in
      guard let one = first.value(of: feature.row), let other = second.value(of: feature.row) else {
        return 0
      }
      return (Double(one) - Double(other)) / feature.scale
    }
  }

  /// That the first one, who makes the challenge, wins; 0...1.
  public func chance(of first: BasicProfile, against second: BasicProfile) -> Double {
    LogisticFit.probability(
      intercept: intercept, weights: weights, FightOdds.differences(first, second))
  }
}
