import Foundation
package import TraceModel

/// Files that are opened to be read. One that is no regular file may have no writer and no end.
package enum InputDescriptor {
  package enum Kind {
    case regular
    /// Also a pipe that another program has opened for this one (`/dev/stdin`, `/dev/fd/63`), and a
    /// device that does not keep a reader waiting, such as `/dev/null`.
    case stream
    /// Also a pipe with a name, whose writer may come later.
    case anyPipe
  }

  /// - Throws: if there is something else than a regular file. What is not there is reported by its
  ///   reader.
  package static func requireRegular(_ path: String) throws(TraceError) {
    guard let found = FileFacts(at: path)?.otherKind else { return }
    throw refusal(path, found)
  }

  /// Opens a file for reading without waiting for another program.
  /// - Returns: a negative number where the file cannot be opened, see `errno`.
  /// - Throws: if it is of another kind. That is known before it is opened, which may have an effect.
  static func open(_ path: String, _ kind: Kind) throws(TraceError) -> Int32 {
    let isStream = kind != .regular && TracePath.isOpenStream(path)
    func check(_ facts: FileFacts?) throws(TraceError) {
      guard let facts, let found = facts.otherKind, !isStream,
        kind == .regular || !facts.isCharacterDevice, kind != .anyPipe || !facts.isPipe
      else { return }
      throw refusal(path, found)
    }
    try check(FileFacts(at: path))
    let waits = kind == .anyPipe && !isStream
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)
    let descriptor = retried { Foundation.open(path, flags) }
    guard descriptor >= 0 else { return descriptor }
    do throws(TraceError) { try check(FileFacts(of: descriptor)) } catch {
      closeDescriptor(descriptor)
      throw error
    }
    // The writer of a stream is there, and may take its time.
    if isStream { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    return descriptor
  }

  /// Opens a regular file.
  /// - Throws: also if it cannot be opened.
  package static func regular(_ path: String) throws(TraceError) -> Int32 {
    let descriptor = try open(path, .regular)
    guard descriptor >= 0 else {
      throw systemError(path, expected: "a readable file", remedy: "check the path")
    }
    return descriptor
  }

  private static func refusal(_ path: String, _ found: String) -> TraceError {
    let isFolder = found == "a folder"
    return TraceError(
      .inputOutput, place: path, expected: isFolder ? "a file" : "a regular file", found: found,
      remedy: isFolder ? "name one of its files" : "write its content to a file first")
  }
}
