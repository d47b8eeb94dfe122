public import AppEngines
public import TicTacToeApp
import Foundation
import Secrets

/// Accounts of Tic Chat Toe on a phone: what to send instead of a password.
///
/// A password never leaves the phone. The phone derives a verifier from it with scrypt (RFC 7914) and
/// a salt, sends that, and needs the salt again to log in:
///
/// ```swift
/// let accounts = AccountPhone()
/// // To register:
/// try phone.handle(accounts.registration(name: "Ann", password: "…"), at: now, into: &effects)
/// // To log in, first ask for the salt, then use the one of the answer:
/// try phone.handle(accounts.saltRequest(for: "Ann"), at: now, into: &effects)
/// // … `.answer(.salt(let salt), to: .salt(of: "Ann"))` …
/// try phone.handle(
///   accounts.login(name: "Ann", password: "…", salt: salt), at: now, into: &effects)
/// ```
///
/// Each derivation takes a fraction of a second on purpose: do it outside of the main thread.
/// ``AccountServer`` is the other side.
public struct AccountPhone: Sendable {
  private let cost: Secrets.PasswordVerifier.Cost

  public init() { cost = .standard }

  init(cost: Secrets.PasswordVerifier.Cost) { self.cost = cost }

  /// Returns the input that registers a person, with a fresh random salt.
  /// - Parameters:
  ///   - password: counts in its composed form (NFC), as OpaqueString of RFC 8265 does, so that
  ///     different keyboards give the same. If it is empty, the engine refuses the input's request.
  ///   - picture: a reference; nil = none.
  /// - Throws: a refusal, if the password is longer than 1024 bytes, or if the system has no random
  ///   bytes or not enough memory.
  public func registration(
    name: String, password: String, picture: String? = nil
  ) throws(Refusal) -> TicTacToeClient.Input {
    let salt = AccountSalt(
      cost: cost, random: try secret { try SecureRandom.bytes(AccountSalt.randomCount) })
    return .register(
      name: name, try verifier(of: password, salt), salt: salt.bytes, picture: picture)
  }

  /// Returns the input that asks for the salt of a name: the first step of a login.
  public func saltRequest(for name: String) -> TicTacToeClient.Input { .ask(.salt(of: name)) }

  /// Returns the input that logs in: the second step.
  /// - Parameter salt: the server's answer to ``saltRequest(for:)``.
  /// - Throws: a refusal, as for ``registration(name:password:picture:)``; also for a salt that no phone has
  ///   made, or that would make the password easier to guess.
  public func login(
    name: String, password: String, salt: [UInt8]
  ) throws(Refusal) -> TicTacToeClient.Input {
    guard let salt = AccountSalt(salt), salt.isAtLeast(cost) else {
      throw Refusal("bad-salt", "the server has sent no usable salt; update the app")
    }
    return .logIn(name: name, try verifier(of: password, salt))
  }

  private func verifier(
    of password: String, _ salt: AccountSalt
  ) throws(Refusal) -> TicTacToeApp.PasswordVerifier {
    let password = password.precomposedStringWithCanonicalMapping
    guard !password.isEmpty else { return TicTacToeApp.PasswordVerifier([]) }
    return TicTacToeApp.PasswordVerifier(
      try secret {
        try Secrets.PasswordVerifier.derive(password, salt: salt.bytes, cost: salt.cost)
      })
  }
}

/// Accounts of Tic Chat Toe on the server: what the engine sees of a request.
///
/// The engine keeps a hash of the verifier that a phone sends. A stolen server state is therefore not
/// enough to log in: that needs the verifier itself, and each guess of a password costs one derivation
/// by scrypt for each person. Session tokens are 128 bits of the system's randomness. Names without an
/// account get a salt too, always the same one, so that a salt does not disclose which names have
/// accounts. A registration does disclose that a name is taken.
public struct AccountServer: Sendable {
  private let decoySecret: [UInt8]
  private let decoyCost: Secrets.PasswordVerifier.Cost

  /// Returns a new secret for ``init(decoySecret:)``: 32 random bytes, to be kept with the state.
  /// - Throws: a refusal, if the system has no random bytes.
  public static func newDecoySecret() throws(Refusal) -> [UInt8] {
    try secret { try SecureRandom.bytes(32) }
  }

