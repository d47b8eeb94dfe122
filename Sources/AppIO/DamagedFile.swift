import Diagnostics
import Files
import Foundation
import TraceModel

/// Keeps damaged files, and those of other versions.
enum DamagedFile {
  /// Renames the file to `<path>.<ending>`, with a number if that name is taken.
  /// - Returns: its new path.
  static func setAside(
    _ path: String, ending: String = "damaged"
  ) throws(TraceError) -> String {
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
        found: "\(reason(of: error))", remedy: "check that its folder is writable")
    }
    return aside
  }
}
