private import CGSL

public enum SpecialFunctions {
  /// Returns the modified Bessel function of the first kind and order zero, I0(x), scaled by
  /// exp(-|x|) so that it does not overflow; NaN for NaN.
  public static func scaledBesselI0(_ x: Double) -> Double {
    turnHandlerOff()
    return gsl_sf_bessel_I0_scaled(x)
  }
}
