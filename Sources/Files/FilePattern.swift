import Diagnostics
import Foundation

/// The files that a shell pattern matches. Unlike `glob`, it looks at a limited number of names, and where
/// a wildcard stands for it, follows no link to a folder above the link: it leads in circles. `**` stands for a
/// folder and all below it, without links and hidden ones.
struct FilePattern {
  private let pattern: String
  private var searched = ReaderBudget.Names()

  init(_ pattern: String) { self.pattern = pattern }

  /// Regular files, sorted by their bytes.
  /// - Throws: if the pattern stands for too many names.
  mutating func files() throws -> [String] {
    var found = [pattern.hasPrefix("/") ? "/" : ""]
    let parts = pattern.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    for (index, part) in parts.enumerated() {
      if part == "**" {
        found = try found.flatMap { try folders(from: $0) }
        if index < parts.count - 1 { continue }
      }
      let next = try found.flatMap { try matches(part, in: $0) }
      found = index == parts.count - 1 ? next : next.map { $0 + "/" }
    }
    return found.filter { FileFacts(at: $0)?.isRegular == true }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A folder and all below it, with a slash at their ends.
  private mutating func folders(from folder: String) throws -> [String] {
    var (found, next) = ([folder], 0)
    while next < found.count {
      let folder = found[next]
      try requireOrdinary(folder)
      let names = try FolderListing.names(in: folder.isEmpty ? "." : folder) ?? []
      try searched.add(names.count, in: pattern)
      found += names.map { folder + $0 }.filter(TracePath.isOwnFolder).map { $0 + "/" }
      next += 1
    }
    return found
  }

  private func requireOrdinary(_ folder: String) throws {
    let place = folder.isEmpty ? "." : folder
    guard Self.isOfSystem(place) else { return }
    throw Failure(
      .badData,
      "\(pattern): expected no wildcard in /proc, /sys or /dev, found one in \(place); name the files"
    )
  }

  /// - Parameter folder: with a slash at its end; empty = the working directory.
  private mutating func matches(_ part: String, in folder: String) throws -> [String] {
    guard let name = Self.plain(part) else {
      let place = folder.isEmpty ? "." : folder
      try requireOrdinary(folder)
      var count = 0
      let names = try FolderListing.names(in: place) { name in
        count += 1
        return fnmatch(part, name, FNM_PERIOD) == 0
      }
      try searched.add(count, in: pattern)
      return (names ?? []).map { folder + $0 }
        .filter { !Self.isCircle($0, in: place) }
    }
    return [folder + name]
  }

  /// A part without wildcards, and without its backslashes; nil = it has wildcards.
  private static func plain(_ part: String) -> String? {
    var (name, isEscaped) = ("", false)
    for character in part {
      if !isEscaped, "*?[".contains(character) { return nil }
      isEscaped = !isEscaped && character == "\\"
      if !isEscaped { name.append(character) }
    }
    return name
  }

  private static func isCircle(_ path: String, in folder: String) -> Bool {
    guard TracePath.isFolder(path), !TracePath.isOwnFolder(path) else { return false }
    guard let target = resolved(path), let place = resolved(folder) else { return true }
    return (place + "/").utf8.starts(with: (target == "/" ? "/" : target + "/").utf8)
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Files there are made while they are looked at, without an end.
  private static func isOfSystem(_ folder: String) -> Bool {
    guard let path = resolved(folder) else { return false }
    return ["/proc", "/sys", "/dev"].contains { path == $0 || path.hasPrefix($0 + "/") }
  }
}
