import Diagnostics
import Foundation

package enum FileDigest {
  /// Returns whether a path is a regular file: it can be read again, and without blocking.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The SHA-256 of a file, read in pieces.
  package static func sha256(of path: String) throws -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(.fileError, "\(path): cannot be opened")
    }
    defer { try? handle.close() }
    let digest = SHA256Digest()
    do {
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        piece.withUnsafeBytes { digest.update($0) }
      }
    } catch {
      throw Failure(.fileError, "\(path): cannot be read: \(error.localizedDescription)")
    }
    return digest.finish()
  }
}
