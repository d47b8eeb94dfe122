/// A random generator with a stream that depends only on its seed, on every machine.
///
/// xoshiro256** seeded by SplitMix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", ACM TOMS 47, 2021). Not for secrets.
///
/// ```swift
/// var (first, second) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
/// first.next() == second.next()  // true
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  public init(seed: UInt64) {
    var mixer = seed
    func next() -> UInt64 {
      mixer &+= 0x9E37_79B9_7F4A_7C15
      var z = mixer
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    state = (next(), next(), next(), next())
  }

  public mutating func next() -> UInt64 {
    func rotated(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
    let result = rotated(state.1 &* 5, 7) &* 9
    let t = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= t
    state.3 = rotated(state.3, 45)
    return result
  }

  /// Uniform in [0, 1), with 53 random bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in [range.lowerBound, range.upperBound).
  public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// Normal with the given mean and standard deviation (Box and Muller; one of the pair is used,
  /// so that the stream holds no hidden state).
  public mutating func normal(mean: Double = 0, standardDeviation: Double = 1) -> Double {
    let radius = (-2 * Math.log(1 - unit())).squareRoot()
    return mean + standardDeviation * radius * Math.cos(2 * .pi * unit())
  }

  /// Returns a generator with an independent stream: additional draws in one part of a scenario do
  /// not change the other parts.
  public mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }

  public static func == (left: SeededGenerator, right: SeededGenerator) -> Bool {
    left.state == right.state
  }
}

#if !hasFeature(Embedded)
  extension SeededGenerator: Codable {
    /// Encodes the four words of the state.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for word in [state.0, state.1, state.2, state.3] { try container.encode(word) }
    }

    /// - Throws: `DecodingError`, also for an all-zero state, which yields only zeros.
    public init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      func word() throws -> UInt64 { try container.decode(UInt64.self) }
      state = (try word(), try word(), try word(), try word())
      guard state != (0, 0, 0, 0) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "expected a generator state, found four zero words")
      }
    }
  }
#endif
