import Foundation
import Scoring
import TraceModel
import Tuning

/// A figure whose interval is tried.
public enum TriedFigure: Hashable, Sendable {
  /// False alarms per hour: gamma between people, Poisson within.
  case rate
  /// False alarms per day, of three activities that are recorded in other shares than they are lived.
  case perDay
  /// A proportion of this mean. The misses have the variation between people, beta within 0...1.
  case recall(Double)
  /// The same, but one person in ten has half the recall.
  case mixedRecall(Double)
  case f1
  /// A percentile of normal times whose means differ by the variation times the deviation within.
  case percentile(Int)
  /// The mean of signed errors, or of their sizes, of one recording of each person.
  case bias(ErrorLaw), meanAbsolute(ErrorLaw)
  /// The mean of people's recalls of 0.9, as in `recall`.
  case meanOfShares
  /// The median of such times as delays, of which a fifth never come, and which are not waited for as
  /// long each time.
  case delay
  /// A figure of the whole curve, where the mean score of references is this.
  case curve(CurveFigure, Double)
  /// The rate and the recall of these people only, from the events.
  case rateOfThese, recallOfThese(Double)

  public var name: String {
    switch self {
    case .rate: "false alarms per hour"
    case .perDay: "false alarms per day"
    case .recall(let mean): "recall \(mean)"
    case .mixedRecall(let mean): "recall \(mean), one in ten at half"
    case .f1: "F1"
    case .percentile(let percent): "p\(percent)"
    case .bias(let law): "bias, \(law.rawValue)"
    case .meanAbsolute(let law): "mean |error|, \(law.rawValue)"
    case .meanOfShares: "mean of recalls of 0.9"
    case .delay: "median delay, misses"
    case .curve(.averagePrecision, let mean): "average precision, mean \(mean)"
    case .curve(.meanRecall, let mean): "mean recall, mean \(mean)"
    case .rateOfThese: "false alarms/h, these people"
    case .recallOfThese(let mean): "recall \(mean), these people"
    }
  }

  /// Whether the interval claims its level, for at least five people.
  public func isClaimed(variation: Double) -> Bool {
    switch self {
    case .mixedRecall, .bias(.shifted), .bias(.oneInFive), .meanAbsolute(.shifted): false
    // The square of the variation times the share of misses / hits is the correlation within a person.
    case .recall(let mean): variation <= 1 && variation * variation * (1 - mean) / mean <= 0.2
    default: variation <= 1
    }
  }

  public static let all: [TriedFigure] =
    [.rate, .perDay] + [0.7, 0.9, 0.97, 0.995].map(recall) + [0.9, 0.97].map(mixedRecall)
    + [.f1, .percentile(50), .percentile(90), .meanOfShares, .delay]
    + [.averagePrecision, .meanRecall].flatMap { [.curve($0, 1), .curve($0, 3)] }
    + [.rateOfThese, .recallOfThese(0.9)]

  /// Figures whose law is their own.
  public static let ofErrors: [TriedFigure] =
    ErrorLaw.allCases.map(meanAbsolute) + ErrorLaw.allCases.map(bias)
}

/// The errors of people.
public enum ErrorLaw: String, CaseIterable, Hashable, Sendable {
  case normal
  /// Of one sign, with a coefficient of variation of 1.
  case lognormal
  /// One person in five has four times the error of the others, which has a bias.
  case oneInFive = "one in five x4"
  /// Student's with three degrees of freedom.
  case student = "t3"
  /// One person in five is off by five deviations, the others have no bias.
  case shifted = "one in five off by 5"

  func draw(_ draws: inout Draws) -> Double {
    switch self {
    case .normal: return draws.normal()
    case .lognormal:
      let deviation = log(2.0).squareRoot()
      return exp(deviation * draws.normal() - deviation * deviation / 2)
    case .oneInFive: return (1 + draws.normal() / 2) * (draws.generator.unit() < 0.2 ? 4 : 1)
    case .student:
      let spread = draws.gamma(mean: 1, variation: (2.0 / 3).squareRoot())
      return draws.normal() / spread.squareRoot()
    case .shifted: return draws.normal() + (draws.generator.unit() < 0.2 ? 5 : 0)
    }
  }

