/// What a result supports: for the people it comes from, and for new ones.
///
/// ```swift
/// let quiet = PoissonRate(count: 0, hours: 3)
/// let claim = ResultClaim([quiet], assumed: Dispersion(.variation, assumed: 1))
/// claim.boundIfNone  // 0.9986
/// claim.new == nil  // true
/// ```
public struct ResultClaim: Sendable {
  /// The counts of a person, or of several together.
  public enum Result: Hashable, Sendable {
    case alarms(PoissonRate)
    case hits(Proportion)
  }

  /// The estimate for more time of the same people, from their events.
  public let these: Estimate
  /// The one-sided 95 % bound of a rate with zero false alarms; nil = there were some.
  public let boundIfNone: Double?
  /// The estimate for people like these; nil with fewer than three of them.
  public let new: Estimate?
  /// The dispersion that `new` assumes for a sum over people; nil = it rests on their differences.
  public let assumed: Dispersion?
  public let people: Int

  /// The claims of the false alarms of several people.
  /// - Parameter people: the number of people in a sum, with one part; otherwise each part is one
  ///   person.
  public init(_ parts: [PoissonRate], people: Int? = nil, assumed: Dispersion) {
    let sum = parts.reduce(PoissonRate(count: 0, hours: 0), +)
    these = Estimate(sum)
    boundIfNone = sum.oneSidedUpperBoundOfNone
    (self.people, self.assumed, new) = Self.claim(parts.count, people, assumed) {
      Estimate(parts, of: .people)
    } ofSum: { people in
      Estimate(
        sum.estimate, sum.interval(people, assumed.value), count: sum.count, clusters: people)
    }
  }

  /// The claims of the hits of several people.
  public init(_ parts: [Proportion], people: Int? = nil, assumed: Dispersion) {
    let sum = parts.reduce(Proportion(successes: 0, trials: 0), +)
    these = Estimate(sum)
    boundIfNone = nil
    (self.people, self.assumed, new) = Self.claim(parts.count, people, assumed) {
      Estimate(parts, of: .people)
    } ofSum: { people in
      Estimate(
        sum.estimate, sum.interval(people, assumed.value), count: sum.trials, clusters: people)
    }
  }

  private static func claim(
    _ parts: Int, _ people: Int?, _ assumed: Dispersion, ofParts: () -> Estimate,
    ofSum: (Int) -> Estimate
  ) -> (Int, Dispersion?, Estimate?) {
    let isSum = parts == 1 && (people ?? 1) > 1
    let people = isSum ? people ?? 1 : parts
    guard people >= ClusteredRatio.fewest else { return (people, nil, nil) }
    return isSum ? (people, assumed, ofSum(people)) : (people, nil, ofParts())
  }
}

extension PoissonRate {
  /// The interval for new people of a sum over people with equal hours: exact by the negative binomial
  /// distribution, which is that of a sum of Poisson counts whose rates are gamma between people.
  func interval(_ people: Int, _ variation: Double) -> Interval? {
    guard hours > 0, variation > 0 else { return interval }
    let size = Double(people) / (variation * variation)
    let tail = (1 - Interval.level) / 2
    // The probability of at most n events is the incomplete beta function of size and n + 1.
    func rate(_ share: Double?) -> Double? { share.map { size * (1 - $0) / ($0 * hours) } }
    let upper = rate(Distributions.betaQuantile(tail, size, Double(count + 1)))
    let lower = count == 0 ? 0 : rate(Distributions.betaQuantile(1 - tail, size, Double(count)))
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
  }
}

extension Proportion {
  /// For equal trials of new people: Wilson's at the effective trials, with Student's quantile.
  func interval(_ people: Int, _ correlation: Double) -> Interval? {
    let quantile = Distributions.studentQuantile(
      (1 + Interval.level) / 2, degreesOfFreedom: Double(people - 1))
    guard let estimate, let quantile else { return nil }
    let each = Double(trials) / Double(people)
    return wilson(
      estimate, trials: Double(trials) / (1 + max(0, each - 1) * correlation), quantile: quantile)
  }
}
