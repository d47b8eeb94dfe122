/// The number of people to record for a study with a given power, found by simulation.
///
/// ```swift
/// let alike = Dispersion(.correlation, assumed: 0.05)
/// let study = Study(.recall(above: 0.9), expected: 0.97, dispersion: alike, each: 50)
/// StudyPlan(study, studies: 200, factorsOfEach: []).design.people  // 12
/// ```
public struct StudyPlan: Sendable {
  /// A number of people with the same hours or references each.
  public struct Design: Hashable, Sendable {
    /// The hours or references of each further person.
    public var each: Double
    /// The number of people in addition to those recorded; nil = more than ``StudyPlan/mostPeople``.
    public var people: Int?
    /// The share of simulated studies that show the goal, at most of the largest study.
    public var power: Double
    public var studies: Int
  }

  /// The effect of more hours or references from the people who are already recorded.
  public struct SamePeople: Hashable, Sendable {
    /// The factor of their hours or references that is enough; nil = even the largest is not.
    public var factor: Double?
    /// The power with that factor, or with the largest one.
    public var power: Double
  }

  public let study: Study
  public let target: Double
  public let seed: UInt64
  public let design: Design
  /// The designs with fewer and with more hours or references of each further person.
  public let alternatives: [Design]
  /// nil = nobody is recorded, or the recorded people are enough.
  public let samePeople: SamePeople?

  /// The largest study that is simulated, in further people.
  public static let mostPeople = 400
  /// The factors of the hours or references of each further person in ``alternatives``.
  public static let factorsOfEach = [0.5, 2, 6]
  /// The maximum of people times studies: larger studies are simulated less often.
  private static let mostSimulated = 120_000
  public static let factors = [2.0, 3, 5, 10, 30, 100]

  /// - Parameters:
  ///   - target: the power, above 0 and below 1.
  ///   - studies: at least 1. The power that is found has a standard error of at most
  ///     sqrt(0.25 / studies).
  ///   - factorsOfEach: those of the alternatives.
  public init(
    _ study: Study, target: Double = 0.8, seed: UInt64 = 1, studies: Int = 2000,
    factorsOfEach: [Double] = StudyPlan.factorsOfEach
  ) {
    (self.study, self.target, self.seed) = (study, target, seed)
    func design(_ each: Double) -> Design {
      var study = study
      study.each = each
      return Self.design(study, target, seed, studies)
    }
    let own = design(study.each)
    self.design = own
    alternatives =
      own.people == 0
      ? []
      : factorsOfEach.map { $0 * study.each }.filter { study.goal.isRate || $0 >= 1 }
        .map { design(study.goal.isRate ? $0 : $0.rounded()) }
    samePeople =
      study.recorded.isEmpty || own.people == 0
      ? nil : Self.samePeople(study, target, seed, studies)
  }

  /// Doubles the people, then bisects: power grows with them, except for steps of whole events.
  private static func design(
    _ study: Study, _ target: Double, _ seed: UInt64, _ studies: Int
  ) -> Design {
    let people = study.recorded.count
    var simulated = SimulatedStudies(
      study, number: min(studies, mostSimulated / (people + 1) + 1), seed: seed)
    func design(_ people: Int) -> Design {
      let number = min(studies, mostSimulated / (study.recorded.count + people + 1) + 1)
      return Design(
        each: study.each, people: people,
        power: simulated.power(people: people, studies: number), studies: number)
    }
    var low = max(0, ClusteredRatio.fewest - study.recorded.count)
    var found = design(low)
    var step = 1
    while found.power < target {
      low = found.people ?? low
      guard low < mostPeople else {
        found.people = nil
        return found
      }
      found = design(min(low + step, mostPeople))
      step *= 2
    }
    while let high = found.people, high - low > 1 {
      let middle = design((low + high) / 2)
      if middle.power >= target { found = middle } else { low = (low + high) / 2 }
    }
    return found
  }

  private static func samePeople(
    _ study: Study, _ target: Double, _ seed: UInt64, _ studies: Int
  ) -> SamePeople {
    let studies = min(studies, mostSimulated / study.recorded.count + 1)
    var power = 0.0
    for factor in factors {
      var simulated = SimulatedStudies(study, number: studies, seed: seed, factor: factor)
      power = simulated.power(people: 0, studies: studies)
      if power >= target { return SamePeople(factor: factor, power: power) }
    }
    return SamePeople(factor: nil, power: power)
  }
}
