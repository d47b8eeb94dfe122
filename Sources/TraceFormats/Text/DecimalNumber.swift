/// A decimal number as written: ± `digits` · 10^`exponent`, plus the digits that did not fit.
///
/// Digits are kept as an integer, so that a time in seconds becomes nanoseconds without passing
/// through a binary fraction.
struct DecimalNumber: Equatable {
  var isNegative = false
  /// The first 19 significant digits.
  var digits: UInt64 = 0
  /// The power of ten of the last of them.
  var exponent = 0
  /// The first digit that did not fit.
  var nextDigit: UInt8 = 0
  /// Whether a digit after ``nextDigit`` is not zero.
  var hasMore = false

  /// 10^19 - 1 is the largest run of nines in a `UInt64`.
  private static let mostDigits = 19

  /// Reads `[+-] digits [. digits] [e [+-] digits]`, with at least one digit before the exponent,
  /// and nothing else in `range`; nil = not such a number.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>, allowsComma: Bool = false) {
    var position = range.lowerBound
    let end = range.upperBound
    if position < end, bytes[position] == 0x2D || bytes[position] == 0x2B {
      isNegative = bytes[position] == 0x2D
      position += 1
    }
    let start = position
    var kept = 0
    position = appendEights(bytes, position..<end, &kept)
    while position < end, bytes[position].isDigit {
      if !append(bytes[position] &- 0x30, &kept) { exponent += 1 }
      position += 1
    }
    var count = position - start
    if position < end, bytes[position] == 0x2E || allowsComma && bytes[position] == .comma {
      position += 1
      let fraction = position
      while position < end, digits == 0, bytes[position] == 0x30 { position += 1 }
      position = appendEights(bytes, position..<end, &kept)
      exponent -= position - fraction
      while position < end, bytes[position].isDigit {
        if append(bytes[position] &- 0x30, &kept) { exponent -= 1 }
        position += 1
      }
      count += position - fraction
    }
    guard count > 0, readExponent(bytes, position..<end) else { return nil }
  }

  /// Reads the digits at the front of `range` eight at a time, as long as there are eight and all
  /// of them fit; returns the end. A leading zero is skipped because it is not significant.
  @inline(__always)
  private mutating func appendEights(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ kept: inout Int
  ) -> Int {
    var position = range.lowerBound
    while kept + 8 <= DecimalNumber.mostDigits, position + 8 <= range.upperBound,
      digits != 0 || bytes[position] != 0x30
    {
      let text = UInt64(
        littleEndian: bytes.bytes.unsafeLoadUnaligned(
          fromByteOffset: position, as: UInt64.self))
      guard let value = DecimalNumber.eightDigits(text) else { break }
      digits = digits &* 100_000_000 &+ value
      kept += 8
      position += 8
    }
    return position
  }

  /// Returns the number of eight characters, the first in the lowest byte; nil = not all are
  /// digits.
  ///
  /// Neighbours are joined to pairs, pairs to fours, fours to eight, each step for all at once (D.
  /// Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021).
  @inline(__always)
  private static func eightDigits(_ text: UInt64) -> UInt64? {
    let digits = text ^ 0x3030_3030_3030_3030
    // A digit becomes 0...9; with 6 more its high half stays 0, and no sum leaves its byte.
    guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else {
      return nil
    }
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }

  /// Whether the digit was kept as one of ``digits``.
  @inline(__always)
  private mutating func append(_ digit: UInt8, _ kept: inout Int) -> Bool {
    if kept < DecimalNumber.mostDigits {
      digits = digits &* 10 &+ UInt64(digit)
      if digits != 0 { kept += 1 }
      return true
    }
    if kept == DecimalNumber.mostDigits {
      nextDigit = digit
      kept += 1
    } else if digit != 0 {
      hasMore = true
    }
    return false
  }

  private mutating func readExponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    var position = range.lowerBound
    guard bytes[position] | 0x20 == 0x65 else { return false }
    position += 1
    var isBelowZero = false
    if position < range.upperBound, bytes[position] == 0x2D || bytes[position] == 0x2B {
      isBelowZero = bytes[position] == 0x2D
      position += 1
    }
    guard position < range.upperBound else { return false }
    var written = 0
    while position < range.upperBound {
      guard bytes[position].isDigit else { return false }
      // Far beyond any number of digits that fits into a record, and far from overflow.
      if written < 1 << 40 { written = written * 10 + Int(bytes[position] &- 0x30) }
      position += 1
    }
    exponent += isBelowZero ? -written : written
    return true
  }

  private var isWhole: Bool { nextDigit == 0 && !hasMore }

  /// The number · 10^`power` as the nearest integer, ties to even; nil = beyond `Int64`. Exact
  /// whatever the number of digits.
  func scaled(byPowerOfTen power: Int) -> Int64? {
    if digits == 0 { return 0 }
    let shift = exponent + power
    let magnitude: UInt64
    if shift >= 0 {
      guard shift < powersOfTen.count else { return nil }
      let (product, overflow) = digits.multipliedReportingOverflow(by: powersOfTen[shift])
      // Dropped digits matter at shift 0 alone: 19 digits and a further power of ten overflow.
      let isUp = nextDigit > 5 || nextDigit == 5 && (hasMore || product & 1 == 1)
      let (sum, carry) = product.addingReportingOverflow(isUp ? 1 : 0)
      guard !overflow, !carry else { return nil }
      magnitude = sum
    } else {
      guard -shift < powersOfTen.count else { return 0 }
      let divisor = powersOfTen[-shift]
      let (quotient, rest) = digits.quotientAndRemainder(dividingBy: divisor)
      let isTie = rest == divisor - rest && isWhole
      let isUp = isTie ? quotient & 1 == 1 : rest >= divisor - rest
      magnitude = quotient + (isUp ? 1 : 0)
    }
    if isNegative {
      guard magnitude <= 1 << 63 else { return nil }
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    return Int64(exactly: magnitude)
  }

  /// The nearest `Double`, ties to even, if the digits suffice; nil if the text is needed.
  var double: Double? {
    guard isWhole else { return nil }
    let magnitude: Double
    if digits <= 1 << 53, exponent >= -22, exponent <= 22 {
      // Both numbers are exact, so the one rounding is right (Clinger, "How to read floating point
      // numbers accurately", PLDI 1990).
      let digits = Double(self.digits)
      magnitude =
        exponent < 0
        ? digits / exactPowersOfTen[-exponent] : digits * exactPowersOfTen[exponent]
    } else if digits == 0 {
      magnitude = 0
    } else if exponent <= 0, exponent > -powersOfTen.count {
      magnitude = DecimalNumber.quotient(digits, powersOfTen[-exponent])
    } else {
      return nil
    }
    return isNegative ? -magnitude : magnitude
  }

  /// `dividend / divisor` rounded once: both are shifted until their top bits are set, so that the
  /// integer quotient has 63 bits or more, and a remainder is kept as its last bit, which lies
  /// below any rounding position of a `Double`.
  private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
    let dividendShift = dividend.leadingZeroBitCount
    let divisorShift = divisor.leadingZeroBitCount
    let high = dividend << dividendShift
    let (quotient, rest) = (divisor << divisorShift).dividingFullWidth((high >> 1, high << 63))
    let significand = Double(rest == 0 ? quotient : quotient | 1)
    return Double(
      sign: .plus, exponent: divisorShift - dividendShift - 63, significand: significand)
  }
}

