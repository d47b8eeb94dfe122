extension Math {
  /// The sine of an angle in radians, of any size; NaN for infinity and NaN. Off by at most 1 ulp.
  public static func sin(_ x: Double) -> Double {
    guard x.magnitude > 0x1p-27 else { return x }
    let (quadrant, head, tail) = remainder(x)
    let value = quadrant & 1 == 0 ? sine(head, tail) : cosine(head, tail)
    return quadrant & 2 == 0 ? value : -value
  }

  /// The cosine of an angle in radians, of any size; NaN for infinity and NaN. Off by at most 1
  /// ulp.
  public static func cos(_ x: Double) -> Double {
    let (quadrant, head, tail) = remainder(x)
    let value = quadrant & 1 == 0 ? cosine(head, tail) : sine(head, tail)
    return (quadrant + 1) & 2 == 0 ? value : -value
  }

  /// Both at once, for the price of one reduction.
  public static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
    guard x.magnitude > 0x1p-27 else { return (x, 1) }
    let (quadrant, head, tail) = remainder(x)
    let (sine, cosine) = (sine(head, tail), cosine(head, tail))
    let (first, second) = quadrant & 1 == 0 ? (sine, cosine) : (cosine, sine)
    return (quadrant & 2 == 0 ? first : -first, (quadrant + 1) & 2 == 0 ? second : -second)
  }

  /// The tangent of an angle in radians, of any size; NaN for infinity and NaN. Off by at most 2
  /// ulp.
  public static func tan(_ x: Double) -> Double {
    guard x.magnitude > 0x1p-27 else { return x }
    let (quadrant, head, tail) = remainder(x)
    let (sine, cosine) = (sine(head, tail), cosine(head, tail))
    return quadrant & 1 == 0 ? sine / cosine : -cosine / sine
  }

  /// The angle of the point (x, y) from the x axis, -π to π, with the signs of zeros and infinities of
  /// IEEE 754. Off by at most 1 ulp.
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    guard !x.isNaN, !y.isNaN else { return .nan }
    let angle: Double
    switch (y.magnitude, x.magnitude) {
    case (0, _): angle = 0
    case (_, 0): angle = .pi / 2
    case (.infinity, .infinity): angle = .pi / 4
    case (let rise, let run): angle = arctangent(rise / run)
    }
    // The part of π that the number `.pi` lacks.
    let turned = x.sign == .minus ? .pi - (angle - 1.2246467991473532e-16) : angle
    return y.sign == .minus ? -turned : turned
  }

  private static func arctangent(_ ratio: Double) -> Double {
    switch ratio {
    case ..<0.4375: arctangent(ratio, from: 0, 0)
    case ..<0.6875:
      arctangent((2 * ratio - 1) / (2 + ratio), from: 0.4636476090008061, 2.2698777452961687e-17)
    case ..<1.1875:
      arctangent((ratio - 1) / (ratio + 1), from: 0.7853981633974483, 3.061616997868383e-17)
    case ..<2.4375:
      arctangent((ratio - 1.5) / (1 + 1.5 * ratio), from: 0.982793723247329, 1.3903311031230998e-17)
    default: arctangent(-1 / ratio, from: 1.5707963267948966, 6.123233995736766e-17)
    }
  }

  /// An angle (head and rest) plus the arctangent of t: t + t³ p, relative error 2⁻⁵⁷ for t at most
  /// 0.4375.
  private static func arctangent(_ t: Double, from head: Double, _ rest: Double) -> Double {
    let z = t * t
    var p = 0.014773184616983806
    p = horner(p, z, -0.033128134256069586, 0.04492259293193656, -0.05216679739313656)
    p = horner(p, z, 0.05876946456755061, -0.06666241923359964, 0.07692285554889286)
    p = horner(p, z, -0.09090908355602592, 0.11111111096645038, -0.14285714285566806)
    p = p * z + 0.1999999999999941
    p = p * z - 0.3333333333333333
    return head + (t + (t * z * p + rest))
  }

  /// The sine of head + tail, at most π/4: x + x³ p, relative error 2⁻⁵⁷.
  private static func sine(_ x: Double, _ tail: Double) -> Double {
    let z = x * x
    var p = -7.586697117706918e-13
    p = horner(p, z, 1.6058531618986147e-10, -2.5052106232447578e-08, 2.7557319219339167e-06)
    p = horner(p, z, -0.00019841269841265065, 0.008333333333333331, -0.16666666666666666)
    return x + (x * z * p + (tail - 0.5 * z * tail))
  }

  /// The cosine of head + tail, at most π/4: 1 - x²/2 + x⁴ p, relative error 2⁻⁵⁹.
  private static func cosine(_ x: Double, _ tail: Double) -> Double {
    let z = x * x
    var p = -1.1382632425521717e-11
    p = horner(p, z, 2.08761462684032e-09, -2.7557317271729793e-07, 2.480158729876569e-05)
    p = p * z - 0.0013888888888887398
    p = p * z + 0.041666666666666664
    let half = 0.5 * z
    let head = 1 - half
    return head + (((1 - head) - half) + (z * z * p - x * tail))
  }
}

