import Digests
import Evaluation
import Files
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
  /// The folder of recordings may come from a stranger, and git runs programs that the settings of a
  /// repository name. The commit is read without git. Git compares the files only where the settings are
  /// known to be harmless, with a copy of the index; otherwise the commit ends in `-unchecked`.
  static func commit(near path: String) -> String {
    let folder = TracePath.isFolder(path) ? path : TracePath.folder(of: path)
    guard let repository = DataRepository(around: folder), let commit = repository.commit else {
      return ""
    }
    guard let copy = repository.copy(for: commit) else { return commit + "-unchecked" }
    func names(_ words: [String]) -> Set<Substring>? {
      let answer = try? GitRepository.run(
        ["--git-dir=\(copy.path)", "--work-tree=\(repository.top)"] + words, in: "/",
        variables: [
          "GIT_OBJECT_DIRECTORY": repository.common + "/objects", "GIT_ALLOC_LIMIT": "256m",
        ], limit: .seconds(5))
      guard let answer, answer.status == 0 else { return nil }
      return Set(answer.output.split(separator: "\0"))
    }
    return withExtendedLifetime(copy) {
      let comparing = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD"]
      guard let different = names(["diff", "--name-only", "-z"] + comparing) else {
        return commit + "-unchecked"
      }
      guard !different.isEmpty else { return commit }
      // Where a filter is named, as Git LFS does, git would have compared what the filter makes of a file.
      let isFiltered = [":(top)", ":(exclude,attr:!filter)", ":(exclude,attr:-filter)"]
      let filtered = names(["ls-files", "-z", "--"] + isFiltered)
      return commit + (filtered.map(different.isSubset) ?? true ? "-unchecked" : "-dirty")
    }
  }
}
