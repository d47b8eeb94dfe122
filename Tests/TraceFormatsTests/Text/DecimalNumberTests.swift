import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct DecimalNumberTests {
  private var rounds: Int { LongTests.count(quick: 20_000, long: 100_000) }

  /// A number as in recordings, spreadsheets and hostile files.
  static func randomNumber(_ generator: inout SeededGenerator) -> String {
    func digits(_ most: UInt64) -> String {
      let count = generator.next() % (most + 1)
      return String((0..<count).map { _ in Character(String(generator.next() % 10)) })
    }
    let most = [UInt64](arrayLiteral: 3, 9, 17, 20, 40)[Int(generator.next() % 5)]
    var whole = digits(most)
    let fraction = digits(most)
    if whole.isEmpty, fraction.isEmpty { whole = "0" }
    var text = ["", "-", "+"][Int(generator.next() % 3)] + whole
    if !fraction.isEmpty || generator.next() % 4 == 0 { text += "." + fraction }
    if generator.next() % 2 == 0 {
      let range: UInt64 = [10, 30, 400][Int(generator.next() % 3)]
      text += ["e", "E"][Int(generator.next() % 2)] + ["", "-", "+"][Int(generator.next() % 3)]
      text += String(generator.next() % range)
    }
    return text
  }

  @Test(.longer) func agreesWithTheStandardLibraryToTheBit() throws {
    let seed: UInt64 = 20_240_607
    var generator = SeededGenerator(seed: seed)
    var fast = 0
    for round in 0..<rounds {
      let text = Self.randomNumber(&generator)
      let expected = try #require(Double(text))
      let found = scanned(text) { NumberText($0, $1) }
      if case .number(let value) = found, value.bitPattern == expected.bitPattern {
        if scanned(text, { DecimalNumber($0, $1)?.double }) != nil { fast += 1 }
      } else {
        Issue.record("seed \(seed) round \(round): \(text) gave \(found)")
        return
      }
    }
    // Both ways must have been taken.
    #expect(fast > rounds * 3 / 10 && fast < rounds * 9 / 10)
  }

  @Test(.longer) func readsBackEveryShortestDecimal() {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for round in 0..<rounds {
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      let double = Double(bitPattern: generator.next())
      guard single.isFinite, double.isFinite else { continue }
      let read = [single.description, double.description].map { text in
        scanned(text) { NumberText($0, $1) }
      }
      guard case .number(let a) = read[0], case .number(let b) = read[1] else {
        Issue.record("seed \(seed) round \(round): \(single), \(double) are not read")
        return
      }
      #expect(Float(a).bitPattern == single.bitPattern, "seed \(seed) round \(round)")
      #expect(b.bitPattern == double.bitPattern, "seed \(seed) round \(round)")
    }
  }

  @Test(
    arguments: [
      ("1.5", .number(1.5)), ("  1.5\t", .number(1.5)), (".5", .number(0.5)), ("5.", .number(5)),
      ("-0", .number(-0.0)), ("+3", .number(3)), ("1E3", .number(1000)),
      ("1e400", .number(.infinity)),
      ("1e-400", .number(0)), ("1e99999999999999999999", .number(.infinity)),
      ("0e99999999999999999999", .number(0)), ("9007199254740993", .number(9_007_199_254_740_992)),
      ("", .missing), ("  ", .missing), ("NaN", .missing), ("nan", .missing), ("NAN", .missing),
      ("inf", .malformed), ("-nan", .malformed), ("0x10", .malformed), ("1_000", .malformed),
      ("1,5", .malformed), ("1.5.", .malformed), ("1e", .malformed), ("1e+", .malformed),
      (".", .malformed), ("-", .malformed), ("e5", .malformed), ("1 2", .malformed),
      ("1\u{0}", .malformed), ("\u{0661}", .malformed),
    ] as [(String, NumberText)])
  func readsOnlyNumbers(text: String, expected: NumberText) {
    #expect(scanned(text) { NumberText($0, $1) } == expected)
  }

  @Test(
    arguments: [("1,5", .number(1.5)), ("1.5", .number(1.5)), ("1,234.5", .malformed)]
      as [(String, NumberText)])
  func readsADecimalComma(text: String, expected: NumberText) {
    #expect(scanned(text) { NumberText($0, $1, allowsComma: true) } == expected)
  }

  // Expected: int(Decimal(text).scaleb(9).to_integral_value(ROUND_HALF_EVEN)) in Python 3.12.
  @Test(
    arguments: [
      ("6.523173500E-2", 65_231_735), ("-1.645666665E-3", -1_645_667), ("0.1", 100_000_000),
      ("1.0000000005", 1_000_000_000), ("1.0000000015", 1_000_000_002),
      ("1.00000000050000000000000000001", 1_000_000_001), ("0.00000000049", 0),
      ("-0.0000000005", 0),
      ("-0.0000000006", -1), ("1696409036.9583288005", 1_696_409_036_958_328_800),
      ("1696409036.9583288015", 1_696_409_036_958_328_802),
      ("1696409036.95832880050000000001", 1_696_409_036_958_328_801),
      ("9223372036.854775807", .max), ("9223372036.8547758071", .max),
      ("9223372036.854775808", nil), ("9223372036.8547758075", nil),
      ("-9223372036.854775808", .min),
      ("-9223372036.854775809", nil), ("1e30", nil), ("1e-30", 0), ("0e30", 0),
      ("1e-99999999999999999999", 0), ("18446744073.709551615", nil), ("5e-10", 0), ("15e-10", 2),
      ("9999999999999999999e-29", 0), ("9999999999999999999e-28", 1),
    ] as [(String, Int64?)])
  func scalesToNanosecondsExactly(text: String, expected: Int64?) throws {
    let number = try #require(scanned(text) { DecimalNumber($0, $1) })
    #expect(number.scaled(byPowerOfTen: 9) == expected)
  }

  @Test(.longer) func secondsAreWrittenAndReadBackExactly() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<rounds / 10 {
      let shift = generator.next() % 64
      let time = Int64(bitPattern: generator.next()) >> Int64(shift)
      let text = decimalSeconds(time)
      #expect(scanned(text) { DecimalNumber($0, $1)?.scaled(byPowerOfTen: 9) } == time)
    }
    #expect(decimalSeconds(.min) == "-9223372036.854775808")
  }
}
