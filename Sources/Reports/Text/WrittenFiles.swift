import Digests
import Files
import Foundation
import TraceModel

/// The digests of the files that commands wrote, by kind and path, in the user's cache: for kinds of files that have
/// no room for a mark. A file that was changed since is somebody's work.
///
/// A list has the last ``longest`` files whose kinds and paths have one first byte of their digest. Who loses a list
/// needs `--force` once.
struct WrittenFiles {
  var folder = UserCache.folder() + "/written"
  private static let longest = 64

  /// Whether a file is as a command wrote it.
  func contain(_ path: String, _ kind: OutputKind) -> Bool {
    guard let name = Self.name(of: path, kind), let digest = try? FileDigest.sha256(of: path) else {
      return false
    }
    return lines(of: list(of: name)).contains("\(name) \(digest)")
  }

  /// Notes what comes to a path, where the cache can be written. What was there stays noted until then: a
  /// kill in between leaves one or the other.
  /// - Parameter source: the file that has the bytes already; nil = that of the path.
  func add(_ path: String, _ kind: OutputKind, from source: String? = nil) {
    guard let name = Self.name(of: path, kind),
      let digest = try? FileDigest.sha256(of: source ?? path),
      (try? makeFolder(folder)) != nil
    else { return }
    chmod(folder, 0o700)
    let list = list(of: name)
    try? FileLock.holding(folder + "/lock") { () throws(TraceError) in
      let (new, old) = ("\(name) \(digest)", lines(of: list).filter { $0 != "\(name) \(digest)" })
      let before = old.last { $0.hasPrefix(name) }
      let others = old.filter { !$0.hasPrefix(name) } + [before].compactMap(\.self)
      try AtomicFile.write(
        (others.suffix(Self.longest - 1) + [new]).map { $0 + "\n" }.joined().utf8, to: list)
    }
  }

  /// Why no file can be noted; nil = the lists can be used.
  var obstacle: String? {
    try? makeFolder(folder)
    return access(folder, R_OK | W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private static func name(of path: String, _ kind: OutputKind) -> String? {
    guard let folder = realpath(PartialFile.folder(of: path), nil) else { return nil }
    defer { free(folder) }
    let name = TracePath.lastName(path)
    return SHA256Digest.hex(of: Array("\(kind.title)\n\(String(cString: folder))/\(name)".utf8))
  }

  private func list(of name: String) -> String { "\(folder)/\(name.prefix(2))" }

  /// The lines of a list that this user wrote.
  private func lines(of list: String) -> [String] {
    var facts = stat()
    guard lstat(list, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      [0, geteuid()].contains(facts.st_uid),
      let bytes = try? smallFile(list, .cache, mebibytes: 1)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
