import Foundation
package import TraceModel

package enum FolderListing {
  /// Returns the paths of the files below `path`, relative and sorted. Hidden files are left out,
  /// and links to folders are not followed, to avoid cycles.
  ///
  /// - Parameters:
  ///   - depth: the number of folder levels to enter.
  ///   - limit: the largest number of files; more throw.
  package static func files(
    below path: String, depth: Int, limit: Int
  ) throws(TraceError) -> [String] {
    var files: [String] = []
    var folders = [(name: "", depth: depth)]
    while let folder = folders.popLast() {
      let place = folder.name.isEmpty ? path : "\(path)/\(folder.name)"
      guard let names = try names(in: place) else {
        throw systemError(place, expected: "a readable folder", remedy: "check the path")
      }
      for name in names {
        let relative = folder.name.isEmpty ? name : "\(folder.name)/\(name)"
        if FileFacts(at: "\(path)/\(relative)", followsLink: false)?.isFolder == true {
          if folder.depth > 0 { folders.append((relative, folder.depth - 1)) }
        } else if FileFacts(at: "\(path)/\(relative)")?.isRegular == true {
          // A pipe is not a recording, and opening it would wait for a writer.
          files.append(relative)
        }
      }
      guard files.count <= limit, folders.count <= limit else {
        throw TraceError(
          place: path, expected: "at most \(limit) files in a recording's folder", found: "more",
          remedy: "pass the folder of one recording")
      }
    }
    return files.sorted()
  }

  /// Returns the names in one folder that count.
  /// - Parameter isWanted: whether a name counts; default: one that is not hidden.
  /// - Throws: if such a name is not UTF-8: as text, several would be one file.
  /// - Returns: nil = the folder cannot be read, see `errno`.
  package static func names(
    in path: String, where isWanted: (String) -> Bool = { !$0.hasPrefix(".") }
  ) throws(TraceError) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let size = MemoryLayout.size(ofValue: entry.pointee.d_name)
      let (text, name) = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: size) {
          (String(cString: $0), String(validatingCString: $0))
        }
      }
      guard isWanted(text) || name == nil && isWanted(text.replacing("\u{FFFD}", with: "?")) else {
        continue
      }
      guard let name else {
        throw TraceError(
          .inputOutput, place: path, expected: "names in UTF-8",
          found: "other bytes (read as \"\(text)\")", remedy: "rename the file")
      }
      names.append(name)
    }
    return names
  }
}
