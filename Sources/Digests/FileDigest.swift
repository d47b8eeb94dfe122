import Diagnostics
import Files
import Foundation

package enum FileDigest {
  /// Whether a path is a regular file, which can be read again and without blocking.
  package static func isRegularFile(_ path: String) -> Bool { TracePath.isFile(path) }

  /// Returns the SHA-256 of a regular file, read in pieces.
  package static func sha256(of path: String) throws -> String {
    let handle = FileHandle(
      fileDescriptor: try InputDescriptor.regular(path), closeOnDealloc: true)
    let digest = SHA256Digest()
    do {
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        piece.withUnsafeBytes { digest.update($0) }
      }
    } catch {
      throw Failure(.fileError, "\(path): cannot be read: \(reason(of: error))")
    }
    return digest.finish()
  }
}
