import TraceModel

/// Numbers as text, without Foundation.
package enum DecimalText {
  /// Returns a number with so many decimals and without an exponent; nil if it is not finite, or
  /// 10^15 units of the last decimal or more.
  package static func text(_ value: Double, decimals: Int) -> String? {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = (value * Double(scale)).rounded()
    guard abs(scaled) < 1e15 else { return nil }
    let number = Int64(scaled)
    let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
    let fraction = decimals == 0 ? "" : "." + CivilTime.padded(Int64(rest), decimals)
    return (number < 0 ? "-" : "") + "\(whole)" + fraction
  }
}
