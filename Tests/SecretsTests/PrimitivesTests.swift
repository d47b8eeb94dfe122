import Testing

@testable import Secrets

/// The functions under the seal against the vectors of their standards.
@Suite struct PrimitivesTests {
  /// RFC 7748, section 6.1.
  @Test func keyAgreementIsThatOfTheStandard() throws {
    let alice = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let alicePublic = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let bobPublic = hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    let secret = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(try Primitives.publicKey(of: alice) == alicePublic)
    #expect(try Primitives.publicKey(of: bob) == bobPublic)
    #expect(try Primitives.sharedSecret(alice, bobPublic) == secret)
    #expect(try Primitives.sharedSecret(bob, alicePublic) == secret)
  }

  /// Points of small order would give the secret 0, which everybody knows.
  @Test(arguments: [
    String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ]) func weakKeysAreRefused(text: String) throws {
    let own = try SecureRandom.bytes(32)
    #expect(
      kind { () throws(SecretsError) in _ = try Primitives.sharedSecret(own, hex(text)) }
        == .altered)
    #expect(
      kind { () throws(SecretsError) in _ = try Primitives.sharedSecret(own, [1, 2]) } == .altered)
  }

  /// RFC 5869, appendix A.1.
  @Test func keyDerivationIsThatOfTheStandard() throws {
    let key = try Primitives.derive(
      42, from: [UInt8](repeating: 0x0b, count: 22), salt: hex("000102030405060708090a0b0c"),
      info: hex("f0f1f2f3f4f5f6f7f8f9"))
    #expect(
      key
        == hex(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
  }

  /// RFC 8439, section 2.8.2.
  @Test func sealingIsThatOfTheStandard() throws {
    let plain = Array(
      ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
        + "future, sunscreen would be it.").utf8)
    let key = (0x80...0x9f).map { UInt8($0) }
    let (nonce, header) = (hex("070000004041424344454647"), hex("50515253c0c1c2c3c4c5c6c7"))
    let expected = hex(
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
        + "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
        + "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
        + "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691")
    #expect(try Primitives.seal(plain, key: key, nonce: nonce, header: header) == expected)
    #expect(try Primitives.open(expected, key: key, nonce: nonce, header: header) == plain)
    for index in expected.indices {
      var changed = expected
      changed[index] ^= 1
      #expect(try Primitives.open(changed, key: key, nonce: nonce, header: header) == nil)
    }
    #expect(try Primitives.open([1, 2], key: key, nonce: nonce, header: header) == nil)
  }

  /// RFC 7914, section 12, second and third vector.
  @Test func scryptIsThatOfTheStandard() throws {
    #expect(
      try Primitives.scrypt(
        Array("password".utf8), salt: Array("NaCl".utf8), logN: 10, r: 8, p: 16, count: 64)
        == hex(
          "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"))
    #expect(
      try Primitives.scrypt(
        Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), logN: 14, r: 8, p: 1,
        count: 64)
        == hex(
          "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"))
    // The first vector has neither password nor salt.
    #expect(
      try Primitives.scrypt([], salt: [], logN: 4, r: 1, p: 1, count: 64)
        == hex(
          "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"))
  }

  /// `abc` and the empty text, FIPS 180-4.
  @Test func digestIsThatOfTheStandard() throws {
    #expect(
      try Primitives.sha256(Array("abc".utf8))
        == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }

  @Test func comparisonLooksAtAllBytes() {
    #expect(Primitives.areEqual([1, 2, 3], [1, 2, 3]) && Primitives.areEqual([], []))
    #expect(!Primitives.areEqual([1, 2, 3], [1, 2, 4]) && !Primitives.areEqual([1], [1, 2]))
  }

  // MARK: Randomness

  @Test func tokensDiffer() throws {
    let tokens = try (0..<2000).map { _ in try SecureRandom.token() }
    #expect(Set(tokens).count == 2000)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    // Each of 128 bits is about as often set as not: 1000 ± 7 standard deviations of 22.4.
    let bytes = try (0..<2000).map { _ in try SecureRandom.bytes(16) }
    for bit in 0..<128 {
      let count = bytes.count { $0[bit / 8] >> UInt8(bit % 8) & 1 == 1 }
      #expect((844...1156).contains(count))
    }
  }

  @Test func anImpossibleNumberOfBytesIsRefused() throws {
    #expect(try SecureRandom.bytes(0).isEmpty)
    for count in [-1, SecureRandom.limit + 1, .max, .min] {
      #expect(
        kind { () throws(SecretsError) in _ = try SecureRandom.bytes(count) } == .tooLong)
    }
    #expect(try SecureRandom.word() != SecureRandom.word())
  }

  // MARK: base64url

  /// RFC 4648, section 10, without padding.
  @Test func base64IsThatOfTheStandard() {
    let cases = [
      "": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE",
    ]
    for (plain, text) in cases {
      #expect(Base64URL.text(of: Array(plain.utf8)) == text)
      #expect(Base64URL.bytes(of: text) == Array(plain.utf8))
    }
    #expect(Base64URL.text(of: [0xfb, 0xff]) == "-_8")
    // Not what the encoder writes: padding, other letters, one letter too many, spare bits.
    for text in ["Zg==", "Zm9v+", "Z", "Zm9vY", "Zh", "Zm9", "é"] {
      #expect(Base64URL.bytes(of: text) == nil, "\(text)")
    }
  }
}
