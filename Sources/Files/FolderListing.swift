import Foundation
package import TraceModel

/// The kind of file at a path.
package enum PathKind: Equatable {
  case folder
  /// A regular file, or anything that can be read like one.
  case file
  case nothing

  package init(_ path: String) {
    self = FileFacts(at: path).map { $0.isFolder ? .folder : .file } ?? .nothing
  }
}

/// Names in a folder.
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
      for name in try names(in: place) where !name.hasPrefix(".") {
        let relative = folder.name.isEmpty ? name : "\(folder.name)/\(name)"
        if isFolder("\(path)/\(relative)") {
          if folder.depth > 0 { folders.append((relative, folder.depth - 1)) }
        } else if isRegular("\(path)/\(relative)") {
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

  private static func names(in path: String) throws(TraceError) -> [String] {
    guard let folder = opendir(path) else {
      throw systemError(path, expected: "a readable folder", remedy: "check the path")
    }
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

  /// A pipe in a folder is not a recording, and opening it would wait for a writer.
  private static func isRegular(_ path: String) -> Bool { FileFacts(at: path)?.isRegular ?? false }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
