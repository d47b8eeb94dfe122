/// Measures how long something took on this machine, for throughput figures.
///
/// This target is the only place that asks the time: everything else is told it.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  /// Starts.
  package init() {}

  /// Since the start.
  package var elapsed: Duration { ContinuousClock.now - start }
}
