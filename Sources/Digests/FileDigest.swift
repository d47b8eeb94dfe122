import Diagnostics
import Foundation

package enum FileDigest {
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
