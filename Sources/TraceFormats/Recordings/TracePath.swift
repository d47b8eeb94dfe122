import Diagnostics
import Foundation

/// What the path of a recording says without reading the file.
package enum TracePath {
  package static func isFolder(_ path: String) -> Bool { PathKind(path) == .folder }

  /// In lower case, without the point.
  package static func ending(of path: String) -> String {
    URL(fileURLWithPath: path).pathExtension.lowercased()
  }

  /// Whether the name is that of a native trace.
  package static func isNative(_ path: String) -> Bool {
    ["h5", "hdf5"].contains(ending(of: path))
  }

  /// The files; a folder stands for the native traces in it, sorted by name.
  /// - Throws: if a folder holds no native trace.
  package static func nativeTraces(_ paths: [String]) throws -> [String] {
    try paths.flatMap { path in
      guard isFolder(path) else { return [path] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let traces = names.filter(isNative)
      guard !traces.isEmpty else {
        throw Failure(
          .badData,
          "\(path): expected native traces (.h5) in the folder, found none; convert other "
            + "recordings with convert")
      }
      return traces.sorted().map { URL(fileURLWithPath: path).appending(path: $0).relativePath }
    }
  }
}
