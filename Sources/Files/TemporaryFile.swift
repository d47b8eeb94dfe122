import Foundation
package import TraceModel

/// An unnamed file in the folder for temporary files, which is removed when the process ends.
package final class TemporaryFile: Sendable {
  /// For a child process, which reads from the beginning.
  package let descriptor: Int32

  /// - Throws: kind `.inputOutput` if the file cannot be created.
  package init() throws(TraceError) {
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

  deinit { closeDescriptor(descriptor) }

  package func write(_ bytes: [UInt8], at offset: Int) throws(TraceError) {
    let isWritten = bytes.withUnsafeBytes { buffer in
      movesAll(buffer.count) { done in
        pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
    }
    guard isWritten else {
      throw systemError(
        "the temporary file", expected: "to write it",
        remedy: "set TMPDIR to a folder with more space")
    }
  }

  /// Fills `buffer`; returns the error.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> TraceError? {
    let isRead = movesAll(buffer.count) { done in
      pread(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
    }
    return isRead ? nil : systemError("the temporary file", expected: "to read it back")
  }
}
