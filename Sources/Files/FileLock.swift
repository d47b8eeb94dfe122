import Clocks
import Foundation
package import TraceModel

/// A lock that one program at a time holds on a file, which stays.
package enum FileLock {
  /// The number of attempts, 10 ms apart.
  private static let tries = 500

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
    for _ in 0..<tries {
      if retried({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return try body() }
      guard errno == EWOULDBLOCK else {
        throw systemError(
          path, expected: "a lock on the file", remedy: "use a file system that has locks")
      }
      pause(milliseconds: 10)
    }
    throw systemError(path, expected: "a lock on the file", remedy: "end the program that keeps it")
  }
}
