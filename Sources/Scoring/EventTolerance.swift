public import TraceModel

/// The window around a reference in which a detection matches it.
///
/// ```swift
/// let visits = ReferenceSet(task: .visit, events: [])
/// EventTolerance(for: visits).late  // 30.0 seconds
/// EventTolerance(for: visits, stated: .standard).late  // 0.15 seconds
/// ```
public struct EventTolerance: Hashable, Sendable, Codable {
  /// The origin of a tolerance, printed next to the figures.
  public enum Origin: String, Hashable, Sendable, Codable {
    /// The default of the metric.
    case standard
    case reference
    case stated
  }

  /// How long before the reference's onset the window begins, inclusive; negative: after it.
  public var early: Duration
  /// How long after the reference's offset (its onset for an instant) the window ends, inclusive;
  /// negative: before it, so that only early warnings match.
  public var late: Duration
  public var origin: Origin

  public init(early: Duration, late: Duration, origin: Origin = .stated) {
    (self.early, self.late, self.origin) = (early, late, origin)
  }

  /// The default of 150 ms on either side: the window of the ANSI/AAMI EC57 beat comparator.
  public static let standard = EventTolerance(
    early: .milliseconds(150), late: .milliseconds(150), origin: .standard)

  /// The default for visits: from 10 s before the entry to 30 s after the exit.
  public static let visit = EventTolerance(
    early: .seconds(10), late: .seconds(30), origin: .standard)

  /// The stated tolerance, else the reference's own, else ``visit`` or ``standard`` by the task.
  public init(for reference: ReferenceSet, stated: EventTolerance? = nil) {
    if let stated {
      self = stated
    } else if let own = reference.tolerance {
      self.init(early: own, late: own, origin: .reference)
    } else {
      self = reference.task == .visit ? .visit : .standard
    }
  }

  public init(either side: Duration) { self.init(early: side, late: side) }
}
