internal import TraceModel

/// False alarms per day of life: the rates of the activities, each weighted by its hours in the day
/// (post-stratification). Hours without recordings are unknown, not free of false alarms.
///
/// The interval is the gamma interval of Fay and Feuer (Statistics in Medicine 16, 1997) for
/// weighted sums of Poisson counts. For new people the variance is that between people, by
/// linearisation across all activities at once: the residuals of a person are added before they are
/// squared, because a person with false alarms while walking may also have them while sitting. The
/// deflation and Student's quantile are those of ``ClusteredRatio``; with one activity, this is its
/// interval of a rate.
///
/// ```swift
/// let day = DayProfile(name: "office", parts: [.init(activity: "walk", hours: 2)])
/// let walk = (subject: "Ana", activity: "walk", rate: PoissonRate(count: 3, hours: 6))
/// DayRate(day, of: [walk]).estimate.value  // 1.0
/// DayRate(day, of: [walk]).unknownHours  // 22.0
/// ```
public struct DayRate: Hashable, Sendable {
  public let profile: DayProfile
  /// The false alarms per day in ``known`` hours; nil without a known hour.
  public let estimate: Estimate
  /// The activities of the profile with recordings.
  public let known: [DayProfile.Part]
  /// The activities of the profile without recordings, except those of zero hours.
  public let unknown: [DayProfile.Part]
  /// The activities of the recordings that the profile lacks, sorted; empty = not stated.
  public let unlisted: [String]
  /// The known activities of fewer than three people, because of which the interval is for these
  /// people only; empty if it is for new people, or if the caller asked for these people only.
  public let sparse: [String]

  public var knownHours: Double { known.reduce(0) { $0 + $1.hours } }
  /// The hours of the day without recordings, including those that the profile does not list.
  public var unknownHours: Double { max(0, DayProfile.day - knownHours) }
  /// The hours of the day that the profile does not list.
  public var unlistedHours: Double { max(0, DayProfile.day - profile.hours) }

  public typealias Run = (subject: String, activity: String, rate: PoissonRate)

  public init(
    _ profile: DayProfile, of runs: [Run],
    about population: IntervalMethod.Population = .newPeople
  ) {
    self.profile = profile
    let runs = runs.filter { $0.rate.hours > 0 && $0.rate.hours.isFinite }
    let recorded = Set(runs.map(\.activity))
    let listed = Set(profile.parts.map(\.activity))
    known = profile.parts.filter { recorded.contains($0.activity) }
    unknown = profile.parts.filter { !recorded.contains($0.activity) && $0.hours > 0 }
    unlisted = recorded.subtracting(listed).sorted()
    let weighted = known.filter { $0.hours > 0 }
    let people = Clustered<Run>.grouped(
      runs.filter { run in weighted.contains { $0.activity == run.activity } }
        .map { (subject: $0.subject, score: $0) })
    let strata = weighted.map { Stratum($0, people.0) }
    let sparse = strata.filter { $0.people < ClusteredRatio.fewest }.map(\.activity)
    self.sparse = population == .newPeople ? sparse : []
    estimate = Self.estimate(
      strata, people.1, isForNew: population == .newPeople && sparse.isEmpty)
  }

  private static func estimate(
    _ strata: [Stratum], _ kind: ClusterKind, isForNew: Bool
  ) -> Estimate {
    guard !strata.isEmpty else { return Estimate(nil, by: .fayFeuer, count: 0) }
    let sum = WeightedSum(strata)
    let count = Int(strata.reduce(0) { $0 + $1.count })
    guard isForNew else {
      return Estimate(sum.value, sum.interval(dividedBy: 1), by: .fayFeuer, count: count)
    }
    // People who are in no activity of the profile are removed first.
    var estimate = Estimate(
      sum.value, sum.interval(dividedBy: sum.deflation(strata)), by: .clusteredFayFeuer,
      count: count, clusters: strata[0].parts.count)
    estimate.clusterKind = kind
    return estimate
  }

