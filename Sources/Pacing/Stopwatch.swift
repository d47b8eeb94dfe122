/// Measures how long something took on this machine, for throughput figures.
///
/// This target is the only place that asks the time: everything else is told it.
public struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  /// Starts.
  public init() {}

  /// Since the start.
  public var elapsed: Duration { ContinuousClock.now - start }
}
