import TraceModel

/// The chance to win, from two profiles: a logistic regression on the differences of the stats,
/// with an intercept for the first mover.
///
///     chance = 1 / (1 + exp(-(intercept + Σ weight · difference)))
///
/// The coefficients are fitted on fights between **simulated** people (``FightModel``), whose stats
/// determine their abilities as documented there. The odds apply to those people and not to real
/// ones, for whom there are not enough fights.
struct FightOdds {
  /// The log odds of the challenger, who moves first, against an equal opponent.
  var intercept: Double
  /// The weights of ``features(of:)``.
  var weights: [Double]

  /// The compared rows of the versus table, each with about its standard deviation among the
  /// simulated people.
  private static let scales: [(row: Versus.Row, deviation: Double)] = [
    (.bodyType, 1.4), (.height, 4), (.weight, 30), (.reach, 4), (.jailTime, 12), (.gpa, 60),
    (.tattoos, 4),
  ]

  /// Returns the scaled rows, nil where not stated, and last the record, which is in -1...1, and near 0
  /// after few fights.
  private static func features(of person: BasicProfile) -> [Double?] {
    let (wins, losses) = (Double(person.wins), Double(person.losses))
    return scales.map { scale in person.value(of: scale.row).map { Double($0) / scale.deviation } }
      + [2 * (wins - losses) / (wins + losses + 3)]
  }

  /// Returns the differences first - second of the features; 0 if one of the two has not stated the
  /// value.
  static func differences(_ first: BasicProfile, _ second: BasicProfile) -> [Double] {
    zip(features(of: first), features(of: second)).map { one, other in
      one.flatMap { one in other.map { one - $0 } } ?? 0
    }
  }

  /// Returns the probability that the first one, the challenger, wins; 0...1.
  func chance(of first: BasicProfile, against second: BasicProfile) -> Double {
    probability(FightOdds.differences(first, second))
  }

  func probability(_ features: [Double]) -> Double {
    let sum = zip(weights, features).reduce(intercept) { $0 + $1.0 * $1.1 }
    return 1 / (1 + Math.exp(-sum))
  }

  /// The result of the fit. `swift test --filter FightOddsTests.committedCoefficientsAreARefit` fits
  /// again and prints the new result if it differs.
  static let fitted = FightOdds(
    intercept: 0.6721026291312892,
    weights: [
      0.5384450499405954, 0.4085406978196196, 0.6628376365696648, 0.5114706497465665,
      0.17657118249272366, 0.18840554110461558, 0.18472939851813072, 0.41753199816461267,
    ])
}
