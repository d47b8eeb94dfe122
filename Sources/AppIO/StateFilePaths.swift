import Diagnostics
import Files
import Foundation
import TraceModel

/// A file that the app replaces, and those beside it: beside the target of the path, where that is a
/// symbolic link, which stays one.
struct StateFilePaths {
  let newest: String
  var previous: String { newest + ".previous" }
  var lock: String { newest + ".lock" }

  /// Links to follow, as the system does.
  private static let mostLinks = 40

  /// - Throws: if the path is a link without an end.
  init(_ path: String) throws(TraceError) {
    var target = path
    for _ in 0..<Self.mostLinks {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        newest = target
        return
      }
      let folder = TracePath.folder(of: target)
      target = next.hasPrefix("/") ? next : "\(folder)/\(next)"
    }
    throw TraceError(
      .inputOutput, place: path, expected: "a file, or a link to one",
      found: "a link that leads to itself")
  }

  /// Renames a file that cannot be used to `<path>.<ending>`, with a number if that name is taken.
  /// - Returns: its new path.
  static func setAside(_ path: String, ending: String = "damaged") throws(TraceError) -> String {
    var aside = "\(path).\(ending)"
    var number = 2
    while FileManager.default.fileExists(atPath: aside) {
      aside = "\(path).\(ending)-\(number)"
      number += 1
    }
    do {
      try FileManager.default.moveItem(atPath: path, toPath: aside)
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to rename the file to \(aside)",
        found: reason(of: error), remedy: "check that its folder is writable")
    }
    return aside
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Whether files can be made beside the state.
  var isWritable: Bool {
    let folder = TracePath.folder(of: newest)
    return FileManager.default.isWritableFile(atPath: folder)
  }

  /// - Parameter limit: bytes to read at most. A larger file is not a state.
  /// - Throws: if the path is not a file that can be read; a pipe would never end.
  func contents(of path: String, limit: Int = 1 << 30) throws(TraceError) -> [UInt8] {
    do {
      let target = resolvedPath(path)
      let type = try FileManager.default.attributesOfItem(atPath: target)[.type]
      guard type as? FileAttributeType == .typeRegular else { throw POSIXError(.EINVAL) }
      let file = try FileHandle(forReadingFrom: fileURL(target))
      return [UInt8](try file.read(upToCount: limit) ?? Data())
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to read the file", found: reason(of: error))
    }
  }
}
