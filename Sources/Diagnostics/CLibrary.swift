// The modules without Foundation call the C library here. Every Swift program has it.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns a finite number with a fixed count of decimals and a point in any locale.
func formatted(_ value: Double, decimals: Int) -> String {
  // The largest number has 309 digits before the point.
  var text = [CChar](repeating: 0, count: 330 + max(0, decimals))
  let count = withVaList([Int32(clamping: max(0, decimals)), value]) {
    vsnprintf(&text, text.count, "%.*f", $0)
  }
  let digits = text.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }
  let parts = digits.split { !isDigitOrMinus($0) }
  return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
}

/// The decimal point of a locale may have several bytes.
private func isDigitOrMinus(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
}

/// Whether a name matches a shell pattern such as `s0*`, as `fnmatch` without flags does.
package func matches(_ name: String, pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }

/// Returns the path of a file without symbolic links; the path itself if there is no such file.
package func resolvedPath(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Writes all of `text`, and returns the error number where that fails.
func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
