import TestSupport
import Testing
import TraceModel

@testable import TraceFixtures

@Suite struct FixtureNumberTests {
  private func read<Number: FixtureNumber>(_ text: String, as type: Number.Type) throws -> Number {
    var scanner = FixtureScanner(Array(text.utf8), name: "n")
    return try scanner.number("a number", as: type)
  }

  /// Every bit pattern comes back, NaNs too.
  @Test(.longer) func bitPatternsComeBack() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<LongTests.count(quick: 20_000, long: 800_000) {
      let bits = generator.next()
      let (double, float) = (
        Double(bitPattern: bits), Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      )
      var bytes: [UInt8] = []
      double.append(to: &bytes)
      #expect(try read(String(decoding: bytes, as: UTF8.self), as: Double.self).bitPattern == bits)
      bytes = []
      float.append(to: &bytes)
      #expect(
        try read(String(decoding: bytes, as: UTF8.self), as: Float.self).bitPattern
          == float.bitPattern)
    }
  }

  /// Decimals of any length read as the standard library reads them, which rounds once.
  @Test(.longer) func decimalsAreRoundedOnce() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<LongTests.count(quick: 20_000, long: 400_000) {
      let text = Self.decimal(&generator)
      let (double, float) = (try #require(Double(text)), try #require(Float(text)))
      if double.isFinite { #expect(try read(text, as: Double.self) == double, "\(text)") }
      if float.isFinite { #expect(try read(text, as: Float.self) == float, "\(text)") }
    }
  }

  /// One that lies next to the middle of two floats, closer than doubles do: the nearest double is the
  /// middle itself.
  @Test(arguments: [
    "1.00000005960464477539062500000001", "1.0000000596046447753906249999999",
    "16777217.000000000000001", "16777216.9999999999999999", "0.1000000000000000055511151231257827",
    "7.0064923216240853546186479164495e-46", "7.006492321624086e-46", "1.1754942807573643e-38",
  ])
  func middlesAreRoundedOnce(text: String) throws {
    #expect(try read(text, as: Float.self) == Float(text))
  }

  private static func decimal(_ generator: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      let count = Int.random(in: range, using: &generator)
      return (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
    }
    var text = Bool.random(using: &generator) ? "-" : ""
    text += digits(1...Int.random(in: 1...22, using: &generator))
    if Bool.random(using: &generator) {
      text += "." + digits(1...Int.random(in: 1...30, using: &generator))
    }
    if Int.random(in: 0...3, using: &generator) == 0 {
      text += "e\(Int.random(in: -60...60, using: &generator))"
    }
    return text
  }

  @Test(arguments: [
    "", "-", "+1", ".5", "5.", "1e", "1e+", "1e5.", "0x1", "1_0", "1,5", "Nan", "NAN", "infinity",
    "nan:",
    "nan:0", "nan:7f800000", "nan:+7fc00001", "nan:zz", "1e100000", "--1", "1-", "1e400",
  ])
  func otherWordsAreRefused(text: String) {
    #expect(throws: TraceError.self) { try read(text, as: Double.self) }
    #expect(throws: TraceError.self) { try read(text, as: Float.self) }
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("-0", 0), ("007", 7),
  ])
  func integers(text: String, value: Int64) throws {
    var scanner = FixtureScanner(Array(text.utf8), name: "n")
    #expect(try scanner.integer("an integer") == value)
  }

  @Test(arguments: [
    "", "-", "+1", "1.0", "9223372036854775808", "-9223372036854775809", "1a", "--1",
  ])
  func otherIntegersAreRefused(text: String) {
    #expect(throws: TraceError.self) {
      var scanner = FixtureScanner(Array(text.utf8), name: "n")
      _ = try scanner.integer("an integer", as: Int64.self)
    }
  }
}
