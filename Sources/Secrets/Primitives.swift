private import CCrypto

/// The functions of libcrypto for ``ThreadSeal`` and ``PasswordVerifier``.
enum Primitives {
  static let keyLength = 32
  /// The number of bytes that sealing adds.
  static let tagLength = 16
  static let nonceLength = 12

  private static func failed(_ what: String) -> SecretsError {
    ERR_clear_error()
    return SecretsError(.system, "libcrypto cannot \(what)")
  }

  // MARK: X25519 (RFC 7748)

  /// Returns the public key of a private key of 32 bytes.
  static func publicKey(of privateKey: [UInt8]) throws(SecretsError) -> [UInt8] {
    guard privateKey.count == keyLength,
      let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, privateKey, keyLength)
    else { throw failed("read a private key") }
    defer { EVP_PKEY_free(key) }
    var (bytes, count) = ([UInt8](repeating: 0, count: keyLength), keyLength)
    guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == keyLength else {
      throw failed("compute a public key")
    }
    return bytes
  }

  /// Returns the secret that both sides compute.
  /// - Throws: also for a public key of small order, whose secret anybody knows.
  static func sharedSecret(
    _ privateKey: [UInt8], _ publicKey: [UInt8]
  ) throws(SecretsError) -> [UInt8] {
    let weak = SecretsError(.altered, "the public key of the other person is not usable")
    guard publicKey.count == keyLength else { throw weak }
    guard privateKey.count == keyLength,
      let own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, privateKey, keyLength)
    else { throw failed("read a private key") }
    defer { EVP_PKEY_free(own) }
    guard let other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, publicKey, keyLength)
    else { throw failed("read a public key") }
    defer { EVP_PKEY_free(other) }
    guard let context = EVP_PKEY_CTX_new(own, nil) else { throw failed("agree on a key") }
    defer { EVP_PKEY_CTX_free(context) }
    var (secret, count) = ([UInt8](repeating: 0, count: keyLength), keyLength)
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1 else {
      throw failed("agree on a key")
    }
    // With a usable key, this fails only for a secret of zeros.
    guard EVP_PKEY_derive(context, &secret, &count) == 1, count == keyLength,
      secret.contains(where: { $0 != 0 })
    else {
      ERR_clear_error()
      throw weak
    }
    return secret
  }

  // MARK: HKDF with SHA-256 (RFC 5869)

  static func derive(
    _ count: Int, from secret: [UInt8], salt: [UInt8], info: [UInt8]
  ) throws(SecretsError) -> [UInt8] {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
      throw failed("derive a key")
    }
    defer { EVP_PKEY_CTX_free(context) }
    var (bytes, length) = ([UInt8](repeating: 0, count: count), count)
    guard EVP_PKEY_derive_init(context) == 1,
      EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
      EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1,
      EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1,
      EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
      EVP_PKEY_derive(context, &bytes, &length) == 1, length == count
    else { throw failed("derive a key") }
    return bytes
  }

  // MARK: ChaCha20-Poly1305 (RFC 8439)

  /// Returns the ciphertext followed by the tag.
  static func seal(
    _ plain: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]
  ) throws(SecretsError) -> [UInt8] {
    guard key.count == keyLength, nonce.count == nonceLength,
      let context = EVP_CIPHER_CTX_new()
    else { throw failed("seal a message") }
    defer { EVP_CIPHER_CTX_free(context) }
    var count: Int32 = 0
    var sealed = [UInt8](repeating: 0, count: plain.count)
    var tag = [UInt8](repeating: 0, count: tagLength)
    var rest = [UInt8](repeating: 0, count: tagLength)
    guard EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1,
      EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
      EVP_EncryptUpdate(context, &sealed, &count, plain, Int32(plain.count)) == 1,
      EVP_EncryptFinal_ex(context, &rest, &count) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
    else { throw failed("seal a message") }
    return sealed + tag
  }

  /// Returns the plain bytes; nil if anything was altered.
  static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]
  ) throws(SecretsError) -> [UInt8]? {
    guard sealed.count >= tagLength else { return nil }
    guard key.count == keyLength, nonce.count == nonceLength,
      let context = EVP_CIPHER_CTX_new()
    else { throw failed("open a message") }
    defer { EVP_CIPHER_CTX_free(context) }
    let body = Array(sealed.dropLast(tagLength))
    var tag = Array(sealed.suffix(tagLength))
    var count: Int32 = 0
    var plain = [UInt8](repeating: 0, count: body.count)
    var rest = [UInt8](repeating: 0, count: tagLength)
    guard EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1,
      EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
      EVP_DecryptUpdate(context, &plain, &count, body, Int32(body.count)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
    else { throw failed("open a message") }
    return EVP_DecryptFinal_ex(context, &rest, &count) == 1 ? plain : nil
  }

  // MARK: Digests, passwords, comparison

  static func sha256(_ bytes: [UInt8]) throws(SecretsError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else {
      throw failed("compute a digest")
    }
    return digest
  }

  /// scrypt (RFC 7914) with N = 2^logN.
  static func scrypt(
    _ password: [UInt8], salt: [UInt8], logN: Int, r: Int, p: Int, count: Int
  ) throws(SecretsError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    // With a null pointer, which an empty array may be, libcrypto only checks the parameters.
    let bytes = (password.isEmpty ? [0] : password).map { CChar(bitPattern: $0) }
    let salts = salt.isEmpty ? [0] : salt
    let memory = UInt64(1) << UInt64(logN) * UInt64(128 * r) + UInt64(256 * r * p) + (1 << 20)
    let isDone = EVP_PBE_scrypt(
      bytes, password.count, salts, salt.count, UInt64(1) << UInt64(logN), UInt64(r), UInt64(p),
      memory, &key, count)
    guard isDone == 1 else { throw failed("compute scrypt; is there enough memory?") }
    return key
  }

  /// Compares in a time that depends on the lengths alone.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
