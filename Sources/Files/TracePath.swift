import Diagnostics
import Foundation

/// What the path of a recording shows without reading the file.
package enum TracePath {
  package static func isFolder(_ path: String) -> Bool { FileFacts(at: path)?.isFolder == true }

  /// The extension in lower case, without the dot.
  package static func ending(of path: String) -> String {
    URL(fileURLWithPath: path).pathExtension.lowercased()
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
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath()
    return folder.lastPathComponent == "fd" && folder.path.hasPrefix("/proc/")
  }

  /// Also follows a link to a missing file, but not a link to an open file.
  package static func followingLinks(_ path: String) -> String {
    var current = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard !isDescriptor(current),
        let next = try? FileManager.default.destinationOfSymbolicLink(atPath: current)
      else { return current }
      let folder = URL(fileURLWithPath: current).deletingLastPathComponent()
      current = next.hasPrefix("/") ? next : folder.appendingPathComponent(next).path
    }
    return current
  }

  /// Returns the paths, with each folder replaced by the native traces in it, sorted by name.
  /// - Parameter report: takes a message about each name in a folder that is no regular file, and
  ///   that is left out unless there are no others.
  /// - Throws: if a folder has no native trace.
  package static func nativeTraces(
    _ paths: [String], _ report: (String) -> Void
  ) throws -> [String] {
    try paths.flatMap { path in
      guard isFolder(path) else { return [path] }
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      var traces = names.filter(isNative)
      let others = traces.compactMap { name in
        let other = URL(fileURLWithPath: path).appending(path: name).relativePath
        return otherKind(other).map { (name, "skipped \(other), which is \($0)") }
      }
      if others.count < traces.count {
        traces.removeAll(where: Set(others.map(\.0)).contains)
        for (_, message) in others { report(message) }
      }
      guard !traces.isEmpty else {
        throw Failure(
          .badData,
          "\(path): expected native traces (.h5) in the folder, found none; convert other "
            + "recordings with convert")
      }
      return traces.map { URL(fileURLWithPath: path).appending(path: $0).relativePath }
    }
  }
}
