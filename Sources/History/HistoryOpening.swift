import CSQLite
import Diagnostics
import Files
import Foundation

/// Opens the database, and renames a damaged one if that is wanted.
struct HistoryOpening {
  private let path: String

  init(_ path: String) throws {
    guard !path.isEmpty else {
      throw Failure(.wrongUse, "expected the name of a database of a history, found none")
    }
    self.path = path
  }

  /// The seconds to wait for another program that writes.
  private static let patience: Int32 = 60
  /// Another program may replace and damage the database at the same time.
  private static let mostAttempts = 5

  func forReading() throws -> (Database, HistoryLock) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        .fileError,
        "\(path): expected a history, found no such file; add runs with shadowbox history add "
          + "RESULTS.h5")
    }
    // Opened for writing where possible, so that a half-written change is rolled back.
    let isReadOnly = access(path, W_OK) != 0
    let lock = HistoryLock(folderOf: path)
    let (database, state) = try opened(isReadOnly: isReadOnly)
    switch state {
    case .damaged(let finding): throw Self.damage(finding, path)
    case .empty:
      throw Failure(
        .badData,
        "\(path): expected a history, found an empty database; add runs with shadowbox history add "
          + "RESULTS.h5")
    case .ours, .newer, .foreign, .altered: return (database, lock)
    }
  }

  /// - Parameter setsAside: whether a damaged database is renamed; otherwise it is an error.
  func forWriting(
    now: HistoryTime, setsAside: Bool, report: (String) -> Void
  ) throws -> (Database, HistoryLock) {
    try makeFolder()
    try refuseLinkToNothing()
    let lock = HistoryLock(folderOf: path)
    var state = HistorySchema.State.empty
    for _ in 0..<Self.mostAttempts {
      let (database, found) = try opened(isReadOnly: false)
      state = found
      if case .damaged(let finding) = found {
        guard setsAside else { throw Self.damage(finding, path) }
        database.close()
        try lock.alone { try setAside(finding, now, report) }
      } else {
        try Self.naming(path) { try database.writing(HistorySchema.create) }
        return (database, lock)
      }
    }
    throw Failure(.fileError, "\(path): expected a history, found \(state) repeatedly")
  }

  private func connected(isReadOnly: Bool) throws -> Database {
    // The file that SQLite would find by itself: a name can be an address, too, or lead through a link and back.
    let file = TracePath.size(of: path) > 0 ? resolvedPath(path) : newFile
    try checkCompanions(of: file)
    let database = try Database(file, isReadOnly: isReadOnly, patience: Self.patience)
    try database.execute("PRAGMA foreign_keys = ON")
    // The schema of a damaged or foreign file must not call functions.
    try database.execute("PRAGMA trusted_schema = OFF")
    guard !isReadOnly else { return database }
    // A commit and the removal of its journal are on the disk before they are reported.
    try database.execute("PRAGMA synchronous = EXTRA")
    // Pruning shrinks the file. Only for a new file: it would change an existing one.
    if try database.pragma("page_count") == 0 { try database.execute("PRAGMA auto_vacuum = FULL") }
    return database
  }

  /// The place of a file that is missing or empty.
  private var newFile: String {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8[$0...].dropFirst() }
    return resolvedPath(PartialFile.folder(of: path)) + "/"
      + (name.map { String(Substring($0)) } ?? path)
  }

  /// Checks the files beside the database that SQLite opens unasked. It writes into them: one with a
  /// second name is somebody else's too, and to open a pipe may wait for ever.
  private func checkCompanions(of database: String) throws {
    for companion in ["-journal", "-wal", "-shm"].map({ database + $0 }) {
      var facts = stat()
      guard lstat(companion, &facts) == 0 else { continue }
      guard facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1 else {
        throw Failure(
          .badData,
          "\(companion): expected a file of SQLite's with one name, found a link, a file with several "
            + "names, or not a regular file; nothing is changed. Move it away")
      }
    }
    try refuseSuperJournal(database + "-journal")
    try refuseForeignLog(database)
  }

  /// SQLite plays a journal of an interrupted change back when it opens a database, and writes a log into
  /// it when it closes it: also into a database that is then refused.
  private func refuseForeignLog(_ database: String) throws {
    // Only beside one: to close the file releases this process's locks on it.
    guard ["-wal", "-journal"].contains(where: { access(database + $0, F_OK) == 0 }) else { return }
    try InputDescriptor.requireRegular(database)
    guard let file = FileHandle(forReadingAtPath: database) else { return }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 100), HistoryRemains.isOfAnotherProgram(head) else {
      return
    }
    throw Self.foreign(path)
  }

  /// The journal of a transaction over several databases names a file that SQLite removes when it opens
  /// one of them, and that may be any file. The history never has such a journal.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#the_rollback_journal>, and
  /// <https://www.sqlite.org/atomiccommit.html>, "Multi-file Commit".
  private func refuseSuperJournal(_ journal: String) throws {
    guard let file = FileHandle(forReadingAtPath: journal) else { return }
    defer { try? file.close() }
    guard let end = try? file.seekToEnd(), end >= 8, (try? file.seek(toOffset: end - 8)) != nil,
      (try? file.read(upToCount: 8)) == Self.journalMagic
    else { return }
    throw Failure(
      .badData,
      "\(journal): expected the journal of one database, found a journal of several; nothing is "
        + "changed. Move it away, or if it is yours, open the database with sqlite3")
  }

  private static let journalMagic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])

  /// - Throws: ``Failure`` if the file is not a history.
  private func opened(isReadOnly: Bool) throws -> (Database, HistorySchema.State) {
    // SQLite treats a file of one byte as empty and would overwrite it.
    guard !hasOneByte else { return (try Database(":memory:"), try damaged("only one byte")) }
    do {
      let database = try connected(isReadOnly: isReadOnly)
      return (database, try checked(try database.reading(HistorySchema.state)))
    } catch let error as DatabaseError {
      guard [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.primaryCode) else {
        throw Self.failure(error, path)
      }
      return (try Database(":memory:"), try damaged(error.message))
    }
  }

  /// - Throws: ``Failure`` if the file has never been a history.
  private func damaged(_ finding: String) throws -> HistorySchema.State {
    guard HistoryRemains(ofFile: path)?.areOfHistory ?? false else {
      throw Failure(
        .badData,
        "\(path): expected a history of Shadowbox, found a file that is not an SQLite database; choose "
          + "another file")
    }
    return .damaged(finding)
  }

  private func checked(_ state: HistorySchema.State) throws -> HistorySchema.State {
    switch state {
    case .empty, .ours, .damaged: return state
    case .foreign: throw Self.foreign(path)
    case .altered(let finding):
      throw Failure(
        .badData,
        "\(path): expected the tables of a history, found \(finding); undo that with sqlite3, or choose "
          + "another file")
    case .newer(let version):
      throw Failure(
        .badData,
        "\(path): expected a history of version \(HistorySchema.version), found version \(version); "
          + "use the Shadowbox that wrote it, or a newer one")
    }
  }

  private var hasOneByte: Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_size == 1
  }

  /// A link in a folder of somebody else's must not make files elsewhere.
  private func refuseLinkToNothing() throws {
    guard TracePath.size(of: path) == 0,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return }
    throw Failure(
      .fileError,
      "\(path): expected a history or no file, found a link to a missing or empty file; name the "
        + "file itself: \(target)")
  }

  private func makeFolder() throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .fileError, "\(path): cannot create the folder (\(reason(of: error))); choose another file")
    }
  }
}

