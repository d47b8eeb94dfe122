public import Scoring
public import TraceModel

/// One entry over the traces of one origin, with its ``GroupScore``.
///
/// ```swift
/// var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
/// trace.set(.vector(VectorColumns()), for: .userAcceleration)
/// let missed = ReferenceEvent(onset: .zero, label: "hook")
/// trace.header.references = [ReferenceSet(task: .punch, events: [missed])]
/// let summary = try await AnyDetector(PunchDetector.self).evaluate(on: [trace])
/// summary["recall"]?.value  // 0.0
/// summary["precision"]?.value == nil  // true
/// ```
@dynamicMemberLookup
public struct EntrySummary: Sendable {
  public let entry: String
  public let origin: TraceOrigin
  public let task: ReferenceTask
  /// The runs that the score rests on: those with a reference, or all if none has one. A run with
  /// only a known number of events is in ``counted``, unless there are no others.
  public let runs: [RunRecord]
  /// The runs that are scored by the number of events.
  public let counted: [RunRecord]
  /// The hits next to those at chance level; nil without events to score.
  public let chance: ChanceLevel?
  /// The figures of the score, then those of a day and those at chance level.
  public let figures: [Figure]
  private let group: GroupScore
  /// The false alarms per day of life; nil without a profile, or where events are not scored.
  public let day: DayRate?

  /// - Parameter runs: at least one, all of one entry and one origin.
  public init(
    _ runs: [RunRecord], about population: IntervalMethod.Population, profile: DayProfile? = nil
  ) {
    entry = runs[0].entry
    origin = runs[0].origin
    task = runs[0].task
    counted = runs.filter { if case .count = $0.score { true } else { false } }
    let scored = runs.filter { run in
      if case .count = run.score { false } else { run.score != .unscored }
    }
    self.runs = scored.isEmpty ? counted.isEmpty ? runs : counted : scored
    group = GroupScore(runs.map { ($0.subject, $0.score) }, about: population)
    let chance = ChanceLevel(runs.compactMap(\.shifted))
    let rates = runs.compactMap { run -> DayRate.Run? in
      guard case .events(let judgement) = run.score else { return nil }
      return (run.subject, run.activity, judgement.score.falseAlarms)
    }
    day = rates.isEmpty ? nil : profile.map { DayRate($0, of: rates, about: population) }
    self.chance = chance
    let withdrawals = runs.compactMap(\.withdrawals)
    let clipped = runs.flatMap(\.clippedDetections)
    figures =
      group.figures + (day?.figures ?? [])
      + (withdrawals.isEmpty
        ? []
        : Clustered(withdrawals.flatMap(\.self)).percentiles(.withdrawalTime) { $0 })
      + (clipped.isEmpty ? [] : [.count(.clippedDetections, clipped.count { $0 })])
      + (chance.map { level in
        [
          Figure(.recallAtChance, level.recall),
          Figure(.chanceShare, level.share), Figure(.chanceShareFlawless, level.flawless),
          .count(.chanceShifts, level.shifts),
        ]
      } ?? [])
  }

  public subscript<Member>(dynamicMember member: KeyPath<GroupScore, Member>) -> Member {
    group[keyPath: member]
  }

  /// A summary for each entry and origin, in the order of the runs.
  /// - Parameter population: whom the intervals are about.
  public static func summaries(
    of runs: [RunRecord], about population: IntervalMethod.Population = .newPeople,
    profile: DayProfile? = nil
  ) -> [EntrySummary] {
    runs.inGroups { [$0.entry, $0.origin.rawValue] }
      .map { EntrySummary($0, about: population, profile: profile) }
  }

  /// A figure by its name, such as `recall`; nil where the task has no such figure.
  public subscript(name: String) -> Figure? { figures.first { $0.name == name } }

  public subscript(figure: FigureDefinition) -> Figure? { self[figure.name] }

  /// What explains most of the errors; nil without one such cause.
  public var diagnosis: Diagnosis? { Diagnosis(runs) }

  /// The score of events; nil where they are not scored.
  package var events: EventScore? {
    if case .events(let score) = group.score { score } else { nil }
  }

  public var hours: Double { runs.reduce(0) { $0 + $1.hours } }

  public var isDeliveryIdeal: Bool { runs.allSatisfy(\.isDeliveryIdeal) }
}
