private import CCrypto

/// Random bytes from the system, by the generator of libcrypto (`RAND_bytes`), for keys and tokens.
///
/// There is no second source: if the generator fails, so does the call.
package enum SecureRandom {
  /// The largest number of bytes in one call.
  package static let limit = 1 << 20

  /// Returns so many random bytes; none for 0.
  /// - Throws: if the number is out of 0...``limit``, or if the system has no randomness.
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
    let digits = Array("0123456789abcdef".utf8)
    let bytes = try bytes(16)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns 64 random bits, e.g. one half of an identity or a seed.
  package static func word() throws(SecretsError) -> UInt64 {
    try bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
