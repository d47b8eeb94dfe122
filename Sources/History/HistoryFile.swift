import Diagnostics
import Files
import Foundation

/// The file of a history. SQLite never gets it: what it finds beside a database it opens by name, writes into
/// and removes, and a journal names any other file. It works on a copy in memory, and the changed copy
/// replaces the file.
///
/// The folder is opened once, so that nobody puts another one in its place.
final class HistoryFile {
  /// As it was named, for messages.
  private let path: String
  private let folder: Int32
  private let folderPath: String
  private let name: String

  /// The seconds to wait for another program that writes.
  static let patience = 60
  private static let mostBytes = 1 << 30
  /// The bytes that SQLite locks: <https://www.sqlite.org/lockingv3.html>.
  private static let lockStart = 0x4000_0000
  private static let lockLength = 512

  init(_ path: String) throws {
    // The file that SQLite would find by itself: a name can lead through a link and back.
    let file = TracePath.size(of: path) > 0 ? resolvedPath(path) : path
    self.path = path
    name = TracePath.lastName(file)
    folderPath = TracePath.folder(of: file)
    folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure(errno) }
  }

  deinit { if folder >= 0 { closeDescriptor(folder) } }

  struct Content {
    /// The database, with the unfinished changes of a program that ended taken back.
    var bytes: Data
    /// Whether such changes are beside the file.
    var isUnfinished = false
    /// Keeps other programs from writing meanwhile.
    fileprivate var lock: FileHandle
  }

  /// - Returns: nil if there is no such file.
  func content(forWriting: Bool = false) throws -> Content? {
    guard let file = try opened(name, forWriting ? O_RDWR : O_RDONLY) else { return nil }
    let isLocked = FileLock.waits(seconds: Self.patience) {
      FileLock.lock(
        file.fileDescriptor, forWriting: forWriting, from: Self.lockStart, count: Self.lockLength)
        != false
    }
    guard isLocked else { throw failure(EBUSY) }
    // Where folders have no locks, another program may have replaced the file meanwhile.
    guard isNamed(file) else { return try content(forWriting: forWriting) }
    var content = Content(bytes: try read(file), lock: file)
    let companions = try ["-journal", "-wal"].map { ending in
      (ending, try opened(name + ending, O_RDONLY, isBeside: true).map(read) ?? Data())
    }
    // A journal that begins with zero is over.
    guard companions.contains(where: { $0.1.first ?? 0 != 0 }) else { return content }
    guard !HistoryRemains.isOfAnotherProgram(content.bytes.prefix(100)) else {
      throw HistoryOpening.foreign(path)
    }
    guard companions[0].1.suffix(8) != Self.journalMagic else {
      throw Failure(
        .badData,
        "\(path)-journal: expected the journal of one database, found a journal of several; nothing is "
          + "changed. Move it away, or if it is yours, open the database with sqlite3")
    }
    content.bytes = try finished([("", content.bytes)] + companions)
    content.isUnfinished = true
    return content
  }

  /// The end of the journal of a transaction over several databases. It names a file that SQLite removes when
  /// it opens one of them, and that may be any file. The history never has such a journal.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#the_rollback_journal>, and
  /// <https://www.sqlite.org/atomiccommit.html>, "Multi-file Commit".
  private static let journalMagic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])

  /// What SQLite makes of private copies of a database and of the files beside it.
  private func finished(_ files: [(ending: String, bytes: Data)]) throws -> Data {
    let folder = try TemporaryFolder()
    for file in files where !file.bytes.isEmpty {
      _ = try folder.write(file.bytes, to: "copy" + file.ending)
    }
    let database = try Database(folder.path + "/copy")
    _ = try? database.rows("SELECT 1 FROM sqlite_schema") { _ in }
    database.close()
    // A journal states how long the database was, and its pages are in one of the files.
    var facts = stat()
    let most = files.reduce(0) { $0 + $1.bytes.count }
    guard stat(folder.path + "/copy", &facts) == 0, facts.st_size <= most else {
      throw Failure(
        .badData,
        "\(path): expected an unfinished change to a history of at most \(most) bytes, found one of "
          + "\(facts.st_size) in the -journal or -wal file beside it; nothing is changed. Move that file "
          + "away")
    }
    return try smallFile(folder.path + "/copy", .history, mebibytes: Self.mostBytes >> 20)
  }

  /// Opens a file of the folder without waiting for another program; nil = there is none.
  private func opened(_ name: String, _ mode: Int32, isBeside: Bool = false) throws -> FileHandle? {
    let flags = mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = openat(folder, name, flags)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw isBeside && errno == ELOOP ? notOwn(name) : failure(errno)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    fstat(descriptor, &facts)
    guard facts.st_mode & S_IFMT == S_IFREG, !isBeside || facts.st_nlink == 1 else {
      let kind = facts.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or a device"
      throw isBeside
        ? notOwn(name)
        : Failure(.fileError, "\(path): expected a file, found \(kind); choose another file")
    }
    guard facts.st_size <= Self.mostBytes else { throw failure(EFBIG) }
    // A file of holes takes no disk, but all the memory.
    let (size, stored) = (Int(facts.st_size), Int(facts.st_blocks) * 512)
    guard size <= ReaderBudget.freeBytes + ReaderBudget.unpackedForEach * stored else {
      throw Failure(
        .badData,
        "\(path): expected a history, found \(size) bytes of which \(stored) are on the disk; if you "
          + "trust it, copy it with cp --sparse=never")
    }
    return file
  }

  private func isNamed(_ file: FileHandle) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(file.fileDescriptor, &opened) == 0
      && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  private func read(_ file: FileHandle) throws -> Data {
    do { return try file.read(upToCount: Self.mostBytes) ?? Data() } catch {
      throw failure(0, reason(of: error))
    }
  }

  // MARK: Changes

  /// Runs `body` while no other Shadowbox changes a history of this folder.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    let lock = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { closeDescriptor(lock) } }
    let isLocked = FileLock.waits(seconds: Self.patience) {
      // Some network file systems have no locks.
      flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
    guard isLocked else { throw failure(EBUSY) }
    return try body()
  }

  /// Puts the changed database in the place of the file. Then it is on the disk.
  func replace(_ content: Content?, with bytes: Data) throws {
    if let content, content.isUnfinished {
      // As long as the files are there, they make the same of the finished database.
      try replace(with: content.bytes)
      for ending in ["-journal", "-wal"] { unlinkat(folder, name + ending, 0) }
    }
    if bytes != content?.bytes { try replace(with: bytes) }
  }

  private func replace(with bytes: Data) throws {
    do throws(SystemError) {
      let partial = try PartialFile(beside: place(name))
      try partial.write(bytes)
      try partial.commit()
    } catch {
      throw failure(error.number)
    }
    fsync(folder)
  }

  /// A path through the open folder, where the system has one.
  private func place(_ name: String) -> String {
    let open = "/proc/self/fd/\(folder)"
    return (access(open, F_OK) == 0 ? open : folderPath) + "/" + name
  }

  /// Renames the database with the files beside it.
  /// - Returns: its new path.
  func setAside(_ now: HistoryTime) throws -> String {
    let ending = String(Substring(name.utf8.dropFirst(TracePath.stem(of: name).utf8.count)))
    let base = TracePath.stem(of: name) + ".damaged-" + now.compact
    let names = [base + ending] + (2...1000).map { base + "-\($0)" + ending }
    let isFree = { (name: String) in faccessat(self.folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 }
    let target = names.first(where: isFree) ?? base + "-\(UUID())" + ending
    // The database last: afterwards a journal belongs to the next one.
    for ending in ["-journal", "-wal", "-shm", ""] {
      guard renameat(folder, name + ending, folder, target + ending) == 0 || errno == ENOENT else {
        throw Failure(
          .fileError,
          "\(path)\(ending): the database is damaged and cannot be renamed "
            + "(\(String(cString: strerror(errno)))); move it away")
      }
    }
    let isLink = TracePath.lastName(path) != name
    return (isLink ? folderPath + "/" : String(path.dropLast(name.count))) + target
  }

  // MARK: Errors

  private func notOwn(_ name: String) -> Failure {
    Failure(
      .badData,
      "\(folderPath)/\(name): expected a file of SQLite's with one name, found a link, a "
        + "file with several names, or not a regular file; nothing is changed. Move it away")
  }

  private func failure(_ number: Int32, _ reason: String = "") -> Failure {
    let reason = reason.isEmpty ? String(cString: strerror(number)) : reason
    let message =
      switch number {
      case ENOSPC, EDQUOT:
        "the disk is full; nothing was changed. Free some space"
      case ELOOP: "expected a file, found a link to something else; choose another file"
      case EBUSY: "another program has been writing for more than \(Self.patience) s; try again"
      default: "cannot be opened or written (\(reason)); choose another file"
      }
    return Failure(.fileError, "\(path): \(message)")
  }
}
