public import AppEngines
public import TraceModel

/// A simulated person: the stated profile and the abilities.
public struct SimulatedFighter: Hashable, Sendable, Codable {
  public var profile: BasicProfile
  /// The peak speed of the hand in m s-1: the median of the person's punches.
  public var handSpeed: Double
  /// The share of that speed in a clean stop, 0...1: the median.
  public var accuracy: Double
  /// The time in seconds from the start of a turn to the swing.
  public var quickness: Double
}

/// Fights between simulated people by the rules of ``Bout``: the model that the odds are fitted on.
///
/// **People.** Height by gender (normal, 64.5 and 69.5 inches, ± 2.8), weight by height and build,
/// reach about the height, a GPA about 3.0, jail time and tattoos mostly none. A hidden skill
/// (standard normal) shows in a record of 0 to 20 fights, each of them won with the probability
/// logistic(1.2 · skill).
///
/// **Abilities.** The logarithm of the hand's speed grows with height, weight, reach, build, jail
/// time and tattoos (the coefficients are in the code), plus a random share independent of the
/// stats. The accuracy grows with skill and GPA. Gender has an effect only through height. The
/// quickness depends on skill; it determines the duration of a fight but not the winner, because
/// turns are enforced.
///
/// **A swing** stops within 60 to 90 ms, like a fist that hits air; the peak of a half-sine stop is
/// π/2 · speed · accuracy / time. A swing within 2 g does not count and is repeated; a peak beyond
/// the phone's range is clipped, and ``HitLimit`` applies.
///
/// The model is an assumption for the odds in the app. It makes no statement about real people.
public enum FightModel {
  /// The outcome of a fight, from the view of the challenger, who moves first.
  public struct Outcome: Hashable, Sendable, Codable {
    public var first: BasicProfile
    public var second: BasicProfile
    public var firstWins: Bool
    /// The hits of both.
    public var hits: Int
    public var seconds: Double
  }

  /// Returns the fight of a seed: two people and the outcome.
  public static func fight(seed: UInt64) -> Outcome {
    var random = SeededGenerator(seed: seed)
    let first = fighter(0, random: &random)
    let second = fighter(1, random: &random)
    var bout = Bout(begun: .zero)
    // What counts before the fight is not modelled: both begin without a history.
    var hardest = [FightSide.origin: 0.0, .recipient: 0]
    var now = TraceInstant.zero
    while let turn = bout.turn {
      let fighter = turn == .origin ? first : second
      now = now.advanced(bySeconds: fighter.quickness * random.uniform(0.7...1.3))
      let punch = PunchReport(
        magnitude: swing(of: fighter, random: &random), thrown: now, move: bout.moves)
      // Only a swing that is too weak is refused.
      do throws(Refusal) {
        let blow = try bout.strike(
          by: turn, punch, at: now, hardest: hardest[turn, default: 0], rules: .default)
        hardest[turn] = max(hardest[turn, default: 0], blow.magnitude(of: punch))
      } catch {
        now = now.advanced(bySeconds: 1)
      }
    }
    return Outcome(
      first: first.profile, second: second.profile, firstWins: bout.winner == .origin,
      hits: bout.moves, seconds: now.seconds)
  }

  // The minimum speed, with which every person can hit: the best swing is 29 m s-2, beyond 2 g.
  private static let leastSpeed = 1.8
  private static let leastAccuracy = 0.35

  /// Draws the peak of a swing in m s-2.
  private static func swing(of fighter: SimulatedFighter, random: inout SeededGenerator) -> Double {
    let speed = fighter.handSpeed * random.uniform(0.75...1.25)
    let share = min(1, fighter.accuracy * random.uniform(0.6...1.4))
    let peak = .pi / 2 * speed * share / random.uniform(0.06...0.09)
    return min(peak, PunchLimits.largestMagnitude)
  }

