public import Scoring
public import TraceModel

/// What a run on one trace gave, scored by its detector's task.
public enum TaskScore: Sendable, Equatable {
  case events(EventJudgement)
  case visits(VisitJudgement)
  case track(TrackScore)
  case presence(PresenceQuality)
  /// The trace has no reference of the task: nothing to judge by.
  case unscored

  public var figures: [Figure] {
    switch self {
    case .events(let judgement): judgement.score.figures
    case .visits(let judgement): judgement.score.figures
    case .track(let score): score.figures
    case .presence(let quality): quality.figures
    case .unscored: []
    }
  }

  /// What became of each event; nil where events are not what is scored.
  var eventOutcomes: EventOutcomes? {
    switch self {
    case .events(let judgement):
      EventOutcomes(
        pairs: judgement.pairs, detections: judgement.detectionOutcomes,
        references: judgement.referenceOutcomes, tolerance: judgement.score.tolerances.first)
    case .visits(let judgement):
      EventOutcomes(
        pairs: judgement.pairs, detections: judgement.detectionOutcomes,
        references: judgement.referenceOutcomes, tolerance: judgement.tolerance)
    case .track, .presence, .unscored: nil
    }
  }
}

/// Detections of the task's kind, in their order, held against the references.
struct EventOutcomes {
  var pairs: [EventPair]
  var detections: [DetectionOutcome]
  var references: [ReferenceOutcome]
  var tolerance: EventTolerance?
}

/// A parameter as a run used it.
public struct ParameterRecord: Hashable, Sendable, Codable {
  public var name: String
  public var value: String
  public var unit: String

