import TraceModel

/// The upper tail of the standard normal distribution, Q(z) = erfc(z/√2) / 2, on the scale φ =
/// -log10 Q of Hayashibara's accrual detector.
enum NormalTail {
  /// Returns -log10 Q(z): unbounded for large z, 0 for small z.
  static func phi(_ z: Double) -> Double { (ln2 - logErfc(z / 2.0.squareRoot())) / ln10 }

  /// Returns the z whose ``phi(_:)`` is `phi`, within 1e-12. A `phi` above 300 counts as 300.
  static func z(phi: Double) -> Double {
    // Q(-10) is 1 and Q(40) is 1e-349. 60 bisections of 50 reach less than an ulp.
    var low = -10.0
    var high = 40.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Self.phi(middle) < min(phi, 300) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns ln erfc(x), even where erfc(x) itself underflows: beyond 25 it uses the asymptotic
  /// series (Abramowitz and Stegun 7.1.23), with an error below 1e-9 there.
  static func logErfc(_ x: Double) -> Double {
    guard x > 25 else { return Math.log(Math.erfc(x)) }
    let s = 1 / (2 * x * x)
    return -x * x - Math.log(x * Double.pi.squareRoot())
      + Math.log(1 - s * (1 - 3 * s * (1 - 5 * s)))
  }

  static let ln10 = 2.302585092994046
  private static let ln2 = 0.6931471805599453
}
