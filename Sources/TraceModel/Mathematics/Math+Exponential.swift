extension Math {
  // log 2 as a head of 42 bits, which an exponent multiplies exactly, and the rest.
  private static let log2Head = 0.6931471805598903
  private static let log2Rest = 5.497923018708371e-14

  /// The exponential function. Off by at most 1 ulp.
  public static func exp(_ x: Double) -> Double {
    // Outside these bounds the result is infinite, or rounds to 0.
    guard x < 709.782712893384 else { return x.isNaN ? x : .infinity }
    guard x > -745.1332191019412 else { return 0 }
    let (value, exponent) = exponential(x)
    return scaled(value, by: exponent)
  }

  /// exp(x) - 1, accurate near zero. Off by at most 1 ulp.
  public static func expm1(_ x: Double) -> Double {
    guard x <= 45 else { return exp(x) - 1 }
    guard x > -37.5 else { return x.isNaN ? x : -1 }
    guard x.magnitude > 0x1p-54 else { return x }
    guard x.magnitude > 0.3465 else {
      let square = x * x
      return x + (0.5 * square + square * x * exponentialPolynomial(x))
    }
    let (n, r, rest) = reduced(x)
    let square = product(r, r)
    let cubic = r * square.head * exponentialPolynomial(r)
    let first = sum(r, 0.5 * square.head)
    let tail = first.tail + (0.5 * square.tail + (cubic + rest * (1 + r)))
    guard n != 0 else { return first.head + tail }
    let power = powerOfTwo(n)
    let one = sum(1, first.head)
    let whole = sum(-1, one.head * power)
    return whole.head + (whole.tail + (one.tail + tail) * power)
  }

  /// The natural logarithm: -infinity for 0, NaN for negative numbers. Off by at most 1 ulp.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x > 0 ? x : .nan }
    let isSubnormal = x < .leastNormalMagnitude
    let (m, exponent) = significand(isSubnormal ? x * 0x1p54 : x)
    let k = isSubnormal ? exponent - 54 : exponent
    return logarithm(of: m - 1, k, correction: 0)
  }

  /// log(1 + x), accurate near zero. Off by at most 1 ulp.
  public static func log1p(_ x: Double) -> Double {
    guard x > -1, x < .infinity else { return x == -1 ? -.infinity : x > 0 ? x : .nan }
    guard x.magnitude > 0x1p-54 else { return x }
    guard x < -0.2928 || x > 0.4142 else { return logarithm(of: x, 0, correction: 0) }
    let u = 1 + x
    let (m, k) = significand(u)
    // The rounding error of u.
    let lost = x >= 1 ? 1 - (u - x) : x - (u - 1)
    return logarithm(of: m - 1, k, correction: lost / u)
  }

  /// exp(x) as a number between 0.7 and 1.42, and a power of two.
  static func exponential(_ x: Double) -> (value: Double, exponent: Int) {
    let (n, r, rest) = reduced(x)
    let square = r * r
    return (1 + (r + (rest + (0.5 * square + square * r * exponentialPolynomial(r)))), n)
  }

  static func scaled(_ value: Double, by exponent: Int) -> Double {
    // Two steps where one power of two would be too large or too small for a number.
    if exponent > 1023 { return value * 0x1p1023 * powerOfTwo(exponent - 1023) }
    if exponent < -1022 { return value * powerOfTwo(exponent + 200) * 0x1p-200 }
    return value * powerOfTwo(exponent)
  }

  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(1023 + exponent) << 52)
  }

  /// x = n log 2 + r + rest, r at most half of log 2, for x below 2000.
  private static func reduced(_ x: Double) -> (n: Int, r: Double, rest: Double) {
    let n = (x * 1.4426950408889634 + integerRounding) - integerRounding
    let head = x - n * log2Head
    let taken = n * log2Rest
    let r = head - taken
    return (Int(n), r, (head - r) - taken)
  }

  /// exp r = 1 + r + r²/2 + r³ p, relative error 2⁻⁵⁹.
  private static func exponentialPolynomial(_ r: Double) -> Double {
    var p = 2.09112987659402e-09
    p = horner(p, r, 2.5100472505694996e-08, 2.7557282838800484e-07, 2.7557268276905696e-06)
    p = horner(p, r, 2.4801587317228724e-05, 0.00019841269863171557, 0.0013888888888886537)
    p = horner(p, r, 0.008333333333330039, 0.041666666666666664, 0.16666666666666669)
    return p
  }

  /// A normal number as one between √½ and √2, and a power of two.
  private static func significand(_ x: Double) -> (m: Double, exponent: Int) {
    // Adding the distance from √½ to 1 carries into the exponent what is above √2.
    let bits = x.bitPattern &+ (0x3FF0_0000_0000_0000 - 0x3FE6_A09E_667F_3BCD)
    let exponent = Int(bits >> 52) - 1023
    return (Double(bitPattern: x.bitPattern &- UInt64(bitPattern: Int64(exponent)) << 52), exponent)
  }

  /// log(1 + f) + k log 2 + correction, by s = f/(2 + f): log(1 + f) = 2 s + s³ p, relative error 2⁻⁵⁷.
  private static func logarithm(of f: Double, _ k: Int, correction: Double) -> Double {
    let s = f / (2 + f)
    let z = s * s
    var p = 0.14616449685043406
    p = horner(p, z, 0.15331721600556042, 0.18182889125261723, 0.2222221113479508)
    p = horner(p, z, 0.28571428625975487, 0.39999999999899505, 0.666666666666667)
    let half = 0.5 * f * f
    let small = s * (half + z * p)
    guard k != 0 else { return f - (half - small) }
    return Double(k) * log2Head - ((half - (small + (Double(k) * log2Rest + correction))) - f)
  }
}
