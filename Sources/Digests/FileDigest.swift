import Diagnostics
import Files
import Foundation

package enum FileDigest {
  /// Whether a path is a regular file, which can be read again and without blocking.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the SHA-256 of a regular file, read in pieces. A pipe would wait for its writer, and a
  /// device may have no end.
  package static func sha256(of path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.fileError, "\(path): cannot be opened: \(String(cString: strerror(errno)))")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        .fileError, "\(path): expected a regular file, found a pipe, a device or similar")
    }
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