  public var figures: [Figure] {
    [
      Figure(.falseAlarmsPerDay, estimate),
      Figure(.knownHoursPerDay, knownHours),
      Figure(.unknownHoursPerDay, unknownHours),
    ]
  }
}

/// The people in one activity.
private struct Stratum {
  var activity: String
  /// The hours per day.
  var weight: Double
  /// The counts and hours of each person, in the order of all people.
  var parts: [(count: Double, hours: Double, isThere: Bool)]
  var count: Double
  var hours: Double
  var people: Int

  init(_ part: DayProfile.Part, _ people: [[DayRate.Run]]) {
    activity = part.activity
    weight = part.hours
    parts = people.map { runs in
      let own = runs.filter { $0.activity == part.activity }
      return (
        Double(own.reduce(0) { $0 + $1.rate.count }), own.reduce(0) { $0 + $1.rate.hours },
        !own.isEmpty
      )
    }
    count = parts.reduce(0) { $0 + $1.count }
    hours = parts.reduce(0) { $0 + $1.hours }
    self.people = parts.count(where: \.isThere)
  }

  /// The alarms per day of one event.
  var perEvent: Double { weight / hours }
  var value: Double { perEvent * count }
}

/// A sum of Poisson counts, each with a weight.
private struct WeightedSum {
  var value: Double
  /// The variance of independent events.
  var variance: Double
  /// The largest weight of an event.
  var largest: Double

  init(_ strata: [Stratum]) {
    value = strata.reduce(0) { $0 + $1.value }
    variance = strata.reduce(0) { $0 + $1.perEvent * $1.value }
    largest = strata.map(\.perEvent).max() ?? 0
  }

  /// The factor by which the events are fewer than they seem: the dispersion between people, with
  /// Student's quantile.
  func deflation(_ strata: [Stratum]) -> Double {
    let people = strata[0].parts.indices
    let weight = strata.reduce(0) { $0 + $1.weight }
    var (squares, shares) = (0.0, 0.0)
    for person in people {
      var (residual, share) = (0.0, 0.0)
      for stratum in strata {
        let part = stratum.parts[person]
        let own = part.hours / stratum.hours
        residual +=
          stratum.perEvent * (part.count - stratum.count * own) / (1 - own)
        share += (value > 0 ? stratum.value / value : stratum.weight / weight) * own
      }
      squares += residual * residual
      shares += share * share
    }
    let (number, degrees) = (Double(people.count), 1 / shares - 1)
    let estimate = variance > 0 ? (number - 1) / number * squares / variance : 1
    // The number of equal events with this sum and variance.
    let count = variance > 0 ? value * value / variance : 0
    let usual = ClusteredRatio.dispersion(
      ofCount: count, squaredShares: shares, variation: ClusteredRatio.assumedVariation)
    let ratio = ClusteredRatio.quantileRatio((1 + Interval.level) / 2, degrees)
    return ClusteredRatio.dispersion(estimate, degrees, usual: usual) * ratio * ratio
  }

  /// Fay and Feuer's interval, with the variance and the weight of an event multiplied by `factor`.
  func interval(dividedBy factor: Double) -> Interval? {
    let tail = (1 - Interval.level) / 2
    let (variance, largest) = (factor * variance, factor * largest)
    guard variance.isFinite else { return Interval(lower: 0, upper: .infinity) }
    func bound(_ probability: Double, _ mean: Double, _ variance: Double) -> Double? {
      let shape = mean * mean / variance
      // The same limit as in `PoissonRate.bound`.
      guard shape > 0.01 else { return 0 }
      return Distributions.gammaQuantile(probability, shape: shape).map { $0 * variance / mean }
    }
    let lower = value > 0 ? bound(tail, value, variance) : 0
    let upper = bound(1 - tail, value + largest, variance + largest * largest)
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
  }
}
