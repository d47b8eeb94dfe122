import Foundation

/// Measures elapsed time on this machine, for throughput figures.
///
/// Only this target reads the system clock; all others receive the time.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  package var elapsed: Duration { ContinuousClock.now - start }
}

/// Stops the calling thread, for what has no event to wait for. A signal may end it early.
package func pause(milliseconds: Int32) { poll(nil, 0, milliseconds) }
