import Clocks
import Synchronization

/// What has to be done before a signal ends this program: children end, temporary folders go,
/// terminals are restored.
package enum ExitDuties {
  private static let duties = Mutex<[@Sendable () -> Void]>([])
  private static let isEnding = Atomic(false)

  /// Adds a duty. It runs on a thread of its own, once, when a signal ends the program.
  /// - Parameter beforeOthers: whether it precedes those that were added before, as the end of child
  ///   processes does: they must not write any more into a folder that is removed.
  package static func add(beforeOthers: Bool = false, _ duty: @escaping @Sendable () -> Void) {
    duties.withLock { $0.insert(duty, at: beforeOthers ? 0 : $0.count) }
  }

  /// Performs the duties in their order.
  package static func perform() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    for duty in duties.withLock(\.self) { duty() }
  }

  /// Does not return where a signal is ending the program: that a child was killed on the way is no
  /// failure to report.
  package static func waitForTheEnd() {
    while isEnding.load(ordering: .sequentiallyConsistent) { pause(milliseconds: 1000) }
  }
}