  /// - Parameter decoySecret: what ``newDecoySecret()`` has returned once for this server. With
  ///   another one the salts of names without an account change, which discloses them.
  /// - Throws: a refusal, if it has less than 16 bytes.
  public init(decoySecret: [UInt8]) throws(Refusal) {
    try self.init(decoySecret: decoySecret, cost: .standard)
  }

  init(decoySecret: [UInt8], cost: Secrets.PasswordVerifier.Cost) throws(Refusal) {
    guard decoySecret.count >= 16 else {
      throw Refusal("bad-secret", "the secret needs at least 16 random bytes; make a new one")
    }
    (self.decoySecret, decoyCost) = (decoySecret, cost)
  }

  /// Returns the engine's input for a request.
  /// - Parameters:
  ///   - phone: the installation that the transport has authenticated.
  ///   - request: as it arrived.
  /// - Throws: a refusal, if the system has no random bytes. It is the answer to the request.
  public func input(
    from phone: PhoneAddress, _ request: TicTacToeRequest
  ) throws(Refusal) -> TicTacToeServer.Input {
    var request = request
    var decoy: [UInt8] = []
    switch request.call {
    case .register(let name, let verifier, let salt, let picture):
      request.call = .register(name: name, try stored(verifier), salt: salt, picture: picture)
    case .salt(let name): decoy = try decoySalt(of: name)
    case .logIn(let name, let verifier):
      request.call = .logIn(name: name, try stored(verifier))
      decoy = try decoySalt(of: name)
    default: break
    }
    return TicTacToeServer.Input(from: phone, request, token: try newToken(), decoySalt: decoy)
  }

  /// What the engine refuses anyway stays as it is.
  private func stored(
    _ verifier: TicTacToeApp.PasswordVerifier
  ) throws(Refusal) -> TicTacToeApp.PasswordVerifier {
    guard verifier.isValid else { return verifier }
    return TicTacToeApp.PasswordVerifier(
      try secret { try Secrets.PasswordVerifier.hashForStorage(verifier.bytes) })
  }

  private func decoySalt(of name: String) throws(Refusal) -> [UInt8] {
    let random = try secret {
      try Secrets.PasswordVerifier.decoySalt(
        for: TicTacToeServer.key(ofName: name), secret: decoySecret)
    }
    return AccountSalt(cost: decoyCost, random: random).bytes
  }

  private func newToken() throws(Refusal) -> SessionToken {
    let words = try secret { [try SecureRandom.word(), try SecureRandom.word()] }
    return SessionToken(high: words[0], low: words[1])
  }
}

/// The salt of an account, with the cost at which its verifier is derived: log2 of N, r, p, and 16
/// random bytes.
private struct AccountSalt {
  static let randomCount = Secrets.PasswordVerifier.saltLength

  let cost: Secrets.PasswordVerifier.Cost
  let bytes: [UInt8]

  init(cost: Secrets.PasswordVerifier.Cost, random: [UInt8]) {
    self.cost = cost
    bytes = [UInt8(cost.logN), UInt8(cost.r), UInt8(cost.p)] + random
  }

  /// Returns nil if a phone would not have made it.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 3 + Self.randomCount,
      let cost = Secrets.PasswordVerifier.Cost(
        logN: Int(bytes[0]), r: Int(bytes[1]), p: Int(bytes[2]))
    else { return nil }
    (self.cost, self.bytes) = (cost, bytes)
  }

  /// Whether a guess takes as much memory and time as with the cost, at least.
  func isAtLeast(_ other: Secrets.PasswordVerifier.Cost) -> Bool {
    let work = { (cost: Secrets.PasswordVerifier.Cost) in cost.r << cost.logN }
    return work(cost) >= work(other) && work(cost) * cost.p >= work(other) * other.p
  }
}

/// Turns an error of the secrets into a refusal.
private func secret<Value>(_ make: () throws -> Value) throws(Refusal) -> Value {
  do {
    return try make()
  } catch {
    let code = (error as? SecretsError)?.kind == .tooLong ? "long-password" : "no-secret"
    throw Refusal(code, "\(error)")
  }
}
