import Diagnostics
import Foundation

/// A file that is opened more than once, or read in no order, while something else may write it.
package enum SteadyFile {
  /// Runs `body`, which reads the file at `path`.
  ///
  /// - Throws: where the file at the end is not the one at the beginning, so that what was read of it
  ///   need not fit together; also in place of what `body` throws, for that is then no wonder.
  package static func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
  {
    let before = Facts(path)
    if before?.isFolder == true {
      throw Failure(.fileError, "\(path): expected a file, found a folder")
    }
    let result = Swift.Result { try body() }
    // `body` reports a file that does not exist.
    guard let before else { return try result.get() }
    guard let after = Facts(path) else {
      throw Failure(
        .fileError, "\(path): it was removed while it was read; start again when it is back")
    }
    guard after == before else {
      throw Failure(
        .fileError,
        "\(path): it was changed while it was read; start again when it is complete, or read a copy"
      )
    }
    return try result.get()
  }

  private struct Facts: Equatable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
    var isFolder: Bool

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      isFolder = status.st_mode & S_IFMT == S_IFDIR
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }
}
