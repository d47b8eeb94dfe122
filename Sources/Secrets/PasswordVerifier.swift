/// What a server keeps instead of a password: a salted scrypt hash (RFC 7914), with its parameters.
///
/// Its text is `scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base64url. A password counts as its
/// UTF-8 bytes; an app that wants equal looks to be equal normalises it first.
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
    /// The largest memory in bytes: nobody can make a server use more with a text.
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

  /// Hashes a new password with a random salt. It takes a fraction of a second by intention.
  /// - Throws: if the password is empty or longer than ``passwordLimit`` bytes, or without randomness.
  package init(of password: String, cost: Cost = .standard) throws(SecretsError) {
    let bytes = try PasswordVerifier.bytes(of: password)
    guard !bytes.isEmpty else {
      throw SecretsError(.malformed, "expected a password, found none; choose one")
    }
    self.cost = cost
    salt = try SecureRandom.bytes(PasswordVerifier.saltLength)
    hash = try PasswordVerifier.hash(bytes, salt, cost)
  }

  /// Reads what ``description`` writes.
  /// - Throws: with the part that is wrong. The parts themselves are not repeated.
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

  /// Whether this is the password. The time does not depend on how much of it is right.
  /// - Throws: if there is not enough memory. A password that is too long is wrong.
  package func matches(_ password: String) throws(SecretsError) -> Bool {
    guard password.utf8.count <= PasswordVerifier.passwordLimit else { return false }
    let found = try PasswordVerifier.hash(Array(password.utf8), salt, cost)
    return Primitives.areEqual(found, hash)
  }

  // MARK: Passwords that the server never sees

  /// The number of bytes that ``derive(_:salt:cost:)`` returns.
  package static let derivedLength = hashLength

  /// Returns what a phone sends instead of a password: 32 bytes by scrypt. Equal arguments give equal
  /// bytes. It takes a fraction of a second by intention.
  /// - Throws: if the password is empty or longer than ``passwordLimit`` bytes, or without memory.
  package static func derive(
    _ password: String, salt: [UInt8], cost: Cost = .standard
  ) throws(SecretsError) -> [UInt8] {
    let bytes = try bytes(of: password)
    guard !bytes.isEmpty else {
      throw SecretsError(.malformed, "expected a password, found none; choose one")
    }
    return try hash(bytes, salt, cost)
  }

  /// Returns what a server keeps of bytes that ``derive(_:salt:cost:)`` returned: 32 bytes from which
  /// nobody computes them. It is quick, because whoever guesses passwords has to derive first.
  package static func hashForStorage(_ derived: [UInt8]) throws(SecretsError) -> [UInt8] {
    try Primitives.derive(
      hashLength, from: derived, salt: [], info: Array("shadowbox stored verifier".utf8))
  }

  /// Returns bytes that belong to a name and look random to whoever does not know the secret.
  /// - Parameter secret: at least 16 random bytes.
  package static func decoySalt(
    for name: String, secret: [UInt8]
  ) throws(SecretsError) -> [UInt8] {
    try Primitives.derive(
      saltLength, from: secret, salt: [], info: Array("shadowbox decoy salt \(name)".utf8))
  }

  private static func bytes(of password: String) throws(SecretsError) -> [UInt8] {
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
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    func number(_ part: Substring, _ name: String) -> Int? {
      guard part.hasPrefix(name) else { return nil }
      let digits = part.dropFirst(name.utf8.count)
      guard (1...2).contains(digits.utf8.count), digits.first != "0",
        digits.utf8.allSatisfy({ (48...57).contains($0) })
      else { return nil }
      return Int(digits)
    }
    guard let logN = number(parts[0], "ln="), let r = number(parts[1], "r="),
      let p = number(parts[2], "p=")
    else { return nil }
    return Cost(logN: logN, r: r, p: p)
  }
}
