internal import TraceModel

/// The goal of a study of one detector, or of two on the same people. It is shown when the bound of
/// the printed 95 % interval for new people lies beyond the claim.
///
/// ```swift
/// StudyGoal.recall(above: 0.9).isRate  // false
/// ```
public enum StudyGoal: Hashable, Sendable {
  /// By the interval; with a confidence, by the one-sided bound of the budgets of `tune`.
  case falseAlarms(below: Double, confidence: Double? = nil)
  case recall(above: Double)
  /// One of two detectors has this much more recall, or fewer false alarms per hour.
  case recallDifference(Double)
  case falseAlarmDifference(Double)

  /// Whether it is about false alarms; otherwise about recall.
  public var isRate: Bool {
    switch self {
    case .falseAlarms, .falseAlarmDifference: true
    case .recall, .recallDifference: false
    }
  }

  public var dispersion: Dispersion.Kind { isRate ? .variation : .correlation }

  /// Whether the data show the goal.
  /// - Parameter ratio: for two detectors, the better one's minus the other's.
  func isShown(_ ratio: ClusteredRatio) -> Bool {
    let value = ratio.count / ratio.exposure
    // A bound lies beyond the value: without a value beyond the claim, there is no need for it.
    switch self {
    case .falseAlarms(let budget, let confidence?):
      return value < budget && (ratio.upperBoundOfRate(confidence) ?? .infinity) < budget
    case .falseAlarms(let budget, nil):
      return value < budget && (ratio.rateInterval?.upper ?? .infinity) < budget
    case .recall(let floor): return value > floor && (ratio.proportionInterval?.lower ?? 0) > floor
    case .recallDifference: return value > 0 && (ratio.differenceInterval?.lower ?? 0) > 0
    case .falseAlarmDifference: return value < 0 && (ratio.differenceInterval?.upper ?? 0) < 0
    }
  }
}

/// People to be recorded, and what the detectors are expected to do with them.
public struct Study: Sendable {
  public var goal: StudyGoal
  /// The expected false alarms per hour or recall; with two detectors, the better one's.
  public var expected: Double
  public var dispersion: Dispersion
  /// The correlation between the results of two detectors over people, 0 to 1.
  public var pairing = 0.0
  /// The hours or references of each person recorded so far.
  public var recorded: [Double] = []
  /// The hours or references of each further person, on average.
  public var each: Double
  /// The coefficient of variation of ``each`` between people.
  public var exposureVariation = 0.0
  /// The mean number of false alarms, or of hits or misses, that come together within a person; at
  /// least 1.
  public var burst = 1.0

  /// The assumed values where no data show them: people who are recorded for as long as each happened
  /// to take part, and events in pairs.
  public static let assumedExposureVariation = 0.5
  public static let assumedBurst = 2.0

  public init(_ goal: StudyGoal, expected: Double, dispersion: Dispersion, each: Double) {
    (self.goal, self.expected, self.dispersion, self.each) = (goal, expected, dispersion, each)
  }

  /// The coefficient of variation of ``recorded``; nil with fewer than three people.
  public var recordedVariation: Double? {
    guard recorded.count >= ClusteredRatio.fewest else { return nil }
    let count = Double(recorded.count)
    let mean = recorded.reduce(0, +) / count
    let squares = recorded.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return min((squares / (count - 1)).squareRoot() / mean, 5)
  }

  func part(
    _ exposure: Double, _ draws: inout Draws
  ) -> (count: Double, exposure: Double) {
    let exposure = goal.isRate ? exposure : max(exposure.rounded(), 1)
    switch goal {
    case .falseAlarms, .recall: return (count(expected, exposure, &draws), exposure)
    case .recallDifference(let difference), .falseAlarmDifference(let difference):
      let other = goal.isRate ? expected + difference : expected - difference
      // Correlated results come from equal random numbers.
      var twin = draws
      let isPaired = draws.generator.unit() < pairing
      _ = twin.generator.unit()
      let better = count(expected, exposure, &draws)
      let worse = isPaired ? count(other, exposure, &twin) : count(other, exposure, &draws)
      return (better - worse, exposure)
    }
  }

  private func count(_ mean: Double, _ exposure: Double, _ draws: inout Draws) -> Double {
    if goal.isRate {
      let own = draws.gamma(mean: mean, variation: dispersion.value)
      // A number of events beyond any count changes no claim.
      let bursts = draws.poisson(min(own * exposure / burst, 1e15))
      guard burst > 1, bursts > 0 else { return Double(bursts) }
      // Their further events are geometric, and the sum is Poisson with a gamma mean.
      return Double(bursts + draws.poisson(draws.gamma(shape: Double(bursts)) * (burst - 1)))
    }
    let deviation = (dispersion.value * mean * (1 - mean)).squareRoot()
    let own = draws.beta(mean: mean, deviation: deviation) ?? mean
    guard burst > 1 else { return Double(draws.binomial(Int(exposure), own)) }
    // The last references are a shorter burst.
    let bursts = Int(exposure / burst)
    let rest = exposure - Double(bursts) * burst
    return burst * Double(draws.binomial(bursts, own)) + (draws.generator.unit() < own ? rest : 0)
  }
}

/// Studies that are simulated person by person. False alarms are Poisson within a person and gamma
/// between people, hits binomial within and beta between; both in bursts. Exposures are gamma.
///
/// Study number i has the same people whatever their number is, the first ones of one stream, so a
/// larger study only needs the further people.
struct SimulatedStudies {
  private let study: Study
  private let factor: Double
  private var streams: [Draws]
  private var parts: [[(count: Double, exposure: Double)]]

  /// - Parameter factor: the factor for the hours or references of the people already recorded.
  init(_ study: Study, number: Int, seed: UInt64, factor: Double = 1) {
    (self.study, self.factor) = (study, factor)
    streams = (0..<number).map {
      Draws(seed: seed &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15)
    }
    parts = [[(count: Double, exposure: Double)]](repeating: [], count: number)
  }

  /// Returns the share of the first `studies` studies that show the goal.
  /// - Parameter people: the number of people in addition to the recorded ones.
  mutating func power(people: Int, studies: Int) -> Double {
    let wanted = study.recorded.count + people
    let shown = (0..<studies).count { number in
      while parts[number].count < wanted {
        let next = parts[number].count
        let exposure =
          next < study.recorded.count
          ? study.recorded[next] * factor
          : streams[number].gamma(mean: study.each, variation: study.exposureVariation)
        parts[number].append(study.part(exposure, &streams[number]))
      }
      return ClusteredRatio(Array(parts[number][..<wanted])).map(study.goal.isShown) ?? false
    }
    return Double(shown) / Double(max(studies, 1))
  }
}

extension ClusteredRatio {
  /// By linearisation with Student's quantile; nil where all people differ by the same.
  var differenceInterval: Interval? {
    let quantile = Distributions.studentQuantile(
      (1 + Interval.level) / 2, degreesOfFreedom: degreesOfFreedom)
    guard let quantile, variance > 1e-18 * exposure * exposure else { return nil }
    let half = quantile * variance.squareRoot() / exposure
    return Interval(lower: count / exposure - half, upper: count / exposure + half)
  }
}
