import Diagnostics
import Foundation

/// Folders of other users that this user has named as safe, in Git's own setting `safe.directory`:
/// containers of continuous integration need it. Of the user's settings, nothing else counts.
enum SafeFolders {
  static let named = values(
    in: files(ProcessInfo.processInfo.environment)
      .filter(FileManager.default.isReadableFile))

  static func files(_ own: [String: String]) -> [String] {
    let home = own["HOME"] ?? ""
    let global =
      own["GIT_CONFIG_GLOBAL"].map { [$0] }
      ?? [(own["XDG_CONFIG_HOME"] ?? home + "/.config") + "/git/config", home + "/.gitconfig"]
    return (["/etc/gitconfig"] + global).filter { $0.hasPrefix("/") }
  }

  /// Later files add to earlier ones; an empty value takes all before it back.
  static func values(in files: [String]) -> [String] {
    files.reduce(into: []) { named, file in
      let answer = try? GitRepository.run(
        ["config", "--file", file, "--null", "--get-all", "safe.directory"], in: "/",
        limit: .seconds(10))
      let values = answer?.output.split(separator: "\0", omittingEmptySubsequences: false) ?? []
      for value in values.dropLast() { named = value.isEmpty ? [] : named + [String(value)] }
    }
  }
}
