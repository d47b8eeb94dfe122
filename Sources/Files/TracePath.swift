import Diagnostics
package import Foundation

/// What the path of a recording shows without reading the file.
package enum TracePath {
  package static func isFolder(_ path: String) -> Bool { FileFacts(at: path)?.isFolder == true }

  /// The extension in lower case, without the dot.
  package static func ending(of path: String) -> String {
    String(Substring(lastName(path).utf8.dropFirst(stem(of: path).utf8.count + 1))).lowercased()
  }

  /// The last part without its extension.
  package static func stem(of path: String) -> String {
    let name = lastName(path)
    let dot = name.utf8.dropFirst().lastIndex(of: UInt8(ascii: "."))
    return dot.map { String(name[..<$0]) } ?? name
  }

  /// The folder that a path is in, as it is named; `.` for a mere name.
  package static func folder(of path: String) -> String {
    let bytes = path.utf8
    let slash = UInt8(ascii: "/")
    guard let last = bytes.lastIndex(where: { $0 != slash }) else {
      return bytes.isEmpty ? "." : "/"
    }
    guard let before = bytes[...last].lastIndex(of: slash) else { return "." }
    guard let end = bytes[..<before].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(path[...end])
  }

  /// The path of a file in a folder, relative if the folder's is.
  package static func path(of name: String, in folder: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// A path that is also right in another folder. Links and `..` stay, as the system follows them.
  package static func absolute(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "/")
      ? path : self.path(of: path, in: FileManager.default.currentDirectoryPath)
  }

  /// Whether the name is that of a native trace.
  package static func isNative(_ path: String) -> Bool {
    ["h5", "hdf5"].contains(ending(of: path))
  }

  /// Returns an id as a file name: characters that a file name cannot have become dashes.
  package static func fileName(_ id: String) -> String {
    // A slash and a mark above it are one character, but two scalars.
    let scalars = id.unicodeScalars.map { scalar in
      scalar == "/" || scalar == "\0" || Character(scalar).isNewline ? "-" : scalar
    }
    let name = String(String.UnicodeScalarView(scalars))
    return name == "." || name == ".." ? "-" : name
  }

  /// The last part of a path, by bytes.
  package static func lastName(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
  }

  /// The size in bytes; 0 where no file is.
  package static func size(of path: String) -> Int { FileFacts(at: path)?.size ?? 0 }

  package static func exists(_ path: String) -> Bool { FileFacts(at: path) != nil }

  package static func isFile(_ path: String) -> Bool { FileFacts(at: path)?.isRegular == true }

  /// The first part of a relative path that is a link; nil = none is.
  package static func link(in path: String) -> String? {
    guard path.utf8.first != UInt8(ascii: "/") else { return nil }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return parts.indices.lazy.map { parts[...$0].joined(separator: "/") }
      .first { FileFacts(at: $0, followsLink: false)?.isLink == true }
  }

  /// Whether the path itself is a folder, and not a link to one.
  package static func isOwnFolder(_ path: String) -> Bool {
    FileFacts(at: path, followsLink: false)?.isFolder == true
  }

  /// The files that a shell pattern matches, sorted; a relative pattern starts at `folder`.
  /// - Throws: see ``FilePattern``.
  package static func matching(_ pattern: String, in folder: String) throws -> [String] {
    // The folder's own name is no pattern.
    let escaped = folder.replacing(["\\": "\\\\", "*": "\\*", "?": "\\?", "[": "\\["])
    let full = pattern.hasPrefix("/") || folder == "." ? pattern : escaped + "/" + pattern
    var files = FilePattern(full)
    return try files.files()
  }

  /// What a path leads to, if not to a regular file, e.g. `a pipe`. Nil also where there is nothing.
  package static func otherKind(_ path: String) -> String? { FileFacts(at: path)?.otherKind }

  /// Whether a path leads to an open file of a process, as /dev/stdin does.
  package static func isOpenStream(_ path: String) -> Bool { isDescriptor(followingLinks(path)) }

  private static func isDescriptor(_ path: String) -> Bool {
    let folder = resolvedPath(folder(of: path))
    return lastName(folder) == "fd" && folder.hasPrefix("/proc/")
  }

  /// Also follows a link to a missing file, but not a link to an open file.
  package static func followingLinks(_ path: String) -> String {
    var current = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard !isDescriptor(current),
        let next = try? FileManager.default.destinationOfSymbolicLink(atPath: current)
      else { return current }
      current =
        next.hasPrefix("/") || folder(of: current) == "."
        ? next : self.path(of: next, in: folder(of: current))
    }
    return current
  }

  /// Returns the paths, with each folder replaced by the native traces in it and in folders below, sorted
  /// by name.
  /// - Parameter report: takes a message about each link to a folder, and about each name that is no
  ///   regular file; both are left out, these unless there are no others.
  /// - Throws: if a folder has no native trace, or too many names.
  package static func nativeTraces(
    _ paths: [String], _ report: (String) -> Void
  ) throws -> [String] {
    var searched = ReaderBudget.Names()
    return try paths.flatMap { path in
      guard isFolder(path) else { return [path] }
      let found = try traces(in: path, depth: 0, &searched, report)
      let others = found.compactMap { file in otherKind(file).map { (file, $0) } }
      let isUsed = others.count < found.count
      if isUsed { for (file, kind) in others { report("skipped \(file), which is \(kind)") } }
      let files = isUsed ? found.filter { otherKind($0) == nil } : found
      guard !files.isEmpty else {
        throw Failure(
          .badData,
          "\(path): expected native traces (.h5) in the folder, found none; convert other "
            + "recordings with convert")
      }
      return files
    }
  }

  /// The number of levels below a folder of recordings that are searched.
  package static let deepestFolder = 6

  private static func traces(
    in folder: String, depth: Int, _ searched: inout ReaderBudget.Names,
    _ report: (String) -> Void
  ) throws -> [String] {
    let names = try FolderListing.names(in: folder) ?? []
    try searched.add(names.count, in: folder)
    return try names.sorted().flatMap { name -> [String] in
      let path = path(of: name, in: folder)
      guard isFolder(path) else { return isNative(name) ? [path] : [] }
      guard isOwnFolder(path) else {
        report("skipped \(path), which is a link to a folder")
        return []
      }
      return depth < deepestFolder
        ? try traces(in: path, depth: depth + 1, &searched, report) : []
    }
  }
}

/// The URL of a path, which may begin with `~`: Foundation would take that for a home folder.
package func fileURL(_ path: String) -> URL {
  URL(fileURLWithPath: path.hasPrefix("~") ? "./" + path : path)
}
