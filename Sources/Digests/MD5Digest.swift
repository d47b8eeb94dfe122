private import CCrypto

/// MD5 (RFC 1321) of bytes in memory, to distinguish versions and to detect damage; it is not secure.
///
/// ```swift
/// MD5Digest.hex(of: Array("abc".utf8))  // "900150983cd24fb0d6963f7d28e17f72"
/// ```
package enum MD5Digest {
  /// Returns the digest in lower-case hexadecimal.
  package static func hex(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    precondition(EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil) == 1)
    return hexadecimal(digest)
  }
}

/// Returns two lower-case digits per byte.
func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
