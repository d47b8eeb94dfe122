/// The runs of a group, such as those of one setting on traces of one origin, as one score with the
/// intervals over its people.
public struct GroupScore: Sendable {
  public enum Score: Sendable, Equatable {
    case events(EventScore)
    case visits(VisitScore)
    case track(TrackSummary)
    case presence(PresenceQuality)
    case unscored

    public var figures: [Figure] {
      switch self {
      case .events(let score): score.figures
      case .visits(let score): score.figures
      case .track(let score): score.figures
      case .presence(let quality): quality.figures
      case .unscored: []
      }
    }
  }

  public let score: Score
  /// The number of runs without a reference, which are left out; 0 if no run has one.
  public let unscored: Int
  /// Intervals that resample people; nil if fewer than ``ClusterInterval/fewestClusters`` of them
  /// have references, or events are not scored.
  public let bootstrap: EventBootstrap?
  /// Means over people, who have equal weight; nil if events are not scored.
  public let subjectMeans: SubjectMeans?

  /// - Parameter runs: of one task.
  public init(_ runs: [(subject: String, score: TaskScore)]) {
    let scored = runs.filter { $0.score != .unscored }
    unscored = scored.isEmpty ? 0 : runs.count - scored.count
    score = Self.pool(scored.map(\.score))
    let events = scored.compactMap { run -> (subject: String, score: EventScore)? in
      guard case .events(let judgement) = run.score else { return nil }
      return (run.subject, judgement.score)
    }
    bootstrap = EventBootstrap(events)
    subjectMeans =
      events.isEmpty ? nil : EventScore.meanOverSubjects(EventScore.clusters(events))
  }

  /// The figures of the score. Precision, recall and F1 have the bootstrap's intervals where they
  /// exist, with Wilson's in figures of their own, and their means over people.
  public var figures: [Figure] {
    let figures = score.figures + [.count("unscored_traces", unscored)]
    guard let means = subjectMeans else { return figures }
    let meansByName = ["precision": means.precision, "recall": means.recall, "f1": means.f1]
    let further = meansByName.sorted { $0.key < $1.key }.flatMap { name, mean -> [Figure] in
      let error = bootstrap?[name]?.monteCarloError
      return [
        Figure(name + "_lo_monte_carlo_error", error?.lower),
        Figure(name + "_hi_monte_carlo_error", error?.upper),
        .mean(name + "_subject_mean", mean, unit: "1"),
      ]
    }
    return figures.resampled(by: bootstrap) + further
      + [.mean("false_alarms_per_hour_subject_mean", means.falseAlarmsPerHour, unit: "h-1")]
  }

  /// The methods of the intervals of precision, recall and F1; empty if neither events nor visits
  /// are scored.
  public var intervalMethods: [(figure: String, method: IntervalMethod)] {
    figures.filter { figure in EventBootstrap.figures.contains { $0.name == figure.name } }
      .compactMap { figure in figure.estimate.method.map { (figure.name, $0) } }
  }

  private static func pool(_ scores: [TaskScore]) -> Score {
    var events: [EventScore] = []
    var visits: [VisitScore] = []
    var tracks: [TrackScore] = []
    var presence: [PresenceQuality] = []
    for score in scores {
      switch score {
      case .events(let judgement): events.append(judgement.score)
      case .visits(let judgement): visits.append(judgement.score)
      case .track(let score): tracks.append(score)
      case .presence(let quality): presence.append(quality)
      case .unscored: break
      }
    }
    if !events.isEmpty { return .events(.pooled(events)) }
    if !visits.isEmpty { return .visits(.pooled(visits)) }
    if !tracks.isEmpty { return .track(TrackSummary(of: tracks)) }
    if !presence.isEmpty { return .presence(.pooled(presence)) }
    return .unscored
  }
}

/// The main intervals of a pooled event score, by the names of the figures. An interval without
/// width (all people are equal) is absent: it would claim a certainty that no sample gives.
public struct EventBootstrap: Sendable, Equatable {
  private var intervals: [String: ClusterInterval] = [:]
  /// The number of people, or of recordings if people are not known.
  public var clusters: Int
  /// Whether the clusters are people.
  public var isOfPeople: Bool

  /// The seed of every bootstrap: figures must not depend on when they are computed.
  public static let seed: UInt64 = 1
  public static let resamples = 2000
  fileprivate static let figures: [(name: String, value: @Sendable (EventCounts) -> Double?)] = [
    ("precision", { $0.precision.estimate }), ("recall", { $0.recall.estimate }),
    ("f1", { $0.f1.estimate }),
  ]

  public init?(_ scores: [(subject: String, score: EventScore)]) {
    let clusters = EventScore.clusters(scores)
    guard clusters.count(where: \.hasReferences) >= ClusterInterval.fewestClusters else {
      return nil
    }
    self.clusters = clusters.count
    isOfPeople = !scores.contains { $0.subject.isEmpty }
    let counts = clusters.map(\.counts)
    for (name, value) in Self.figures {
      let found = ClusterInterval(
        of: counts, seed: Self.seed, resamples: Self.resamples, figure: value)
      if let found, found.interval.lower < found.interval.upper { intervals[name] = found }
    }
  }

  /// The interval of precision, recall or F1, with its Monte Carlo error.
  public subscript(figure: String) -> ClusterInterval? { intervals[figure] }
}

extension [Figure] {
  /// Returns the figures with the bootstrap's intervals of precision, recall and F1 where they
  /// exist, and Wilson's in figures of their own.
  public func resampled(by bootstrap: EventBootstrap?) -> [Figure] {
    var figures = self
    for (name, _) in EventBootstrap.figures {
      guard let position = firstIndex(where: { $0.name == name }) else { continue }
      figures.append(Figure(name + "_wilson", self[position].estimate))
      guard let bootstrap, let interval = bootstrap[name]?.interval else { continue }
      figures[position].estimate.interval = interval
      figures[position].estimate.method = .bootstrap
      figures[position].estimate.clusters = bootstrap.clusters
    }
    return figures
  }
}
