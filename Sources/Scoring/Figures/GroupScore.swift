/// The runs of a group, such as those of one setting on traces of one origin, as one score with the
/// intervals over its people.
public struct GroupScore: Sendable {
  public enum Score: Sendable, Equatable {
    case events(EventScore)
    case visits(VisitScore)
    case track(TrackSummary)
    case presence(PresenceQuality)
    /// Of none more than the number of events is known.
    case counts
    case unscored
  }

  /// The fewest clusters for intervals for new people.
  public static let fewestClusters = ClusteredRatio.fewest
  /// The correlation within people that is assumed where all are alike.
  public static let assumedCorrelation = ClusteredRatio.assumedCorrelation

  /// Whom the intervals are about where enough people contribute.
  public let population: IntervalMethod.Population
  public let score: Score
  /// The number of runs without a reference, which are left out; 0 if no run has one.
  public let unscored: Int
  /// The runs of which only the number of events is known; nil = none. They are beside the score, as a
  /// count says less than events do.
  public let counts: CountSummary?
  /// The scores of events by person; nil if events are not scored.
  public let eventParts: Clustered<EventScore>?
  /// The figures of the score, with intervals for people like these from three people on; of events,
  /// also the means over people, who have equal weight.
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
    let parts = Parts(scored)
    let counted = Clustered<[CountScore]>(
      parts.counts.map { (subject: $0.subject, score: [$0.score]) }
    ) { $0.flatMap { $0 } }
    counts = parts.counts.isEmpty ? nil : CountSummary(of: counted.pooled)
    let further =
      [Figure.count(.unscoredTraces, unscored)]
      + (counts == nil ? [] : counted.about(population).figures)
    if !parts.events.isEmpty {
      let clustered = Clustered(parts.events, pool: EventScore.pooled)
      eventParts = clustered.about(population)
      score = .events(clustered.pooled)
      figures =
        clustered.about(population).figures + further + EventScore.subjectMeans(clustered.parts)
      return
    }
    eventParts = nil
    if !parts.visits.isEmpty {
      let clustered = Clustered(parts.visits, pool: VisitScore.pooled)
      score = .visits(clustered.pooled)
      figures = clustered.about(population).figures + further
    } else if !parts.tracks.isEmpty {
      let tracks = parts.tracks.map { (subject: $0.subject, score: [$0.score]) }
      let clustered = Clustered<[TrackScore]>(tracks) { $0.flatMap { $0 } }
      score = .track(TrackSummary(of: clustered.pooled))
      figures = clustered.about(population).figures + further
    } else if !parts.presence.isEmpty {
      let pooled = PresenceQuality.pooled(parts.presence)
      score = .presence(pooled)
      figures =
        Clustered(pooled, parts: pooled.peers, of: .peers).about(population).figures + further
    } else {
      score = counts == nil ? .unscored : .counts
      figures = further
    }
  }

  public subscript(name: String) -> Figure? { figures.first { $0.name == name } }
}

/// Runs by their tasks.
private struct Parts {
  var events: [(subject: String, score: EventScore)] = []
  var visits: [(subject: String, score: VisitScore)] = []
  var tracks: [(subject: String, score: TrackScore)] = []
  var presence: [PresenceQuality] = []
  var counts: [(subject: String, score: CountScore)] = []

  init(_ runs: [(subject: String, score: TaskScore)]) {
    for (subject, score) in runs {
      switch score {
      case .events(let judgement): events.append((subject, judgement.score))
      case .visits(let judgement): visits.append((subject, judgement.score))
      case .track(let score): tracks.append((subject, score))
      case .presence(let quality): presence.append(quality)
      case .count(let score): counts.append((subject, score))
      case .unscored: break
      }
    }
  }
}

extension EventScore {
  /// The means of the main figures over people, each with the same weight; without those whose
  /// figure is undefined.
  /// - Parameter people: one score each.
  fileprivate static func subjectMeans(_ people: [EventScore]) -> [Figure] {
    func mean(
      _ figure: FigureDefinition, _ values: [Double?], in range: ClosedRange<Double> = 0...1
    ) -> Figure {
      let known = MeanEstimate(of: values.compactMap { $0 }, in: range)
      return Figure(figure.subjectMean, Estimate(known))
    }
    return [
      mean(.f1, people.map { $0.f1.estimate }),
      mean(.precision, people.map { $0.precision.estimate }),
      mean(.recall, people.map { $0.recall.estimate }),
      mean(
        .falseAlarmsPerHour, people.map { $0.falseAlarms.estimate }, in: 0 ... .infinity),
    ]
  }
}

extension GroupScore {
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
