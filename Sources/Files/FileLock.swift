import Clocks
import Foundation
package import TraceModel

/// A lock that one program at a time holds on a file, which stays.
package enum FileLock {
  /// Runs `body` while no other program holds the lock. The lock is released when the program ends,
  /// also by a crash.
  /// - Throws: what `body` throws; kind `.inputOutput` if the file cannot be created, or if another
  ///   program keeps the lock for 5 s.
  package static func holding<Result>(
    _ path: String, _ body: () throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    try checkPath(path)
    let descriptor = retried {
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
    guard descriptor >= 0 else {
      throw systemError(
        path, expected: "to open the file, or to create it",
        remedy: "check that the file and its folder are yours to write to")
    }
    defer { closeDescriptor(descriptor) }
    var isLocked = false
    let isDecided = waits(seconds: 5) {
      isLocked = retried({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0
      return isLocked || errno != EWOULDBLOCK
    }
    if isLocked { return try body() }
    throw systemError(
      path, expected: "a lock on the file",
      remedy: isDecided ? "use a file system that has locks" : "end the program that keeps it")
  }

  /// Tries until an attempt succeeds; false = none did in that time.
  package static func waits(seconds: Int, until attempt: () -> Bool) -> Bool {
    for _ in 0..<seconds * 100 {
      if attempt() { return true }
      pause(milliseconds: 10)
    }
    return false
  }

  /// Locks bytes of an open file until its last descriptor is closed, at the latest when the process
  /// ends.
  /// - Parameter count: 0 = to the end.
  /// - Returns: false if another open file description has the lock; nil if the system or the file
  ///   system has no such locks.
  package static func lock(
    _ descriptor: Int32, forWriting: Bool = true, from start: Int = 0, count: Int = 0
  ) -> Bool? {
    #if os(Linux)
      var lock = flock()
      lock.l_type = Int16(forWriting ? F_WRLCK : F_RDLCK)
      lock.l_whence = Int16(SEEK_SET)
      (lock.l_start, lock.l_len) = (start, count)
      // F_OFD_SETLK of fcntl(2), which the module map leaves out.
      if fcntl(descriptor, 37, &lock) == 0 { return true }
      return errno == EAGAIN || errno == EACCES ? false : nil
    #else
      return nil
    #endif
  }
}
