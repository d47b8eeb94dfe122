import Diagnostics
import Files
import Foundation

/// A git repository that may come from a stranger: a few of its files, read without git.
///
/// Only regular files of this user or of root are read, or of the owner of a folder that this user has
/// named as safe. No link is followed out of the repository, and files that are too large count as
/// missing.
struct DataRepository {
  /// The folder of the checkout.
  let top: String
  /// The folder of the checkout's own `HEAD` and index, and the one that all work trees share.
  let folder, common: String
  private let owners: Set<uid_t>

  /// Finds the repository of a folder. A bare one, a link and that of another user count as none.
  init?(around place: String, safe: @autoclosure () -> [String] = UserSettings.safeFolders) {
    var top = resolvedPath(place)
    while lstat(of: Self.join(top, ".git")) == nil {
      guard top != "/", top.utf8.first == UInt8(ascii: "/") else { return nil }
      top = GitRepository.parent(of: top)
    }
    let git = Self.join(top, ".git")
    var owners: Set<uid_t> = [0, geteuid()]
    if let owner = lstat(of: top)?.st_uid, !owners.contains(owner) {
      let safe = safe()
      guard
        safe.contains(where: { $0 == "*" || resolvedPath($0).utf8.elementsEqual(top.utf8) })
      else { return nil }
      owners.insert(owner)
    }
    (self.top, self.owners) = (top, owners)
    if Self.isOwn(git, S_IFDIR, owners) {
      folder = git
    } else {
      // That of a further work tree or of a submodule.
      guard let line = Self.text(of: git, within: top, owners),
        line.utf8.starts(with: "gitdir: ".utf8),
        let named = Self.folder(Substring(line.utf8.dropFirst(8)), from: top, owners)
      else { return nil }
      folder = named
    }
    if let line = Self.text(of: Self.join(folder, "commondir"), within: folder, owners) {
      guard let named = Self.folder(line[...], from: folder, owners) else { return nil }
      common = named
    } else {
      common = folder
    }
  }

  /// The name of the commit that is checked out; nil = none, or one that only git finds.
  var commit: String? {
    var name = "HEAD"
    for _ in 0..<5 {
      let own = name == "HEAD" ? folder : common
      guard let line = Self.text(of: Self.join(own, name), within: own, owners) else {
        return packed(name)
      }
      if Self.isCommit(line) { return line }
      name = String(Substring(line.utf8.dropFirst(5)))
      let parts = Array(name.utf8)
        .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      guard line.utf8.starts(with: "ref: refs/".utf8),
        !parts.contains(where: { $0.isEmpty || $0.elementsEqual("..".utf8) })
      else { return nil }
    }
    return nil
  }