private let powersOfTen: [UInt64] = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
  1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]

/// Powers of ten that a `Double` holds exactly.
private let exactPowersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

/// The content of a cell or element that should be a number.
enum NumberText: Equatable {
  case number(Double)
  /// Nothing, or `NaN` or `null` in any case.
  case missing
  case malformed

  /// Reads `range`, blanks at its ends left out. A number beyond the range of `Double` is ±infinity,
  /// as `Double(String)` has it; `inf` written out is malformed.
  init(_ bytes: Span<UInt8>, _ range: Range<Int>, allowsComma: Bool = false) {
    let range = trimmed(bytes, range)
    if let decimal = DecimalNumber(bytes, range, allowsComma: allowsComma) {
      self = .number(decimal.double ?? NumberText.parsed(bytes, range))
    } else {
      self = NumberText.isMissing(bytes, range) ? .missing : .malformed
    }
  }

  /// The slow path for the rare number that needs more than its first 19 digits. The syntax is
  /// checked, so only the decimal mark may differ from that of the standard library.
  private static func parsed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double {
    let ascii = range.map { bytes[$0] == .comma ? 0x2E : bytes[$0] }
    return Double(String(decoding: ascii, as: UTF8.self)) ?? .nan
  }

  private static func isMissing(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.isEmpty || spells(bytes, range, [0x6E, 0x61, 0x6E])
      || spells(bytes, range, [0x6E, 0x75, 0x6C, 0x6C])
  }

  /// - Parameter letters: lower-case letters.
  private static func spells(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ letters: [UInt8]
  ) -> Bool {
    guard range.count == letters.count else { return false }
    for offset in letters.indices where bytes[range.lowerBound + offset] | 0x20 != letters[offset] {
      return false
    }
    return true
  }
}
