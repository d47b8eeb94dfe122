import Diagnostics
package import Files
import Foundation
import Synchronization

/// The files that a command writes: checked before the work, then written to temporary files and
/// renamed.
package struct OutputFiles: Sendable {
  /// Whether a file that Shadowbox did not write may be replaced.
  private let replacesOthers: Bool
  private let announce: @Sendable (String) -> Void

  package init(
    replacesOthers: Bool = false, announce: @escaping @Sendable (String) -> Void = { _ in }
  ) { (self.replacesOthers, self.announce) = (replacesOthers, announce) }

  /// Files that a command reads, found by where they lie: no name of an output is compared with all of them.
  package struct Inputs: Sendable {
    private struct Place: Hashable {
      var device: dev_t
      var file: ino_t
    }
    private var files: [Place: String] = [:]

    package init(_ paths: [String]) { for path in paths { insert(path) } }

    package mutating func insert(_ path: String) {
      if let place = Self.place(of: path), files[place] == nil { files[place] = path }
    }

    /// The input that is this file, by any of its names.
    func file(at path: String) -> String? { Self.place(of: path).flatMap { files[$0] } }

    private static func place(of path: String) -> Place? {
      var facts = stat()
      return stat(path, &facts) == 0 ? Place(device: facts.st_dev, file: facts.st_ino) : nil
    }
  }

  /// Returns the file behind symbolic links, because a rename would replace a link.
  /// - Parameter inputs: the files that the command reads and must not overwrite.
  /// - Throws: for a wrong ending, a file that cannot be written, an input, or a file that Shadowbox did not write.
  package func checked(_ path: String, _ kind: OutputKind, inputs: [String] = []) throws -> String {
    try checked(path, kind, inputs: Inputs(inputs))
  }

  /// As above, for many outputs of the same inputs.
  package func checked(_ path: String, _ kind: OutputKind, inputs: Inputs) throws -> String {
    guard !path.isEmpty, !path.hasSuffix("/") else {
      throw Failure(
        .wrongUse,
        "\(path.isEmpty ? "" : path + ": ")expected the name of a file to write, found "
          + (path.isEmpty ? "none" : "that of a folder"))
    }
    try checkFolders(of: path)
    let target = TracePath.followingLinks(path)
    guard !TracePath.isOpenStream(target) else {
      throw Failure(
        .wrongUse,
        "\(path): expected the name of a file to write, found an open stream; name a file")
    }
    if let input = inputs.file(at: target) {
      throw Failure(
        .wrongUse, "\(path): it is also read (\(input)), and would be lost; choose another output")
    }
    try checkLink(path, to: target)
    try Self.checkAccess(to: target, path)
    try Self.checkEnding(of: path, kind)
    try checkKind(of: target, path, kind)
    PartialFile.beforeCommit(of: target) { [replacesOthers] partial in
      // A file may have come to the path since.
      guard replacesOthers || kind.wrote(fileAt: target) else { return false }
      if case .digest = kind.mark { WrittenFiles().add(partial, kind) }
      return true
    }
    return target
  }

  private static func checkEnding(of path: String, _ kind: OutputKind) throws {
    let ending = TracePath.ending(of: path)
    guard !kind.endings.isEmpty, !kind.endings.contains(ending) else { return }
    let endings = kind.endings.map { "." + $0 }
    let list = [endings.dropLast().joined(separator: ", "), endings.last ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " or ")
    throw Failure(
      .wrongUse, "\(path): expected a name that ends in \(list), for \(kind.title)")
  }

  private static func checkAccess(to target: String, _ path: String) throws {
    var facts = stat()
    if stat(target, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      let isFolder = facts.st_mode & S_IFMT == S_IFDIR
      let what = isFolder ? "a folder" : "another kind of file"
      throw Failure(.fileError, "\(path): expected a file to write, found \(what)")
    }
    if access(target, W_OK) != 0, errno != ENOENT {
      let cause = String(cString: strerror(errno))
      throw Failure(.fileError, "\(path): cannot be written to (\(cause)); choose another output")
    }
    // The nearest folder above it that exists.
    let folder = Self.existingFolder(above: target).folder
    guard access(folder, W_OK) == 0 else {
      throw Failure(
        .fileError, "\(path): the folder \(folder) cannot be written to; choose another output")
    }
  }

  /// The outputs of commands that name none.
  package static let defaultResults = "out/results.h5"
  package static let defaultPage = "out/report.html"
  private static let reported = Mutex<Set<String>>([])

  /// A link to a folder leads out of somebody else's folder. Nobody has named the default outputs; for
  /// others, the place is reported once.
  private func checkFolders(of path: String) throws {
    let folder = TracePath.folder(of: path)
    if [Self.defaultResults, Self.defaultPage].contains(path) {
      guard let link = TracePath.link(in: path) else { return }
      throw Failure(
        .wrongUse,
        "\(path): expected no link on the way to a default output, found the link \(link); name the "
          + "file with --output, by another path")
    } else if let link = TracePath.link(in: folder),
      Self.reported.withLock({ $0.insert(folder).inserted })
    {
      announce("\(link) is a link; the files in \(folder) are in \(resolvedPath(folder))")
    }
  }

  /// A link in a folder of somebody else's files would make a file wherever it leads.
  private func checkLink(_ path: String, to target: String) throws {
    var facts = stat()
    guard !replacesOthers, target != path else { return }
    let isMissing = lstat(target, &facts) != 0
    guard isMissing || facts.st_size == 0 else { return }
    throw Failure(
      .wrongUse,
      "\(path): expected no file or a link to one, found a link to \(target), which "
        + "\(isMissing ? "does not exist" : "is empty"); name that file, remove the link, or follow it "
        + "with --force")
  }

  /// Another file may be a recording, or somebody's work of hours.
  private func checkKind(of target: String, _ path: String, _ kind: OutputKind) throws {
    guard !replacesOthers, !kind.wrote(fileAt: target) else { return }
    let written = WrittenFiles()
    var (mine, found) = ("", "another file")
    if case .digest = kind.mark {
      mine = " as a command wrote it"
      found =
        written.obstacle.map {
          "one that is not known: \(written.folder) cannot be used (\($0)); "
            + "set XDG_CACHE_HOME to a folder that can be written to"
        }
        ?? "another file, or one that was changed (digests in \(written.folder))"
    }
    throw Failure(
      .wrongUse,
      "\(path): expected no file or \(kind.title)\(mine), found \(found); choose another output, or "
        + "replace it with --force")
  }

  /// Whether two names lead to one file, which need not exist.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    if stat(left, &one) == 0, stat(right, &other) == 0 {
      return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
    let places = [left, right].map { path in
      let (folder, rest) = existingFolder(above: TracePath.followingLinks(path))
      return Array((resolvedPath(folder) + "/" + rest.joined(separator: "/")).utf8)
    }
    return places[0] == places[1]
  }

  /// The nearest folder above a path that exists, and the names from there.
  private static func existingFolder(above path: String) -> (folder: String, rest: [String]) {
    var (folder, rest) = (TracePath.folder(of: path), [TracePath.lastName(path)])
    while !TracePath.exists(folder), folder != TracePath.folder(of: folder) {
      if TracePath.lastName(folder) != "." { rest.insert(TracePath.lastName(folder), at: 0) }
      folder = TracePath.folder(of: folder)
    }
    return (folder, rest)
  }

  /// Creates the folder of a file, and reports it.
  package func makeParent(of path: String) throws {
    try makeReportedFolder(TracePath.folder(of: path))
  }

  /// Creates a folder for output, and reports it, except the default folder `out`.
  package func makeReportedFolder(_ path: String) throws {
    let isNew = !FileManager.default.fileExists(atPath: path)
    try makeFolder(path)
    if isNew, path != "out" { announce("made folder \(path)") }
  }

  /// Creates a temporary file, to be written in pieces. `commit()` renames it.
  package func created(at path: String) throws -> AtomicFile {
    try makeParent(of: path)
    return try AtomicFile(path: path)
  }

  /// Writes bytes into a file, and makes the folder that it is in.
  package func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try created(at: path)
    try file.write(bytes: bytes)
    try file.commit()
  }

  /// Writes a temporary text file. `commit()` renames it.
  package func prepared(_ text: String, at path: String) throws -> AtomicFile {
    let file = try created(at: path)
    try file.write(text)
    try file.finish()
    return file
  }
}

/// Creates a folder and the folders above it.
package func makeFolder(_ path: String) throws {
  var isFolder: ObjCBool = false
  if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
    guard !TracePath.isOpenStream(path) else {
      throw Failure(
        .wrongUse, "\(path): expected a folder to write into, found an open stream; name a folder")
    }
    throw Failure(
      .fileError, "\(path): expected a folder to write into, found a file; choose another output")
  }
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  } catch {
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    throw Failure(
      .fileError,
      "\(path): cannot create the folder"
        + (cause.map { " (\(String(cString: strerror($0.code.rawValue))))" } ?? "")
        + "; check that the folder above it can be written to")
  }
}
