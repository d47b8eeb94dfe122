/// A salted scrypt hash (RFC 7914) with its parameters, which a server stores instead of a password.
///
/// Its text is `scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base64url. The UTF-8 bytes of a password
/// are hashed; an app may normalise passwords that look equal first.
package struct PasswordVerifier: Hashable, Sendable, CustomStringConvertible {
  /// The cost of one guess.
  package struct Cost: Hashable, Sendable {
    /// log2 of the number of blocks, 10...20.
    package let logN: Int
    /// The size of a block, 1...32.
    package let r: Int
    /// The number of passes, 1...16.
    package let p: Int

    /// 32 MiB and three passes: one of the settings of equal strength in the Password Storage Cheat
    /// Sheet of OWASP (2024).
    package static let standard = Cost(uncheckedLogN: 15, r: 8, p: 3)
    /// The largest memory in bytes that a text can make a server use.
    package static let memoryLimit = 1 << 28

    private init(uncheckedLogN logN: Int, r: Int, p: Int) {
      (self.logN, self.r, self.p) = (logN, r, p)
    }

    /// Returns nil if a number is out of its range, or if the memory is above the limit.
    package init?(logN: Int, r: Int, p: Int) {
      guard (10...20).contains(logN), (1...32).contains(r), (1...16).contains(p),
        128 * r << logN <= Cost.memoryLimit
      else { return nil }
      self.init(uncheckedLogN: logN, r: r, p: p)
    }
  }

  package let cost: Cost
  private let salt: [UInt8]
  private let hash: [UInt8]

  /// The largest number of bytes of a password.
  package static let passwordLimit = 1024
  package static let saltLength = 16
  private static let hashLength = 32

  /// Hashes a new password with a random salt. This is slow by design: a fraction of a second.
  /// - Throws: if the password is empty or longer than ``passwordLimit`` bytes, or if the system has no
  ///   random bytes.
  package init(of password: String, cost: Cost = .standard) throws(SecretsError) {
    let bytes = try PasswordVerifier.bytes(of: password)
    self.cost = cost
    salt = try SecureRandom.bytes(PasswordVerifier.saltLength)
    hash = try PasswordVerifier.hash(bytes, salt, cost)
  }

  /// Parses a ``description``.
  /// - Throws: an error that names the wrong part, but not its content.
  package init(_ text: String) throws(SecretsError) {
    let parts = text.split(separator: "$", maxSplits: 4, omittingEmptySubsequences: false)
    guard text.utf8.count <= 200, parts.count == 4, parts[0] == "scrypt" else {
      throw SecretsError(
        .malformed, "expected scrypt$<parameters>$<salt>$<hash>; set the password again")
    }
    guard let cost = PasswordVerifier.cost(of: parts[1]) else {
      throw SecretsError(
        .malformed, "expected parameters such as ln=15,r=8,p=3; set the password again")
    }
    guard let salt = Base64URL.bytes(of: parts[2]), salt.count == PasswordVerifier.saltLength else {
      throw SecretsError(
        .malformed, "expected a salt of 16 bytes in base64url; set the password again")
    }
    guard let hash = Base64URL.bytes(of: parts[3]), hash.count == PasswordVerifier.hashLength else {
      throw SecretsError(
        .malformed, "expected a hash of 32 bytes in base64url; set the password again")
    }
    (self.cost, self.salt, self.hash) = (cost, salt, hash)
  }

  package var description: String {
    "scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(Base64URL.text(of: salt))$"
      + Base64URL.text(of: hash)
  }

  /// Whether this is the password. The time does not depend on how much of the hash is equal.
  /// - Throws: if there is not enough memory. A password that is too long is wrong.
  package func matches(_ password: String) throws(SecretsError) -> Bool {
    guard password.utf8.count <= PasswordVerifier.passwordLimit else { return false }
    let found = try PasswordVerifier.hash(Array(password.utf8), salt, cost)
    return Primitives.areEqual(found, hash)
  }

  // MARK: Passwords that the server never receives

  /// Returns the 32 bytes (scrypt) that a phone sends instead of a password. Equal arguments give equal
  /// bytes. This is slow by design: a fraction of a second.
  /// - Throws: if the password is empty or longer than ``passwordLimit`` bytes, or without memory.
  package static func derive(
    _ password: String, salt: [UInt8], cost: Cost = .standard
  ) throws(SecretsError) -> [UInt8] {
    try hash(bytes(of: password), salt, cost)
  }

  /// Returns the 32 bytes that a server stores instead of the result of ``derive(_:salt:cost:)``, which
  /// cannot be computed from them. This is quick: a guess of a password has to be derived first.
  package static func hashForStorage(_ derived: [UInt8]) throws(SecretsError) -> [UInt8] {
    try Primitives.derive(
      hashLength, from: derived, salt: [], info: Array("shadowbox stored verifier".utf8))
  }

  /// Returns bytes that depend on a name and look random without the secret.
  /// - Parameter secret: at least 16 random bytes.
  package static func decoySalt(for name: String, secret: [UInt8]) throws(SecretsError) -> [UInt8] {
    try Primitives.derive(
      saltLength, from: secret, salt: [], info: Array("shadowbox decoy salt \(name)".utf8))
  }

  private static func bytes(of password: String) throws(SecretsError) -> [UInt8] {
    guard !password.isEmpty else {
      throw SecretsError(.malformed, "expected a password, found none; choose one")
    }
    guard password.utf8.count <= passwordLimit else {
      throw SecretsError(
        .tooLong, "expected a password of at most \(passwordLimit) bytes; choose a shorter one")
    }
    return Array(password.utf8)
  }

  private static func hash(
    _ password: [UInt8], _ salt: [UInt8], _ cost: Cost
  ) throws(SecretsError) -> [UInt8] {
    try Primitives.scrypt(
      password, salt: salt, logN: cost.logN, r: cost.r, p: cost.p, count: hashLength)
  }

  private static func cost(of text: Substring) -> Cost? {
    let form = /ln=([1-9][0-9]?),r=([1-9][0-9]?),p=([1-9][0-9]?)/
    guard let match = text.wholeMatch(of: form), let logN = Int(match.1), let r = Int(match.2),
      let p = Int(match.3)
    else { return nil }
    return Cost(logN: logN, r: r, p: p)
  }
}
