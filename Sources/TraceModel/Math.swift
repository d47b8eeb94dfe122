// The only file of the pure targets that imports C, and only libm. Every transcendental function
// goes through here, so that the wall is one line to check.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Mathematical functions of libm.
///
/// The last digit depends on the C library and on the processor. Results that are compared bit for
/// bit must not depend on these functions (`sqrt` is exact and is a method of the number).
public enum Math {
  public static func sin(_ x: Double) -> Double { _sin(x) }
  public static func cos(_ x: Double) -> Double { _cos(x) }
  public static func tan(_ x: Double) -> Double { _tan(x) }
  public static func atan2(_ y: Double, _ x: Double) -> Double { _atan2(y, x) }
  public static func exp(_ x: Double) -> Double { _exp(x) }
  /// exp(x) - 1, accurate near zero.
  public static func expm1(_ x: Double) -> Double { _expm1(x) }
  public static func log(_ x: Double) -> Double { _log(x) }
  /// log(1 + x), accurate near zero.
  public static func log1p(_ x: Double) -> Double { _log1p(x) }
  /// The error function, 2/√π ∫ exp(-t²) dt from 0 to x.
  public static func erf(_ x: Double) -> Double { _erf(x) }
  /// The complementary error function, 2/√π ∫ exp(-t²) dt from x to infinity.
  public static func erfc(_ x: Double) -> Double { _erfc(x) }

  /// Converts degrees to radians.
  public static func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
  /// Converts radians to degrees.
  public static func degrees(_ radians: Double) -> Double { radians * (180 / .pi) }
}

// Free functions: inside the enum the names would call themselves.
private func _sin(_ x: Double) -> Double { sin(x) }
private func _cos(_ x: Double) -> Double { cos(x) }
private func _tan(_ x: Double) -> Double { tan(x) }
private func _atan2(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
private func _exp(_ x: Double) -> Double { exp(x) }
private func _expm1(_ x: Double) -> Double { expm1(x) }
private func _log(_ x: Double) -> Double { log(x) }
private func _log1p(_ x: Double) -> Double { log1p(x) }
private func _erf(_ x: Double) -> Double { erf(x) }
private func _erfc(_ x: Double) -> Double { erfc(x) }
