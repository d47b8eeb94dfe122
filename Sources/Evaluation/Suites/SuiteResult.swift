public import Scoring
import TraceModel

/// The result of a suite.
public struct SuiteResult: Sendable {
  /// The origin of the result; facts that vary from machine to machine are in ``Host``.
  public struct Provenance: Hashable, Sendable, Codable {
    public var suite: String
    /// The SHA-256 of the suite's file.
    public var suiteSHA256: String
    /// The commit; empty if not known.
    public var dataCommit: String
    public var toolchain: String
    /// The SHA-256 of the detection log of all runs, in the suite's order.
    public var detectionLogSHA256: String

    /// What has no file and no log, such as the score of label files, leaves the texts empty.
    public init(
      suite: String = "", suiteSHA256: String = "", dataCommit: String = "",
      toolchain: String = "", detectionLogSHA256: String = ""
    ) {
      self.suite = suite
      self.suiteSHA256 = suiteSHA256
      self.dataCommit = dataCommit
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
  /// The suite's file, and the files of its traces.
  public var inputs: [InputFile] = []
  /// The suite that was run, to run it again; nil = none was.
  public var suite: Suite?
  public var host: Host?
  /// By suite entry, then by trace, in the suite's order.
  public let runs: [RunRecord]
  /// The runs of each entry on traces of one origin, pooled: recorded and synthetic never mix.
  public let summaries: [EntrySummary]
  /// Whom their intervals are about.
  package let intervals: IntervalMethod.Population
  /// The apps in the suite's order. Their phones' detections are in ``runs``.
  public var apps: [AppRecord]
  /// The speed of each entry and origin; empty in a deterministic result.
  package var speeds: [SpeedFigure] = []

  public init(
    provenance: Provenance = Provenance(), inputs: [InputFile] = [], host: Host? = nil,
    runs: [RunRecord], apps: [AppRecord] = [],
    intervals population: IntervalMethod.Population = .newPeople, profile: DayProfile? = nil
  ) {
    self.provenance = provenance
    self.inputs = inputs
    self.host = host
    self.runs = runs
    intervals = population
    summaries = EntrySummary.summaries(of: runs, about: population, profile: profile)
    self.apps = apps
  }
}

/// A file that a result rests on.
public struct InputFile: Hashable, Sendable, Encodable {
  /// What it was used for, e.g. `trace`, `suite` or `reference`.
  public var role: String
  public var path: String
  public var sha256: String

  public init(role: String, path: String, sha256: String) {
    self.role = role
    self.path = path
    self.sha256 = sha256
  }
}

extension EvaluationDataset {
  /// The files of the recordings.
  /// - Parameter role: what they were used for.
  public func inputs(_ role: String = "trace") -> [InputFile] {
    recordings.map { InputFile(role: role, path: $0.path, sha256: $0.sha256) }
  }
}

extension [RunRecord] {
  /// The files of the traces, each once, in the order of the runs.
  public var traceInputs: [InputFile] {
    filter { !$0.tracePath.isEmpty }.inGroups(by: \.tracePath)
      .map { InputFile(role: "trace", path: $0[0].tracePath, sha256: $0[0].traceSHA256) }
  }
}

extension Sequence {
  /// Returns the elements in groups of equal keys, in the order of the groups' first elements.
  package func inGroups(by key: (Element) -> some Hashable) -> [[Element]] {
    let elements = Array(self)
    return Dictionary(grouping: elements.indices) { key(elements[$0]) }.values
      .sorted { $0[0] < $1[0] }.map { $0.map { elements[$0] } }
  }
}
