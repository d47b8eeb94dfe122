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
      guard let names = names(in: place) else {
        throw systemError(place, expected: "a readable folder", remedy: "check the path")
      }
      for name in names where !name.hasPrefix(".") {
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

  /// Returns the names in one folder; nil = it cannot be read, see `errno`.
  static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
        ) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }
}
