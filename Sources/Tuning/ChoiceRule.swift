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
  /// Whom the bound of a budget is for. ``Tuner`` sets it, so that all its choices have the same.
  public var bound = Bound.newPeople
  /// The largest part of the best value that the plateau gives up, as a share of its distance from
  /// the value of the null detector. For a budget this is a share of the recall.
  public var plateauLoss: Double

  public enum Bound: String, Hashable, Sendable {
    case newPeople = "new_people"
    /// For more hours of these people, who count as one person.
    case thesePeople = "these_people"
    /// The people are too few for a bound, so nothing is allowed.
    case undefined
  }

  public static let defaultConfidence = 0.9
  public static let defaultPlateauLoss = 0.02

  public init(
    _ objective: Objective, confidence: Double = defaultConfidence,
    plateauLoss: Double = defaultPlateauLoss
  ) { (self.objective, self.confidence, self.plateauLoss) = (objective, confidence, plateauLoss) }

  /// Whether a bound is compared with a budget, not the rate itself.
  public var testsBound: Bool { confidence > 0.5 }

  /// The budget whose bound is tested, in false alarms per hour; nil = none is.
  public var boundedBudget: Double? {
    if case .maximumRecall(let perHour) = objective, testsBound { perHour } else { nil }
  }
}

extension TrialCurves {
  /// Returns whether each threshold is within the budget; always true without one.
  /// - Parameter falsePositives: the sums over the weighted recordings.
  func isWithinBudget(
    _ rule: ChoiceRule, _ falsePositives: [Int], weights: Weights, groups: [Int]
  ) -> [Bool] {
    guard case .maximumRecall = rule.objective else { return thresholds.map { _ in true } }
    guard let perHour = rule.boundedBudget else {
      let hours = hours(weights)
      return falsePositives.map {
        rule.objective.allows(EventCounts(falsePositives: $0), hours: hours)
      }
    }
    var isAllowed = [Bool](repeating: false, count: thresholds.count)
    guard rule.bound != .undefined else { return isAllowed }
    let people = People(weights, groups, nanoseconds, rule.bound)
    let budget = people.budget(perHour, rule)
    var tally = budget.tally
    var isWithin: Bool?
    visitFromStrictest(weights, groups) { group, alarms in
      let (person, events) = people.events(alarms, of: group)
      budget.add(events, of: person, to: &tally)
      isWithin = nil
    } visit: { index in
      let isAlso = isWithin ?? budget.allows(tally)
      isWithin = isAlso
      isAllowed[index] = isAlso
      return isAlso
    }
    return isAllowed
  }

  /// Returns whether a budget's bound of the weighted recordings would be for new people.
  func boundsNewPeople(_ rule: ChoiceRule, weights: Weights, groups: [Int]) -> Bool {
    People(weights, groups, nanoseconds, .newPeople).budget(1, rule).isForNewPeople
  }

  /// Returns the upper bound of the false alarms per hour at a threshold; nil unless a budget's bound
  /// is tested, or if there is none.
  func bound(
    at threshold: Double, _ rule: ChoiceRule, weights: Weights, groups: [Int]
  ) -> Double? {
    guard let perHour = rule.boundedBudget, rule.bound != .undefined else { return nil }
    let people = People(weights, groups, nanoseconds, rule.bound)
    var alarms = [Int](repeating: 0, count: people.copies.count)
    for (recording, counts) in counts(at: threshold).enumerated() where weights[recording] > 0 {
      let (person, events) = people.events(counts.falsePositives, of: groups[recording])
      alarms[person] += events
    }
    return people.budget(perHour, rule).upperBound(alarms)
  }

  /// Returns why the strictest threshold cannot be shown to be within a budget; nil unless a budget's
  /// bound is tested.
  func shortfall(_ rule: ChoiceRule, weights: Weights, groups: [Int]) -> BudgetShortfall? {
    guard let perHour = rule.boundedBudget else { return nil }
    let people = People(weights, groups, nanoseconds, rule.bound)
    var shortfall: BudgetShortfall?
    var alarms = [Int](repeating: 0, count: people.copies.count)
    visitFromStrictest(weights, groups) { group, change in
      let (person, events) = people.events(change, of: group)
      alarms[person] += events
    } visit: { index in
      let one = people.budget(perHour, rule)
      shortfall = BudgetShortfall(
        threshold: thresholds[index],
        falseAlarms: zip(alarms, people.copies).reduce(0) { $0 + $1.0 * $1.1 },
        hours: people.sumOfHours, people: people.number,
        bound: one.upperBound(alarms), isForNewPeople: one.isForNewPeople,
        timesAsMany: BudgetShortfall.tried.first {
          people.budget(perHour, rule, times: $0).allows(alarms)
        })
      return false
    }
    return shortfall
  }
}

/// The reason why not even the strictest threshold can be shown to be within a budget.
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

/// A group without a weight does not count; one drawn several times counts as several people. For a
/// bound for these people, all groups are one person.
private struct People {
  /// How often each person counts, and the hours.
  let copies: [Int]
  private let hours: [Double]
  private let drawn: [Int]
  private let isOne: Bool

  init(
    _ weights: TrialCurves.Weights, _ groups: [Int], _ nanoseconds: [Int64],
    _ bound: ChoiceRule.Bound
  ) {
    drawn = TrialCurves.copies(weights, groups)
    var hours = [Double](repeating: 0, count: drawn.count)
    for (recording, weight) in weights.enumerated() where weight > 0 {
      hours[groups[recording]] += Double(nanoseconds[recording]) / 3.6e12
    }
    isOne = bound == .thesePeople
    copies = isOne ? [1] : drawn
    self.hours = isOne ? [Self.sum(hours, drawn)] : hours
  }

  private static func sum(_ values: [Double], _ copies: [Int]) -> Double {
    zip(values, copies).reduce(0) { $0 + $1.0 * Double($1.1) }
  }

  var number: Int { drawn.reduce(0, +) }
  var sumOfHours: Double { Self.sum(hours, copies) }

  /// - Parameter times: the factor for the number of people.
  func budget(_ perHour: Double, _ rule: ChoiceRule, times: Int = 1) -> RateBudget {
    RateBudget(
      perHour, confidence: rule.confidence, hours: hours, copies: copies.map { times * $0 })
  }

  /// Returns the person that events of a group belong to, and their number.
  func events(_ count: Int, of group: Int) -> (person: Int, count: Int) {
    isOne ? (0, drawn[group] * count) : (group, count)
  }
}
