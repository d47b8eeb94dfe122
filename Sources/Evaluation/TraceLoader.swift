public import TraceModel

/// A trace with the digest of its file.
public struct LoadedTrace: Sendable {
  /// The name passed to the loader.
  public var name: String
  /// With its plausible end: days of silence after the last reading are not recorded time.
  public var trace: Trace
  /// The SHA-256 of the trace's file in hexadecimal; empty for a trace without a file.
  public var sha256: String

  public init(name: String, trace: Trace, sha256: String = "") {
    self.name = name
    self.trace = trace
    self.trace.header.end = trace.plausibleEnd
    self.sha256 = sha256
  }
}

/// Loads the traces of a suite by name. Evaluation itself reads no files.
public protocol TraceLoader: Sendable {
  /// Returns the trace with a name.
  /// - Throws: if there is no such trace, or it cannot be read.
  func load(_ name: String) throws -> LoadedTrace
}

/// Receives progress and warnings. Calls may come from any thread.
public protocol WorkObserver: Sendable {
  /// Reports that `done` of `total` parts are done; `unit` names the parts in the plural.
  func progress(_ done: Int, of total: Int, _ unit: String)

  func endProgress()

  /// Reports a warning that readers of the result need.
  func warn(_ message: String)
}

public struct NoObserver: WorkObserver {
  public init() {}
  public func progress(_ done: Int, of total: Int, _ unit: String) {}
  public func endProgress() {}
  public func warn(_ message: String) {}
}
