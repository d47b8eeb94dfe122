import Digests
import Files
import Foundation
import TraceModel

/// The digests of the files that commands wrote, by kind, in the user's cache: for kinds of files that have no room
/// for a mark. A copy counts wherever it is; a file that was changed is somebody's work.
///
/// A list has the last ``longest`` files whose digests have one first byte, a million in all. Who loses a list needs
/// `--force` once.
struct WrittenFiles {
  var folder = UserCache.folder() + "/written"
  private static let longest = 4_096

  /// Whether a file is as a command wrote one of that kind.
  func contain(_ path: String, _ kind: OutputKind) -> Bool {
    guard let digest = Self.digest(of: path, kind) else { return false }
    return lines(of: list(of: digest)).contains(digest)
  }

  /// Notes a file that a command wrote, where the cache can be written.
  func add(_ path: String, _ kind: OutputKind) {
    guard let digest = Self.digest(of: path, kind), (try? makeFolder(folder)) != nil else { return }
    chmod(folder, 0o700)
    let list = list(of: digest)
    try? FileLock.holding(folder + "/lock") { () throws(TraceError) in
      let others = lines(of: list).filter { $0 != digest }
      try AtomicFile.write(
        (others.suffix(Self.longest - 1) + [digest]).map { $0 + "\n" }.joined().utf8, to: list)
    }
  }

  /// Why no file can be noted; nil = the lists can be used.
  var obstacle: String? {
    try? makeFolder(folder)
    return access(folder, R_OK | W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private static func digest(of path: String, _ kind: OutputKind) -> String? {
    guard let digest = try? FileDigest.sha256(of: path) else { return nil }
    return SHA256Digest.hex(of: Array("\(kind.title)\n\(digest)".utf8))
  }

  private func list(of digest: String) -> String { "\(folder)/\(digest.prefix(2))" }

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
