import Foundation

/// The folder of this program in the user's cache.
package enum UserCache {
  /// `$XDG_CACHE_HOME/shadowbox`, or `~/.cache/shadowbox` (XDG Base Directory Specification 0.8:
  /// a relative path in the variable is ignored).
  package static func folder(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/shadowbox" }
    let home =
      environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? FileManager.default.homeDirectoryForCurrentUser.path
    return (home == "/" ? "" : home) + "/.cache/shadowbox"
  }
}
