@testable import Detectors
import Foundation
import TestSupport
import Testing
import TraceModel

/// The kinds of punches that a person has shown.
@Suite struct EnrolledKindTests {
  /// Swings of three kinds, one every 2 s: what the device feels while it is accelerated and stopped.
  struct Session {
    var acceleration = VectorColumns()
    var rotation = VectorColumns()
    var kinds: [String] = []
    var peaks: [Int64] = []

    /// - Parameters:
    ///   - rate: in Hz, of both sensors.
    ///   - strength: of the movements, as a factor.
    init(_ kinds: [String], seed: UInt64, rate: Double = 100, strength: Double = 1) {
      var random = SeededGenerator(seed: seed)
      self.kinds = kinds
      let step = 1 / rate
      var jitters: [Double] = []
      for index in kinds.indices {
        let middle = 2 * Double(index) + 1 + random.unit() * 0.01
        jitters.append(0.8 + 0.4 * random.unit())
        peaks.append(Int64((middle / step).rounded() * step * 1e9))
      }
      for sample in 0..<Int(2 * Double(kinds.count) * rate) {
        let time = Int64(Double(sample) * step * 1e9)
        let nearest = min(max(Int(Double(time) / 2e9), 0), kinds.count - 1)
        let distance = Double(time - peaks[nearest]) / 1e9
        let (a, g) = Session.shape(kinds[nearest], distance)
        func noisy(_ vector: [Double], _ noise: Double) -> Vector3 {
          let factor = strength * jitters[nearest]
          let values = vector.map { Float($0 * factor + noise * (random.unit() - 0.5)) }
          return Vector3(x: values[0], y: values[1], z: values[2])
        }
        acceleration.append(noisy(a, 1), measured: time, arrived: time)
        rotation.append(noisy(g, 0.2), measured: time, arrived: time)
      }
    }

    private static func shape(_ kind: String, _ t: Double) -> ([Double], [Double]) {
      func bump(_ middle: Double, _ width: Double) -> Double {
        exp(-(t - middle) * (t - middle) / (2 * width * width))
      }
      let (swing, stop, turn) = (bump(-0.15, 0.05), bump(0, 0.02), bump(-0.08, 0.08))
      switch kind {
      case "jab": return ([25 * swing - 80 * stop, 8 * stop, 0], [0, 3 * turn, 1 * turn])
      case "cross": return ([20 * swing - 70 * stop, -20 * stop, 0], [5 * turn, 2 * turn, 0])
      case "lead hook": return ([-15 * swing, 25 * swing - 75 * stop, 0], [0, 0, 12 * turn])
      default: return ([0, 10 * stop, 25 * swing - 75 * stop], [0, -12 * turn, 2 * turn])
      }
    }

    func features(_ reader: MotionHistory = MotionHistory()) -> [[String: [Double]]] {
      var reader = reader
      var found: [[String: [Double]]] = []
      for position in acceleration.range {
        let time = acceleration.measuredTimes[position]
        if found.count < peaks.count, time - peaks[found.count] > MotionHistory.horizon {
          found.append(reader.features(around: TraceInstant(nanoseconds: peaks[found.count])))
        }
        reader.add(acceleration: acceleration[position], at: time)
        reader.add(rotation: rotation[position], at: time)
      }
      return found
    }

    var examples: [EnrolledExample] {
      zip(kinds, features()).map { EnrolledExample(kind: $0, features: $1) }
    }
  }

  private static let kinds = ["jab", "cross", "lead hook", "uppercut"]
  private static let taught = PunchDetector.profile(
    from: Session((0..<20).map { kinds[$0 % 4] }, seed: 1).examples)

  private static func parameters(
    _ profile: PersonProfile?, rule: PunchRule = .swing
  ) -> PunchParameters {
    PunchParameters(
      threshold: 20, rule: rule, retrigger: .everySample, arming: .always,
      suppression: .nonMaximum, peakWindow: 0, refractory: 0.32, types: .enrolled,
      profile: profile.map { ProfileSet(source: "test", people: ["a": $0]) })
  }