extension Math {
  /// Subtracts the nearest multiple of π/2 from an angle: returns the rest as two numbers, and the
  /// last two bits of the multiple.
  private static func remainder(_ x: Double) -> (quadrant: Int, head: Double, tail: Double) {
    guard x.magnitude > 0.7853981633974483 else { return (0, x, 0) }
    guard x.magnitude < 0x1p20 else { return farRemainder(x) }
    // Cody and Waite: π/2 in parts of 33 bits, which n multiplies exactly.
    let n = (x * 0.6366197723675814 + integerRounding) - integerRounding
    let first = x - n * 1.5707963267341256
    let second = n * 6.077100506303966e-11
    let third = n * 2.0222662487959506e-21
    let near = sum(first, -second)
    let head = near.head + (near.tail - third)
    // Below this so much cancels that those bits do not suffice.
    guard head.magnitude > 0x1p-24 else { return farRemainder(x) }
    return (Int(n) & 3, head, (near.head - head) + (near.tail - third))
  }

  /// Payne and Hanek: x is an integer of 53 bits times a power of two, so only 256 bits of 2/π are
  /// needed. Earlier bits give multiples of 4, later ones are too small.
  private static func farRemainder(_ x: Double) -> (quadrant: Int, head: Double, tail: Double) {
    guard x.isFinite else { return (0, .nan, 0) }
    let mantissa = x.significandBitPattern | 1 << 52
    let offset = 62 + Int(x.exponent) - 52
    let (word, shift) = (offset / 64, UInt64(offset % 64))
    // The last 256 bits of the product; the upper two are the quadrant, the others a fraction of it.
    var product: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var carry: UInt64 = 0
    func times(_ index: Int) -> UInt64 {
      let bits = twoByPi[index] << shift | (shift > 0 ? twoByPi[index + 1] >> (64 - shift) : 0)
      let (high, low) = mantissa.multipliedFullWidth(by: bits)
      let (sum, isOver) = low.addingReportingOverflow(carry)
      carry = high &+ (isOver ? 1 : 0)
      return sum
    }
    product.3 = times(word + 3)
    product.2 = times(word + 2)
    product.1 = times(word + 1)
    product.0 = times(word)
    var quadrant = Int(product.0 >> 62)
    var high = product.0 << 2 | product.1 >> 62
    var middle = product.1 << 2 | product.2 >> 62
    var low = product.2 << 2 | product.3 >> 62
    // The nearest multiple may be the next one.
    let isAbove = high >> 63 == 1
    if isAbove {
      quadrant += 1
      (high, middle, low) = (~high, ~middle, ~low)
    }
    var exponent = -64
    while high >> 63 == 0, exponent > -192 {
      high = high << 1 | middle >> 63
      middle = middle << 1 | low >> 63
      low <<= 1
      exponent -= 1
    }
    let scale = Double(sign: .plus, exponent: exponent, significand: 1)
    let head = Double(high & ~0x7FF) * scale
    let tail = (Double(high & 0x7FF) + Double(middle) * 0x1p-64) * scale
    let angle = Math.product(head, 1.5707963267948966)
    let rest = angle.tail + (tail * 1.5707963267948966 + head * 6.123233995736766e-17)
    let whole = sum(angle.head, rest)
    let isNegative = isAbove != (x < 0)
    if x < 0 { quadrant = -quadrant }
    return (
      quadrant & 3, isNegative ? -whole.head : whole.head, isNegative ? -whole.tail : whole.tail
    )
  }

  /// The bits of 2/π after the point, in words of 64 bits; the first is for angles below 1.
  private static let twoByPi: [UInt64] = [
    0x0000_0000_0000_0000, 0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561, 0xb724_6e3a_424d_d2e0, 0x0649_2eea_09d1_921c, 0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484, 0xe99c_7026_b45f_7e41, 0x3991_d639_8353_39f4, 0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f, 0xef2f_118b_5a0a_6d1f, 0x6d36_7ecf_27cb_09b7, 0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b, 0x3d07_39f7_8a52_92ea, 0x6bfb_5fb1_1f8d_5d08, 0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
  ]
}
