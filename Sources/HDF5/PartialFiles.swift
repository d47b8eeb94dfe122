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
public enum PartialFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Lists a file; to be called before it is created, so that it is never there unlisted.
  public static func insert(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  /// Forgets a file that was renamed or removed.
  public static func remove(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
  }

  /// Unlinks every file that is listed, and forgets it. A writer that is still at work fails when it
  /// comes to rename its file.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths { unlink(path) }
      paths = []
    }
  }
}
