private import CGSL

/// Sobol's points in the unit cube. They fill it evenly for any number of points, whereas a small
/// grid has few values of each coordinate.
///
/// GSL's sequence (Antonov and Saleev's order of Sobol's points, Bratley and Fox, ACM TOMS 14,
/// 1988) without the point at the origin, so it begins in the cube's middle. From the third
/// coordinate on, its direction numbers differ from those of Joe and Kuo in SciPy.
package enum SobolSequence {
  /// The maximum number of dimensions in GSL.
  package static let mostDimensions = 40

  /// Returns the first `count` points, each with `dimensions` coordinates in 0..<1.
  ///
  /// ```swift
  /// try SobolSequence.points(3, dimensions: 1)  // [[0.5], [0.75], [0.25]]
  /// ```
  /// - Parameter dimensions: 1 to ``mostDimensions``.
  /// - Throws: for another number of dimensions or a negative count.
  /// - Complexity: O(count dimensions).
  package static func points(_ count: Int, dimensions: Int) throws(GSLError) -> [[Double]] {
    let operation = "\(count) Sobol points of \(dimensions) dimensions"
    guard (1...mostDimensions).contains(dimensions), count >= 0 else { throw .domain(operation) }
    turnHandlerOff()
    guard let sequence = gsl_qrng_alloc(shim_qrng_sobol(), UInt32(dimensions)) else {
      throw .memory(operation)
    }
    defer { gsl_qrng_free(sequence) }
    var points: [[Double]] = []
    points.reserveCapacity(count)
    for _ in 0..<count {
      var point = [Double](repeating: 0, count: dimensions)
      let status = gsl_qrng_get(sequence, &point)
      guard status == 0 else { throw GSLError(code: status, operation: operation) }
      points.append(point)
    }
    return points
  }
}
