import Clocks
import Diagnostics
package import Foundation
import Synchronization

/// A folder for temporary files of this program and its children, which only this user can read. It
/// is removed with the object, and when a signal ends the program.
package final class TemporaryFolder: Sendable {
  package let path: String

  private struct Folders {
    var paths: Set<String> = []
    var isOver = false
  }
  private static let existing = Mutex(Folders())
  private static let duty: Void = ExitDuties.add {
    let paths = existing.withLock { folders in
      folders.isOver = true
      return folders.paths
    }
    for path in paths { remove(path) }
  }

  /// - Throws: a file error with the next step if no folder can be created.
  package init() throws {
    _ = Self.duty
    let parent = FileManager.default.temporaryDirectory.path
    // Under the lock, so that a signal finds every folder in the list.
    path = try Self.existing.withLock { folders in
      guard !folders.isOver else { throw Failure(.interrupted, "interrupted") }
      var template = Array("\(parent)/shadowbox-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw Failure(
          .fileError,
          "\(parent): expected a folder for temporary files that can be written to, found "
            + "\"\(String(cString: strerror(errno)))\"; set TMPDIR")
      }
      let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      folders.paths.insert(path)
      return path
    }
  }

  /// Writes a file into the folder, and returns its path.
  /// - Throws: a file error if there is no room.
  package func write(_ bytes: Data, to name: String) throws -> String {
    let file = path + "/" + name
    do {
      try bytes.write(to: fileURL(file))
    } catch {
      throw Failure(
        .fileError,
        "\(file): expected room for temporary files, found \"\(reason(of: error))\"; free some space, or set "
          + "TMPDIR to another folder")
    }
    return file
  }

  deinit {
    Self.remove(path)
    _ = Self.existing.withLock { $0.paths.remove(path) }
  }

  /// Removes a folder. A killed child may still write into it for a moment, so it is tried again.
  package static func remove(_ path: String) {
    for _ in 0..<100 {
      try? FileManager.default.removeItem(atPath: path)
      guard FileManager.default.fileExists(atPath: path) else { return }
      pause(milliseconds: 1)
    }
  }
}
