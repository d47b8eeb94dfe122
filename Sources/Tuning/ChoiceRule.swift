internal import Scoring

/// How a threshold is chosen.
public struct ChoiceRule: Hashable, Sendable {
  public var objective: Objective
  /// The confidence that new people stay within a budget of false alarms, 0.5 up to, not including, 1.
  ///
  /// Thresholds are tested in a fixed order from strict to lenient. A threshold is allowed as long as
  /// the one-sided upper bound of the rate for people like these is within the budget, there and at
  /// every stricter threshold (Learn then Test: Angelopoulos et al., Annals of Applied Statistics 19,
  /// 2025, with fixed-sequence testing). The confidence is that of the thresholds at one setting of
  /// the other parameters; a search over settings spends some of it.
  ///
  /// At 0.5 the rate of false alarms itself is compared, at each threshold separately. For new
  /// people that breaks the budget in about half of all cases.
  public var confidence: Double
  /// The largest part of the best value that the plateau gives up, as a share of its distance from
  /// the value of the null detector. For a budget this is a share of the recall.
  public var plateauLoss: Double

  public static let defaultConfidence = 0.9
  public static let defaultPlateauLoss = 0.02

  public init(
    _ objective: Objective, confidence: Double = defaultConfidence,
    plateauLoss: Double = defaultPlateauLoss
  ) { (self.objective, self.confidence, self.plateauLoss) = (objective, confidence, plateauLoss) }

  /// Whether the bound for new people is tested, not the rate itself.
  public var testsBound: Bool { confidence > 0.5 }
}

extension TrialCurves {
  /// Returns whether each threshold is within the budget; always true without one.
  /// - Parameter falsePositives: the sums over the weighted recordings.
  func isWithinBudget(
    _ rule: ChoiceRule, _ falsePositives: [Int], weights: Weights, groups: [Int]
  ) -> [Bool] {
    guard case .maximumRecall(let perHour) = rule.objective else {
      return thresholds.map { _ in true }
    }
    guard rule.testsBound else {
      let hours = hours(weights)
      return falsePositives.map {
        rule.objective.allows(EventCounts(falsePositives: $0), hours: hours)
      }
    }
    let people = People(weights, groups, nanoseconds)
    let budget = RateBudget(
      perHour, confidence: rule.confidence, hours: people.hours, copies: people.copies)
    var isAllowed = [Bool](repeating: false, count: thresholds.count)
    var tally = budget.tally
    var isWithin: Bool?
    visitFromStrictest(weights, groups) { group, alarms in
      budget.add(alarms, of: group, to: &tally)
      isWithin = nil
    } visit: { index in
      let isAlso = isWithin ?? budget.allows(tally)
      isWithin = isAlso
      isAllowed[index] = isAlso
      return isAlso
    }
    return isAllowed
  }

  /// Returns why the strictest threshold exceeds a budget; nil unless a budget's bound is tested.
  func shortfall(_ rule: ChoiceRule, weights: Weights, groups: [Int]) -> BudgetShortfall? {
    guard case .maximumRecall(let perHour) = rule.objective, rule.testsBound else { return nil }
    let people = People(weights, groups, nanoseconds)
    var shortfall: BudgetShortfall?
    var alarms = [Int](repeating: 0, count: people.copies.count)
    visitFromStrictest(weights, groups) {
      alarms[$0] += $1
    } visit: { index in
      func budget(times: Int) -> RateBudget {
        RateBudget(
          perHour, confidence: rule.confidence, hours: people.hours,
          copies: people.copies.map { times * $0 })
      }
      let one = budget(times: 1)
      shortfall = BudgetShortfall(
        threshold: thresholds[index],
        falseAlarms: zip(alarms, people.copies).reduce(0) { $0 + $1.0 * $1.1 },
        hours: people.sum(people.hours), people: people.copies.reduce(0, +),
        bound: one.upperBound(alarms), isForNewPeople: one.isForNewPeople,
        timesAsMany: BudgetShortfall.tried.first { budget(times: $0).allows(alarms) })
      return false
    }
    return shortfall
  }
}

/// The reason why not even the strictest threshold is within a budget.
public struct BudgetShortfall: Hashable, Sendable {
  /// The strictest threshold, with its false alarms.
  public var threshold: Double
  public var falseAlarms: Int
  public var hours: Double
  /// The number of groups.
  public var people: Int
  /// The upper bound of the rate per hour; nil = none.
  public var bound: Double?
  public var isForNewPeople: Bool
  /// The factor by which the number of people would have to grow, each with as many hours and false
  /// alarms; nil = more than a thousand: the rate itself is too high.
  public var timesAsMany: Int?

  static let tried = Array(2...20) + stride(from: 25, through: 100, by: 5) + [150, 200, 500, 1000]
}

/// A group without a weight does not count; one drawn several times counts as several people.
private struct People {
  let copies: [Int]
  let hours: [Double]

  init(_ weights: TrialCurves.Weights, _ groups: [Int], _ nanoseconds: [Int64]) {
    copies = TrialCurves.copies(weights, groups)
    var hours = [Double](repeating: 0, count: copies.count)
    for (recording, weight) in weights.enumerated() where weight > 0 {
      hours[groups[recording]] += Double(nanoseconds[recording]) / 3.6e12
    }
    self.hours = hours
  }

  func sum(_ values: [Double]) -> Double {
    zip(values, copies).reduce(0) { $0 + $1.0 * Double($1.1) }
  }
}
