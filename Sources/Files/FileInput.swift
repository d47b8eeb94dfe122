import Foundation
package import TraceModel

/// A source of bytes, read in chunks.
package protocol ByteInput: AnyObject {
  /// Reads into `buffer` from `start`, at most to its end; returns 0 if there are no more bytes.
  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int

  /// The packed bytes that the bytes read so far come from; nil = they are not packed.
  var packedBytes: Int? { get }
}

extension ByteInput {
  package var packedBytes: Int? { nil }
}

package final class MemoryInput: ByteInput {
  private let bytes: [UInt8]
  private let chunk: Int
  private var position = 0

  package init(_ bytes: [UInt8], chunk: Int) {
    precondition(chunk > 0)
    (self.bytes, self.chunk) = (bytes, chunk)
  }

  package func read(into buffer: inout [UInt8], at start: Int) -> Int {
    let count = min(chunk, buffer.count - start, bytes.count - position)
    for offset in 0..<count { buffer[start + offset] = bytes[position + offset] }
    position += count
    return count
  }
}

/// A file that is open for reading as long as the object exists.
///
/// A regular file is read up to its size at opening; otherwise a program that appends to it could
/// keep the reading from ending. The file must not change meanwhile; otherwise the readings would
/// mix several states. A file that replaces it under its name has no effect.
package final class FileInput: ByteInput {
  private let path: String
  private let descriptor: Int32
  private let beginning: FileFacts
  /// The number of bytes still to be read; nil = until the end, as for a pipe.
  private var rest: Int?

  /// The size at opening.
  package var size: Int { beginning.size }

  package convenience init(
    path: String, _ kind: InputDescriptor.Kind = .stream
  ) throws(TraceError) {
    try checkPath(path)
    try self.init(
      try InputDescriptor.open(path, kind), path, expected: "a readable file",
      remedy: path == "-" ? "name standard input /dev/stdin" : "check the path")
  }

  /// Opens a duplicate of an open descriptor, e.g. a pipe.
  package convenience init(duplicating open: Int32, name: String) throws(TraceError) {
    try self.init(retried { fcntl(open, F_DUPFD_CLOEXEC, 0) }, name, expected: "an open file")
  }

  private init(
    _ descriptor: Int32, _ path: String, expected: String, remedy: String = ""
  ) throws(TraceError) {
    guard descriptor >= 0, let facts = FileFacts(of: descriptor) else {
      throw systemError(path, expected: expected, remedy: remedy)
    }
    (self.path, self.descriptor) = (path, descriptor)
    beginning = facts
    rest = facts.isRegular ? facts.size : nil
  }

  deinit { closeDescriptor(descriptor) }

  package func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    let descriptor = self.descriptor
    let wanted = min(buffer.count - start, rest ?? .max)
    let count = buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + wanted)])
      return retried { Foundation.read(descriptor, free.baseAddress, free.count) }
    }
    guard count >= 0 else { throw systemError(path, expected: "to read the file") }
    if let rest { self.rest = rest - count }
    // This check also precedes the use of the last bytes, which may be half a record.
    if count == 0 || rest == 0 { try requireUnchanged() }
    return count
  }

  /// Returns another descriptor of the open file, for a library that reads it; the caller closes
  /// it.
  package func duplicatedDescriptor() -> Int32 { dup(descriptor) }

  /// - Throws: if the file has changed since it was opened.
  package func requireUnchanged() throws(TraceError) {
    guard beginning.isRegular, let now = FileFacts(of: descriptor), now != beginning else { return }
    throw TraceError(
      .inputOutput, place: path, expected: "a file that does not change while it is read",
      found: now.size == beginning.size
        ? "a file that was written to" : "\(beginning.size) bytes, then \(now.size)",
      remedy: "wait until it is complete, or read a copy")
  }
}
