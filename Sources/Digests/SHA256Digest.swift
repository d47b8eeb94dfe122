private import CCrypto

/// Incremental SHA-256 (OpenSSL's libcrypto).
///
/// ```swift
/// SHA256Digest.hex(of: Array("abc".utf8))
/// // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
/// ```
package final class SHA256Digest {
  private let context: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("libcrypto offers no SHA-256") }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1)
  }

  package func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the digest in lower-case hexadecimal. The object must not be used afterwards.
  package func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    precondition(EVP_DigestFinal_ex(context, &digest, nil) == 1)
    return hexadecimal(digest)
  }

  /// Returns the digest of bytes in memory.
  package static func hex(of bytes: [UInt8]) -> String {
    let digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }
}
