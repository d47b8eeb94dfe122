import TraceModel

/// The tremor of a hand and the sway of a body: smooth noise in acceleration and in attitude.
///
/// It consists of independent normal values every 0.12 s, joined by Catmull-Rom splines, with
/// little power above 5 Hz.
struct Tremor: Sendable {
  /// The level of the tremor, as standard deviations at the knots.
  struct Level: Sendable {
    /// The acceleration in m s-2.
    var acceleration: Double
    /// The angle in radians.
    var angle: Double

    static let still = Level(acceleration: 0, angle: 0)
  }

  private static let spacing = 0.12
  private let accelerations: [Vector]
  private let angles: [Vector]

  /// - Parameter levels: the levels by time (s); each applies until the next.
  init(
    duration: Double, levels: [(start: Double, level: Level)], random: inout SeededGenerator
  ) {
    let count = Int((duration / Tremor.spacing).rounded(.up)) + 4
    var accelerations: [Vector] = []
    var angles: [Vector] = []
    var next = 0
    var level = Level.still
    for knot in 0..<count {
      let time = Double(knot - 1) * Tremor.spacing
      while next < levels.count, levels[next].start <= time {
        level = levels[next].level
        next += 1
      }
      accelerations.append(random.normalVector(standardDeviation: level.acceleration))
      angles.append(random.normalVector(standardDeviation: level.angle))
    }
    self.accelerations = accelerations
    self.angles = angles
  }

  func acceleration(at time: Double) -> Vector { Tremor.spline(accelerations, at: time) }

  func rotation(at time: Double) -> Attitude {
    Attitude(smallRotation: Tremor.spline(angles, at: time))
  }

  private static func spline(_ knots: [Vector], at time: Double) -> Vector {
    let position = min(max(time / spacing, 0), Double(knots.count - 4))
    let index = Int(position)
    let s = position - Double(index)
    let (a, b, c, d) = (knots[index], knots[index + 1], knots[index + 2], knots[index + 3])
    let square = s * s
    let cube = square * s
    return a * ((-s + 2 * square - cube) / 2) + b * ((2 - 5 * square + 3 * cube) / 2)
      + c * ((s + 4 * square - 3 * cube) / 2) + d * ((cube - square) / 2)
  }
}
