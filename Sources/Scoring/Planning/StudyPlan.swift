/// The number of people to record so that a study shows its goal with a given power, found by
/// simulation.
public struct StudyPlan: Sendable {
  /// A number of people with the same hours or references each.
  public struct Design: Hashable, Sendable {
    /// The hours or references of each further person.
    public var each: Double
    /// The number of people in addition to those recorded; nil = more than ``StudyPlan/mostPeople``.
    public var people: Int?
    /// The share of simulated studies that show the goal; with too many people, that of the largest
    /// study.
    public var power: Double
    /// The number of simulated studies.
    public var studies: Int
  }

  /// The effect of more hours or references from the people who are already recorded.
  public struct SamePeople: Hashable, Sendable {
    /// The factor of their hours or references that is enough; nil = not even the largest one is
    /// enough.
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
  /// The effect of more from the same people; nil = nobody is recorded, or the recorded people
  /// suffice.
  public let samePeople: SamePeople?

  /// The largest study that is simulated, in further people.
  public static let mostPeople = 400
  /// The factors of the hours or references of each further person in ``alternatives``.
  public static let factorsOfEach = [0.5, 2, 6]
  /// The maximum number of people over all simulated studies of one size: with more people in a
  /// study there are fewer studies.
  private static let mostSimulated = 120_000
  /// The factors of hours that are tried for the same people.
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

  /// The smallest number of people, by doubling and then halving: the power grows with them, except
  /// for the steps of whole events.
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

// MARK: JSON

extension StudyPlan.Design: Encodable {
  private enum Key: CodingKey { case each, people, power, studies }

  /// Too many people are written as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(each, forKey: .each)
    try container.encode(people, forKey: .people)
    try container.encode(power, forKey: .power)
    try container.encode(studies, forKey: .studies)
  }
}

extension StudyPlan.SamePeople: Encodable {
  private enum Key: CodingKey { case factor, power }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(factor, forKey: .factor)
    try container.encode(power, forKey: .power)
  }
}

extension Dispersion: Encodable {
  private enum Key: CodingKey { case kind, value, estimate, people }

  /// The estimate and the number of people of an assumption are written as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind.rawValue, forKey: .kind)
    try container.encode(value, forKey: .value)
    try container.encode(estimate, forKey: .estimate)
    try container.encode(people, forKey: .people)
  }
}

extension StudyPlan: Encodable {
  private enum Key: CodingKey {
    case figure, below, above, difference, confidence, expected, targetPower, dispersion, pairing
    case recordedPeople, unit, plan, alternatives, samePeople, seed
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let isRate = study.goal.isRate
    let figure = isRate ? FigureDefinition.falseAlarmsPerHour : .recall
    try container.encode(figure.name, forKey: .figure)
    switch study.goal {
    case .falseAlarms(let budget, let confidence):
      try container.encode(budget, forKey: .below)
      try container.encode(confidence, forKey: .confidence)
    case .recall(let floor): try container.encode(floor, forKey: .above)
    case .recallDifference(let difference), .falseAlarmDifference(let difference):
      try container.encode(difference, forKey: .difference)
    }
    try container.encode(study.expected, forKey: .expected)
    try container.encode(target, forKey: .targetPower)
    try container.encode(study.dispersion, forKey: .dispersion)
    try container.encode(study.pairing, forKey: .pairing)
    try container.encode(study.recorded.count, forKey: .recordedPeople)
    try container.encode(isRate ? "h" : FigureDefinition.references.name, forKey: .unit)
    try container.encode(design, forKey: .plan)
    try container.encode(alternatives, forKey: .alternatives)
    try container.encode(samePeople, forKey: .samePeople)
    try container.encode(seed, forKey: .seed)
  }
}
