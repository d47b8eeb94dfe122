private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A file that is written beside its place and put there when it is whole: until then, and wherever
/// the program ends, the old file is as it was.
///
/// It lies beside as `.<name>.<process>-<number>.partial`. A program that is killed outright cannot
/// remove it; on Linux the next one to write the same file does. It tells leftovers from the files of
/// a program that is still at work by a lock that ends with its process (an open file description
/// lock, which no lock of HDF5's own meets).
package final class PartialFile {
  /// Where it lies until ``commit()``.
  package let path: String
  /// The file as it was opened, for reading and writing.
  package let descriptor: Int32
  private let target: String
  private var isDone = false
  /// How often a file may be taken away before it is given up; somebody does it on purpose then.
  private static let attempts = 100

  /// Makes an empty file beside `target`, in the same folder.
  /// - Throws: also where a file of that name is there and may not be written.
  package convenience init(beside target: String) throws(HDF5Error) {
    let place = HDF5Place(file: target)
    if access(target, W_OK) != 0, errno != ENOENT { throw place.systemFailure("access", errno) }
    let (folder, stem) = Self.names(of: target)
    Self.removeLeftovers(of: stem, in: folder)
    var failures = 0
    while true {
      let path = "\(folder)/.\(stem).\(getpid())-\(Self.nextNumber()).partial"
      do throws(HDF5Error) {
        try self.init(target: target, path: path, flags: O_EXCL)
        return
      } catch {
        // A leftover of a process of that number, or another took this one for a leftover before it
        // was locked: the next name is free.
        failures += error.errorNumber == EBUSY ? 1 : 0
        guard error.errorNumber == EEXIST || error.errorNumber == EBUSY, failures < Self.attempts
        else { throw error }
      }
    }
  }

  /// Makes a file beside `target` and has it opened once more by its name.
  ///
  /// If it was removed before that, the opening made another file, which nobody holds: that one is
  /// closed, and the next name is tried.
  /// - Throws: also `EBUSY` where it is removed again and again.
  static func opened<Result>(
    beside target: String, opening: (String) throws(HDF5Error) -> Result,
    closing: (Result) -> Void
  ) throws(HDF5Error) -> (partial: PartialFile, opened: Result) {
    for _ in 0..<attempts {
      let partial = try PartialFile(beside: target)
      let opened = try PartialFiles.insert(partial.path) { () throws(HDF5Error) in
        try opening(partial.path)
      }
      if FileIdentity.isOpened(partial.descriptor, at: partial.path) { return (partial, opened) }
      closing(opened)
      partial.discard()
    }
    throw HDF5Place(file: target).systemFailure("create", EBUSY)
  }

  /// - Parameter path: where the file lies until it is whole; one that is there is overwritten.
  package convenience init(target: String, at path: String) throws(HDF5Error) {
    try self.init(target: target, path: path, flags: O_TRUNC)
  }

  private init(target: String, path: String, flags: Int32) throws(HDF5Error) {
    let place = HDF5Place(file: target)
    self.path = path
    self.target = target
    do throws(HDF5Error) {
      descriptor = try PartialFiles.insert(path) { () throws(HDF5Error) in
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0o666)
        guard descriptor >= 0 else { throw place.systemFailure("open", errno) }
        return descriptor
      }
    } catch {
      PartialFiles.remove(path)
      throw error
    }
    let lock = ProcessLock.take(descriptor)
    // Until it was locked, another may have taken it for a leftover, and holds it, or has removed it.
    guard
      flags & O_EXCL == 0
        || lock != .isHeld && FileIdentity.isOpened(descriptor, at: path)
    else { throw place.systemFailure("lock", EBUSY) }
  }

  deinit {
    discard()
    DescriptorCloser.close(descriptor)
  }

  /// Puts the file in its place. Its bytes should have reached the disk by then.
  /// - Throws: where it cannot be renamed; it is removed then.
  package func commit() throws(HDF5Error) {
    defer { discard() }
    guard rename(path, target) == 0 else {
      throw HDF5Place(file: target).systemFailure("rename", errno)
    }
    PartialFiles.remove(path)
    isDone = true
  }

  /// Removes the file, unless it is in its place already.
  package func discard() {
    guard !isDone else { return }
    isDone = true
    unlink(path)
    PartialFiles.remove(path)
  }

  // MARK: Names

  private static let numbers = Atomic<Int>(0)

  private static func nextNumber() -> Int {
    numbers.add(1, ordering: .relaxed).newValue
  }

  /// The folder, and what the names of partial files begin with.
  static func names(of target: String) -> (folder: String, stem: String) {
    let name = target.split(separator: "/").last.map(String.init) ?? ""
    // Names end at 255 bytes; a long one would leave no room for the rest.
    return (HDF5Place(file: target).folder, name.utf8.count > 200 ? "trace" : name)
  }

  // MARK: Leftovers

  /// Removes the partial files of that name which no process holds. What cannot be removed stays:
  /// it is in nobody's way.
  private static func removeLeftovers(of stem: String, in folder: String) {
    guard let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard isPartial(name, of: stem) else { continue }
      removeIfLeft("\(folder)/\(name)")
    }
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
    defer { DescriptorCloser.close(descriptor) }
    // Of several that clear away one has the lock; until it is done the name stays this file's.
    if ProcessLock.take(descriptor) == .taken, FileIdentity.isOpened(descriptor, at: path) {
      unlink(path)
    }
  }
}

private enum FileIdentity {
  /// Whether the file that was opened is, still, the one of that name.
  static func isOpened(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }
}

/// A lock of an open file that ends when the last descriptor of it is closed, at the latest with the
/// process.
private enum ProcessLock {
  enum Outcome {
    case taken
    /// By another open file description.
    case isHeld
    /// The system, or this file system, has no such locks: nobody can hold one.
    case isUnknown
  }

  static func take(_ descriptor: Int32) -> Outcome {
    #if os(Linux)
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      // F_OFD_SETLK of fcntl(2), which the module map leaves out.
      if fcntl(descriptor, 37, &lock) == 0 { return .taken }
      return errno == EAGAIN || errno == EACCES ? .isHeld : .isUnknown
    #else
      return .isUnknown
    #endif
  }
}

/// `close` of the system, apart from the methods of that name.
enum DescriptorCloser {
  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}
