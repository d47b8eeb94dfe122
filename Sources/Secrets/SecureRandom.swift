private import CCrypto

/// Random bytes of libcrypto's generator (`RAND_bytes`), for keys and tokens. There is no fallback: if
/// the generator fails, so does the call.
package enum SecureRandom {
  /// The largest number of bytes in one call.
  package static let limit = 1 << 20

  /// Returns random bytes.
  /// - Throws: if the count is not in 0...``limit``, or if the generator fails.
  package static func bytes(_ count: Int) throws(SecretsError) -> [UInt8] {
    guard (0...limit).contains(count) else {
      throw SecretsError(.tooLong, "expected 0 to \(limit) random bytes, found \(count)")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    guard count == 0 || RAND_bytes(&bytes, Int32(count)) == 1 else {
      throw SecretsError(.system, "the system has no random bytes; try again")
    }
    return bytes
  }

  /// Returns a token of 128 random bits: 32 lower-case hexadecimal digits.
  package static func token() throws(SecretsError) -> String {
    try bytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns 64 random bits, e.g. for an identity or a seed.
  package static func word() throws(SecretsError) -> UInt64 {
    try bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
