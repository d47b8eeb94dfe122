public import Scoring
import TraceModel

public struct SuiteResult: Sendable {
  /// The origin of the result; facts that vary from machine to machine are in ``Host``.
  public struct Provenance: Hashable, Sendable, Codable {
    public var suite: String
    public var suiteSHA256: String
    /// The commit; empty if not known.
    public var dataCommit: String
    public var toolchain: String
    /// The SHA-256 of the detection log of all runs, in the suite's order.
    public var detectionLogSHA256: String

    /// Results without a file or a log, such as scores of label files, leave the texts empty.
    public init(
      suite: String = "", suiteSHA256: String = "", dataCommit: String = "",
      toolchain: String = "", detectionLogSHA256: String = ""
    ) {
      (self.suite, self.suiteSHA256, self.dataCommit) = (suite, suiteSHA256, dataCommit)
      (self.toolchain, self.detectionLogSHA256) = (toolchain, detectionLogSHA256)
    }
  }

  /// Facts of one run on one machine, which a deterministic result leaves out.
  public struct Host: Hashable, Sendable, Codable {
    public var operatingSystem: String
    public var processors: Int
    public var threads: Int
    public var wallSeconds: Double

    public init(operatingSystem: String, processors: Int, threads: Int, wallSeconds: Double) {
      (self.operatingSystem, self.processors) = (operatingSystem, processors)
      (self.threads, self.wallSeconds) = (threads, wallSeconds)
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
    (self.provenance, self.inputs, self.host, self.runs) = (provenance, inputs, host, runs)
    intervals = population
    summaries = EntrySummary.summaries(of: runs, about: population, profile: profile)
    self.apps = apps
  }
}

public struct InputFile: Hashable, Sendable, Encodable {
  /// What it was used for, e.g. `trace`, `suite` or `reference`.
  public var role: String
  public var path: String
  public var sha256: String

  public init(role: String, path: String, sha256: String) {
    (self.role, self.path, self.sha256) = (role, path, sha256)
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
