import Digests
package import Evaluation

extension SuiteLog {
  /// The SHA-256 of the log of all runs, in hexadecimal.
  package static func sha256(_ output: SuiteRunner.Output) -> String {
    let digest = SHA256Digest()
    for text in texts(output) { digest.update(text) }
    return digest.finish()
  }
}
