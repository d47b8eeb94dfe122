import Testing

@testable import Secrets

@Suite struct PasswordVerifierTests {
  private func cost() throws -> PasswordVerifier.Cost {
    try #require(PasswordVerifier.Cost(logN: 10, r: 8, p: 1))
  }

  @Test func onlyThePasswordMatches() throws {
    let verifier = try PasswordVerifier(of: "correct horse", cost: cost())
    #expect(try verifier.matches("correct horse"))
    for other in ["", "correct hors", "correct horse ", "Correct horse", "x"] {
      #expect(try !verifier.matches(other))
    }
    #expect(try !verifier.matches(String(repeating: "x", count: 100_000)))
  }

  @Test func theTextHasEverythingAndNotThePassword() throws {
    let verifier = try PasswordVerifier(of: "correct horse", cost: cost())
    let text = verifier.description
    #expect(text.hasPrefix("scrypt$ln=10,r=8,p=1$") && !text.contains("horse"))
    let read = try PasswordVerifier(text)
    #expect(read == verifier)
    #expect(try read.matches("correct horse") && !read.matches("wrong"))
  }

  @Test func equalPasswordsHaveDifferentSalts() throws {
    let one = try PasswordVerifier(of: "same", cost: cost())
    let other = try PasswordVerifier(of: "same", cost: cost())
    #expect(one.description != other.description)
  }

  /// By another program: Python 3.11 hashlib.scrypt(b"correct horse", salt=bytes(range(16)), n=1024,
  /// r=8, p=1, dklen=32), and base64.urlsafe_b64encode of salt and hash without "=".
  @Test func hashesOfAnotherProgramMatch() throws {
    let text =
      "scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$nfkj3u1fRTHCea-fVr03sWV770kp5wLOLoEakziKhqE"
    #expect(try PasswordVerifier(text).matches("correct horse"))
    #expect(try !PasswordVerifier(text).matches("correct house"))
  }

  /// The same values, derived on a phone.
  @Test func derivedBytesAreThoseOfAnotherProgram() throws {
    let salt = [UInt8](0..<16)
    let derived = try PasswordVerifier.derive("correct horse", salt: salt, cost: cost())
    #expect(Base64URL.text(of: derived) == "nfkj3u1fRTHCea-fVr03sWV770kp5wLOLoEakziKhqE")
    #expect(derived.count == 32)
    let others = [
      try PasswordVerifier.derive("correct house", salt: salt, cost: cost()),
      try PasswordVerifier.derive("correct horse", salt: salt.reversed(), cost: cost()),
    ]
    #expect(!others.contains(derived) && others[0] != others[1])
    let cost = try cost()
    #expect(
      kind { () throws(SecretsError) in
        _ = try PasswordVerifier.derive("", salt: salt, cost: cost)
      } == .malformed)
  }

  /// What a server stores of them does not log in: it is hashed once more.
  @Test func whatIsStoredIsNotWhatIsSent() throws {
    let sent = [UInt8](repeating: 3, count: 32)
    let stored = try PasswordVerifier.hashForStorage(sent)
    #expect(stored.count == 32 && stored != sent)
    #expect(try PasswordVerifier.hashForStorage(sent) == stored)
    #expect(try PasswordVerifier.hashForStorage(stored) != stored)
  }

  @Test func aDecoySaltBelongsToItsNameAndSecret() throws {
    let secret = [UInt8](repeating: 5, count: 16)
    let salt = try PasswordVerifier.decoySalt(for: "bob", secret: secret)
    #expect(salt.count == PasswordVerifier.saltLength)
    #expect(try PasswordVerifier.decoySalt(for: "bob", secret: secret) == salt)
    #expect(try PasswordVerifier.decoySalt(for: "bo", secret: secret) != salt)
    let other = [UInt8](repeating: 6, count: 16)
    #expect(try PasswordVerifier.decoySalt(for: "bob", secret: other) != salt)
  }

  @Test func theStandardCostIsWithinTheLimits() throws {
    let standard = PasswordVerifier.Cost.standard
    #expect(
      PasswordVerifier.Cost(logN: standard.logN, r: standard.r, p: standard.p) == standard)
    #expect(try PasswordVerifier(of: "x").description.hasPrefix("scrypt$ln=15,r=8,p=3$"))
    #expect(PasswordVerifier.Cost(logN: 20, r: 32, p: 1) == nil, "4 GiB")
    #expect(PasswordVerifier.Cost(logN: .max, r: .max, p: .max) == nil)
  }

  @Test func impossiblePasswordsAreRefused() throws {
    let cost = try cost()
    #expect(
      kind { () throws(SecretsError) in _ = try PasswordVerifier(of: "", cost: cost) }
        == .malformed)
    let long = String(repeating: "é", count: 513)
    #expect(
      kind { () throws(SecretsError) in _ = try PasswordVerifier(of: long, cost: cost) }
        == .tooLong)
  }

  @Test(arguments: [
    ("", "expected scrypt$"), ("bcrypt$ln=10,r=8,p=1$a$b", "expected scrypt$"),
    ("scrypt$ln=10,r=8,p=1$a", "expected scrypt$"),
    ("scrypt$ln=10,r=8,p=1$a$b$c", "expected scrypt$"),
    ("scrypt$ln=10,r=8$a$b", "expected parameters"),
    ("scrypt$ln=010,r=8,p=1$a$b", "expected parameters"),
    ("scrypt$ln=+9,r=8,p=1$a$b", "expected parameters"),
    ("scrypt$ln=99,r=8,p=1$a$b", "expected parameters"),
    ("scrypt$ln=10,r=8,p=1$a$b", "expected a salt"),
    ("scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$AAEC", "expected a hash"),
    ("scrypt$" + String(repeating: "x", count: 300), "expected scrypt$"),
  ]) func damagedTextsAreTold(text: String, reason: String) {
    do throws(SecretsError) {
      _ = try PasswordVerifier(text)
      Issue.record("was read")
    } catch {
      #expect(error.kind == .malformed && error.reason.hasPrefix(reason), "\(error)")
    }
  }
}