extension HistoryOpening {
  /// Renames the database with its journal, unless another program has done it.
  /// - Precondition: no other program has a database of this folder open.
  private func setAside(_ finding: String, _ now: HistoryTime, _ report: (String) -> Void) throws {
    guard FileManager.default.fileExists(atPath: path), try isDamaged() else { return }
    let target = freeName(now)
    // The database last: afterwards a journal belongs to the next one.
    for ending in ["-journal", "-wal", "-shm", ""]
    where FileManager.default.fileExists(atPath: path + ending) {
      try rename(path + ending, to: target + ending)
    }
    report(
      "\(path): the database is damaged (\(finding)); renamed to \(target), a new history begins")
  }

  private func isDamaged() throws -> Bool {
    let (database, state) = try opened(isReadOnly: false)
    database.close()
    if case .damaged = state { return true }
    return false
  }

  /// `history.damaged-20261123T090729Z.sqlite`, with a number if that name is taken.
  private func freeName(_ now: HistoryTime) -> String {
    let url = URL(fileURLWithPath: path)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    let base = path.dropLast(ending.count) + ".damaged-" + now.compact
    let names = [base + ending] + (2...1000).map { "\(base)-\($0)\(ending)" }
    return names.first { !FileManager.default.fileExists(atPath: String($0)) }.map { String($0) }
      ?? "\(base)-\(UUID())\(ending)"
  }

  private func rename(_ source: String, to target: String) throws {
    guard Foundation.rename(source, target) == 0 else {
      throw Failure(
        .fileError,
        "\(source): the database is damaged and cannot be renamed "
          + "(\(String(cString: strerror(errno)))); move it away")
    }
  }

  // MARK: Errors

  /// Returns what `body` returns; an error of SQLite becomes a failure that begins with the path.
  static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw failure(error, path)
    } catch let error as DamagedRow {
      throw Failure(
        .badData, "\(path): expected a history, found a damaged value of \(error.column)")
    }
  }

  private static func foreign(_ path: String) -> Failure {
    Failure(
      .badData,
      "\(path): expected a history of Shadowbox, found a database of another program; choose "
        + "another file")
  }

  private static func damage(_ finding: String, _ path: String) -> Failure {
    Failure(
      .badData,
      "\(path): expected a history, found a damaged database (\(finding)); nothing is changed. Restore a "
        + "copy, or begin a new history: --set-aside-damaged of add, import and gate keeps the damaged "
        + "file under another name")
  }

  private static func failure(_ error: DatabaseError, _ path: String) -> Failure {
    let message = error.message
    switch error.primaryCode {
    case SQLITE_NOTADB, SQLITE_CORRUPT: return damage(message, path)
    case SQLITE_FULL:
      return Failure(
        .fileError,
        "\(path): the disk is full; nothing was changed. Free some space, or remove runs with "
          + "shadowbox history prune")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return Failure(
        .fileError,
        "\(path): another program has been writing for more than \(patience) s; try again")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN:
      return Failure(
        .fileError, "\(path): cannot be opened or written (\(message)); choose another file")
    default: return Failure(.fileError, "\(path): cannot be read or written: \(message)")
    }
  }
}

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
