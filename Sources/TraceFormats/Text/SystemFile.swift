// The only file of the readers and writers that calls the operating system itself.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
private import HDF5
package import TraceModel

/// A source of bytes, read in chunks.
protocol ByteInput: AnyObject {
  /// Reads into `buffer` from `start`, at most to its end; returns 0 if there are no more bytes.
  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int
}

/// A file that is open for reading as long as the object exists.
///
/// A regular file is read up to its size at opening, because otherwise a program that writes to it
/// could keep the reading from ending. The file must not change meanwhile, because otherwise the
/// readings would mix several states. A file that replaces it under its name has no effect.
final class InputFile: ByteInput {
  private let path: String
  private let descriptor: Int32
  private let beginning: FileFacts
  /// The number of bytes still to be read; nil = until the end, as for a pipe.
  private var rest: Int?

  init(path: String) throws(TraceError) {
    try checkPath(path)
    let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0, let facts = FileFacts(descriptor) else {
      throw systemError(path, expected: "a readable file", remedy: "check the path")
    }
    self.path = path
    self.descriptor = descriptor
    beginning = facts
    rest = facts.isRegular ? facts.size : nil
  }

  /// Opens a duplicate of an open descriptor, e.g. a pipe.
  init(duplicating open: Int32, name: String) throws(TraceError) {
    let descriptor = retried { fcntl(open, F_DUPFD_CLOEXEC, 0) }
    guard descriptor >= 0, let facts = FileFacts(descriptor) else {
      throw systemError(name, expected: "an open file")
    }
    path = name
    self.descriptor = descriptor
    beginning = facts
    rest = facts.isRegular ? facts.size : nil
  }

  deinit {
    _ = close(descriptor)
  }

  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    let descriptor = self.descriptor
    let wanted = min(buffer.count - start, rest ?? .max)
    let count = buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + wanted)])
      return retried { readBytes(descriptor, free) }
    }
    guard count >= 0 else { throw systemError(path, expected: "to read the file") }
    if let rest { self.rest = rest - count }
    // This check also precedes the use of the last bytes, which may be half a record.
    if count == 0 || rest == 0 { try requireUnchanged() }
    return count
  }

  /// Returns another descriptor of the open file, for a library that reads it; the caller closes
  /// it.
  func duplicatedDescriptor() -> Int32 { dup(descriptor) }

  /// - Throws: if the file has changed since it was opened.
  func requireUnchanged() throws(TraceError) {
    guard beginning.isRegular, let now = FileFacts(descriptor), now != beginning else { return }
    throw TraceError(
      .inputOutput, place: path, expected: "a file that does not change while it is read",
      found: now.size == beginning.size
        ? "a file that was written to" : "\(beginning.size) bytes, then \(now.size)",
      remedy: "wait until it is complete, or read a copy")
  }
}

/// The kind of file at a path.
enum PathKind: Equatable {
  case folder
  /// A regular file, or anything that can be read like one.
  case file
  case nothing

  init(_ path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }
}

/// Names in a folder.
enum FolderListing {
  /// Returns the paths of the files below `path`, relative and sorted. Hidden files are left out,
  /// and links to folders are not followed, to avoid cycles.
  ///
  /// - Parameters:
  ///   - depth: the number of folder levels to enter.
  ///   - limit: the largest number of files; more throw.
  static func files(
    below path: String, depth: Int, limit: Int
  ) throws(TraceError) -> [String] {
    var files: [String] = []
    var folders = [(name: "", depth: depth)]
    while let folder = folders.popLast() {
      let place = folder.name.isEmpty ? path : "\(path)/\(folder.name)"
      for name in try names(in: place) where !name.hasPrefix(".") {
        let relative = folder.name.isEmpty ? name : "\(folder.name)/\(name)"
        if isFolder("\(path)/\(relative)") {
          if folder.depth > 0 { folders.append((relative, folder.depth - 1)) }
        } else if isRegular("\(path)/\(relative)") {
          files.append(relative)
        }
      }
      guard files.count <= limit, folders.count <= limit else {
        throw TraceError(
          place: path, expected: "at most \(limit) files in a recording's folder", found: "more",
          remedy: "pass the folder of one recording")
      }
    }
    return files.sorted()
  }

  private static func names(in path: String) throws(TraceError) -> [String] {
    guard let folder = opendir(path) else {
      throw systemError(path, expected: "a readable folder", remedy: "check the path")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
        ) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// A pipe in a folder is not a recording, and opening it would wait for a writer.
  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// Closes a descriptor that has no other owner.
func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}

/// The state of an open file, to detect changes.
private struct FileFacts: Equatable {
  var size: Int
  var isRegular: Bool
  private var seconds: Int
  private var nanoseconds: Int

  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }
}

/// An unnamed file in the folder for temporary files, which ends with the process.
final class TemporaryFile: Sendable {
  private let descriptor: Int32

