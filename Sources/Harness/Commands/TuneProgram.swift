import Digests
import Foundation
import Evaluation

/// The version of a detector, as part of a cache key.
enum TuneProgram {
  /// The version and the digest of this program; for an `exec:` detector also its name, its version
  /// and the digests of the files that its command line names.
  static func version(of detector: AnyDetector) throws -> String {
    var parts = ["shadowbox \(Harness.version)"]
    if let executable = Bundle.main.executablePath {
      parts.append(try FileDigest.sha256(of: executable))
    }
    if let program = detector.program {
      parts += ["\(program.name) \(program.version)"] + program.files.map(\.sha256)
    }
    return parts.joined(separator: " ")
  }
}
