import Diagnostics
import Foundation

/// Folders of other users that this user has named as safe, in Git's own setting `safe.directory`:
/// containers of continuous integration need it. Of the user's settings, nothing else counts.
enum SafeFolders {
  static let named = ofVariables(
    ProcessInfo.processInfo.environment,
    after: values(
      in: files(ProcessInfo.processInfo.environment)
        .filter(FileManager.default.isReadableFile)))

  static func files(_ own: [String: String]) -> [String] {
    let home = own["HOME"] ?? ""
    let global =
      own["GIT_CONFIG_GLOBAL"].map { [$0] }
      ?? [(own["XDG_CONFIG_HOME"] ?? home + "/.config") + "/git/config", home + "/.gitconfig"]
    return (["/etc/gitconfig"] + global).filter { $0.hasPrefix("/") }
  }

  /// Later files add to earlier ones; an empty value takes all before it back. A file counts with those
  /// that it includes.
  static func values(in files: [String]) -> [String] {
    files.reduce(into: []) { named, file in
      let answer = try? GitRepository.run(
        ["config", "--file", file, "--includes", "--null", "--get-all", "safe.directory"], in: "/",
        // Included paths may begin with a tilde.
        variables: ["HOME": ProcessInfo.processInfo.environment["HOME"] ?? "/"],
        limit: .seconds(10))
      let values = answer?.output.split(separator: "\0", omittingEmptySubsequences: false) ?? []
      for value in values.dropLast() { named = value.isEmpty ? [] : named + [String(value)] }
    }
  }

  /// The settings in the variables `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` and so on, which come last.
  static func ofVariables(_ own: [String: String], after named: [String]) -> [String] {
    (0..<max(0, min(Int(own["GIT_CONFIG_COUNT"] ?? "") ?? 0, 1000))).reduce(into: named) {
      guard own["GIT_CONFIG_KEY_\($1)"]?.lowercased() == "safe.directory",
        let value = own["GIT_CONFIG_VALUE_\($1)"]
      else { return }
      $0 = value.isEmpty ? [] : $0 + [value]
    }
  }
}
