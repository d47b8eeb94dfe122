import Testing

@testable import AppEngines

@Suite struct StableHashTests {
  /// The stream of SplitMix64 from the seed 1234567, as on rosettacode.org/wiki/Pseudo-random_numbers/
  /// Splitmix64.
  @Test func drawsAreThoseOfSplitMix() {
    let hash = StableHash(seed: 1_234_567)
    #expect(
      (0..<5).map { hash.bits($0) } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  /// Test vectors of RFC 9923 for FNV-1a with 64 bits.
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)]) func textsAreHashedByFNV(text: String, hash: UInt64)
  {
    #expect(StableHash.ofBytes(text.utf8) == hash)
  }

  @Test func orderAndContentMatter() {
    func hash(_ words: [UInt64]) -> UInt64 {
      words.reduce(StableHash(seed: 5)) { $0.with($1) }.value
    }
    let lists: [[UInt64]] = [[], [0], [0, 0], [1, 2], [2, 1], [3], [1], [2]]
    #expect(Set(lists.map(hash)).count == lists.count)
  }

  @Test func unitsAreUniform() {
    let draws = (0..<20_000).map { StableHash(seed: $0).unit(0) }
    #expect(draws.allSatisfy { (0..<1).contains($0) })
    // The mean of n uniform draws has a standard deviation of 1 / sqrt(12 n) = 0.002.
    #expect(abs(draws.reduce(0, +) / 20_000 - 0.5) < 0.01)
    for tenth in 0..<10 {
      let share = Double(draws.count { Int($0 * 10) == tenth }) / 20_000
      #expect(abs(share - 0.1) < 0.011)
    }
  }
}
