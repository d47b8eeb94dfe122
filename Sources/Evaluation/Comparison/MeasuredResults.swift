public import Scoring
public import TraceModel

/// The results of a suite for a comparison, just measured or read from a file.
public struct MeasuredResults: Sendable {
  /// The file; empty = none.
  public var path: String
  /// E.g. `shadowbox-results/5`.
  public var schema: String
  public var toolVersion: String
  public var toolchain: String
  public var suite: String
  public var suiteSHA256: String
  /// The commit that was checked out where the suite lies; empty = none.
  public var commit: String
  /// The suite as text, to run it again; empty before version 4.
  public var definition = ""
  /// The files that were read, as JSON; empty before version 4.
  public var inputs = ""
  /// How long the run took; nil = not known, as with `--deterministic`.
  public var seconds: Double?
  /// By suite entry, then by trace.
  public var runs: [MeasuredRun]
  /// The figures over the runs of each entry and origin.
  public var summaries: [MeasuredSummary] = []
  /// The speed of the detectors by entry and origin, where it was measured.
  public var speeds: [MeasuredSpeed]
  /// The apps with their outcomes.
  public var apps: [MeasuredApp] = []

  public init(
    path: String, schema: String, toolVersion: String, toolchain: String, suite: String,
    suiteSHA256: String, commit: String, runs: [MeasuredRun], speeds: [MeasuredSpeed] = []
  ) {
    (self.path, self.schema, self.toolVersion) = (path, schema, toolVersion)
    (self.toolchain, self.suite, self.suiteSHA256) = (toolchain, suite, suiteSHA256)
    (self.commit, self.runs, self.speeds) = (commit, runs, speeds)
  }

  /// The oldest schema with the same content: version 5 has that of version 4, in fewer tables.
  var content: String { schema == "shadowbox-results/5" ? "shadowbox-results/4" : schema }
}

/// The figures of an entry over all its traces of one origin.
public struct MeasuredSummary: Hashable, Sendable {
  public var entry: String
  public var origin: String
  /// The figures that are defined, by name, with the intervals of the results.
  public var figures: [String: Figure]

  public init(entry: String, origin: String, figures: [String: Figure]) {
    (self.entry, self.origin, self.figures) = (entry, origin, figures)
  }
}

/// The time of a detector per sample, on one machine.
public struct MeasuredSpeed: Hashable, Sendable {
  public var entry: String
  public var origin: String
  public var nanosecondsPerSample: Estimate

  public init(entry: String, origin: String, nanosecondsPerSample: Estimate) {
    (self.entry, self.origin) = (entry, origin)
    self.nanosecondsPerSample = nanosecondsPerSample
  }
}

/// A detector of a suite on one trace, with every detection.
public struct MeasuredRun: Sendable {
  public var entry: String
  public var trace: String
  public var traceSHA256: String
  public var origin: String
  /// Empty = not known.
  public var subject: String
  public var activity: String
  public var task: String
  /// The inputs other than the trace by name, such as detector, preset, parameters and delivery.
  public var facts: [String: String]
  /// How references and detections are matched; nil where events are not scored.
  public var tolerance: EventTolerance?
  /// The threshold in its unit; nil = the detector has no scores.
  public var threshold: Double?
  public var thresholdUnit: String
  public var detections: [MeasuredDetection]
  /// The outcome of each reference, e.g. `hit`; empty where events are not scored.
  public var references: [MeasuredReference]
  /// The figures of the score that are defined, by name, with their intervals.
  public var figures: [String: Figure]
  /// What the detector measured, by name.
  public var measurements: [String: Double]

  public init(
    entry: String, trace: String, traceSHA256: String, origin: String, subject: String,
    activity: String, task: String, facts: [String: String], tolerance: EventTolerance?,
    threshold: Double?, thresholdUnit: String, detections: [MeasuredDetection],
    references: [MeasuredReference], figures: [String: Figure], measurements: [String: Double]
  ) {
    (self.entry, self.trace, self.traceSHA256) = (entry, trace, traceSHA256)
    (self.origin, self.subject, self.activity) = (origin, subject, activity)
    (self.task, self.facts, self.tolerance) = (task, facts, tolerance)
    (self.threshold, self.thresholdUnit) = (threshold, thresholdUnit)
    (self.detections, self.references) = (detections, references)
    (self.figures, self.measurements) = (figures, measurements)
  }
}

/// A detection with its outcome.
public struct MeasuredDetection: Hashable, Sendable {
  public var record: DetectionRecord
  /// E.g. `true_positive`; `not_scored` if the task is not scored by events.
  public var outcome: String
  /// The position of the reference that it matches; nil = none.
  public var reference: Int?
  /// The lowest threshold at which its own sample does not fire; nil = it has none.
  public var score: Double?
  /// The position of the newest reading when it was reported; nil = none, or not known.
  public var newestReading: Int?

  public init(
    _ record: DetectionRecord, outcome: String, reference: Int? = nil, score: Double? = nil,
    newestReading: Int? = nil
  ) {
    (self.record, self.outcome, self.reference) = (record, outcome, reference)
    (self.score, self.newestReading) = (score, newestReading)
  }
}

/// A reference with its outcome.
public struct MeasuredReference: Hashable, Sendable {
  public var onset: TraceInstant
  public var label: String
  public var isFound: Bool

  public init(onset: TraceInstant, label: String, isFound: Bool) {
    (self.onset, self.label, self.isFound) = (onset, label, isFound)
  }
}
