import Digests
import Evaluation
import Foundation

/// The compiler, and the commit of files.
enum Toolchain {
  static var name: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }

  /// The inputs of a detector's results, as part of a cache key: the version and the digest of this
  /// program; for an `exec:` detector also its name, its version and the digests of the files that
  /// its command line names.
  static func program(of detector: AnyDetector) throws -> String {
    var parts = ["shadowbox \(Harness.version)"]
    if let executable = Bundle.main.executablePath {
      parts.append(try FileDigest.sha256(of: executable))
    }
    if let program = detector.program {
      parts += ["\(program.name) \(program.version)"] + program.files.map(\.sha256)
    }
    return parts.joined(separator: " ")
  }

  /// The commit that is checked out in the folder of a file, with `-dirty` if tracked files differ; empty
  /// = none.
  ///
  /// To compare files, git runs programs that the configuration of a repository names, and a folder of
  /// recordings from a stranger may be such a repository. In that case nothing is compared, and the
  /// commit ends in `-unchecked`.
  static func commit(near path: String) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard let commit = git(["rev-parse", "--verify", "HEAD"], in: folder), commit.status == 0,
      let settings = git(["config", "--show-scope", "--name-only", "--list"], in: folder)
    else { return "" }
    let namesPrograms =
      settings.status != 0
      || settings.output.split(separator: "\n").contains { line in
        let words = line.lowercased().split(separator: "\t")
        return words.count == 2 && ["local", "worktree"].contains(words[0])
          && (words[1].hasPrefix("filter.") || words[1] == "core.fsmonitor")
      }
    guard !namesPrograms else { return commit.output + "-unchecked" }
    let comparison = git(
      ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD"],
      in: folder)
    return commit.output + (comparison?.status == 0 ? "" : "-dirty")
  }

  private static func git(_ words: [String], in folder: String) -> GitRepository.Answer? {
    try? GitRepository.run(words, in: folder, limit: .seconds(60))
  }
}
