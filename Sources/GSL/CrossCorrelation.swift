private import CGSL

/// The cross-correlation of two signals at every lag, by the fast Fourier transform.
package enum CrossCorrelation {
  /// The transform of a signal, to use it for several correlations.
  package struct Spectrum: Sendable {
    fileprivate let values: [Double]

    /// - Parameters:
    ///   - signal: finite.
    ///   - length: a power of two, at least the sum of the two signals' lengths, so that values
    ///     shifted out at one end do not wrap around to the other.
    package init(of signal: [Double], length: Int) throws(GSLError) {
      guard length >= max(signal.count, 1), length & (length - 1) == 0,
        signal.allSatisfy(\.isFinite)
      else { throw .domain("Fourier transform of \(signal.count) values at length \(length)") }
      turnHandlerOff()
      var values = signal + [Double](repeating: 0, count: length - signal.count)
      let status = gsl_fft_real_radix2_transform(&values, 1, length)
      guard status == 0 else {
        throw GSLError(code: status, operation: "Fourier transform of length \(length)")
      }
      self.values = values
    }
  }

  /// Returns the smallest length for the spectra of two signals.
  package static func length(for first: Int, _ second: Int) -> Int {
    var length = 1
    while length < first + second { length *= 2 }
    return length
  }

  /// Returns `sum over i of first[i + lag] * second[i]` for all lags: lag k is at index k, or at
  /// length + k for a negative k. O(n log n).
  package static func sums(_ first: Spectrum, _ second: Spectrum) throws(GSLError) -> [Double] {
    let (a, b) = (first.values, second.values)
    let length = a.count
    guard b.count == length else {
      throw .domain("cross-correlation at lengths \(length) and \(b.count)")
    }
    // GSL's half-complex order: real parts at 0...n/2, the imaginary part of k at n - k.
    var product = [Double](repeating: 0, count: length)
    product[0] = a[0] * b[0]
    if length > 1 { product[length / 2] = a[length / 2] * b[length / 2] }
    for k in stride(from: 1, to: length - length / 2, by: 1) {
      let (realA, imaginaryA) = (a[k], a[length - k])
      let (realB, imaginaryB) = (b[k], b[length - k])
      product[k] = realA * realB + imaginaryA * imaginaryB
      product[length - k] = imaginaryA * realB - realA * imaginaryB
    }
    let status = gsl_fft_halfcomplex_radix2_inverse(&product, 1, length)
    guard status == 0 else {
      throw GSLError(code: status, operation: "inverse Fourier transform of length \(length)")
    }
    return product
  }
}
