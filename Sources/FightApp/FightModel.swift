import AppEngines
import TraceModel

/// A simulated person: the stated profile, and the abilities that win the fights of the model.
struct SimulatedFighter {
  var profile: BasicProfile
  /// The peak speed of the hand in m s-1: the median of the person's punches.
  var handSpeed: Double
  /// The share of that speed in a clean stop, 0...1: the median.
  var accuracy: Double
  /// The time in seconds from the start of a turn to the swing.
  var quickness: Double
}

/// Simulated people. The odds are fitted on fights between them by the rules of ``Bout``.
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
enum FightModel {
  // The minimum speed, with which every person can hit: the best swing is 29 m s-2, beyond 2 g.
  private static let leastSpeed = 1.8
  private static let leastAccuracy = 0.35

  /// Returns the person with that number.
  static func fighter(_ user: UserID, random: inout SeededGenerator) -> SimulatedFighter {
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
    profile.reach = whole(height + random.normal(standardDeviation: 1.8), in: Profile.reaches)
    profile.gpa = whole(random.normal(mean: 300, standardDeviation: 60), in: Profile.gradePoints)
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
