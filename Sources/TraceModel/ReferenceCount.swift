/// The number of events of a task in a recording, if it is not known when they happened.
///
/// A recording that states the events has no count.
///
/// ```swift
/// var header = TraceHeader(id: "bag", origin: .recorded)
/// header.counts = [ReferenceCount(task: .punch, count: 61, definition: "counted by the boxer")]
/// header.count(.punch)?.count  // 61
/// header.reference(.punch) == nil  // true
/// ```
public struct ReferenceCount: Hashable, Sendable, Codable {
  public var task: ReferenceTask
  /// The number of events; not negative.
  public var count: Int
  /// What was counted, in the words of the source; empty = not stated.
  public var definition: String

  public init(task: ReferenceTask, count: Int, definition: String = "") {
    self.task = task
    self.count = count
    self.definition = definition
  }

  /// The largest count that a reader or an option takes: a number above it is a time or a code.
  public static let greatest = 1_000_000_000
}

extension ReferenceTask {
  /// Whether the task has events that can be counted: things that happen, not figures of a whole
  /// track.
  public var isCountable: Bool { self == .punch || self == .visit || self == .drop }

  /// The tasks whose events can be counted.
  public static let countable = allCases.filter { $0.isCountable }
}
