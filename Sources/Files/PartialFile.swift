package import Foundation
import Synchronization

/// A file that is written under a temporary name and renamed when it is complete. Until then, and
/// if the program ends early, the old file is unchanged.
///
/// The temporary name is `.<name>.<process>-<number>.partial` in the same folder. A killed program
/// cannot remove it; on Linux the next program that writes the same file does. A lock distinguishes
/// leftovers from files in use: it ends with its process (an open file description lock, which does
/// not conflict with HDF5's own locks).
package final class PartialFile {
  /// The temporary path until ``commit()``.
  package let path: String
  /// The file descriptor, for reading and writing.
  package let descriptor: Int32
  /// A path by which the file is opened again where the system has one: at ``path``, another user of the
  /// folder may have put a link by then.
  private var reopening: String {
    let path = "/proc/self/fd/\(descriptor)"
    return access(path, F_OK) == 0 ? path : self.path
  }
  private let target: String
  private var isDone = false
  /// The number of attempts if other processes keep removing the file.
  private static let attempts = 100

  /// Creates an empty file next to `target`, in the same folder.
  /// - Throws: also if the target exists and is not writable.
  package convenience init(beside target: String) throws(SystemError) {
    if access(target, W_OK) != 0, errno != ENOENT { throw SystemError("access", target) }
    let (folder, stem) = Self.names(of: target)
    Self.removeLeftovers(of: stem, in: folder)
    var failures = 0
    while true {
      let number = Self.numbers.add(1, ordering: .relaxed).newValue
      let path = "\(folder)/.\(stem).\(getpid())-\(number).partial"
      do throws(SystemError) {
        try self.init(target: target, path: path, flags: O_EXCL)
        return
      } catch {
        // Either a leftover with the same process number exists, or another process removed this
        // file as a leftover before it was locked: try the next name.
        failures += error.number == EBUSY ? 1 : 0
        guard error.number == EEXIST || error.number == EBUSY, failures < Self.attempts
        else { throw error }
      }
    }
  }

  /// Creates a file next to `target` and lets `body` open it again by its name.
  ///
  /// If it was removed before that, the opening created another, unlocked file: close that one and
  /// try the next name.
  /// - Parameter failure: the error to throw for one of the system.
  /// - Throws: also `EBUSY` if it is removed repeatedly.
  package static func opened<Result, Failure: Error>(
    beside target: String, orThrow failure: (SystemError) -> Failure,
    opening: (String) throws(Failure) -> Result, closing: (Result) -> Void
  ) throws(Failure) -> (partial: PartialFile, opened: Result) {
    for _ in 0..<attempts {
      let partial: PartialFile
      do throws(SystemError) { partial = try PartialFile(beside: target) } catch {
        throw failure(error)
      }
      let opened = try PartialFiles.insert(partial.path) { () throws(Failure) in
        try opening(partial.reopening)
      }
      if isOpened(partial.descriptor, at: partial.path) { return (partial, opened) }
      closing(opened)
      partial.discard()
    }
    throw failure(SystemError("create", target, number: EBUSY))
  }

  /// - Parameter path: the temporary path of the file; an existing file is overwritten.
  package convenience init(target: String, at path: String) throws(SystemError) {
    try self.init(target: target, path: path, flags: O_TRUNC)
  }

  private init(target: String, path: String, flags: Int32) throws(SystemError) {
    let isNew = flags & O_EXCL != 0
    (self.path, self.target) = (path, target)
    do throws(SystemError) {
      descriptor = try PartialFiles.insert(path) { () throws(SystemError) in
        var old = stat()
        let replaces = stat(target, &old) == 0
        let mode: mode_t = replaces ? 0o600 : 0o666
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, mode)
        guard descriptor >= 0 else { throw SystemError("open", target) }
        if replaces { Self.inherit(old, descriptor) }
        return descriptor
      }
    } catch {
      PartialFiles.remove(path)
      throw error
    }
    let isLocked = FileLock.lock(descriptor)
    // Before it was locked, another process may have treated it as a leftover and locked or removed
    // it.
    guard !isNew || isLocked != false && Self.isOpened(descriptor, at: path) else {
      throw SystemError("lock", target, number: EBUSY)
    }
  }

  /// Gives a file the owner and the permissions of the file that it will replace, so that a private
  /// file stays private. The owner changes only where this process has the right.
  private static func inherit(_ old: stat, _ descriptor: Int32) {
    let isOwned =
      fchown(descriptor, old.st_uid, old.st_gid) == 0
      || fchown(descriptor, uid_t.max, old.st_gid) == 0
    // Without the old group, the group's permissions would apply to another one.
    _ = fchmod(descriptor, old.st_mode & (isOwned ? 0o777 : 0o707))
  }

  deinit {
    discard()
    closeDescriptor(descriptor)
  }

  /// Writes the whole content, and forces it to the disk.
  package func write(_ bytes: Data) throws(SystemError) {
    let isWritten = bytes.withUnsafeBytes { bytes in
      movesAll(bytes.count) { done in
        Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      }
    }
    guard isWritten, retried({ fsync(descriptor) }) == 0 else { throw SystemError("write", target) }
  }

  /// Renames the file to its final path. Its bytes should be on disk by then.
  /// - Throws: if it cannot be renamed; it is removed then. If somebody else's file has come to that
  ///   path, the new one is kept beside it.
  package func commit() throws(SystemError) {
    defer { discard() }
    if let duty = Self.duties.withLock({ $0[target] }), !duty(path) { throw kept() }
    guard rename(path, target) == 0 else { throw SystemError("rename", target) }
    PartialFiles.remove(path)
    isDone = true
  }

  /// Keeps the file under a name that no later program takes for a leftover.
  private func kept() -> SystemError {
    let name = target + ".\(getpid())-kept"
    guard rename(path, name) == 0 else { return SystemError("rename", target) }
    PartialFiles.remove(path)
    isDone = true
    return SystemError(
      "rename", target, number: EEXIST,
      note: " since the work began; what was written is in \(name)")
  }

  private static let duties = Mutex<[String: @Sendable (String) -> Bool]>([:])

  /// Runs `duty` each time before a file comes to this path, with the temporary path. If it returns
  /// false, the path has a file that must stay.
  package static func beforeCommit(of target: String, _ duty: @escaping @Sendable (String) -> Bool)
  {
    duties.withLock { $0[target] = duty }
  }

  /// Removes the file, unless it is already committed.
  package func discard() {
    guard !isDone else { return }
    isDone = true
    unlink(path)
    PartialFiles.remove(path)
  }

  private static let numbers = Atomic<Int>(0)

  /// Returns the folder and the prefix of the names of partial files.
  static func names(of target: String) -> (folder: String, stem: String) {
    let name = TracePath.lastName(target)
    // Names have at most 255 bytes; a long one would leave no room for the rest.
    return (TracePath.folder(of: target), name.utf8.count > 200 ? "trace" : name)
  }

  /// The partial files that were in a folder when this process first wrote to it. Listing the folder
  /// for every file would take a time that grows with the square of their number.
  private static let leftovers = Mutex<[String: [String]]>([:])

  /// Removes the partial files of that name that no process has locked. A file that cannot be
  /// removed stays, which does no harm.
  private static func removeLeftovers(of stem: String, in folder: String) {
    let names = leftovers.withLock { known in
      let listed = known[folder]
      let names =
        listed ?? (try? FolderListing.names(in: folder) { $0.hasSuffix(".partial") }) ?? []
      known[folder] = names
      return names
    }
    for name in names where isPartial(name, of: stem) { removeIfLeft("\(folder)/\(name)") }
  }

  /// Whether a name is `.<stem>.<number>-<number>.partial`.
  static func isPartial(_ name: String, of stem: String) -> Bool {
    let (prefix, suffix) = (".\(stem).", ".partial")
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      name.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return false }
    let numbers = name.dropFirst(prefix.count).dropLast(suffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }

  private static func removeIfLeft(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { closeDescriptor(descriptor) }
    // If several processes clean up, one has the lock; until it is done the name belongs to this
    // file.
    if FileLock.lock(descriptor) == true, isOpened(descriptor, at: path) { unlink(path) }
  }

  /// Whether the opened file still has that name.
  private static func isOpened(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }
}
