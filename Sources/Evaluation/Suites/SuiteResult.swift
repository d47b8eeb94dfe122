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

    public init(
      suite: String, suiteSHA256: String, dataCommit: String, toolchain: String,
      detectionLogSHA256: String
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
  public var host: Host?
  /// By suite entry, then by trace, in the suite's order.
  public var runs: [RunRecord]
  /// The apps in the suite's order. Their phones' detections are in ``runs``.
  public var apps: [AppRecord]

  public init(
    provenance: Provenance, inputs: [InputFile] = [], host: Host?, runs: [RunRecord],
    apps: [AppRecord] = []
  ) {
    self.provenance = provenance
    self.inputs = inputs
    self.host = host
    self.runs = runs
    self.apps = apps
  }

  /// The runs of each entry on traces of one origin, pooled: recorded and synthetic never mix.
  public var summaries: [EntrySummary] { EntrySummary.summaries(of: runs) }
}

extension EntrySummary {
  /// A summary for each entry and origin, in the order of the runs.
  public static func summaries(of runs: [RunRecord]) -> [EntrySummary] {
    var order: [Key] = []
    var groups: [Key: [RunRecord]] = [:]
    for run in runs {
      let key = Key(entry: run.entry, origin: run.origin)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(run)
    }
    return order.compactMap { key in groups[key].map { EntrySummary(key: key, runs: $0) } }
  }

  /// A figure by its name, such as `recall`; nil where the task has no such figure.
  public subscript(name: String) -> Figure? { figures.first { $0.name == name } }
}
