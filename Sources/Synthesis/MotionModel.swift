import TraceModel

/// The continuous motion of a device, as a perfect sensor with infinite bandwidth measures it.
///
/// Signs are those of a specific force: a device at rest reads +9.80665 m s-2 along the axis that
/// points up, and its user acceleration is the acceleration of its body.
struct MotionModel: Sendable {
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

  private static func bucket(of time: Double) -> Int { Int((time / bucketLength).rounded(.down)) }

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
    let next = turns.partitioningIndex { $0.start > time }
    guard next > 0 else { return turns.first?.from ?? .identity }
    let turn = turns[next - 1]
    let fraction = smoothStep((time - turn.start) / turn.duration)
    return fraction >= 1 ? turn.to : .between(turn.from, turn.to, fraction: fraction)
  }

  /// Returns the times around a peak, within an interval, at which half of it is reached.
  func half(
    of peak: (time: Double, magnitude: Double), in interval: ClosedRange<Double>
  ) -> ClosedRange<Double> {
    func crossing(towards end: Double) -> Double {
      let steps = 400
      var inside = peak.time
      for index in 1...steps {
        let time = peak.time + (end - peak.time) * Double(index) / Double(steps)
        if bodyAcceleration(at: time).magnitude < peak.magnitude / 2 {
          return root(between: inside, and: time)
        }
        inside = time
      }
      return end
    }
    func root(between inside: Double, and outside: Double) -> Double {
      var (inside, outside) = (inside, outside)
      // Each round halves it: 40 rounds reduce a millisecond to less than a nanosecond.
      for _ in 0..<40 {
        let middle = (inside + outside) / 2
        if bodyAcceleration(at: middle).magnitude < peak.magnitude / 2 {
          outside = middle
        } else {
          inside = middle
        }
      }
      return inside
    }
    return crossing(towards: interval.lowerBound)...crossing(towards: interval.upperBound)
  }

  /// Returns the instant of the largest acceleration in an interval: the largest of 200 instants,
  /// then a search around it.
  func peak(in interval: ClosedRange<Double>) -> (time: Double, magnitude: Double) {
    let step = (interval.upperBound - interval.lowerBound) / 200
    func instant(_ index: Int) -> Double { interval.lowerBound + Double(index) * step }
    let magnitudes = (0...200).map { bodyAcceleration(at: instant($0)).magnitude }
    let best = (0...200).max { magnitudes[$0] < magnitudes[$1] } ?? 0
    var low = instant(max(best - 1, 0))
    var high = instant(min(best + 1, 200))
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