  var mean: Double {
    switch self {
    case .normal, .student: 0
    case .lognormal, .shifted: 1
    case .oneInFive: 1.6
    }
  }

  var meanSize: Double {
    switch self {
    case .normal: Self.foldedNormal(0, 1)
    case .lognormal: 1
    case .oneInFive: 1.6 * Self.foldedNormal(1, 0.5)
    case .student: 2 * 3.0.squareRoot() / .pi
    case .shifted: 0.8 * Self.foldedNormal(0, 1) + 0.2 * Self.foldedNormal(5, 1)
    }
  }

  private static func foldedNormal(_ mean: Double, _ deviation: Double) -> Double {
    let ratio = mean / deviation
    return deviation * (2 / .pi).squareRoot() * exp(-ratio * ratio / 2)
      + mean * (1 - erfc(ratio / 2.0.squareRoot()))
  }
}

/// How often intervals contain the truth.
public struct Coverage: Sendable {
  public var covered = 0
  public var tried = 0
  /// Sets of data that gave no interval.
  public var withoutInterval = 0
  /// Intervals with an infinite end.
  public var unbounded = 0

  /// The share of the intervals that contain the truth; nil without one.
  public var share: Double? { tried > 0 ? Double(covered) / Double(tried) : nil }

  /// The standard error of a share of 0.95 with so many sets.
  public var error: Double { tried > 0 ? (0.95 * 0.05 / Double(tried)).squareRoot() : 0 }

  /// Whether it is at least 93 %, less two standard errors of the simulation.
  public var holds: Bool { share.map { $0 >= 0.93 - 2 * error } ?? true }

  mutating func add(_ interval: Interval?, truth: Double) {
    guard let interval else {
      withoutInterval += 1
      return
    }
    tried += 1
    // Where the truth is at a bound it is the exact value of the same formula.
    if interval.lower <= truth + 1e-12, truth - 1e-12 <= interval.upper { covered += 1 }
    if interval.lower.isInfinite || interval.upper.isInfinite { unbounded += 1 }
  }
}

/// Simulates sets of data and counts how often the intervals contain the truth.
public struct CoverageStudy: Sendable {
  public var sets: Int
  public var seed: UInt64
  /// The mean numbers of a person: false alarms, references.
  public var alarms = 10.0
  public var references = 40

  public init(sets: Int, seed: UInt64) {
    self.sets = sets
    self.seed = seed
  }

  /// Returns the coverage; nil if such people do not exist, e.g. a recall of 0.7 whose misses have a
  /// coefficient of variation of 2.
  public func coverage(of figure: TriedFigure, for crowd: Crowd) -> Coverage? {
    var draws = Draws(seed: seed)
    var coverage = Coverage()
    let ofCurves = truthOfCurves(figure, crowd)
    for _ in 0..<sets {
      guard let (interval, truth) = trial(figure, crowd, &draws) else { return nil }
      coverage.add(interval, truth: ofCurves ?? truth)
    }
    return coverage
  }

  /// Returns the share of pairs of equal detectors, on two groups of people, whose intervals exclude
  /// each other.
  public func exclusions(of figure: TriedFigure, for crowd: Crowd) -> Double? {
    var draws = Draws(seed: seed)
    var (excluded, pairs) = (0, 0)
    for _ in 0..<sets {
      guard let first = trial(figure, crowd, &draws), let second = trial(figure, crowd, &draws)
      else { return nil }
      guard let left = first.interval, let right = second.interval else { continue }
      pairs += 1
      if left.upper < right.lower || right.upper < left.lower { excluded += 1 }
    }
    return pairs > 0 ? Double(excluded) / Double(pairs) : nil
  }

  /// Returns the share of budgets, each the true rate, that the one-sided bound allows.
  public func brokenBudgets(for crowd: Crowd, confidence: Double) -> Double {
    var draws = Draws(seed: seed)
    let hours = crowd.exposures
    let budget = RateBudget(alarms, confidence: confidence, hours: hours)
    let broken = (0..<sets).count { _ in
      budget.allows(hours.map { crowd.events(crowd.rate(alarms, &draws) * $0, &draws) })
    }
    return Double(broken) / Double(max(sets, 1))
  }

