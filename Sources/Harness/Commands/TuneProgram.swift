import Digests
import Foundation
import Evaluation

/// What a detector's answers follow from besides recording and parameters.
enum TuneProgram {
  /// The version and the digest of this program, and of an `exec:` detector what it says of itself
  /// and the digests of the files that its command line names. What those read in their turn is not
  /// known.
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
