package import Foundation
package import Synchronization
package import TraceModel

/// Reads native traces in a process of its own.
///
/// A damaged file can make the HDF5 library write or jump anywhere, or ask for all memory that there
/// is: no check of ours comes before it. So the library reads in a child process, whose memory and
/// time are bounded and which hands over the finished trace; where it dies, the file is told as
/// damaged and the command goes on.
package enum NativeFile {
  /// Whether this program answers ``NativeReaderService/argument``.
  private static let isIsolated = Atomic(false)
  private static let idle = Mutex<[NativeReaderProcess]>([])

  /// Bytes that reading may take, besides 64 for each byte of the file: columns are compressed, and
  /// those that never change by far more.
  package static let memory = 1 << 30

  /// To be called first by the main program. Where it was started to serve readings it does so, and
  /// does not return.
  package static func isolate() {
    if CommandLine.arguments.dropFirst().elementsEqual([NativeReaderService.argument]) {
      NativeReaderService.run()
    }
    isIsolated.store(true, ordering: .relaxed)
  }

  /// - Throws: as `NativeTrace.read`, and kind `.badData` where the library gave way.
  package static func read(_ path: String, memory: Int = memory) throws -> Trace {
    var unread: [String] = []
    return try read(path, unread: &unread, memory: memory)
  }

  /// - Parameters:
  ///   - unread: is set to what the file holds and the trace does not.
  ///   - memory: bytes that reading may take besides 64 for each byte of the file.
  package static func read(
    _ path: String, unread: inout [String], memory: Int = memory
  ) throws -> Trace {
    // Within a program that cannot serve itself: a test, or a package that uses the library.
    guard isIsolated.load(ordering: .relaxed) else {
      return try NativeTrace.read(path, unread: &unread)
    }
    let process = try idle.withLock { $0.popLast() } ?? NativeReaderProcess()
    let (trace, names) = try process.read(path, memory: memory)
    idle.withLock { $0.append(process) }
    unread = names
    return trace
  }
}