  /// Returns the person with that number.
  public static func fighter(
    _ user: UserID, random: inout SeededGenerator
  ) -> SimulatedFighter {
    let stats = profile(random: &random)
    let skill = random.normal()
    let fought = Int(random.unit() * 21)
    let rate = logistic(1.2 * skill)
    let wins = (0..<fought).reduce(0) { count, _ in count + (random.unit() < rate ? 1 : 0) }
    func deviation(_ value: Int?, _ mean: Double, _ scale: Double) -> Double {
      (Double(value ?? 0) - mean) / scale
    }
    let power =
      0.06 * deviation(stats.height, 67, 4) + 0.10 * deviation(stats.weight, 160, 30)
      + 0.08 * deviation(stats.reach, 67, 4) + 0.08 * deviation(stats.bodyType?.rank, 2, 1.4)
      + 0.03 * deviation(stats.jailTime, 0, 12) + 0.03 * deviation(stats.tattoos, 0, 4)
      + random.normal(standardDeviation: 0.12)
    let cleanness = 1 + 0.5 * skill + 0.2 * deviation(stats.gpa, 300, 60)
    return SimulatedFighter(
      profile: BasicProfile(user: user, profile: stats, wins: wins, losses: fought - wins),
      handSpeed: max(2.7 * Math.exp(power), leastSpeed),
      accuracy: leastAccuracy + (1 - leastAccuracy) * logistic(cleanness),
      quickness: 3 * Math.exp(-0.15 * skill))
  }

  private static func profile(random: inout SeededGenerator) -> Profile {
    var profile = Profile(alias: "sim")
    let gender: Gender = random.unit() < 0.5 ? .female : .male
    let build = BodyType.allCases[Int(random.unit() * 5)]
    let height = random.normal(mean: gender == .male ? 69.5 : 64.5, standardDeviation: 2.8)
    // Weight over the square of the height, kg m-2, times 703 in pounds and inches.
    let mass: [BodyType: Double] = [
      .slim: 19.5, .average: 24, .heavy: 31, .athletic: 23.5, .muscular: 26.5,
    ]
    let weight = (mass[build] ?? 24) * random.uniform(0.93...1.07) * height * height / 703
    profile.gender = gender
    profile.bodyType = build
    profile.height = whole(height, in: Profile.heights)
    profile.weight = whole(weight, in: Profile.weights)
    profile.reach = whole(
      height + random.normal(standardDeviation: 1.8), in: Profile.reaches)
    profile.gpa = whole(
      random.normal(mean: 300, standardDeviation: 60), in: Profile.gradePoints)
    let hasBeenInside = random.unit() < 0.25
    let months = -12 * Math.log(1 - random.unit())
    profile.jailTime = hasBeenInside ? whole(months, in: Profile.jailTimes) : 0
    let isTattooed = random.unit() < 0.4
    let tattoos = 1 - 3 * Math.log(1 - random.unit())
    profile.tattoos = isTattooed ? whole(tattoos, in: Profile.tattooCounts) : 0
    return profile
  }

  private static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int {
    Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
  }

  private static func logistic(_ value: Double) -> Double { 1 / (1 + Math.exp(-value)) }
}

extension FightOdds {
  /// The seeds of the fights that ``fitted`` was fitted on.
  public static let fittingSeeds: ClosedRange<UInt64> = 1...40_000

  /// Fits the model on simulated fights; nil if there are too few.
  public static func fit(seeds: some Sequence<UInt64>) -> FightOdds? {
    var features: [[Double]] = []
    var outcomes: [Bool] = []
    for seed in seeds {
      let fight = FightModel.fight(seed: seed)
      features.append(differences(fight.first, fight.second))
      outcomes.append(fight.firstWins)
    }
    return LogisticFit.fit(features, outcomes).map {
      FightOdds(intercept: $0.intercept, weights: $0.weights)
    }
  }

  /// The result of ``fit(seeds:)`` for ``fittingSeeds``. `swift test --filter
  /// FightOddsTests.committedCoefficientsAreARefit` compares it and prints the new result if it
  /// differs.
  public static let fitted = FightOdds(
    intercept: 0.6721026291312892,
    weights: [
      0.5384450499405954, 0.4085406978196196, 0.6628376365696648, 0.5114706497465665,
      0.17657118249272366, 0.18840554110461558, 0.18472939851813072, 0.41753199816461267,
    ])
}
