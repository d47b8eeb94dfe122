/// Mathematical functions, the same to the bit on every processor.
///
/// No function of a C library is used, because their last digits differ from one library to the
/// next. With these functions a detector gives the same detections on a server, on a phone and in a
/// web page. Only additions, multiplications, divisions and square roots are used, which IEEE 754
/// fixes.
///
/// Results are not always correctly rounded. Each function states its maximum error in units of the
/// last place (ulp), as measured against 60 digits by `Tests/Python/mathematics.py`, which also
/// computes the coefficients. The methods are those of every libm: reduce the range, then a
/// polynomial; see Muller, Elementary Functions, 3rd edition, chapters 3 and 11.
///
/// ```swift
/// Math.sin(Math.radians(30))  // 0.49999999999999994
/// Math.log(0)  // -inf
/// ```
public enum Math {
  public static func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
  public static func degrees(_ radians: Double) -> Double { radians * (180 / .pi) }
}

extension Math {
  /// Added and subtracted again, this rounds numbers below 2⁵¹ to integers, ties to even.
  /// `rounded()` calls a function of the C library on processors without such an instruction.
  static let integerRounding = 0x1.8p52

  /// The product as a rounded number and its rounding error (Dekker 1971): together exact.
  static func product(_ a: Double, _ b: Double) -> (head: Double, tail: Double) {
    let head = a * b
    let (aHigh, aLow) = halves(a)
    let (bHigh, bLow) = halves(b)
    return (head, ((aHigh * bHigh - head) + aHigh * bLow + aLow * bHigh) + aLow * bLow)
  }

  /// The sum as a rounded number and its rounding error (Knuth): together exact.
  static func sum(_ a: Double, _ b: Double) -> (head: Double, tail: Double) {
    let head = a + b
    let part = head - a
    return (head, (a - (head - part)) + (b - part))
  }

  /// Continues a polynomial in x by Horner's rule with three more coefficients.
  @inline(__always)
  static func horner(_ p: Double, _ x: Double, _ a: Double, _ b: Double, _ c: Double) -> Double {
    ((p * x + a) * x + b) * x + c
  }

  private static func halves(_ a: Double) -> (Double, Double) {
    let high = Double(bitPattern: a.bitPattern & 0xFFFF_FFFF_F800_0000)
    return (high, a - high)
  }
}
