// The only file of the text readers and writers that calls the operating system.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import HDF5
import TraceModel

/// Where bytes come from, a chunk at a time.
protocol ByteInput: AnyObject {
  /// Reads into `buffer` from `start` to its end at most; 0 = no more bytes.
  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int
}

/// A file that is open for reading, until the object goes.
final class InputFile: ByteInput {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(TraceError) {
    try checkPath(path)
    let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw systemError(path, expected: "a readable file", remedy: "check the path")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    _ = close(descriptor)
  }

  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    let descriptor = self.descriptor
    let count = buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return retried { readBytes(descriptor, free) }
    }
    guard count >= 0 else { throw systemError(path, expected: "to read the file") }
    return count
  }
}

/// A file that appears under its name only when it is whole: written beside, then renamed.
///
/// Until ``commit()`` succeeds the old file, if there was one, stays as it was, and the new one is
/// listed among the `PartialFiles`.
final class AtomicFile {
  private let path: String
  private let temporaryPath: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private static let flushSize = 1 << 18

  convenience init(path: String) throws(TraceError) {
    try self.init(path: path, temporaryPath: "\(path).\(getpid()).partial")
  }

  /// - Parameter temporaryPath: where the bytes go until all are written.
  init(path: String, temporaryPath: String) throws(TraceError) {
    try checkPath(path)
    self.path = path
    self.temporaryPath = temporaryPath
    PartialFiles.insert(temporaryPath)
    descriptor = retried { open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw systemError(
        path, expected: "to create the file", remedy: "check that its directory can be written")
    }
  }

  deinit {
    if descriptor >= 0 {
      _ = close(descriptor)
      _ = unlink(temporaryPath)
    }
    PartialFiles.remove(temporaryPath)
  }

  func write(_ text: String) throws(TraceError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= AtomicFile.flushSize { try flush() }
  }

  /// Writes what is left, forces it to the disk and puts the file in its place. A full disk may be
  /// told by any of these steps, so each is checked.
  func commit() throws(TraceError) {
    try flush()
    guard retried({ fsync(descriptor) }) == 0 || errno == EINVAL else { throw writeError() }
    let closing = close(descriptor)
    descriptor = -1
    defer { PartialFiles.remove(temporaryPath) }
    guard closing == 0, rename(temporaryPath, path) == 0 else {
      let error = writeError()
      _ = unlink(temporaryPath)
      throw error
    }
  }

  private func flush() throws(TraceError) {
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        return retried { writeBytes(descriptor, rest) }
      }
      guard count > 0 else { throw writeError() }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeError() -> TraceError {
    systemError(
      path, expected: "to write the file", remedy: "check the path and the free space of the disk")
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

/// A NUL would end the C string early and open another file than the one that was named.
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