  /// The commit of a branch in `packed-refs`.
  private func packed(_ name: String) -> String? {
    guard
      let bytes = Self.bytes(
        of: Self.join(common, "packed-refs"), within: common, owners, limit: 16 << 20),
      let place = bytes.range(of: Data(" \(name)\n".utf8))
    else { return nil }
    let start = bytes[..<place.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let commit = String(decoding: bytes[start..<place.lowerBound], as: UTF8.self)
    return Self.isCommit(commit) ? commit : nil
  }

  /// What git needs to compare the files with a commit, in a folder that is not the repository's: git
  /// writes an index again after it has compared files that were touched, and marks a shared one as used.
  /// nil = git must not look, or a file is no regular one of the repository's, or too large.
  func copy(for commit: String) -> TemporaryFolder? {
    let index = Self.join(folder, "index")
    let attributes = Self.join(common, "info/attributes")
    guard let settings = comparingSettings, let facts = lstat(of: index),
      let entries = Self.bytes(of: index, within: folder, owners, limit: 1 << 26),
      let own = lstat(of: attributes) == nil
        ? Data() : Self.bytes(of: attributes, within: common, owners, limit: 1 << 20),
      let copy = try? TemporaryFolder()
    else { return nil }
    for name in ["info", "refs"] { mkdir(copy.path + "/" + name, 0o700) }
    let files = [
      "HEAD": Data("\(commit)\n".utf8), "config": settings, "index": entries,
      "info/attributes": own,
    ]
    for (name, bytes) in files {
      let file = fileURL(copy.path + "/" + name)
      guard (try? bytes.write(to: file)) != nil else { return nil }
    }
    // Git reads files that are not older than the index, whose times may hide a change.
    return utimensat(AT_FDCWD, copy.path + "/index", [facts.st_mtim, facts.st_mtim], 0) == 0
      ? copy : nil
  }

  /// The settings by which files are compared, as this program writes them: git gets no others, so that none
  /// starts a program or names another place. nil = others decide the comparison too (filters, files that
  /// are included), or git might read a line in another way.
  private var comparingSettings: Data? {
    let config = Self.join(common, "config")
    guard lstat(of: Self.join(common, "objects/info/alternates")) == nil,
      let bytes = Self.bytes(of: config, within: common, owners, limit: 1 << 16),
      let kept = settings(in: bytes, includes: { includesNothing($0, from: config) })
    else { return nil }
    return Data((UserSettings.comparing + kept).utf8)
  }

  /// Whether a file that the settings include decides nothing. Those with the credentials of a server do.
  private func includesNothing(_ name: String, from config: String) -> Bool {
    let path = name.utf8.first == UInt8(ascii: "/") ? name : Self.join(common, name)
    guard name.wholeMatch(of: /[^~"\\;#% \t]+/) != nil else { return false }
    guard let facts = lstat(of: path) else { return true }
    guard [0, geteuid()].contains(facts.st_uid),
      let bytes = Self.bytes(of: path, within: "/", owners, limit: 1 << 16)
    else { return false }
    return settings(in: bytes, includes: { _ in false }) == ""
  }

  private func settings(in bytes: Data, includes: (String) -> Bool) -> String? {
    guard bytes.allSatisfy({ $0 >= 32 || [9, 10].contains($0) }) else { return nil }
    // Bytes as git sees them: no letter is put together with a quotation mark or the end of a line.
    let text = String(decoding: bytes.map { $0 < 128 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    var (section, kept) = ("", "")
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if let header = line.wholeMatch(of: /\[([a-zA-Z0-9-]+)([ \t]+"([^"\\]|\\.)*")?\][ \t]*/) {
        section = header.1.lowercased()
        guard section != "filter" else { return nil }
        continue
      }
      guard !line.hasSuffix("\\"),
        let setting = line.wholeMatch(of: /([a-zA-Z][a-zA-Z0-9-]*)[ \t]*(=[ \t]*(.*))?/)
      else { return nil }
      let name = section + "." + setting.1.lowercased()
      if Self.comparing.contains(name) {
        guard let value = setting.3?.wholeMatch(of: /[a-zA-Z0-9]+/) else { return nil }
        kept += "[\(section)]\n\(setting.1) = \(value.0)\n"
      } else if ["include", "includeif"].contains(section) {
        guard name.hasSuffix(".path"), let value = setting.3, includes(String(value)) else {
          return nil
        }
      } else if name == "core.attributesfile"
        || section == "extensions" && !Self.needless.contains(name)
      {
        return nil
      }
    }
    return kept
  }

  static let comparing: Set<String> = [
    "core.repositoryformatversion", "core.filemode", "core.ignorecase", "core.precomposeunicode",
    "core.symlinks", "core.autocrlf", "core.eol", "core.checkstat", "core.trustctime",
    "extensions.objectformat",
  ]
  /// Extensions that change nothing for a comparison that fetches nothing.
  private static let needless: Set<String> = [
    "extensions.partialclone", "extensions.worktreeconfig", "extensions.preciousobjects",
  ]

  // MARK: Files

  private static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  private static func isCommit(_ text: String) -> Bool {
    let digits = "0123456789abcdef".utf8
    return [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy(digits.contains)
  }

  /// A folder that a file names; nil unless it is a folder of this user.
  private static func folder(
    _ name: Substring, from base: String, _ owners: Set<uid_t>
  ) -> String? {
    let isAbsolute = name.utf8.first == UInt8(ascii: "/")
    let path = resolvedPath(isAbsolute ? String(name) : join(base, String(name)))
    return isOwn(path, S_IFDIR, owners) ? path : nil
  }

  private static func isOwn(_ path: String, _ kind: mode_t, _ owners: Set<uid_t>) -> Bool {
    guard let facts = lstat(of: path) else { return false }
    return facts.st_mode & S_IFMT == kind && owners.contains(facts.st_uid)
  }

  /// A short file, without the white space at its end.
  private static func text(
    of path: String, within folder: String, _ owners: Set<uid_t>
  ) -> String? {
    bytes(of: path, within: folder, owners, limit: 4096).flatMap {
      String(data: $0, encoding: .utf8)
    }?
    .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A regular file within a folder, through no link that leads out of it.
  static func bytes(
    of path: String, within folder: String, _ owners: Set<uid_t>, limit: Int
  ) -> Data? {
    guard GitRepository.path(resolvedPath(path), within: folder) != nil,
      isOwn(path, S_IFREG, owners),
      let descriptor = try? InputDescriptor.regular(path),
      let bytes = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        .read(upToCount: limit + 1) ?? Data(), bytes.count <= limit
    else { return nil }
    return bytes
  }
}

/// What a path itself is, also if it is a link; nil = nothing is there.
func lstat(of path: String) -> stat? {
  var facts = stat()
  return lstat(path, &facts) == 0 ? facts : nil
}
