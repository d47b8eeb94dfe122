import CSpawn
import Diagnostics
import Foundation

/// Descriptors that no program started by this one inherits by chance: it would hold a pipe open
/// whose other end waits for its end.
package enum ClosedOnExec {
  /// - Throws: an input/output error, where the process has too many open files.
  package static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      let code = pipe2(&ends, O_CLOEXEC)
    #else
      let code = Foundation.pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    guard code == 0 else {
      throw Failure(.fileError, "pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }
}
