import Foundation
package import TraceModel

/// A file that appears under its name only when it is complete: it is written beside its final path
/// and then renamed.
///
/// Until ``commit()`` succeeds, an existing file stays unchanged, and the new one is listed in
/// `PartialFiles`. A file that is not committed is removed.
package final class AtomicFile {
  private let path: String
  private let partial: PartialFile
  private var buffer: [UInt8] = []
  private static let flushSize = 1 << 18

  /// - Parameter temporaryPath: the file that takes the bytes until all are written; nil = one beside
  ///   the final path.
  package init(path: String, temporaryPath: String? = nil) throws(TraceError) {
    try checkPath(path)
    self.path = path
    do throws(SystemError) {
      if let temporaryPath {
        partial = try PartialFile(target: path, at: temporaryPath)
      } else {
        partial = try PartialFile(beside: path)
      }
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to create the file", found: "\"\(error.reason)\"",
        remedy: "check that its folder is writable")
    }
  }

  /// Writes a whole file.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(TraceError) {
    let file = try AtomicFile(path: path)
    try file.write(bytes: bytes)
    try file.commit()
  }

  package func write(_ text: String) throws(TraceError) {
    var rest = text.utf8[...]
    while !rest.isEmpty {
      try write(bytes: rest.prefix(AtomicFile.flushSize))
      rest = rest.dropFirst(AtomicFile.flushSize)
    }
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
    let isWritten = buffer.withUnsafeBytes { bytes in
      movesAll(bytes.count) { done in
        Foundation.write(
          partial.descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      }
    }
    guard isWritten else { throw writeError(String(cString: strerror(errno))) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeError(_ reason: String) -> TraceError {
    TraceError(
      .inputOutput, place: path, expected: "to write the file", found: "\"\(reason)\"",
      remedy: "check the path and the free disk space")
  }
}
