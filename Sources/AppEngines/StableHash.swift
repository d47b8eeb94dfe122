/// A hash that is the same in every process and on every machine, for draws that depend only on
/// what they are about. Not for secrets.
///
/// Each word is mixed in by the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014), texts by FNV-1a of their UTF-8 bytes (Fowler,
/// Noll and Vo, RFC 9923).
public struct StableHash: Hashable, Sendable {
  public let value: UInt64

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  public init(seed: UInt64) { value = seed }

  /// Returns the hash with another word mixed in. The order of the words matters.
  public func with(_ word: UInt64) -> StableHash {
    StableHash(seed: StableHash.mixed((value ^ word) &+ StableHash.step))
  }

  public func with(_ number: Int) -> StableHash { with(UInt64(bitPattern: Int64(number))) }

  /// Returns the hash with a text mixed in. O(n) for n bytes.
  public func with(_ text: String) -> StableHash { with(StableHash.ofBytes(text.utf8)) }

  /// Returns 64 random bits: the draw with that number, from 0. The draws of one hash are the
  /// stream of SplitMix64 with the hash as its seed.
  public func bits(_ draw: UInt64) -> UInt64 {
    StableHash.mixed(value &+ (draw &+ 1) &* StableHash.step)
  }

  /// Returns a number uniform in [0, 1), with 53 random bits.
  public func unit(_ draw: UInt64) -> Double { Double(bits(draw) >> 11) * 0x1p-53 }

  package static func ofBytes(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
