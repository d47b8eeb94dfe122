private import CGSL

package enum SpecialFunctions {
  /// Returns the modified Bessel function of the first kind and order zero, I0(x), scaled by
  /// exp(-|x|) so that it does not overflow; NaN for NaN.
  package static func scaledBesselI0(_ x: Double) -> Double {
    turnHandlerOff()
    return gsl_sf_bessel_I0_scaled(x)
  }
}
