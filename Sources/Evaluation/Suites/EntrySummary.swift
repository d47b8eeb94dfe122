public import Scoring
public import TraceModel

/// One entry over the traces of one origin.
public struct EntrySummary: Sendable {
  public struct Key: Hashable {
    public var entry: String
    public var origin: TraceOrigin
  }

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

  public let entry: String
  public let origin: TraceOrigin
  public let task: ReferenceTask
  /// The runs that the score rests on: those that have a reference, or all if none has.
  public let runs: [RunRecord]
  /// The number of runs without a reference, which are left out.
  public let unscoredRuns: Int
  public let score: Score
  /// Intervals that resample people; nil if fewer than ``ClusterInterval/fewestClusters`` of them
  /// have references, or events are not scored.
  public let bootstrap: Bootstrap?
  /// Means over people, who have equal weight; nil if events are not scored.
  public let subjectMeans: SubjectMeans?

  /// The main intervals of a pooled event score. An interval without width (all people are equal)
  /// is nil: it would claim a certainty that no sample gives.
  public struct Bootstrap: Sendable, Equatable {
    public var precision: Interval?
    public var recall: Interval?
    public var f1: Interval?
    /// The Monte Carlo errors of the intervals above; nil with them.
    public var precisionError: MonteCarloError?
    public var recallError: MonteCarloError?
    public var f1Error: MonteCarloError?
    /// The number of people, or of recordings if people are not known.
    public var clusters: Int
    /// Whether the clusters are people.
    public var isOfPeople: Bool

    /// The seed of every bootstrap: figures must not depend on when they are computed.
    public static let seed: UInt64 = 1
    public static let resamples = 2000

    public init?(_ scores: [(subject: String, score: EventScore)]) {
      let clusters = EventScore.clusters(scores)
      guard clusters.count(where: \.hasReferences) >= ClusterInterval.fewestClusters else {
        return nil
      }
      let counts = clusters.map(\.counts)
      func found(_ figure: (EventCounts) -> Double?) -> ClusterInterval? {
        let found = ClusterInterval(
          of: counts, seed: Self.seed, resamples: Self.resamples, figure: figure)
        return found.flatMap { $0.interval.lower < $0.interval.upper ? $0 : nil }
      }
      let (precision, recall) = (found { $0.precision.estimate }, found { $0.recall.estimate })
      let f1 = found { $0.f1.estimate }
      self.clusters = clusters.count
      isOfPeople = !scores.contains { $0.subject.isEmpty }
      self.precision = precision?.interval
      self.recall = recall?.interval
      self.f1 = f1?.interval
      precisionError = precision?.monteCarloError
      recallError = recall?.monteCarloError
      f1Error = f1?.monteCarloError
    }
  }

  public init(key: Key, runs: [RunRecord]) {
    entry = key.entry
    origin = key.origin
    task = runs.first?.task ?? .punch
    let scored = runs.filter { $0.score != .unscored }
    self.runs = scored.isEmpty ? runs : scored
    unscoredRuns = scored.isEmpty ? 0 : runs.count - scored.count
    score = Self.pool(scored.map(\.score))
    let events = scored.compactMap { run -> (subject: String, score: EventScore)? in
      guard case .events(let judgement) = run.score else { return nil }
      return (run.subject, judgement.score)
    }
    bootstrap = Bootstrap(events)
    subjectMeans =
      events.isEmpty ? nil : EventScore.meanOverSubjects(EventScore.clusters(events))
  }

  /// The figures of the score. Precision, recall and F1 have the bootstrap's intervals where they
  /// exist, with Wilson's in figures of their own, and their means over people.
  public var figures: [Figure] {
    let figures = score.figures + [.count("unscored_traces", unscoredRuns)]
    guard let means = subjectMeans else { return figures }
    let meansByName = ["precision": means.precision, "recall": means.recall, "f1": means.f1]
    let further = meansByName.sorted { $0.key < $1.key }.flatMap { name, mean -> [Figure] in
      let error = bootstrap?.error(of: name)
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
    figures.filter { Bootstrap.names.contains($0.name) }
      .compactMap { figure in figure.estimate.method.map { (figure.name, $0) } }
  }

  public var hours: Double { runs.reduce(0) { $0 + $1.hours } }

  public var isDeliveryIdeal: Bool { runs.allSatisfy(\.isDeliveryIdeal) }

  /// Recorded time over the detector's time.
  public var realTimeFactor: Double? {
    let wall = runs.reduce(0) { $0 + Double($1.detectorTime.nanoseconds) }
    return wall > 0 ? hours * 3.6e12 / wall : nil
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

extension EntrySummary.Bootstrap {
  fileprivate static let names = ["precision", "recall", "f1"]

  fileprivate func interval(of figure: String) -> Interval? {
    ["precision": precision, "recall": recall, "f1": f1][figure] ?? nil
  }

  fileprivate func error(of figure: String) -> MonteCarloError? {
    ["precision": precisionError, "recall": recallError, "f1": f1Error][figure] ?? nil
  }
}

extension [Figure] {
  /// Returns the figures with the bootstrap's intervals of precision, recall and F1 where they
  /// exist, and Wilson's in figures of their own.
  public func resampled(by bootstrap: EntrySummary.Bootstrap?) -> [Figure] {
    var figures = self
    for name in EntrySummary.Bootstrap.names {
      guard let position = firstIndex(where: { $0.name == name }) else { continue }
      figures.append(Figure(name + "_wilson", self[position].estimate))
      guard let bootstrap, let interval = bootstrap.interval(of: name) else { continue }
      figures[position].estimate.interval = interval
      figures[position].estimate.method = .bootstrap
      figures[position].estimate.clusters = bootstrap.clusters
    }
    return figures
  }
}
