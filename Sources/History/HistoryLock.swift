import Foundation

/// A lock on the folder of a history, shared by all programs that have it open.
///
/// SQLite finds a journal by the name of its database. A program that opens a database just before
/// another renames it, and makes a new one of that name, would take the journal of the new one for its
/// own, roll it back into the old one and remove it. So nobody renames while anybody has it open. The
/// lock ends with its program, whatever becomes of it, and leaves no file.
final class HistoryLock: Sendable {
  /// Below zero where the folder cannot be opened: opening the database then says why.
  private let descriptor: Int32

  /// Waits for a program that sets a history of the folder aside.
  init(folderOf path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    take(LOCK_SH)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Runs `body` while no other program has the lock, and waits for that.
  func alone(_ body: () throws -> Void) rethrows {
    take(LOCK_EX)
    defer { take(LOCK_SH) }
    try body()
  }

  /// A file system without locks (some of networks) is used without them.
  private func take(_ operation: Int32) {
    while descriptor >= 0, flock(descriptor, operation) != 0, errno == EINTR {}
  }
}