  private func run(
    _ parameters: PunchParameters, _ session: Session, blocks size: Int = 1,
    rotation isThere: Bool = true
  ) -> [Detection<PunchEvent>] {
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    let columns = session.acceleration
    for start in stride(from: 0, to: columns.range.upperBound, by: size) {
      let end = min(start + size, columns.range.upperBound)
      detector.ingest(contentsOf: columns, in: start..<end, into: &found)
      guard isThere else { continue }
      for position in start..<end {
        let time = TraceInstant(nanoseconds: columns.measuredTimes[position])
        detector.ingest(
          companion: Reading(
            device: DeviceID(0), channel: .rotationRate, sequence: position, measured: time,
            arrived: time, value: .vector(session.rotation[position])), into: &found)
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 1 << 50), into: &found)
    return found
  }

  @Test(arguments: [PunchRule.swing, .magnitude], [true, false])
  func punchesAreNamedAsThePersonHasShownThem(rule: PunchRule, rotation: Bool) {
    let session = Session((0..<24).map { Self.kinds[($0 / 2) % 4] }, seed: 2)
    let found = run(Self.parameters(Self.taught, rule: rule), session, rotation: rotation)
    #expect(found.map(\.event.label) == session.kinds.map { PunchLabel.classify($0).label })
    let right = zip(found, session.kinds).count { $0.event.name == $1 }
    // The acceleration alone does not always tell a jab from a cross, which are both straight.
    #expect(rotation ? right == 24 : right >= 20)
    #expect(found.allSatisfy { $0.event.originalLabel == $0.event.name })
  }

  @Test(arguments: [25.0, 50, 200, 400], [0.5, 1, 2])
  func theRateAndTheStrengthDoNotMatter(rate: Double, strength: Double) {
    let session = Session(
      (0..<24).map { Self.kinds[$0 % 4] }, seed: 3, rate: rate, strength: strength)
    let found = run(Self.parameters(Self.taught, rule: .magnitude), session)
    #expect(found.map(\.event.name) == session.kinds.map(Optional.some))
  }

  @Test func withoutAProfileEveryKindIsUnknown() {
    let session = Session((0..<8).map { Self.kinds[$0 % 4] }, seed: 4)
    let found = run(Self.parameters(nil), session)
    #expect(found.count == 8)
    #expect(found.allSatisfy { $0.event.label == "unknown" && $0.event.name == nil })
    #expect(found.allSatisfy { $0.event.target == .unknown })
    // Nothing else changes.
    let named = run(Self.parameters(Self.taught), session)
    #expect(named.map(\.onset) == found.map(\.onset))
    #expect(named.map(\.emitted) == found.map(\.emitted))
    #expect(named.map(\.event.magnitude) == found.map(\.event.magnitude))
    #expect(named.map(\.event.equivalentPeak) == found.map(\.event.equivalentPeak))
  }

  @Test func aModelWithTooFewExamplesIsLeftOut() {
    let session = Session(["jab", "jab", "jab"], seed: 5)
    #expect(PunchDetector.profile(from: session.examples).models.isEmpty)
    // Without the rotation rate of one kind, only the acceleration can tell the kinds apart.
    var examples = Session((0..<8).map { Self.kinds[$0 % 4] }, seed: 6).examples
    for index in examples.indices where examples[index].kind == "jab" {
      examples[index].features[PunchDetector.motionModel] = nil
    }
    let profile = PunchDetector.profile(from: examples)
    #expect(profile.models.keys.sorted() == [PunchDetector.accelerationModel])
    #expect(profile.examples == ["jab": 2, "cross": 2, "lead hook": 2, "uppercut": 2])
  }

  @Test func whatIsBetweenTwoClassesIsUnknown() throws {
    let examples = Session((0..<20).map { Self.kinds[$0 % 4] }, seed: 1).features()
    func kind(_ share: Double, from first: Int, to second: Int) -> String? {
      var features: [String: [Double]] = [:]
      for (name, vector) in examples[first] {
        features[name] = zip(vector, examples[second][name] ?? []).map { $0 + share * ($1 - $0) }
      }
      return PunchDetector.kind(of: features, by: Self.taught)
    }
    // On the way from a hook to an uppercut there is a place where neither is sure: the hook ends there.
    #expect(kind(0, from: 2, to: 3) == "lead hook")
    #expect(kind(1, from: 2, to: 3) == "uppercut")
    var (hook, other) = (0.0, 1.0)
    while other - hook > 1e-9 {
      let middle = (hook + other) / 2
      if kind(middle, from: 2, to: 3) == "lead hook" { hook = middle } else { other = middle }
    }
    #expect(kind(other, from: 2, to: 3) == nil)
    // From a jab to a cross it is a straight one all the way.
    let straights = (0...2000).map { kind(Double($0) / 2000, from: 0, to: 1) }
    #expect(straights.allSatisfy { $0 == "jab" || $0 == "cross" })
  }