  /// - Throws: kind `.inputOutput` if the file cannot be created.
  init() throws(TraceError) {
    // The content may be larger than a /tmp in memory.
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var path = Array("\(folder)/shadowbox-XXXXXX".utf8CString)
    descriptor = path.withUnsafeMutableBufferPointer { template in
      template.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else {
      throw systemError(
        folder, expected: "to create a temporary file",
        remedy: "set TMPDIR to another folder")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = path.withUnsafeBufferPointer { name in name.baseAddress.map { unlink($0) } }
  }

  deinit {
    _ = close(descriptor)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(TraceError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        retried {
          pwrite(
            descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written,
            off_t(offset + written))
        }
      }
      guard count > 0 else {
        throw systemError(
          "the temporary file", expected: "to write it",
          remedy: "set TMPDIR to a folder with more space")
      }
      written += count
    }
  }

  /// Fills `buffer`; returns the error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> TraceError? {
    var done = 0
    while done < buffer.count {
      let count = retried {
        pread(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
      guard count > 0 else {
        return systemError("the temporary file", expected: "to read it back")
      }
      done += count
    }
    return nil
  }
}

/// A file that appears under its name only when it is complete: it is written next to it, then
/// renamed.
///
/// Until ``commit()`` succeeds, an old file stays unchanged, and the new one is listed in
/// `PartialFiles`. A file that is not committed is removed.
package final class AtomicFile {
  private let path: String
  private let partial: PartialFile
  private var buffer: [UInt8] = []
  private static let flushSize = 1 << 18

  package convenience init(path: String) throws(TraceError) {
    try self.init(path: path) { () throws(HDF5Error) in try PartialFile(beside: path) }
  }

  /// - Parameter temporaryPath: the file for the bytes until all are written.
  convenience init(path: String, temporaryPath: String) throws(TraceError) {
    try self.init(path: path) { () throws(HDF5Error) in
      try PartialFile(target: path, at: temporaryPath)
    }
  }

  private init(
    path: String, _ partial: () throws(HDF5Error) -> PartialFile
  ) throws(TraceError) {
    try checkPath(path)
    self.path = path
    do throws(HDF5Error) {
      self.partial = try partial()
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to create the file", found: "\"\(error.reason)\"",
        remedy: "check that its folder is writable")
    }
  }

  package func write(_ text: String) throws(TraceError) {
    try write(bytes: text.utf8)
  }

  package func write(bytes: some Sequence<UInt8>) throws(TraceError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= AtomicFile.flushSize { try flush() }
  }

  /// Writes the remaining bytes and forces them to the disk; ``commit()`` then only renames the
  /// file. Any of these steps may report a full disk, so each is checked.
  package func finish() throws(TraceError) {
    try flush()
    let descriptor = partial.descriptor
    guard retried({ fsync(descriptor) }) == 0 || errno == EINVAL else {
      throw writeError(String(cString: strerror(errno)))
    }
  }

  /// Finishes the file and puts it in its place.
  package func commit() throws(TraceError) {
    try finish()
    do throws(HDF5Error) { try partial.commit() } catch { throw writeError(error.reason) }
  }

  private func flush() throws(TraceError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        return retried { writeBytes(partial.descriptor, rest) }
      }
      guard count > 0 else { throw writeError(String(cString: strerror(errno))) }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeError(_ reason: String) -> TraceError {
    TraceError(
      .inputOutput, place: path, expected: "to write the file", found: "\"\(reason)\"",
      remedy: "check the path and the free disk space")
  }
}

/// A lock that one program at a time holds, by a file that stays.
package enum FileLock {
  /// Tries, 10 ms apart.
  private static let tries = 500

  /// Runs `body` while nobody else holds the lock, which ends with the program however that ends.
  /// - Throws: what `body` throws; kind `.inputOutput` if the file cannot be made, or others keep the
  ///   lock for 5 s.
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
    defer { _ = close(descriptor) }
    for _ in 0..<tries {
      if retried({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return try body() }
      guard errno == EWOULDBLOCK else {
        throw systemError(
          path, expected: "a lock on the file", remedy: "use a file system that has locks")
      }
      poll(nil, 0, 10)
    }
    throw systemError(
      path, expected: "a lock on the file", remedy: "end the program that keeps it")
  }
}

/// Repeats a call that a signal interrupted.
private func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

// Free functions, because inside the classes the names would call the methods.
private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// A NUL would end the C string early and open another file.
private func checkPath(_ path: String) throws(TraceError) {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw TraceError(
      .inputOutput, place: Excerpt.of(path), expected: "a file name",
      found: path.isEmpty ? "an empty one" : "a NUL character in it")
  }
}

private func systemError(_ path: String, expected: String, remedy: String = "") -> TraceError {
  let reason = String(cString: strerror(errno))
  return TraceError(
    .inputOutput, place: path, expected: expected, found: "\"\(reason)\"", remedy: remedy)
}
