private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The files of this process that are being written beside their place and have no name of their
/// own yet, so that an interrupted program can leave none of them behind.
///
/// The writers of HDF5 files and of CSV list a file here until it is renamed or removed. All
/// functions may be called from any thread, but not from within a signal handler, because they wait
/// for a lock: handle signals on a thread that waits for them.
package enum PartialFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Lists a file; to be called before it is created, so that it is never there unlisted.
  package static func insert(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  /// Forgets a file that was renamed or removed.
  package static func remove(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
  }

  /// Lists a file and makes it, so that ``removeAll(endingWith:)`` comes before both or after both.
  static func insert<Failure: Error, Result>(
    _ path: String, making body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try paths.withLock { paths throws(Failure) in
      paths.insert(path)
      return try body()
    }
  }

  /// Unlinks every file that is listed, and forgets it. A writer that is still at work fails when it
  /// comes to rename its file.
  package static func removeAll() {
    paths.withLock { unlinkAll(&$0) }
  }

  /// Unlinks every file that is listed and ends the process, before another thread can begin a
  /// further one.
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
