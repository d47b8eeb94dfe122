import TraceModel

/// The upper tail of the standard normal distribution, Q(z) = erfc(z/√2) / 2, on the scale
/// φ = -log10 Q, on which Hayashibara's accrual detector counts.
enum NormalTail {
  /// -log10 Q(z); without end as z rises, 0 as it falls.
  static func phi(_ z: Double) -> Double {
    (ln2 - logErfc(z / 2.0.squareRoot())) / ln10
  }

  /// The z whose ``phi(_:)`` is `phi`, within 1e-12. `phi` of 300 and more counts as 300.
  static func z(phi: Double) -> Double {
    // Q(-10) is 1 and Q(40) is 1e-349. Half of 50 sixty times over is less than an ulp.
    var low = -10.0
    var high = 40.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Self.phi(middle) < min(phi, 300) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// ln erfc(x), also where erfc(x) itself is too small for a number: beyond 25 by the asymptotic
  /// series (Abramowitz and Stegun 7.1.23), whose error there is below 1e-9.
  static func logErfc(_ x: Double) -> Double {
    guard x > 25 else { return Math.log(Math.erfc(x)) }
    let s = 1 / (2 * x * x)
    return -x * x - Math.log(x * Double.pi.squareRoot())
      + Math.log(1 - s * (1 - 3 * s * (1 - 5 * s)))
  }

  static let ln10 = 2.302585092994046
  private static let ln2 = 0.6931471805599453
}
