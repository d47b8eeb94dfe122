import TraceModel

/// The continuous motion of a device, as a perfect sensor with infinite bandwidth measures it.
///
/// Signs are those of a specific force: a device at rest reads +9.80665 m s-2 along the axis that
/// points up, and its user acceleration is the acceleration of its body.
struct MotionModel: Sendable {
  /// A change of attitude.
  struct Turn: Sendable {
    var start: Double
    var duration: Double
    var from: Attitude
    var to: Attitude
  }

  private let pulses: [Pulse]
  /// The pulses that overlap each stretch of `bucketLength`.
  private let buckets: [[Int32]]
  private let turns: [Turn]
  private let tremor: Tremor

  private static let bucketLength = 0.125

  /// - Parameter turns: the turns, by start, not overlapping.
  init(duration: Double, pulses: [Pulse], turns: [Turn], tremor: Tremor) {
    self.pulses = pulses
    self.turns = turns
    self.tremor = tremor
    let last = Int((duration / MotionModel.bucketLength).rounded(.up))
    var buckets = [[Int32]](repeating: [], count: last + 1)
    for (index, pulse) in pulses.enumerated() {
      let low = MotionModel.bucket(of: pulse.start)
      let high = MotionModel.bucket(of: pulse.end)
      guard low <= last, high >= 0 else { continue }
      for bucket in max(low, 0)...min(high, last) { buckets[bucket].append(Int32(index)) }
    }
    self.buckets = buckets
  }

  private static func bucket(of time: Double) -> Int {
    Int((time / bucketLength).rounded(.down))
  }

  /// Returns the acceleration of the device without gravity, in the body's frame, m s-2.
  func bodyAcceleration(at time: Double) -> Vector {
    let bucket = min(max(MotionModel.bucket(of: time), 0), buckets.count - 1)
    var sum = tremor.acceleration(at: time)
    for index in buckets[bucket] { sum += pulses[Int(index)].acceleration(at: time) }
    return sum
  }

  func attitude(at time: Double) -> Attitude {
    tremor.rotation(at: time) * deliberateAttitude(at: time)
  }

  private func deliberateAttitude(at time: Double) -> Attitude {
    var low = 0
    var high = turns.count
    while low < high {
      let middle = (low + high) / 2
      if turns[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return turns.first?.from ?? .identity }
    let turn = turns[low - 1]
    let fraction = smoothStep((time - turn.start) / turn.duration)
    return fraction >= 1 ? turn.to : .between(turn.from, turn.to, fraction: fraction)
  }

  /// Returns the acceleration without gravity, in the device's frame, m s-2.
  func userAcceleration(at time: Double) -> Vector {
    attitude(at: time).toDevice(bodyAcceleration(at: time))
  }

  /// Returns gravity as a specific force in the device's frame, m s-2.
  func gravity(at time: Double) -> Vector {
    attitude(at: time).toDevice(Vector(x: 0, y: standardGravity, z: 0))
  }

  /// Returns the specific force that an accelerometer measures, in the device's frame, m s-2.
  func specificForce(at time: Double) -> Vector {
    attitude(at: time).toDevice(
      bodyAcceleration(at: time) + Vector(x: 0, y: standardGravity, z: 0))
  }

  /// Returns the instant of the largest acceleration in an interval with one maximum.
  func peak(in interval: ClosedRange<Double>) -> (time: Double, magnitude: Double) {
    var low = interval.lowerBound
    var high = interval.upperBound
    // Each round keeps two thirds: 60 rounds reduce 100 ms to less than a thousandth of a
    // nanosecond.
    for _ in 0..<60 {
      let left = low + (high - low) / 3
      let right = high - (high - low) / 3
      if bodyAcceleration(at: left).magnitude < bodyAcceleration(at: right).magnitude {
        low = left
      } else {
        high = right
      }
    }
    let time = (low + high) / 2
    return (time, bodyAcceleration(at: time).magnitude)
  }
}
