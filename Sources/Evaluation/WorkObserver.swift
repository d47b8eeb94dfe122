/// Hears how long work goes on, and what a person should know of it. All calls may come from any
/// thread.
public protocol WorkObserver: Sendable {
  /// `done` of `total` parts of the work are done; `unit` names the parts, in the plural.
  func progress(_ done: Int, of total: Int, _ unit: String)

  /// No more progress comes.
  func endProgress()

  /// Something that the reader of a result must know.
  func warn(_ message: String)
}

/// An observer that does nothing.
public struct NoObserver: WorkObserver {
  public init() {}
  public func progress(_ done: Int, of total: Int, _ unit: String) {}
  public func endProgress() {}
  public func warn(_ message: String) {}
}
