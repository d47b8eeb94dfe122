import Diagnostics
import Foundation

/// Native traces as arguments: files, and folders of them.
enum TraceArguments {
  /// The files; a folder stands for the native traces in it, sorted by name.
  /// - Throws: if a folder holds no native trace.
  static func files(_ paths: [String]) throws -> [String] {
    try paths.flatMap { path in
      guard isFolder(path) else { return [path] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let traces = names.filter {
        ["h5", "hdf5"].contains(URL(fileURLWithPath: $0).pathExtension.lowercased())
      }
      guard !traces.isEmpty else {
        throw Failure(
          .badData,
          "\(path): expected native traces (.h5) in the folder, found none; convert other recordings "
            + "with convert")
      }
      return traces.sorted().map { URL(fileURLWithPath: path).appending(path: $0).relativePath }
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
