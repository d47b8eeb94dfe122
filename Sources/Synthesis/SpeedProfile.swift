import TraceModel

/// The distance covered as a function of time: stretches of constant acceleration without jumps in
/// speed.
struct SpeedProfile: Sendable {
  private struct Stretch: Sendable {
    var start: Double
    var duration: Double
    var way: Double
    var speed: Double
    var acceleration: Double

    var isMoving: Bool { speed > 0 || acceleration > 0 }

    func way(after time: Double) -> Double { way + time * (speed + acceleration * time / 2) }
  }

  private var stretches: [Stretch] = []
  /// The end of the profile so far: seconds, metres, m s-1.
  private(set) var time = 0.0
  private(set) var way = 0.0
  private(set) var speed = 0.0

  /// The accelerations in m s-2 when starting and stopping, and when changing the pace.
  private static let start = 0.9
  private static let change = 0.15

  /// - Precondition: the person is standing.
  mutating func stand(for seconds: Double) {
    precondition(speed == 0)
    add(duration: seconds, acceleration: 0)
  }

  /// Starts, moves at a pace that varies within `speeds`, and stops exactly at `target`.
  mutating func go(
    to target: Double, speeds: ClosedRange<Double>, random: inout SeededGenerator
  ) {
    while true {
      let next = random.uniform(speeds)
      let rate = speed == 0 ? SpeedProfile.start : SpeedProfile.change
      let duration = (next - speed).magnitude / rate
      let left = target - way - duration * (speed + next) / 2 - SpeedProfile.braking(next)
      if left <= 0 { break }
      add(duration: duration, acceleration: next < speed ? -rate : rate)
      speed = next
      add(duration: min(random.uniform(6...18), left / speed), acceleration: 0)
    }
    brake(at: target)
  }

  private static func braking(_ speed: Double) -> Double { speed * speed / (2 * start) }

  private mutating func brake(at target: Double) {
    if speed == 0 {
      // The distance is too short to reach the pace: accelerate for half of it, then decelerate.
      let half = ((target - way) / SpeedProfile.start).squareRoot()
      add(duration: half, acceleration: SpeedProfile.start)
      speed = half * SpeedProfile.start
    }
    let cruise = target - way - SpeedProfile.braking(speed)
    if cruise > 0 { add(duration: cruise / speed, acceleration: 0) }
    // Stop exactly there: the rounding error changes the last digits of the deceleration.
    let rest = target - way
    add(duration: 2 * rest / speed, acceleration: -speed * speed / (2 * rest))
    way = target
    speed = 0
  }

  private mutating func add(duration: Double, acceleration: Double) {
    guard duration > 0 else { return }
    let stretch = Stretch(
      start: time, duration: duration, way: way, speed: speed, acceleration: acceleration)
    stretches.append(stretch)
    time += duration
    way = stretch.way(after: duration)
  }

  func way(at time: Double) -> Double {
    guard let stretch = stretch(at: time) else { return time <= 0 ? 0 : way }
    return min(stretch.way(after: time - stretch.start), way)
  }

  func speed(at time: Double) -> Double {
    guard let stretch = stretch(at: time) else { return 0 }
    return max(stretch.speed + stretch.acceleration * (time - stretch.start), 0)
  }

  private func stretch(at time: Double) -> Stretch? {
    guard time >= 0, time < self.time else { return nil }
    let next = stretches.partitioningIndex { $0.start > time }
    return next > 0 ? stretches[next - 1] : nil
  }

  /// Returns the first time at which `target` is reached; nil if never.
  func time(reaching target: Double) -> Double? {
    guard target <= way else { return nil }
    for (index, stretch) in stretches.enumerated() where stretch.isMoving {
      let end = index + 1 < stretches.count ? stretches[index + 1].way : way
      if target > end { continue }
      let left = max(target - stretch.way, 0)
      let square = stretch.speed * stretch.speed + 2 * stretch.acceleration * left
      let sum = stretch.speed + max(square, 0).squareRoot()
      return sum > 0 ? stretch.start + 2 * left / sum : stretch.start
    }
    return nil
  }

  /// Returns the moving time in seconds in an interval whose ends lie in stands or at joints.
  func movingTime(in interval: ClosedRange<Double>) -> Double {
    var sum = 0.0
    for stretch in stretches where stretch.isMoving {
      let start = max(stretch.start, interval.lowerBound)
      let end = min(stretch.start + stretch.duration, interval.upperBound)
      sum += max(end - start, 0)
    }
    return sum
  }
}
