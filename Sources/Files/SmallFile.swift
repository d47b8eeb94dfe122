import Diagnostics
package import Foundation

/// Returns the bytes of a file; a stream that another program writes is read to its end.
/// - Parameters:
///   - kind: what the file is.
///   - mebibytes: the limit of its size.
package func smallFile(_ path: String, _ kind: InputKind, mebibytes: Int) throws -> Data {
  func unreadable(_ reason: String) -> Failure {
    Failure(.fileError, "\(path): cannot be read as a \(kind.rawValue): \(reason)")
  }
  let descriptor = try InputDescriptor.open(path, .stream)
  guard descriptor >= 0 else { throw unreadable(String(cString: strerror(errno))) }
  let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  defer { try? handle.close() }
  let bytes: Data
  do {
    bytes = try handle.read(upToCount: mebibytes << 20 + 1) ?? Data()
  } catch {
    throw unreadable(reason(of: error))
  }
  guard bytes.count <= mebibytes << 20 else {
    throw Failure(
      .badData,
      "\(path): expected a \(kind.rawValue) of at most \(mebibytes) MiB, found a larger file")
  }
  return bytes
}

/// Returns the bytes of a file without the byte order mark that some editors write before UTF-8.
package func withoutByteOrderMark(_ bytes: Data) -> Data {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : bytes
}
