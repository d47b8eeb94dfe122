import Foundation
package import TraceModel

/// An unnamed file in the folder for temporary files, which ends with the process.
package final class TemporaryFile: Sendable {
  private let descriptor: Int32

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

  deinit {
    closeDescriptor(descriptor)
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws(TraceError) {
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
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> TraceError? {
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
