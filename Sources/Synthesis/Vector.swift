import TraceModel

/// A vector in double precision: the model uses it, the sensor rounds to single precision.
typealias Vector = SIMD3<Double>

extension Vector {
  var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

  /// The normalized vector; zero for a zero vector.
  var normalized: Vector {
    let length = magnitude
    return length > 0 ? self * (1 / length) : .zero
  }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// Returns the vector with each component at the nearest multiple of a step.
  func rounded(to step: Double) -> Vector { (self / step).rounded(.toNearestOrAwayFromZero) * step }

  func limited(to limit: Double) -> Vector {
    clamped(lowerBound: Vector(repeating: -limit), upperBound: Vector(repeating: limit))
  }
}

extension SeededGenerator {
  /// Returns a vector with three independent normal components.
  mutating func normalVector(standardDeviation: Double) -> Vector {
    let x = normal(standardDeviation: standardDeviation)
    let y = normal(standardDeviation: standardDeviation)
    let z = normal(standardDeviation: standardDeviation)
    return Vector(x: x, y: y, z: z)
  }

  /// Returns a direction, uniform on the sphere.
  mutating func direction() -> Vector {
    let direction = normalVector(standardDeviation: 1).normalized
    return direction == .zero ? Vector(x: 1, y: 0, z: 0) : direction
  }

  /// Returns `vector` rotated by up to `limit` radians about a random axis.
  mutating func turned(_ vector: Vector, upTo limit: Double) -> Vector {
    Attitude(axis: direction(), angle: uniform(0...limit)).toBody(vector)
  }

  /// Returns a factor around 1 with a normal logarithm, cut at 2.5 standard deviations, to vary
  /// repeated movements.
  mutating func factor(spread: Double) -> Double {
    Math.exp(spread * min(max(normal(), -2.5), 2.5))
  }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }
}
