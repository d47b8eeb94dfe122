import ChildProcesses
import Digests
import Evaluation
import Foundation

/// What built the program, and from what.
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

  /// What a detector's results depend on, as part of a cache key: the version and the digest of this
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

  /// The commit that is checked out where the suite lies, with `-dirty` where tracked files differ
  /// from it; empty where there is none.
  static func commit(near path: String) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let words = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=40"]
    let child = try? ChildProcess(
      "/usr/bin/env", words: ["env"] + words + ["--exclude=*"], errors: .null)
    guard let child else { return "" }
    let output = (try? FileHandle(fileDescriptor: child.output).readToEnd()) ?? Data()
    guard child.end(within: nil) == .exited(0) else { return "" }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
