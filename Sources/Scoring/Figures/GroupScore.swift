/// The score of a group of runs, such as those of a suite entry, with intervals over people.
///
/// ```swift
/// let ana = (subject: "Ana", score: TaskScore.count(CountScore(stated: 50, detected: 48)))
/// let group = GroupScore([ana, (subject: "Ben", score: .unscored)])
/// group.unscored  // 1
/// group.counts?.total.error  // -2
/// ```
public struct GroupScore: Sendable {
  public enum Score: Sendable, Equatable {
    case events(EventScore)
    case visits(VisitScore)
    case track(TrackSummary)
    case presence(PresenceQuality)
    /// Only the numbers of events are known.
    case counts
    case unscored
  }

  public static let fewestClusters = ClusteredRatio.fewest
  public static let assumedCorrelation = ClusteredRatio.assumedCorrelation

  /// Whom the intervals are about where enough people contribute.
  public let population: IntervalMethod.Population
  public let score: Score
  /// The number of runs without a reference, which are left out; 0 if no run has one.
  public let unscored: Int
  /// The runs with only a number of events, which says less than events; nil = none.
  public let counts: CountSummary?
  /// The scores of events by person; nil if events are not scored.
  public let eventParts: Clustered<EventScore>?
  /// With intervals for people like these from three people on; of events, also means over people.
  public let figures: [Figure]

  /// - Parameters:
  ///   - runs: of one task; an empty subject is not known.
  ///   - population: whom the intervals are about.
  public init(
    _ runs: [(subject: String, score: TaskScore)],
    about population: IntervalMethod.Population = .newPeople
  ) {
    self.population = population
    let scored = runs.filter { $0.score != .unscored }
    unscored = scored.isEmpty ? 0 : runs.count - scored.count
    func parts<Part>(_ part: (TaskScore) -> Part?) -> [(subject: String, score: Part)] {
      scored.compactMap { run in part(run.score).map { (run.subject, $0) } }
    }
    let events = parts { if case .events(let judgement) = $0 { judgement.score } else { nil } }
    let visits = parts { if case .visits(let judgement) = $0 { judgement.score } else { nil } }
    let tracks = parts { if case .track(let score) = $0 { [score] } else { nil } }
    let presence = parts { if case .presence(let quality) = $0 { quality } else { nil } }
    let counted = Clustered<[CountScore]>(
      parts { if case .count(let score) = $0 { [score] } else { nil } }
    ) { $0.flatMap { $0 } }
    counts = counted.pooled.isEmpty ? nil : CountSummary(of: counted.pooled)
    let further =
      [Figure.count(.unscoredTraces, unscored)]
      + (counts == nil ? [] : counted.about(population).figures)
    if !events.isEmpty {
      let clustered = Clustered(events, pool: EventScore.pooled)
      eventParts = clustered.about(population)
      score = .events(clustered.pooled)
      figures =
        clustered.about(population).figures + further + EventScore.subjectMeans(clustered)
      return
    }
    eventParts = nil
    if !visits.isEmpty {
      let clustered = Clustered(visits, pool: VisitScore.pooled)
      score = .visits(clustered.pooled)
      figures = clustered.about(population).figures + further
    } else if !tracks.isEmpty {
      let clustered = Clustered<[TrackScore]>(tracks) { $0.flatMap { $0 } }
      score = .track(TrackSummary(of: clustered.pooled))
      figures = clustered.about(population).figures + further
    } else if !presence.isEmpty {
      let pooled = PresenceQuality.pooled(presence.map { $0.score })
      score = .presence(pooled)
      figures =
        Clustered(pooled, parts: pooled.peers, of: .peers).about(population).figures + further
    } else {
      score = counts == nil ? .unscored : .counts
      figures = further
    }
  }

  public subscript(name: String) -> Figure? { figures.first { $0.name == name } }

  /// How much of the runs counts; nil where there are no rates.
  public var exposure: ExposureTimes? {
    switch score {
    case .events(let score): score.exposure
    case .visits(let score): score.exposure
    case .presence(let quality): quality.exposure
    case .track, .counts, .unscored: nil
    }
  }
}

extension EventScore {
  /// The means of the main figures over people, each with the same weight; without those whose
  /// figure is undefined.
  fileprivate static func subjectMeans(_ people: Clustered<EventScore>) -> [Figure] {
    func mean(
      _ figure: FigureDefinition, in range: ClosedRange<Double> = 0...1,
      _ value: (EventScore) -> Double?
    ) -> Figure {
      let values = people.parts.map { part in value(part).map { [$0] } ?? [] }
      return Figure(figure.subjectMean, Estimate(meanOf: values, in: range, of: people.kind))
    }
    return [
      mean(.f1) { $0.f1.estimate }, mean(.precision) { $0.precision.estimate },
      mean(.recall) { $0.recall.estimate },
      mean(.falseAlarmsPerHour, in: 0 ... .infinity) { $0.falseAlarms.estimate },
    ]
  }
}
