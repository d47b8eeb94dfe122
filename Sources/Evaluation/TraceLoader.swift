public import TraceModel

/// A trace with the digest of what it was read from.
public struct LoadedTrace: Sendable {
  /// The name that the loader was asked for.
  public var name: String
  public var trace: Trace
  /// The SHA-256 of the trace's file in hexadecimal; empty where there is no file.
  public var sha256: String

  public init(name: String, trace: Trace, sha256: String = "") {
    self.name = name
    self.trace = trace
    self.sha256 = sha256
  }
}

/// Gives the traces that a suite names. Evaluation reads no files itself.
public protocol TraceLoader: Sendable {
  /// - Throws: where there is no such trace, or it cannot be read.
  func load(_ name: String) throws -> LoadedTrace
}
