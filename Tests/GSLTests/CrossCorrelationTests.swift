import GSL
import Testing

@Suite struct CrossCorrelationTests {
  /// Against the sums as they are defined.
  @Test(arguments: [(1, 1), (3, 5), (8, 8), (17, 2), (100, 33)])
  func agreesWithItsDefinition(first: Int, second: Int) throws {
    let a = (0..<first).map { Double(($0 * 37 + 11) % 29) - 13 }
    let b = (0..<second).map { Double(($0 * 23 + 5) % 31) - 17 }
    let length = CrossCorrelation.length(for: first, second)
    #expect(length >= first + second)
    let sums = try CrossCorrelation.sums(
      .init(of: a, length: length), .init(of: b, length: length))
    for lag in (1 - second)..<first {
      let expected = b.indices.reduce(0.0) { sum, index in
        a.indices.contains(index + lag) ? sum + a[index + lag] * b[index] : sum
      }
      #expect(abs(sums[lag < 0 ? length + lag : lag] - expected) < 1e-9, "lag \(lag)")
    }
  }

  @Test func refusals() throws {
    #expect(throws: GSLError.self) { try CrossCorrelation.Spectrum(of: [1, 2, 3], length: 2) }
    #expect(throws: GSLError.self) { try CrossCorrelation.Spectrum(of: [1], length: 3) }
    #expect(throws: GSLError.self) { try CrossCorrelation.Spectrum(of: [.nan], length: 4) }
    let (short, long) = (
      try CrossCorrelation.Spectrum(of: [1], length: 2),
      try CrossCorrelation.Spectrum(of: [1], length: 4)
    )
    #expect(throws: GSLError.self) { try CrossCorrelation.sums(short, long) }
  }

  // SciPy: `special.i0e(x)`.
  @Test(arguments: [
    (0.0, 1.0), (1.0, 0.46575960759364043), (-3.5, 0.22280243801077917),
    (5.65326, 0.17196725035090285), (700.0, 0.015081295651531355),
  ])
  func besselFunction(x: Double, expected: Double) {
    #expect(abs(SpecialFunctions.scaledBesselI0(x) - expected) < 1e-14)
  }
}
