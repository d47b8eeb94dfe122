import TraceModel

@testable import Scoring

/// Simulated recordings of people, and detectors that know nothing of the events.
struct NullWorld {
  /// How people move and hit.
  enum Kind: CaseIterable {
    /// Bouts of seconds, with a hit now and then.
    case bouts
    /// The same, with hits at an exact pace through the recording.
    case metronome
    /// Rest, and movement only around each hit.
    case single
  }

  enum Detector: CaseIterable {
    case uniform, inMovement, rhythmic, rhythmicInMovement, real

    var isReal: Bool { self == .real }
  }

  let kind: Kind
  let duration = 90.0
  /// The mean time between two hits, in s.
  let pace: Double
  private(set) var hits: [Double] = []
  /// In s; the movement that a detector would see.
  private(set) var moving: [ClosedRange<Double>] = []

  init(_ kind: Kind, _ generator: inout SeededGenerator) {
    self.kind = kind
    pace = kind == .single ? generator.uniform(3...5) : generator.uniform(0.9...1.6)
    switch kind {
    case .single:
      var time = generator.uniform(2...4)
      while time < duration - 1 {
        hits.append(time)
        time += pace * generator.uniform(0.6...1.4)
      }
      moving = hits.map { $0 - 0.4...$0 + 0.4 }
    case .bouts, .metronome: addBouts(&generator)
    }
  }

  private mutating func addBouts(_ generator: inout SeededGenerator) {
    let phase = generator.uniform(0...pace)
    var start = generator.uniform(1...4)
    while start < duration - 4 {
      let end = min(start + generator.uniform(4...14), duration - 1)
      moving.append(start...end)
      if kind == .metronome {
        let first = ((start + 0.3 - phase) / pace).rounded(.up)
        hits += stride(from: phase + first * pace, to: end - 0.3, by: pace)
      } else {
        var time = start + generator.uniform(0.3...pace)
        while time < end - 0.3 {
          hits.append(time)
          time += pace * generator.uniform(0.7...1.3)
        }
      }
      start = end + generator.uniform(2...7)
    }
  }

  /// A sensor of 50 Hz: noise at rest, a swing in movement, a pulse around each hit.
  func movement(_ generator: inout SeededGenerator) -> [Range<Int64>]? {
    var movement = Movement()
    var (next, hit) = (0, 0)
    for tick in 0..<Int(duration * 50) {
      let time = Double(tick) / 50
      while next < moving.count, moving[next].upperBound < time { next += 1 }
      while hit < hits.count, hits[hit] + 0.15 < time { hit += 1 }
      var value = generator.normal(standardDeviation: 0.03) + 0.1
      if next < moving.count, moving[next].contains(time) {
        value += 2 * Math.sin(12 * time) + generator.normal(standardDeviation: 0.5)
      }
      if hit < hits.count, abs(hits[hit] - time) < 0.15 { value += 25 }
      movement.add(Vector3(x: Float(value), y: 0, z: 0), at: Int64(tick) * 20_000_000)
    }
    return movement.stretches
  }

  /// The times of a detector's events, in s.
  func detections(_ detector: Detector, _ generator: inout SeededGenerator) -> [Double] {
    func random(_ rate: Double) -> [Double] {
      (0..<Int(duration * 50)).filter { _ in generator.unit() < rate / 50 }.map {
        Double($0) / 50
      }
    }
    func isMoving(_ time: Double) -> Bool { moving.contains { $0.contains(time) } }
    let phase = generator.uniform(0...pace)
    let rhythm = Array(stride(from: phase, to: duration, by: pace))
    switch detector {
    case .uniform: return random(0.8)
    case .inMovement: return random(1.2).filter(isMoving)
    case .rhythmic: return rhythm
    case .rhythmicInMovement: return rhythm.filter(isMoving)
    case .real:
      return hits.filter { _ in generator.unit() < 0.6 }.map {
        $0 + generator.normal(standardDeviation: 0.04)
      } + random(0.05)
    }
  }

  /// How well a detector does on several such people.
  static func level(
    _ kind: Kind, _ detector: Detector, people: Int, shifts: Int, seed: UInt64
  ) -> ChanceLevel? {
    var generator = SeededGenerator(seed: seed)
    func instant(_ seconds: Double) -> TraceInstant {
      TraceInstant(nanoseconds: Int64(seconds * 1e9))
    }
    return ChanceLevel(
      (0..<people).map { _ in
        let world = NullWorld(kind, &generator)
        let found = world.detections(detector, &generator).map(instant)
        return ShiftedHits(
          references: world.hits.map { ReferenceEvent(onset: instant($0)) }, detections: found,
          tolerance: .standard, movement: world.movement(&generator),
          duration: .nanoseconds(Int64(world.duration * 1e9)), shifts: shifts,
          seed: generator.next())
      })
  }
}
