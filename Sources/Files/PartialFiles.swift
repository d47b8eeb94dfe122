import Foundation
import Synchronization

/// The temporary files that this process is writing, so that an interrupted program leaves none of
/// them behind.
///
/// Writers of HDF5 and CSV files register a file here until it is renamed or removed. All functions
/// may be called from any thread, but not from a signal handler, because they wait for a lock:
/// handle signals on a thread that waits for them.
package enum PartialFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Registers a file. Call it before creating the file, so that no file is unregistered.
  package static func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Unregisters a file that was renamed or removed.
  package static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Registers a file and creates it atomically with respect to ``removeAll(endingWith:)``.
  static func insert<Failure: Error, Result>(
    _ path: String, making body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try paths.withLock { paths throws(Failure) in
      paths.insert(path)
      return try body()
    }
  }

  /// Removes and unregisters every registered file. A writer that is still active fails when it
  /// renames its file.
  package static func removeAll() { paths.withLock { unlinkAll(&$0) } }

  /// Removes every registered file and ends the process, before another thread can create a new
  /// one.
  package static func removeAll(endingWith status: Int32) -> Never {
    paths.withLock { paths in
      unlinkAll(&paths)
      _exit(status)
    }
  }

  private static func unlinkAll(_ paths: inout Set<String>) {
    for path in paths { unlink(path) }
    paths = []
  }
}
