private import CGSL

/// A curve through points, evaluated between them.
///
/// ```swift
/// let curve = try Interpolation(.linear, x: [0, 1, 3], y: [0, 2, 0])
/// try curve.values(at: [0.5, 2])  // [1.0, 1.0]
/// ```
package struct Interpolation: Sendable {
  package enum Method: String, CaseIterable, Hashable, Sendable, Codable {
    /// Straight lines; no overshoot.
    case linear
    /// Akima's spline (J. ACM 17, 1970): smooth and local; may overshoot slightly.
    case akima
    /// Steffen's spline (Astron. Astrophys. 239, 1990): smooth and monotonic between neighbours; no
    /// overshoot.
    case steffen
    /// The natural cubic spline: the smoothest; overshoots next to a jump.
    case cubic

    package var minimumCount: Int {
      switch self {
      case .linear: 2
      case .steffen, .cubic: 3
      case .akima: 5
      }
    }
  }

  package let method: Method
  private let x: [Double]
  private let y: [Double]

  /// - Parameters:
  ///   - x: finite and strictly increasing, at least as many as the method needs.
  ///   - y: finite, one for each of `x`.
  /// - Throws: if the points do not satisfy this.
  package init(_ method: Method, x: [Double], y: [Double]) throws(GSLError) {
    guard x.count == y.count, x.count >= method.minimumCount, (x + y).allSatisfy(\.isFinite),
      zip(x, x.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw .domain("\(method.rawValue) interpolation of \(x.count) points") }
    self.method = method
    self.x = x
    self.y = y
  }

  /// Returns the curve at `places`, which must lie within the points. O(n + m log n).
  /// - Throws: if a place is beyond the first or the last point.
  package func values(at places: [Double]) throws(GSLError) -> [Double] {
    let operation = "\(method.rawValue) interpolation of \(x.count) points"
    // GSL checks the range by comparisons, which NaN passes.
    guard places.allSatisfy(\.isFinite) else { throw .domain(operation) }
    turnHandlerOff()
    guard let curve = gsl_interp_alloc(gslType, x.count), let cursor = gsl_interp_accel_alloc()
    else { throw .memory(operation) }
    defer {
      gsl_interp_accel_free(cursor)
      gsl_interp_free(curve)
    }
    var status = gsl_interp_init(curve, x, y, x.count)
    var values = [Double](repeating: .nan, count: places.count)
    for (index, place) in places.enumerated() where status == 0 {
      status = gsl_interp_eval_e(curve, x, y, place, cursor, &values[index])
    }
    guard status == 0 else { throw GSLError(code: status, operation: operation) }
    return values
  }

  private var gslType: UnsafePointer<gsl_interp_type>? {
    switch method {
    case .linear: shim_interp_linear()
    case .akima: shim_interp_akima()
    case .steffen: shim_interp_steffen()
    case .cubic: shim_interp_cspline()
    }
  }
}
