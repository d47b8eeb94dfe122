import Diagnostics
import Foundation

/// The few of the user's and the system's settings of Git that count.
enum UserSettings {
  /// Folders of other users that this user has named as safe: containers of continuous integration need it.
  static let safeFolders = safeFolders(in: all)
  /// The values by which files are compared, as lines of settings.
  static let comparing = comparing(in: all)

  private static let all =
    settings(
      in: files(ProcessInfo.processInfo.environment)
        .filter(FileManager.default.isReadableFile))
    + ofVariables(ProcessInfo.processInfo.environment)

  struct Setting: Equatable {
    /// In lower case.
    var name: String
    var value: String
  }

  /// An empty value takes all before it back.
  static func safeFolders(in settings: [Setting]) -> [String] {
    settings.filter { $0.name == "safe.directory" }
      .reduce(into: []) { $0 = $1.value.isEmpty ? [] : $0 + [$1.value] }
  }

  static func comparing(in settings: [Setting]) -> String {
    settings.filter {
      $0.name.hasPrefix("core.") && $0.name != "core.repositoryformatversion"
        && DataRepository.comparing.contains($0.name)
        && $0.value.wholeMatch(of: /[a-zA-Z0-9]+/) != nil
    }.map { "[core]\n\($0.name.dropFirst(5)) = \($0.value)\n" }.joined()
  }

  static func files(_ own: [String: String]) -> [String] {
    let home = own["HOME"] ?? ""
    let global =
      own["GIT_CONFIG_GLOBAL"].map { [$0] }
      ?? [(own["XDG_CONFIG_HOME"] ?? home + "/.config") + "/git/config", home + "/.gitconfig"]
    return (["/etc/gitconfig"] + global).filter { $0.hasPrefix("/") }
  }

  /// Later files come later. A file counts with those that it includes.
  static func settings(in files: [String]) -> [Setting] {
    files.flatMap { file -> [Setting] in
      let answer = try? GitRepository.run(
        [
          "config", "--file", file, "--includes", "--null", "--get-regexp",
          "^(safe\\.directory|core\\.[a-z]+)$",
        ], in: "/",
        // Included paths may begin with a tilde.
        variables: ["HOME": ProcessInfo.processInfo.environment["HOME"] ?? "/"], limit: .seconds(5))
      return (answer?.output.split(separator: "\0") ?? []).map { pair in
        let parts = pair.utf8.split(
          separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(Substring(parts[1])) : "true"
        return Setting(name: String(Substring(parts[0])), value: value)
      }
    }
  }

  /// The settings in the variables `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` and so on, which come last.
  static func ofVariables(_ own: [String: String]) -> [Setting] {
    (0..<max(0, min(Int(own["GIT_CONFIG_COUNT"] ?? "") ?? 0, 1000))).compactMap {
      guard let name = own["GIT_CONFIG_KEY_\($0)"]?.lowercased(),
        let value = own["GIT_CONFIG_VALUE_\($0)"]
      else { return nil }
      return Setting(name: name, value: value)
    }
  }
}
