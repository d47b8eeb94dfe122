private import CGSL

/// Nelder and Mead's simplex (The Computer Journal 7, 1965) in GSL's version `nmsimplex2`:
/// minimises a function without derivatives.
package struct Simplex: Hashable, Sendable {
  /// The distance of the other corners from the start, by coordinate; finite and not zero.
  package var steps: [Double]
  /// The tolerance: the search ends when the corners' mean distance from their centre is below
  /// this.
  package var tolerance: Double
  /// The maximum number of steps; each needs some values.
  package var mostSteps: Int

  package init(steps: [Double], tolerance: Double, mostSteps: Int) {
    self.steps = steps
    self.tolerance = tolerance
    self.mostSteps = mostSteps
  }

  package struct Minimum: Hashable, Sendable {
    package var point: [Double]
    package var value: Double
    /// Whether the simplex reached the tolerance.
    package var hasConverged: Bool
  }

  package enum Outcome: Hashable, Sendable {
    case minimum(Minimum)
    /// The function has no value at this point.
    case stopped(at: [Double])
  }

  /// Minimises the function from `start` on. Equal values give equal points in the same order. So a
  /// slow function may return nil, compute the value elsewhere and start the search again, with the
  /// known values from a cache.
  ///
  /// - Parameter value: the function; nil or a value that is not finite stops the search.
  /// - Throws: if the start is empty or not finite, or does not match the number of steps.
  package func minimize(
    from start: [Double], _ value: ([Double]) -> Double?
  ) throws(GSLError) -> Outcome {
    let operation = "simplex of \(start.count) coordinates"
    guard !start.isEmpty, start.count == steps.count, start.allSatisfy(\.isFinite),
      steps.allSatisfy({ $0.isFinite && $0 != 0 }), tolerance > 0, mostSteps >= 0
    else { throw .domain(operation) }
    turnHandlerOff()
    return try withoutActuallyEscaping(value) { value throws(GSLError) in
      let function = FunctionBox(value, count: start.count)
      return try withExtendedLifetime(function) { () throws(GSLError) in
        try run(function, from: start, operation)
      }
    }
  }

  private func run(
    _ function: FunctionBox, from start: [Double], _ operation: String
  ) throws(GSLError) -> Outcome {
    let count = start.count
    guard let corner = gsl_vector_alloc(count) else { throw .memory(operation) }
    defer { gsl_vector_free(corner) }
    guard let edges = gsl_vector_alloc(count) else { throw .memory(operation) }
    defer { gsl_vector_free(edges) }
    guard let state = gsl_multimin_fminimizer_alloc(shim_multimin_nmsimplex2(), count) else {
      throw .memory(operation)
    }
    defer { gsl_multimin_fminimizer_free(state) }
    for index in 0..<count {
      gsl_vector_set(corner, index, start[index])
      gsl_vector_set(edges, index, steps[index])
    }
    // The minimizer stores the address, so the function must outlive it.
    let described = UnsafeMutablePointer<gsl_multimin_function>.allocate(capacity: 1)
    described.initialize(
      to: gsl_multimin_function(
        f: { FunctionBox.value(at: $0, $1) }, n: count,
        params: Unmanaged.passUnretained(function).toOpaque()))
    defer { described.deallocate() }
    var status = gsl_multimin_fminimizer_set(state, described, corner, edges)
    var hasConverged = false
    var step = 0
    while status == 0, !hasConverged, step < mostSteps, function.stoppedAt == nil {
      status = gsl_multimin_fminimizer_iterate(state)
      hasConverged = gsl_multimin_fminimizer_size(state) < tolerance
      step += 1
    }
    if let point = function.stoppedAt { return .stopped(at: point) }
    guard status == 0, let point = gsl_multimin_fminimizer_x(state) else {
      throw GSLError(code: status, operation: operation)
    }
    return .minimum(
      Minimum(
        point: (0..<count).map { gsl_vector_get(point, $0) },
        value: gsl_multimin_fminimizer_minimum(state), hasConverged: hasConverged))
  }
}

/// The context of GSL's callback, passed as its untyped parameter.
private final class FunctionBox {
  private let function: ([Double]) -> Double?
  private let count: Int
  private(set) var stoppedAt: [Double]?

  init(_ function: @escaping ([Double]) -> Double?, count: Int) {
    self.function = function
    self.count = count
  }

  static func value(
    at point: UnsafePointer<gsl_vector>?, _ context: UnsafeMutableRawPointer?
  ) -> Double {
    guard let point, let context else { return .nan }
    let box = Unmanaged<FunctionBox>.fromOpaque(context).takeUnretainedValue()
    // After a stop GSL may still request further corners.
    guard box.stoppedAt == nil else { return .nan }
    let place = (0..<box.count).map { gsl_vector_get(point, $0) }
    guard let value = box.function(place), value.isFinite else {
      box.stoppedAt = place
      return .nan
    }
    return value
  }
}
