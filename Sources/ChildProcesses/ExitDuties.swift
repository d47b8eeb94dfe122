import Synchronization

/// What has to be done before a signal ends this program: children end, terminals are restored.
package enum ExitDuties {
  private static let duties = Mutex<[@Sendable () -> Void]>([])

  /// Adds a duty. It runs on a thread of its own, once, when a signal ends the program.
  package static func add(_ duty: @escaping @Sendable () -> Void) {
    duties.withLock { $0.append(duty) }
  }

  /// Performs the duties in the order in which they were added.
  package static func perform() {
    for duty in duties.withLock(\.self) { duty() }
  }
}
