import Foundation
package import TraceModel

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
    try self.init(path: path) { () throws(SystemError) in try PartialFile(beside: path) }
  }

  /// - Parameter temporaryPath: the file for the bytes until all are written.
  convenience init(path: String, temporaryPath: String) throws(TraceError) {
    try self.init(path: path) { () throws(SystemError) in
      try PartialFile(target: path, at: temporaryPath)
    }
  }

  private init(
    path: String, _ partial: () throws(SystemError) -> PartialFile
  ) throws(TraceError) {
    try checkPath(path)
    self.path = path
    do throws(SystemError) {
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
    do throws(SystemError) { try partial.commit() } catch { throw writeError(error.reason) }
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
