/// A rate that a stated share of new people stay below: an upper tolerance bound.
///
/// It assumes no distribution of the rates over people, only that the people are drawn independently
/// and that the events of one person are Poisson. Each person has a one-sided upper bound U of their
/// own rate. Where q is the rate that a share p of all people stay below, U is at or above q with a
/// probability of at least (1 - p) times the confidence of U. So at least j of the bounds are at or
/// above q with a probability that the binomial distribution states, and then the j-th largest is
/// (Wilks, Annals of Mathematical Statistics 12, 1941, with bounds in place of the rates, which are
/// not known).
///
/// ```swift
/// let rates = (1...30).map { PoissonRate(count: $0 % 3, hours: 2) }
/// PersonalRate(rates, confidence: 0.9)?.people  // 9
/// PersonalRate(rates, confidence: 0.9)?.bound  // 2.6612
/// ```
public struct PersonalRate: Hashable, Sendable, Codable {
  /// This many of `outOf` new people stay below the bound.
  public var people: Int
  public var outOf: Int
  /// The bound in events per hour.
  public var bound: Double
  public var confidence: Double
  /// The number of people that it rests on.
  public var count: Int

  /// The shares that can be stated; the largest one for which there are enough people is used.
  private static let shares = [(9, 10), (4, 5), (3, 4), (2, 3), (1, 2)]

  /// Returns nil if there are too few people for the smallest share: four at a confidence of 0.9.
  /// - Parameters:
  ///   - rates: one for each person; those without hours are left out.
  ///   - confidence: above 0.5 and below 1.
  public init?(_ rates: [PoissonRate], confidence: Double) {
    let bounds = rates.filter { $0.estimate != nil }.compactMap {
      PoissonRate.bound(confidence, count: Double($0.count), hours: $0.hours)
    }.sorted(by: >)
    for (people, outOf) in Self.shares {
      let rank = Self.rank(of: people, outOf, among: bounds.count, confidence)
      guard let rank else { continue }
      (self.people, self.outOf, self.confidence) = (people, outOf, confidence)
      bound = bounds[rank - 1]
      count = bounds.count
      return
    }
    return nil
  }

  /// Returns the rank of the bound from the largest = 1; nil = even the largest is not enough.
  private static func rank(
    of people: Int, _ outOf: Int, among count: Int, _ confidence: Double
  ) -> Int? {
    let above = (1 - Double(people) / Double(outOf)) * confidence
    return (1...max(count, 1)).last { rank in
      let probability = Distributions.binomialProbability(ofAtLeast: rank, in: count, above)
      return rank <= count && (probability ?? 0) >= confidence
    }
  }

  /// Returns the minimum number of people for a statement about 9 of 10.
  public static func fewest(confidence: Double) -> Int {
    (1...10_000).first { rank(of: 9, 10, among: $0, confidence) != nil } ?? 10_000
  }
}
