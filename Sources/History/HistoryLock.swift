import Foundation

/// A lock on the folder of a history, shared by all programs that have it open.
///
/// SQLite finds a journal by the name of its database. If another program renamed an open database and
/// created a new one with its name, this program would roll the new journal back into the old database.
/// So a database is never renamed while a program has it open. The lock ends with its process and leaves
/// no file.
final class HistoryLock: Sendable {
  /// Negative where the folder cannot be opened; opening the database then reports the cause.
  private let descriptor: Int32

  /// Waits for a program that renames a history of the folder.
  init(folderOf path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    take(LOCK_SH)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits until no other program has the lock, then runs `body`.
  func alone(_ body: () throws -> Void) rethrows {
    take(LOCK_EX)
    defer { take(LOCK_SH) }
    try body()
  }

  /// Without effect on file systems without locks, such as some network file systems.
  private func take(_ operation: Int32) {
    while descriptor >= 0, flock(descriptor, operation) != 0, errno == EINTR {}
  }
}
