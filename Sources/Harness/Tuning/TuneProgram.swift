import Digests
import Foundation

/// What a detector's answers follow from besides recording and parameters.
enum TuneProgram {
  /// The version and the digest of this program, and of an `exec:` detector the digests of the files
  /// that its command line names. What those read in their turn is not known.
  /// - Parameter place: a suite, or any file beside which the program is looked for too.
  static func version(of choice: DetectorChoice, near place: String) throws -> String {
    var parts = ["shadowbox \(Harness.version)"]
    if let executable = Bundle.main.executablePath {
      parts.append(try FileDigest.sha256(of: executable))
    }
    guard ExecCommandLine.isOne(choice.detector) else { return parts.joined(separator: " ") }
    let folder = URL(fileURLWithPath: place).deletingLastPathComponent().path
    let command = try ExecCommandLine(choice.detector, relativeTo: folder)
    let words = [try? command.executable()].compactMap(\.self) + command.words
    for word in words {
      for path in [word, folder + "/" + word] {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
        parts.append(try FileDigest.sha256(of: path))
        break
      }
    }
    return parts.joined(separator: " ")
  }
}
