import Foundation
import TraceModel

/// A file that cannot be used, and must not be lost.
enum DamagedFile {
  /// Renames it to `<path>.damaged`, or with a number where something has that name.
  /// - Returns: its new path.
  static func setAside(_ path: String) throws(TraceError) -> String {
    var aside = path + ".damaged"
    var number = 2
    while FileManager.default.fileExists(atPath: aside) {
      aside = "\(path).damaged-\(number)"
      number += 1
    }
    do {
      try FileManager.default.moveItem(atPath: path, toPath: aside)
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to set the damaged file aside as \(aside)",
        found: "\(error.localizedDescription)", remedy: "check that its folder can be written")
    }
    return aside
  }
}
