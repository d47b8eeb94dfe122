/// A floating-point number that a fixture holds bit by bit: as the shortest decimal that reads back
/// as the same number, `inf`, `-inf`, `nan`, or `nan:` and the bits of another NaN.
protocol FixtureNumber: BinaryFloatingPoint, LosslessStringConvertible {
  associatedtype Bits: FixedWidthInteger & UnsignedInteger
  var bitPattern: Bits { get }
  init(bitPattern: Bits)

  /// The number nearest to a decimal of which `double` is the nearest double; nil = that depends on
  /// more digits than a double has.
  init?(nearest double: Double)
}

extension Double: FixtureNumber {
  init?(nearest double: Double) { self = double }
}

extension Float: FixtureNumber {
  init?(nearest double: Double) {
    // A double halfway between two floats may be a rounded one. Below the smallest normal float the
    // halves lie elsewhere.
    let isHalfway = double.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    let isSmall = double != 0 && double.magnitude < Double(Float.leastNormalMagnitude)
    guard !isHalfway, !isSmall else { return nil }
    self.init(double)
  }
}

extension FixtureNumber {
  func append(to bytes: inout [UInt8]) {
    if isNaN {
      bytes += "nan".utf8
      guard bitPattern != Self.nan.bitPattern else { return }
      bytes += ":\(String(bitPattern, radix: 16))".utf8
    } else if isInfinite {
      bytes += (self < 0 ? "-inf" : "inf").utf8
    } else {
      bytes += description.utf8
      if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
    }
  }

  /// Reads a word that is not a decimal, such as `nan`; nil = it is not a number.
  init?(special word: ArraySlice<UInt8>) {
    if word.elementsEqual("nan".utf8) {
      self = .nan
    } else if word.elementsEqual("inf".utf8) {
      self = .infinity
    } else if word.elementsEqual("-inf".utf8) {
      self = -.infinity
    } else if word.starts(with: "nan:".utf8) {
      let digits = word.dropFirst(4)
      guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let bits = Bits(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      self.init(bitPattern: bits)
      guard isNaN else { return nil }
    } else {
      return nil
    }
  }
}

/// A decimal as a word of a fixture states it.
struct FixtureDecimal {
  var isNegative = false
  var digits: UInt64 = 0
  /// The power of ten of the last digit.
  var exponent = 0
  /// Whether ``digits`` are all of its digits.
  var isWhole = true

  /// Reads `[-] digits [. digits] [e [+-] digits]`, with digits before and after a point; nil = the
  /// word is something else.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    var (position, end) = (range.lowerBound, range.upperBound)
    if position < end, bytes[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    let start = position
    readDigits(bytes, &position, end)
    guard position > start else { return nil }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      readDigits(bytes, &position, end)
      guard position > fraction else { return nil }
      exponent = fraction - position
    }
    guard position < end else { return }
    guard bytes[position] == UInt8(ascii: "e"), position + 1 < end else { return nil }
    position += 1
    let sign = bytes[position]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    var power = FixtureDecimal()
    let first = position
    power.readDigits(bytes, &position, end)
    guard position > first, position == end, power.digits < 100_000 else { return nil }
    exponent += sign == UInt8(ascii: "-") ? -Int(power.digits) : Int(power.digits)
  }

  private init() {}

  private mutating func readDigits(_ bytes: [UInt8], _ position: inout Int, _ end: Int) {
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      position += 1
      // 2^60 has room for one more digit.
      guard digits < 1 << 60 else {
        isWhole = false
        continue
      }
      digits = digits &* 10 &+ UInt64(digit)
    }
  }

  /// The nearest double; nil = it takes more than one rounding (Clinger, PLDI 1990, doi
  /// 10.1145/93542.93557): the digits and the power of ten are both exact as doubles.
  /// - Parameter powers: 1, 10, …, 10^22.
  func double(_ powers: [Double]) -> Double? {
    guard isWhole, digits <= 1 << 53, exponent.magnitude < powers.count else { return nil }
    let value =
      exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
    return isNegative ? -value : value
  }

  /// The powers of ten that are exact as doubles.
  static let powers: [Double] = (0...22).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
