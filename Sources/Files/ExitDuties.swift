import Clocks
import Synchronization

/// What has to be done before a signal ends this program: end children, remove temporary folders,
/// restore terminals.
package enum ExitDuties {
  private static let duties = Mutex<[@Sendable () -> Void]>([])
  private static let isEnding = Atomic(false)

  /// Adds a duty. It runs on a thread of its own, once, when a signal ends the program.
  /// - Parameter beforeOthers: whether it precedes the earlier duties. Child processes end first,
  ///   because they must not write into a folder that is being removed.
  package static func add(beforeOthers: Bool = false, _ duty: @escaping @Sendable () -> Void) {
    duties.withLock { $0.insert(duty, at: beforeOthers ? 0 : $0.count) }
  }

  /// Performs the duties in their order.
  package static func perform() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    for duty in duties.withLock(\.self) { duty() }
  }

  /// Does not return while a signal is ending the program: a child that is killed then has not
  /// failed.
  package static func waitForTheEnd() {
    while isEnding.load(ordering: .sequentiallyConsistent) { pause(milliseconds: 1000) }
  }
}
