import TraceModel

/// The attitude of the device relative to the body's frame (x right, y up, z backwards, towards the
/// person): a unit quaternion.
///
/// The identity is a phone held upright with its screen towards the person: the device's axes equal
/// the body's.
struct Attitude: Hashable, Sendable {
  private var w: Double
  private var v: Vector

  static let identity = Attitude(w: 1, v: .zero)

  private init(w: Double, v: Vector) {
    self.w = w
    self.v = v
  }

  /// - Parameter angle: radians, right-handed about `axis`, which has length 1.
  init(axis: Vector, angle: Double) {
    w = Math.cos(angle / 2)
    v = axis * Math.sin(angle / 2)
  }

  /// Creates an attitude from radians about the body's x, y and z: roll is applied first, then
  /// pitch, then yaw.
  init(pitch: Double, yaw: Double = 0, roll: Double = 0) {
    let pitching = Attitude(axis: Vector(x: 1, y: 0, z: 0), angle: pitch)
    let yawing = Attitude(axis: Vector(x: 0, y: 1, z: 0), angle: yaw)
    let rolling = Attitude(axis: Vector(x: 0, y: 0, z: 1), angle: roll)
    self = yawing * pitching * rolling
  }

  /// Creates a rotation by a small vector (radians), to first order.
  init(smallRotation rotation: Vector) { self = Attitude(w: 1, v: rotation * 0.5).normalized }

  private var normalized: Attitude {
    let scale = 1 / (w * w + v.dot(v)).squareRoot()
    return Attitude(w: w * scale, v: v * scale)
  }

  static func * (left: Attitude, right: Attitude) -> Attitude {
    Attitude(
      w: left.w * right.w - left.v.dot(right.v),
      v: right.v * left.w + left.v * right.w + left.v.cross(right.v))
  }

  /// Converts a vector from the device's frame to the body's.
  func toBody(_ vector: Vector) -> Vector {
    let t = v.cross(vector) * 2
    return vector + t * w + v.cross(t)
  }

  /// Converts a vector from the body's frame to the device's.
  func toDevice(_ vector: Vector) -> Vector { Attitude(w: w, v: v * -1).toBody(vector) }

  /// Returns the rotation from this attitude to another one as a vector in the device's frame:
  /// its direction is the axis, its length the angle in radians, at most half a turn.
  func rotation(to next: Attitude) -> Vector {
    let turn = Attitude(w: w, v: v * -1) * next
    let sine = turn.v.magnitude
    guard sine > 0 else { return .zero }
    let angle = 2 * Math.atan2(turn.w < 0 ? -sine : sine, turn.w.magnitude)
    return turn.v * (angle / sine)
  }

  /// Interpolates between two attitudes along the shorter way; the speed is not constant, as in a
  /// hand. The two must not be half a turn apart.
  static func between(_ start: Attitude, _ end: Attitude, fraction: Double) -> Attitude {
    let sign = start.w * end.w + start.v.dot(end.v) < 0 ? -1.0 : 1.0
    let w = start.w * (1 - fraction) + end.w * sign * fraction
    let v = start.v * (1 - fraction) + end.v * (sign * fraction)
    return Attitude(w: w, v: v).normalized
  }
}