  private typealias Trial = (interval: Interval?, truth: Double)

  private func trial(_ figure: TriedFigure, _ crowd: Crowd, _ draws: inout Draws) -> Trial? {
    switch figure {
    case .rate: rate(crowd, &draws, ofThese: false)
    case .rateOfThese: rate(crowd, &draws, ofThese: true)
    case .perDay: perDay(crowd, &draws)
    case .recall(let mean): recall(mean, crowd, &draws, ofThese: false)
    case .recallOfThese(let mean): recall(mean, crowd, &draws, ofThese: true)
    case .mixedRecall(let mean): mixedRecall(mean, crowd, &draws)
    case .f1: f1(crowd, &draws)
    case .percentile(let percent): percentile(percent, crowd, &draws)
    case .bias(let law):
      (Estimate(meanOf: errors(law, crowd, &draws), of: .people).interval, law.mean)
    case .meanAbsolute(let law):
      (
        Estimate(
          meanOf: errors(law, crowd, &draws).map { $0.map(abs) }, in: 0 ... .infinity, of: .people
        ).interval, law.meanSize
      )
    case .meanOfShares: meanOfShares(crowd, &draws)
    case .delay: delay(crowd, &draws)
    case .curve(let figure, let mean): curve(figure, mean, crowd, &draws)
    }
  }

  private func rate(_ crowd: Crowd, _ draws: inout Draws, ofThese: Bool) -> Trial {
    var (parts, expected, hours): ([PoissonRate], Double, Double) = ([], 0, 0)
    for exposure in crowd.exposures {
      let own = crowd.rate(alarms, &draws)
      parts.append(PoissonRate(count: crowd.events(own * exposure, &draws), hours: exposure))
      expected += own * exposure
      hours += exposure
    }
    let all = PoissonRate(count: parts.reduce(0) { $0 + $1.count }, hours: hours)
    return ofThese
      ? (all.interval, expected / hours) : (Estimate(parts, of: .people).interval, alarms)
  }

  /// Hours of a day, hours of an hour of recording, and false alarms per hour by activity.
  private static let activities = [
    (name: "running", ofDay: 2.0, recorded: 0.5, rate: 20.0),
    (name: "walking", ofDay: 6, recorded: 0.3, rate: 5),
    (name: "sitting", ofDay: 12, recorded: 0.2, rate: 1),
  ]

  private func perDay(_ crowd: Crowd, _ draws: inout Draws) -> Trial {
    let parts = Self.activities.map { DayProfile.Part(activity: $0.name, hours: $0.ofDay) }
    var runs: [DayRate.Run] = []
    for (person, exposure) in crowd.exposures.enumerated() {
      let own = draws.gamma(mean: 1, variation: crowd.variation)
      for activity in Self.activities {
        let hours = exposure * activity.recorded
        let count = draws.poisson(own * activity.rate * hours)
        runs.append(("\(person)", activity.name, PoissonRate(count: count, hours: hours)))
      }
    }
    return (
      DayRate(DayProfile(name: "day", parts: parts), of: runs).estimate.interval,
      Self.activities.reduce(0) { $0 + $1.ofDay * $1.rate }
    )
  }

  private func recall(
    _ mean: Double, _ crowd: Crowd, _ draws: inout Draws, ofThese: Bool
  ) -> Trial? {
    var (parts, expected, sum): ([Proportion], Double, Double) = ([], 0, 0)
    for exposure in crowd.exposures {
      guard let misses = crowd.misses(1 - mean, &draws) else { return nil }
      let trials = max(Int((Double(references) * exposure).rounded()), 1)
      parts.append(
        Proportion(successes: crowd.hits(trials, 1 - misses, &draws), trials: trials))
      expected += Double(trials) * (1 - misses)
      sum += Double(trials)
    }
    let all = Proportion(
      successes: parts.reduce(0) { $0 + $1.successes }, trials: Int(sum))
    return ofThese
      ? (all.interval, expected / sum) : (Estimate(parts, of: .people).interval, mean)
  }

