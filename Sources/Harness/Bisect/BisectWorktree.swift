import Diagnostics
import Files
import Foundation
import Synchronization

/// A work tree of a repository in a temporary folder, separate from every checkout.
///
/// ``remove()``, or a signal that ends the program, removes the folder and git's record of it, without
/// a git command, because after a signal no program is started.
final class BisectWorktree: Sendable {
  let path: String
  private let repository: GitRepository
  private let folder: TemporaryFolder
  /// Held until the end, so that a later bisection sees whether this one was killed.
  private let lock: Int32?

  /// Git's record of a work tree.
  private struct Record: Hashable {
    var path: String
    /// The folder of the repository that all work trees share.
    var common: String

    /// Removes what `git worktree prune` would remove, for this work tree only.
    func forget() {
      let files = FileManager.default
      let records = common + "/worktrees"
      for name in (try? files.contentsOfDirectory(atPath: records)) ?? [] {
        let record = records + "/" + name
        // Git may have been killed before it noted the place, and another thread of this program may
        // be removing the record, too.
        let hasName = name.utf8.elementsEqual((path as NSString).lastPathComponent.utf8)
        if hasName || isNoted(in: record) { TemporaryFolder.remove(record) }
      }
      // Only if the folder is empty, as in git.
      rmdir(records)
    }

    /// Whether git's record names this work tree, byte by byte.
    func isNoted(in record: String) -> Bool {
      DataRepository.bytes(
        of: record + "/gitdir", within: resolvedPath(common), [geteuid()], limit: 1 << 13)
        == Data((path + "/.git\n").utf8)
    }
  }

  private struct Records {
    var all: Set<Record> = []
    var isOver = false
  }
  private static let existing = Mutex(Records())
  private static let duty: Void = ExitDuties.add {
    let all = existing.withLock { records in
      records.isOver = true
      return records.all
    }
    for record in all { record.forget() }
  }

  private var record: Record { Record(path: path, common: repository.common) }

  /// - Throws: a file error where the temporary folder is within the checkout.
  init(of repository: GitRepository, at commit: String) throws {
    self.repository = repository
    // Before the exit duty is added: the folder is removed first, then git's record of it.
    folder = try TemporaryFolder()
    _ = Self.duty
    let real = resolvedPath(folder.path)
    guard GitRepository.path(real, within: resolvedPath(repository.top)) == nil else {
      throw fileError(
        "\(folder.path): expected a temporary folder outside of the checkout; set TMPDIR")
    }
    lock = Self.lock(real, O_CREAT)
    if let lock { try? FileHandle(fileDescriptor: lock).write(contentsOf: Data(Self.mark.utf8)) }
    Self.removeKilled(of: repository)
    // A name that no other work tree has.
    path = real + "/" + (real as NSString).lastPathComponent + "-bisect"
    try Self.existing.withLock { records in
      guard !records.isOver else { throw Failure(.interrupted, "interrupted") }
      records.all.insert(record)
    }
    do {
      try repository.output(
        of: ["worktree", "add", "--detach", "--no-checkout", path, commit],
        variables: repository.variablesWithoutPrograms(in: repository.top))
    } catch {
      remove()
      throw error
    }
  }

  deinit {
    remove()
    if let lock { close(lock) }
  }

  /// What the lock in a folder that a bisection has made says.
  static let mark = "shadowbox bisect made this folder, and may remove it.\n"

  /// Whether a bisection has made a folder.
  private static func isMade(_ folder: String, _ lock: Int32) -> Bool {
    var file = stat()
    guard let facts = lstat(of: folder), facts.st_uid == geteuid(),
      [facts.st_mode & S_IFMT, facts.st_mode & 0o777] == [S_IFDIR, 0o700],
      fstat(lock, &file) == 0, file.st_uid == geteuid(), file.st_mode & S_IFMT == S_IFREG,
      file.st_size == mark.utf8.count
    else { return false }
    return (try? FileHandle(fileDescriptor: lock).readToEnd()) == Data(mark.utf8)
  }

  /// Locks the folder of a work tree; nil if another process has locked it, or none ever has.
  private static func lock(_ folder: String, _ flags: Int32 = 0) -> Int32? {
    let file = open(folder + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard file >= 0 else { return nil }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
    close(file)
    return nil
  }

  /// Removes what earlier bisections of the repository left in the folder of temporary files: they were
  /// killed. The repository may be a stranger's, so that its record alone removes no folder.
  private static func removeKilled(of repository: GitRepository) {
    let records = repository.common + "/worktrees"
    let parent = resolvedPath(FileManager.default.temporaryDirectory.path)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: records)) ?? []
    where name.wholeMatch(of: /shadowbox-[A-Za-z0-9]{6}-bisect/) != nil {
      let folder = parent + "/" + name.dropLast("-bisect".count)
      let record = Record(path: folder + "/" + name, common: repository.common)
      guard record.isNoted(in: records + "/" + name), let lock = lock(folder) else { continue }
      if isMade(folder, lock) {
        TemporaryFolder.remove(folder)
        record.forget()
      }
      close(lock)
    }
  }

  /// A file of the bisection itself, next to the work tree.
  func file(_ name: String) -> String { (path as NSString).deletingLastPathComponent + "/" + name }

  /// Checks out a commit. Files that git ignores stay, so that builds are incremental; all others are
  /// as in the commit.
  func checkOut(_ commit: String) throws {
    // The settings of this work tree may not be those of the checkout.
    let variables = try repository.variablesWithoutPrograms(in: path)
    for words in [["checkout", "--force", "--detach", "--quiet", commit], ["clean", "-ffdq"]] {
      try repository.output(of: words, in: path, variables: variables)
    }
  }

  /// Replaces a file of the work tree.
  /// - Throws: bad data, if a link leads out of the work tree.
  func write(_ text: String, to name: String) throws {
    let file = path + "/" + name
    let parent = GitRepository.parent(of: file)
    // The nearest folder that exists: below it, nothing is a link.
    var known = parent
    while !FileManager.default.fileExists(atPath: known), known.utf8.count > path.utf8.count {
      known = GitRepository.parent(of: known)
    }
    guard GitRepository.path(resolvedPath(known), within: path) != nil,
      (try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true))
        != nil
    else {
      throw badData("\(name): expected its folder in the commit, found a link out of it or a file")
    }
    _ = unlink(file)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw fileError("\(file): cannot be written: \(String(cString: strerror(errno)))")
    }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(
      contentsOf: Data(text.utf8))
  }

  func remove() {
    guard Self.existing.withLock({ $0.all.contains(record) }) else { return }
    TemporaryFolder.remove(path)
    record.forget()
    _ = Self.existing.withLock { $0.all.remove(record) }
  }
}
