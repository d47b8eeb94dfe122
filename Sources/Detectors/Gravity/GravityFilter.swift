public import TraceModel

/// Estimates gravity in an acceleration signal and removes it. This is an explicit step, never
/// hidden in a reader or a detector.
///
/// The gravity estimate follows the signal with a first-order low-pass. It is frozen while the
/// magnitude shows that the device accelerates, so that a swing does not change it: `g += k (a -
/// g)`, `k = dt / (timeConstant + dt)`, unless `| |a| - 1 g | > freezeBand`.
///
/// `k` is the backward-Euler form of `1 - exp(-dt / timeConstant)`: at 100 Hz and 0.7 s it is 0.7 %
/// smaller, and it needs no exponential for each sample.
///
/// ```swift
/// var filter = GravityFilter()
/// filter.apply(Acceleration(x: 0, y: 0, z: 9.80665), measured: .zero).magnitude < 1e-3  // true
/// ```
public struct GravityFilter: Sendable, Equatable {
  public struct Parameters: Sendable, Hashable, Codable {
    /// The time constant in seconds.
    public var timeConstant: Double
    /// The freeze band in m s-2.
    public var freezeBand: Double

    public init(timeConstant: Double = 0.7, freezeBand: Double = 0.4 * standardGravity) {
      self.timeConstant = timeConstant
      self.freezeBand = freezeBand
    }
  }

  public let parameters: Parameters
  private var gravity: SIMD3<Double>?
  private var lastTime: Int64 = 0

  public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The name of the method, as stored in traces and results.
  public var name: String {
    "lowpass(\(parameters.timeConstant) s, frozen beyond \(parameters.freezeBand) m s-2)"
  }

  /// Returns the sample without gravity. A NaN sample gives NaN and does not change the gravity
  /// estimate.
  public mutating func apply(_ sample: Acceleration, measured: TraceInstant) -> Acceleration {
    let force = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z))
    let magnitude = Self.magnitude(force)
    guard let old = gravity else {
      guard magnitude.isFinite else { return sample }
      // The direction of the first sample with the magnitude of gravity: for a recording that starts
      // in motion, only the direction is wrong.
      gravity = magnitude > 0 ? force * (standardGravity / magnitude) : .zero
      lastTime = measured.nanoseconds
      return apply(sample, measured: measured)
    }
    let elapsed = Double(measured.nanoseconds.subtractingClamped(lastTime)) / 1e9
    lastTime = measured.nanoseconds
    var new = old
    if abs(magnitude - standardGravity) <= parameters.freezeBand, elapsed > 0 {
      new += elapsed / (parameters.timeConstant + elapsed) * (force - old)
      gravity = new
    }
    return Acceleration(
      x: Float(force.x - new.x), y: Float(force.y - new.y), z: Float(force.z - new.z))
  }

  /// Applies the filter to a whole block; the times are unchanged.
  public mutating func apply(_ block: VectorColumns) -> VectorColumns {
    var output = VectorColumns()
    for position in block.range {
      let measured = block.measured(at: position)
      output.append(
        apply(block[position], measured: measured), measured: measured.nanoseconds,
        arrived: block.arrived(at: position).nanoseconds)
    }
    return output
  }

  private static func magnitude(_ force: SIMD3<Double>) -> Double {
    (force.x * force.x + force.y * force.y + force.z * force.z).squareRoot()
  }
}

extension Trace {
  /// Adds a gravity-free channel computed from the channel with gravity, and stores the name of the
  /// method in it. Does nothing if the trace has no acceleration with gravity.
  public mutating func removeGravity(_ parameters: GravityFilter.Parameters = .init()) {
    guard let block = self[.acceleration], let columns = VectorColumns(block) else { return }
    var filter = GravityFilter(parameters)
    set(
      .vector(filter.apply(columns)), for: .userAcceleration,
      attributes: ["gravity_removal": filter.name])
  }
}

#if !hasFeature(Embedded)
  extension GravityFilter.Parameters {
    /// The texts that ``init(text:)`` takes, for messages.
    package static let spelling =
      "lowpass or lowpass:<time constant>,<freeze band>, e.g. lowpass:0.7s,0.4g"

    /// The parameters as text, on the command line and in suites: `lowpass`, or `lowpass:0.7s,0.4g`
    /// with the time constant and the freeze band; nil = the text is no such filter.
    package init?(text: String) {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      let values = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
      guard parts.first == "lowpass", values.count <= 2 else { return nil }
      self.init()
      if let text = values.first {
        timeConstant = Quantity.value(of: text, unit: .seconds) ?? 0
      }
      if values.count > 1 {
        freezeBand = Quantity.value(of: values[1], unit: .metersPerSecondSquared) ?? -1
      }
      guard timeConstant > 0, freezeBand >= 0 else { return nil }
    }
  }
#endif
