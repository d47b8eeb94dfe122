internal import TraceModel

/// Decides whether a rate is within a budget with a stated confidence, for people like these.
///
/// A rate is within the budget if the one-sided upper bound of ``ClusteredRatio`` is. With fewer
/// than three people the bound is Garwood's for these people only.
package struct RateBudget: Sendable {
  package let perHour: Double
  /// The confidence, above 0.5 and below 1.
  package let confidence: Double
  private let hours: Double
  /// How often each person counts: one who was drawn several times counts as several people.
  private let copies: [Int]
  /// By person: the hours, and the weight of a squared residual; 0 without hours.
  private let exposures: [Double]
  private let weights: [Double]
  /// The weighted sum of the squared exposures.
  private let squaredExposures: Double
  /// nil = for these people only.
  private let people: (number: Int, degrees: Double, squaredShares: Double, enlargement: Double)?
  private let normalQuantile: Double

  /// - Parameters:
  ///   - hours: the exposure of each person.
  ///   - copies: how often each person counts; nil = once.
  package init(_ perHour: Double, confidence: Double, hours: [Double], copies: [Int]? = nil) {
    (self.perHour, self.confidence) = (perHour, confidence)
    let copies = copies ?? hours.map { _ in 1 }
    let sum = zip(hours, copies).reduce(0) { $0 + $1.0 * Double($1.1) }
    let weights = hours.map { own in
      own > 0 && own < sum ? 1 / ((1 - own / sum) * (1 - own / sum)) : 0
    }
    (self.copies, exposures, self.weights, self.hours) = (copies, hours, weights, sum)
    squaredExposures = hours.indices.reduce(0) {
      $0 + Double(copies[$1]) * weights[$1] * hours[$1] * hours[$1]
    }
    let each = zip(hours, copies).flatMap {
      Array(repeating: (count: 0.0, exposure: $0), count: $1)
    }
    people = ClusteredRatio(each).map { ratio in
      let quantiles = ratio.quantileRatio(confidence)
      return (
        ratio.clusters, ratio.degreesOfFreedom, 1 / (1 + ratio.degreesOfFreedom),
        quantiles * quantiles * ratio.budgetEnlargement
      )
    }
    normalQuantile = Distributions.normalQuantile(confidence) ?? 0
  }

  package var isForNewPeople: Bool { people != nil }

  /// The events of each person, with sums that a further event changes in constant time.
  package struct Tally: Sendable {
    fileprivate var counts: [Int]
    /// The number of events of all people, and of those with hours.
    fileprivate var total = 0
    fileprivate var counted = 0
    /// The weighted sums of squared counts, and of counts by exposures.
    fileprivate var squares = 0.0
    fileprivate var products = 0.0

    fileprivate init(people: Int) { counts = Array(repeating: 0, count: people) }
  }

  package var tally: Tally { Tally(people: copies.count) }

  /// Adds events of a person; removes them if negative.
  package func add(_ events: Int, of person: Int, to tally: inout Tally) {
    let before = tally.counts[person]
    let after = before + events
    let weight = Double(copies[person]) * weights[person]
    tally.counts[person] = after
    tally.total += copies[person] * events
    if exposures[person] > 0 { tally.counted += copies[person] * events }
    tally.squares += weight * (Double(after) * Double(after) - Double(before) * Double(before))
    tally.products += weight * Double(events) * exposures[person]
  }

  private func tally(of counts: [Int]) -> Tally {
    var tally = self.tally
    for (person, count) in counts.enumerated() { add(count, of: person, to: &tally) }
    return tally
  }

  /// Returns the equivalent count and hours of independent events.
  private func effective(_ tally: Tally) -> (count: Double, hours: Double) {
    let (total, counted) = (Double(tally.total), Double(tally.counted))
    guard let people else { return (total, hours) }
    let ratio = counted / hours
    let residuals = tally.squares - 2 * ratio * tally.products + ratio * ratio * squaredExposures
    let number = Double(people.number)
    let estimate = counted > 0 ? (number - 1) / number * residuals / counted : 1
    let usual = ClusteredRatio.dispersion(
      ofCount: counted, squaredShares: people.squaredShares,
      variation: ClusteredRatio.assumedVariationForBudgets)
    let factor =
      ClusteredRatio.dispersion(estimate, people.degrees, usual: usual)
      * people.enlargement
    return (total / factor, hours / factor)
  }

  /// Returns the upper bound of the rate per hour; nil if there is none.
  /// - Parameter counts: the number of events of each person.
  package func upperBound(_ counts: [Int]) -> Double? {
    let (count, hours) = effective(tally(of: counts))
    return PoissonRate.bound(confidence, count: count, hours: hours)
  }

  /// Whether the upper bound is within the budget. O(people)
  package func allows(_ counts: [Int]) -> Bool { allows(tally(of: counts)) }

  /// Whether the upper bound is within the budget, without computing the quantile. O(1)
  package func allows(_ tally: Tally) -> Bool {
    // The bound is above the rate itself.
    guard Double(tally.total) <= perHour * hours else { return false }
    let (count, hours) = effective(tally)
    let (shape, value) = (count + 1, perHour * hours)
    guard value > 0 else { return false }
    // Wilson and Hilferty's cube (PNAS 17, 1931) is near enough where the answer is clear: at the
    // bound its error is below 0.02 for a confidence of 0.6 to 0.99, and below 0.1 up to 0.9999.
    let cube = Math.exp(Math.log(value / shape) / 3) - 1 + 1 / (9 * shape)
    let difference = 3 * shape.squareRoot() * cube - normalQuantile
    if abs(difference) > 0.2, confidence <= 0.9999 { return difference > 0 }
    let below = Distributions.gammaProbability(below: value, shape: shape)
    return (below ?? 0) >= confidence
  }
}
