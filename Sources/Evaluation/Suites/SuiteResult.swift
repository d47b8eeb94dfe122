package import Scoring
package import TraceModel

/// The result of a suite.
package struct SuiteResult: Sendable {
  /// The origin of the result; facts that vary from machine to machine are in ``Host``.
  package struct Provenance: Hashable, Sendable, Codable {
    package var suite: String
    /// The SHA-256 of the suite's file.
    package var suiteSHA256: String
    /// The commit; empty if not known.
    package var dataCommit: String
    package var toolchain: String
    /// The SHA-256 of the detection log of all runs, in the suite's order.
    package var detectionLogSHA256: String

    package init(
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
  package struct Host: Hashable, Sendable, Codable {
    package var operatingSystem: String
    package var processors: Int
    package var threads: Int
    package var wallSeconds: Double

    package init(operatingSystem: String, processors: Int, threads: Int, wallSeconds: Double) {
      self.operatingSystem = operatingSystem
      self.processors = processors
      self.threads = threads
      self.wallSeconds = wallSeconds
    }
  }

  package var provenance: Provenance
  /// The suite's file, and the files of its traces.
  package var inputs: [InputFile] = []
  package var host: Host?
  /// By suite entry, then by trace, in the suite's order.
  package var runs: [RunRecord]
  /// The apps in the suite's order. Their phones' detections are in ``runs``.
  package var apps: [AppRecord]

  package init(
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
  package var summaries: [EntrySummary] {
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
