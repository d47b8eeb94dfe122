/// Receives progress and warnings. Calls may come from any thread.
public protocol WorkObserver: Sendable {
  /// Reports that `done` of `total` parts are done; `unit` names the parts in the plural.
  func progress(_ done: Int, of total: Int, _ unit: String)

  /// Reports the end of the progress.
  func endProgress()

  /// Reports a warning that readers of the result need.
  func warn(_ message: String)
}

/// An observer that does nothing.
public struct NoObserver: WorkObserver {
  public init() {}
  public func progress(_ done: Int, of total: Int, _ unit: String) {}
  public func endProgress() {}
  public func warn(_ message: String) {}
}