  private func mixedRecall(_ mean: Double, _ crowd: Crowd, _ draws: inout Draws) -> Trial {
    let parts = crowd.exposures.map { exposure in
      let own = draws.generator.unit() < 0.1 ? mean / 2 : mean
      let trials = max(Int((Double(references) * exposure).rounded()), 1)
      return Proportion(successes: draws.binomial(trials, own), trials: trials)
    }
    return (Estimate(parts, of: .people).interval, 0.95 * mean)
  }

  /// A recall of 0.9, and false alarms.
  private func f1(_ crowd: Crowd, _ draws: inout Draws) -> Trial? {
    var parts: [F1Score] = []
    for exposure in crowd.exposures {
      guard let misses = crowd.misses(0.1, &draws) else { return nil }
      let trials = max(Int((Double(references) * exposure).rounded()), 1)
      let hits = crowd.hits(trials, 1 - misses, &draws)
      let alarms = crowd.rate(alarms, &draws)
      parts.append(
        F1Score(
          truePositives: hits, falsePositives: crowd.events(alarms * exposure, &draws),
          falseNegatives: trials - hits))
    }
    let found = 0.9 * Double(references)
    return (
      Estimate(parts, of: .people).interval, 2 * found / (found + Double(references) + alarms)
    )
  }

  /// Times in ns around an hour, of each person.
  private func times(_ crowd: Crowd, _ draws: inout Draws) -> [[Int64]] {
    crowd.exposures.map { exposure in
      let own = crowd.variation * draws.normal()
      let count = max(Int((Double(references) * exposure).rounded()), 1)
      return (0..<count).map { _ in 3_600_000_000_000 + Int64(1e9 * (own + draws.normal())) }
    }
  }

  private func percentile(_ percent: Int, _ crowd: Crowd, _ draws: inout Draws) -> Trial {
    let clustered = Clustered([Int64](), parts: times(crowd, &draws))
    let deviation = (1 + crowd.variation * crowd.variation).squareRoot()
    let quantile = percent == 50 ? 0 : 1.281_551_565_544_600_5
    return (
      clustered.percentiles([percent]) { $0 }[0].interval, 3600 + quantile * deviation
    )
  }

  private func delay(_ crowd: Crowd, _ draws: inout Draws) -> Trial {
    let deviation = (1 + crowd.variation * crowd.variation).squareRoot()
    let parts = times(crowd, &draws).map { times in
      times.reduce(into: Delays()) { delays, time in
        let isMissed = draws.generator.unit() < 0.2
        let window = Int64(1e9 * (3600 + deviation * draws.generator.uniform(-0.5...2)))
        if isMissed || time > window {
          delays.missed.append(window)
        } else {
          delays.reached.append(time)
        }
      }
    }
    // Half of all have come when five eighths of those that come have.
    return (
      Estimate(percent: 50, of: parts, of: .people).interval,
      3600 + 0.318_639_363_964_375 * deviation
    )
  }

  private func curve(
    _ figure: CurveFigure, _ mean: Double, _ crowd: Crowd, _ draws: inout Draws
  ) -> Trial? {
    curves(mean, crowd).draw(&draws).map { ($0.estimate(figure.value).interval, .nan) }
  }

  private func curves(_ mean: Double, _ crowd: Crowd) -> CurveCrowd {
    CurveCrowd(crowd: crowd, mean: mean, references: references, alarms: alarms)
  }

  /// Once for all sets, because it takes longer than one.
  private func truthOfCurves(_ figure: TriedFigure, _ crowd: Crowd) -> Double? {
    guard case .curve(let figure, let mean) = figure else { return nil }
    return curves(mean, crowd).truth(figure)
  }

  private func errors(_ law: ErrorLaw, _ crowd: Crowd, _ draws: inout Draws) -> [[Double]] {
    (0..<crowd.people).map { _ in [law.draw(&draws)] }
  }

  private func meanOfShares(_ crowd: Crowd, _ draws: inout Draws) -> Trial? {
    var parts: [[Double]] = []
    for exposure in crowd.exposures {
      guard let misses = crowd.misses(0.1, &draws) else { return nil }
      let trials = max(Int((Double(references) * exposure).rounded()), 1)
      parts.append([Double(crowd.hits(trials, 1 - misses, &draws)) / Double(trials)])
    }
    return (Estimate(meanOf: parts, in: 0...1, of: .people).interval, 0.9)
  }
}
