import Foundation
package import TraceModel

/// A reader of HDF5 files other than traces. It runs in the child process if the program registers it
/// with ``NativeFile/isolate(adding:)``.
package struct IsolatedReader<Contents: Codable & Sendable>: Sendable {
  /// Unique within a program.
  package let name: String
  private let body: @Sendable (String) throws(TraceError) -> Contents

  package init(
    _ name: String, _ body: @escaping @Sendable (String) throws(TraceError) -> Contents
  ) { (self.name, self.body) = (name, body) }

  /// - Parameter memory: bytes that reading may take in addition to 64 for each byte of the file.
  /// - Throws: ``TraceError``, as ``NativeFile/read(_:memory:)``.
  package func read(
    _ path: String, memory: Int = NativeFile.memory
  ) throws(TraceError) -> Contents {
    guard let process = try NativeFile.reader() else { return try body(path) }
    return try NativeFile.asked(path, process) {
      try process.contents(of: path, by: name, memory: memory)
    }
  }

  package var child: NativeReaderService.Reader {
    .init(name: name) { [body] in try ReadingReply.encoder.encode(body($0)) }
  }
}
