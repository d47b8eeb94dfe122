/// Measures elapsed time on this machine, for throughput figures.
///
/// Only this target reads the system clock; all others receive the time.
public struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  /// Starts the stopwatch.
  public init() {}

  /// The time since the start.
  public var elapsed: Duration { ContinuousClock.now - start }
}