  @Test func modelsWithOtherKindsNameNothing() throws {
    var profile = Self.taught
    let other = Session((0..<8).map { ["jab", "uppercut"][$0 % 2] }, seed: 11)
    profile.models[PunchDetector.accelerationModel] =
      PunchDetector.profile(from: other.examples).models[PunchDetector.accelerationModel]
    #expect(PunchDetector.kind(of: other.examples[0].features, by: profile) == nil)
    #expect(PunchDetector.kind(of: [:], by: Self.taught) == nil)
  }

  @Test func blocksOfAnySizeNameTheSameOnceRotationHasArrived() {
    let session = Session((0..<24).map { Self.kinds[$0 % 4] }, seed: 7)
    let expected = run(Self.parameters(Self.taught), session, rotation: false)
    for size in [2, 3, 7, 4096] {
      #expect(run(Self.parameters(Self.taught), session, blocks: size, rotation: false) == expected)
    }
  }

  @Test func aStateComesBackInTheMiddleOfAPunch() throws {
    let session = Session((0..<8).map { Self.kinds[$0 % 4] }, seed: 8)
    var detector = PunchDetector(Self.parameters(Self.taught))
    var found: [Detection<PunchEvent>] = []
    for position in session.acceleration.range {
      let time = TraceInstant(nanoseconds: session.acceleration.measuredTimes[position])
      detector.ingest(session.acceleration[position], measured: time, arrived: time, into: &found)
      if position % 71 == 0 {
        detector = try JSONDecoder().decode(
          PunchDetector.self, from: JSONEncoder().encode(detector))
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 1 << 50), into: &found)
    #expect(found == run(Self.parameters(Self.taught), session, rotation: false))
  }

  // MARK: The history

  @Test func theOrderOfTheSensorsDoesNotMatter() throws {
    let session = Session(["jab", "lead hook"], seed: 9)
    var (one, other) = (MotionHistory(), MotionHistory())
    for position in session.acceleration.range where position < 135 {
      let time = session.acceleration.measuredTimes[position]
      one.add(acceleration: session.acceleration[position], at: time)
      one.add(rotation: session.rotation[position], at: time)
      if position == 0 { other.add(acceleration: session.acceleration[0], at: time) }
      other.add(rotation: session.rotation[position], at: time)
      if position > 0 { other.add(acceleration: session.acceleration[position], at: time) }
    }
    let peak = TraceInstant(nanoseconds: session.peaks[0])
    #expect(one.features(around: peak) == other.features(around: peak))
    #expect(
      one.features(around: peak).mapValues(\.count) == MotionHistory.sizes)
  }

  @Test(.longer) func anyTimesAndValuesDoNotTrap() {
    var random = SeededGenerator(seed: 10)
    for _ in 0..<LongTests.count(quick: 200, long: 5000) {
      var history = MotionHistory()
      for _ in 0..<50 {
        let time = [
          Int64(random.unit() * 2e9), .min, .max, 0, -1, Int64.max - 3, -4_000_000_000,
        ][Int(random.next() % 7)]
        let values: [Float] = [1, -80, .nan, .infinity, 0, .greatestFiniteMagnitude]
        func any() -> Float { values[Int(random.next() % 6)] }
        let sample = Vector3(x: any(), y: any(), z: any())
        if random.unit() < 0.5 {
          history.add(acceleration: sample, at: time)
        } else {
          history.add(rotation: sample, at: time)
        }
        let features = history.features(around: TraceInstant(nanoseconds: time))
        #expect(features.allSatisfy { $0.value.allSatisfy(\.isFinite) })
      }
    }
  }
}
