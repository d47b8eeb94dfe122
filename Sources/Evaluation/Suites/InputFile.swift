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
    var seen: Set<String> = []
    return filter { !$0.tracePath.isEmpty && seen.insert($0.tracePath).inserted }
      .map { InputFile(role: "trace", path: $0.tracePath, sha256: $0.traceSHA256) }
  }
}