  public init(name: String, value: String, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

/// A quantity that the detector measured.
public struct MeasurementRecord: Hashable, Sendable, Codable {
  public var name: String
  public var value: Double
  public var unit: String

  public init(name: String, value: Double, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

/// The program that a detector was, so that a result can be traced to it.
public struct ProgramRecord: Hashable, Sendable, Codable {
  public struct File: Hashable, Sendable, Codable {
    /// As the command line names it: the program, or an argument that is a file.
    public var name: String
    public var sha256: String

    public init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// What it calls itself.
  public var name: String
  /// By its own account; empty = not stated.
  public var version: String
  /// The program first. What these read in turn (modules, weights) is not known.
  public var files: [File]

  public init(name: String, version: String, files: [File]) {
    self.name = name
    self.version = version
    self.files = files
  }
}

/// A recording as a slower sensor would have sampled it.
public struct SamplingRecord: Hashable, Sendable, Codable {
  /// Hz.
  public var rate: Double
  /// Readings of the recording.
  public var recorded: Int
  /// Readings that the slower sensor took.
  public var taken: Int

  public init(rate: Double, recorded: Int, taken: Int) {
    self.rate = rate
    self.recorded = recorded
    self.taken = taken
  }
}

/// One suite entry on one trace: what went in, what came out, and how it was judged.
public struct RunRecord: Sendable {
  /// The suite entry, unique within its suite.
  public var entry: String
  public var detector: String
  public var preset: String
  public var parameters: [ParameterRecord]
  /// Nil = the detector is part of this program.
  public var program: ProgramRecord?
  /// The scripted person; nil = the trace's own actions.
  public var policy: String?
  /// Of the scripted person.
  public var seed: UInt64?
  /// The step that removed gravity; nil = none was needed.
  public var gravityRemoval: String?
  /// How readings were delivered: a name, with what differs from it.
  public var delivery = RunRecord.idealDelivery
  /// Of the delivery; nil where it is ideal.
  public var deliverySeed: UInt64?
  /// What the delivery did to the detector's channel; empty where it is ideal.
  public var deliveryFigures: [MeasurementRecord] = []
  /// The slower sensor that the detector's channel was reduced to; nil = as it was recorded.
  public var sampling: SamplingRecord?
  /// Times real time, or `max`.
  public var rate = "max"

  public var traceID: String
  /// Of the trace's file.
  public var traceSHA256: String
  public var origin: TraceOrigin
  public var subject: String
  public var activity: String
  /// Of the trace.
  public var duration: Duration
  /// Readings of the detector's channel.
  public var readings: Int

  public var task: ReferenceTask
  /// In the order in which they were emitted.
  public var detections: [DetectionRecord]
  public var measurements: [MeasurementRecord]
  public var references: ReferenceSet?
  public var score: TaskScore
  /// What the detector took, without loading and scoring: a fact of the machine.
  public var detectorTime: Duration

  public init(
    entry: String, detector: String, preset: String, parameters: [ParameterRecord],
    policy: String?, seed: UInt64?, gravityRemoval: String?, header: TraceHeader,
    traceSHA256: String,
    task: ReferenceTask, readings: Int, detections: [DetectionRecord],
    measurements: [MeasurementRecord], score: TaskScore, detectorTime: Duration
  ) {
    self.entry = entry
    self.detector = detector
    self.preset = preset
    self.parameters = parameters
    self.policy = policy
    self.seed = seed
    self.gravityRemoval = gravityRemoval
    traceID = header.id
    self.traceSHA256 = traceSHA256
    origin = header.origin
    subject = header.subject
    activity = header.activity
    duration = header.duration
    self.readings = readings
    self.task = task
    self.detections = detections
    self.measurements = measurements
    references = header.reference(task)
    self.score = score
    self.detectorTime = detectorTime
  }

  public var hours: Double { Double(duration.nanoseconds) / 3.6e12 }

  /// The name of the delivery that changes nothing.
  public static let idealDelivery = "ideal"
  public var isDeliveryIdeal: Bool { delivery == Self.idealDelivery }
}

/// Everything that a suite gave.
public struct SuiteResult: Sendable {
  /// Where the result comes from; what varies from machine to machine lies in ``Host``.
  public struct Provenance: Hashable, Sendable, Codable {
    public var suite: String
    /// Of the suite's file.
    public var suiteSHA256: String
    public var toolVersion: String
    /// Empty where it is not known.
    public var gitCommit: String
    public var toolchain: String
    /// Of the detection log of all runs, in the suite's order.
    public var detectionLogSHA256: String

    public init(
      suite: String, suiteSHA256: String, toolVersion: String, gitCommit: String,
      toolchain: String, detectionLogSHA256: String
    ) {
      self.suite = suite
      self.suiteSHA256 = suiteSHA256
      self.toolVersion = toolVersion
      self.gitCommit = gitCommit
      self.toolchain = toolchain
      self.detectionLogSHA256 = detectionLogSHA256
    }
  }

  /// Facts of one run on one machine, which a deterministic result leaves out.
  public struct Host: Hashable, Sendable, Codable {
    public var operatingSystem: String
    public var processors: Int
    public var threads: Int
    public var wallSeconds: Double

    public init(operatingSystem: String, processors: Int, threads: Int, wallSeconds: Double) {
      self.operatingSystem = operatingSystem
      self.processors = processors
      self.threads = threads
      self.wallSeconds = wallSeconds
    }
  }

  public var provenance: Provenance
  public var host: Host?
  /// By suite entry, then by trace, in the suite's order.
  public var runs: [RunRecord]
  /// In the suite's order. What their phones' detectors detected lies in ``runs``.
  public var apps: [AppRecord]

  public init(
    provenance: Provenance, host: Host?, runs: [RunRecord], apps: [AppRecord] = []
  ) {
    self.provenance = provenance
    self.host = host
    self.runs = runs
    self.apps = apps
  }

  /// The runs of each entry on traces of one origin, pooled: recorded and synthetic never mix.
  public var summaries: [EntrySummary] {
    var order: [EntrySummary.Key] = []
    var groups: [EntrySummary.Key: [RunRecord]] = [:]
    for run in runs {
      let key = EntrySummary.Key(entry: run.entry, origin: run.origin)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(run)
    }
    return order.compactMap { key in groups[key].map { EntrySummary(key: key, runs: $0) } }
  }
}

/// Where an interval of a proportion comes from.
public enum IntervalMethod: String, Hashable, Sendable, Codable {
  /// Resamples people or recordings.
  case bootstrap
  /// Takes events as independent, and so ignores that those of one person go together.
  case wilson
}

/// One entry over the traces of one origin.
public struct EntrySummary: Sendable {
  struct Key: Hashable {
    var entry: String
    var origin: TraceOrigin
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
  /// The runs that the score rests on: those that have a reference, or all where none has.
  public let runs: [RunRecord]
  /// How many runs have no reference and are left out.
  public let unscoredRuns: Int
  public let score: Score
  /// Intervals that resample people; nil where fewer than ``ClusterInterval/fewestClusters`` of them
  /// had anything to be found, which makes them worthless, or events are not scored.
  public let bootstrap: Bootstrap?
  /// Every person counts alike; nil where events are not scored.
  public let subjectMeans: SubjectMeans?

  /// The headline intervals of a pooled event score. One that has no width (all people alike) is
  /// nil: it would claim a certainty that no sample gives.
  public struct Bootstrap: Sendable, Equatable {
    public var precision: Interval?
    public var recall: Interval?
    public var f1: Interval?
    /// Of the intervals above; nil with them.
    public var precisionError: MonteCarloError?
    public var recallError: MonteCarloError?
    public var f1Error: MonteCarloError?
    /// People, or recordings where people are not known.
    public var clusters: Int
    /// Whether the clusters are people.
    public var isOfPeople: Bool

    /// Of every bootstrap: the figures must not depend on when they were computed.
    public static let seed: UInt64 = 1
    public static let resamples = 2000

    init?(_ scores: [(subject: String, score: EventScore)]) {
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

  init(key: Key, runs: [RunRecord]) {
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

  /// The figures of the score. Precision, recall and F1 have the bootstrap's intervals where there
  /// are some, with Wilson's beside them, and their means over people.
  public var figures: [Figure] {
    var figures = score.figures + [.count("unscored_traces", unscoredRuns)]
    guard let means = subjectMeans else { return figures }
    let headlines = [
      ("precision", bootstrap?.precision, bootstrap?.precisionError, means.precision),
      ("recall", bootstrap?.recall, bootstrap?.recallError, means.recall),
      ("f1", bootstrap?.f1, bootstrap?.f1Error, means.f1),
    ]
    for (name, interval, error, mean) in headlines {
      guard let position = figures.firstIndex(where: { $0.name == name }) else { continue }
      let wilson = figures[position]
      if let interval { figures[position].interval = interval }
      figures.append(Figure(name + "_wilson", wilson.value, wilson.interval))
      figures.append(Figure(name + "_lo_monte_carlo_error", error?.lower))
      figures.append(Figure(name + "_hi_monte_carlo_error", error?.upper))
      figures.append(.mean(name + "_subject_mean", mean, unit: "1"))
    }
    figures.append(
      .mean("false_alarms_per_hour_subject_mean", means.falseAlarmsPerHour, unit: "h-1"))
    return figures
  }

  /// How the intervals of precision, recall and F1 were found, by figure; empty where neither
  /// events nor visits are scored.
  public var intervalMethods: [(figure: String, method: IntervalMethod)] {
    switch score {
    case .events, .visits: break
    case .track, .presence, .unscored: return []
    }
    let found = [
      ("precision", bootstrap?.precision), ("recall", bootstrap?.recall), ("f1", bootstrap?.f1),
    ]
    return found.map { ($0.0, $0.1 == nil ? .wilson : .bootstrap) }
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
