@testable import Detectors
import Foundation
import TestSupport
import Testing
import TraceModel

/// The turn of gravity around a peak, and the punch detector that leaves out falls by it.
@Suite struct GravityTurnTests {
  private static func vector(_ degrees: Double) -> Vector3 {
    let angle = degrees * .pi / 180
    return Vector3(x: Float(9.8 * sin(angle)), y: 0, z: Float(9.8 * cos(angle)))
  }

  @Test(arguments: [0.0, 10, 59, 61, 90, 135, 180], [0, -7_000_000_123])
  func theAngleIsThatBetweenTheMediansOfBothSides(degrees: Double, start: Int64) throws {
    var turn = GravityTurn()
    var random = SeededGenerator(seed: 1)
    for index in 0..<500 {
      let time = start + Int64(index) * 10_000_000
      let isSwing = (190...310).contains(index)
      var sample = Self.vector(index < 250 ? 0 : degrees)
      // What the swing itself does is not looked at, and a fifth of the rest may be anything.
      if isSwing || random.unit() < 0.2 { sample.y = Float(random.unit() * 200 - 100) }
      turn.add(sample, at: time)
    }
    let found = try #require(turn.turn(around: start + 2_500_000_000))
    #expect(abs(found.degrees - degrees) < 12)
  }

  @Test func withoutDisturbanceItIsExact() throws {
    var turn = GravityTurn()
    for index in 0..<500 {
      turn.add(Self.vector(index < 250 ? 20 : 85), at: Int64(index) * 10_000_000)
    }
    let found = try #require(turn.turn(around: 2_500_000_000))
    #expect(abs(found.degrees - 65) < 1e-4)
    #expect(found.unrest == 0)
  }

  @Test func tooLittleOnASideIsNoAnswer() {
    var turn = GravityTurn()
    #expect(turn.turn(around: 0) == nil)
    for index in 0..<200 { turn.add(Self.vector(0), at: Int64(index) * 10_000_000) }
    // Nothing follows, and nothing comes before.
    #expect(turn.turn(around: 1_900_000_000) == nil)
    #expect(turn.turn(around: 100_000_000) == nil)
    #expect(turn.turn(around: .max) == nil)
    #expect(turn.turn(around: .min) == nil)
  }

  @Test func aClockSetBackStartsAnew() {
    var turn = GravityTurn()
    for index in 0..<500 { turn.add(Self.vector(0), at: Int64(index) * 10_000_000 + (1 << 40)) }
    turn.add(Self.vector(90), at: 0)
    #expect(turn.turn(around: (1 << 40) + 2_500_000_000) == nil)
    for time in [Int64.min, .max, 0, -1] { turn.add(Self.vector(0), at: time) }
  }

  // MARK: The detector

  private static func parameters(_ gravityTurn: Double) -> PunchParameters {
    PunchParameters(
      threshold: 20, rule: .magnitude, retrigger: .everySample, arming: .always,
      suppression: .nonMaximum, peakWindow: 0, refractory: 0.3, gravityTurn: gravityTurn)
  }

  /// 30 s at 100 Hz with a peak every 5 s; after each second one gravity has turned by 90 degrees.
  private static func recording() -> (user: VectorColumns, raw: VectorColumns) {
    var (user, raw) = (VectorColumns(), VectorColumns())
    var degrees = 0.0
    for index in 0..<3000 {
      let time = Int64(index) * 10_000_000
      let isPeak = index % 500 == 250
      if isPeak, index % 1000 == 250 { degrees += 90 }
      user.append(
        Vector3(x: isPeak ? 40 : Float(index % 3), y: 0, z: 0), measured: time, arrived: time)
      raw.append(vector(degrees), measured: time, arrived: time)
    }
    return (user, raw)
  }

  private func run(
    _ gravityTurn: Double, blocks size: Int, raw: Bool = true, shift: Int64 = 0,
    unrest: Float = 0
  ) -> [Detection<PunchEvent>] {
    let recording = Self.recording()
    var detector = PunchDetector(Self.parameters(gravityTurn))
    var found: [Detection<PunchEvent>] = []
    var user = recording.user
    if shift != 0 {
      user = VectorColumns()
      for position in recording.user.range {
        let time = recording.user.measuredTimes[position] + shift
        user.append(recording.user[position], measured: time, arrived: time)
      }
    }
    for start in stride(from: 0, to: user.range.upperBound, by: size) {
      let end = min(start + size, user.range.upperBound)
      detector.ingest(contentsOf: user, in: start..<end, into: &found)
      guard raw else { continue }
      for position in start..<end {
        let time = TraceInstant(
          nanoseconds: recording.raw.measuredTimes[position] + shift)
        var sample = recording.raw[position]
        // In bins of 40 ms it alternates.
        sample.y += position / 4 % 2 == 0 ? unrest : -unrest
        detector.ingest(
          companion: Reading(
            device: DeviceID(0), channel: .acceleration, sequence: position, measured: time,
            arrived: time, value: .vector(sample)), into: &found)
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 30_000_000_000 + shift), into: &found)
    return found
  }

  @Test func aPeakAroundWhichGravityTurnsIsLeftOut() {
    let all = run(180, blocks: 1)
    #expect(
      all.map { $0.onset.nanoseconds / 1_000_000 } == [2500, 7500, 12500, 17500, 22500, 27500])
    let kept = run(60, blocks: 1)
    #expect(kept.map { $0.onset.nanoseconds / 1_000_000 } == [7500, 17500, 27500])
    #expect(kept.map(\.event) == [all[1], all[3], all[5]].map(\.event))
    // It is reported with the first sample more than 1.6 s after the peak.
    let waits = kept.map { ($0.emitted.nanoseconds - $0.onset.nanoseconds) / 1_000_000 }
    #expect(waits == [1610, 1610, 1610])
    #expect(kept.map(\.newestMeasured) == kept.map(\.emitted))
    // Gravity that turns by 90 degrees is within 100.
    #expect(run(100, blocks: 1).map(\.onset) == all.map(\.onset))
  }

  @Test func aMovingPersonHasNotFallen() {
    let all = run(180, blocks: 1).map(\.onset)
    #expect(run(60, blocks: 1, unrest: 2.5).map(\.onset) == [all[1], all[3], all[5]])
    #expect(run(60, blocks: 1, unrest: 3.5).map(\.onset) == all)
  }

  @Test func withoutTheAccelerationWithGravityAllIsReported() {
    #expect(run(60, blocks: 1, raw: false).map(\.onset) == run(180, blocks: 1).map(\.onset))
  }

  @Test(arguments: [-3_000_000_007, 5, 1 << 40] as [Int64])
  func aShiftOfAllTimesShiftsTheDetections(shift: Int64) {
    let moved = run(60, blocks: 1, shift: shift)
    #expect(
      moved.map { $0.onset.nanoseconds - shift } == run(60, blocks: 1).map(\.onset.nanoseconds))
  }

  @Test func aStateComesBackInTheMiddle() throws {
    let recording = Self.recording()
    var detector = PunchDetector(Self.parameters(60))
    var found: [Detection<PunchEvent>] = []
    for position in recording.user.range {
      let time = TraceInstant(nanoseconds: recording.user.measuredTimes[position])
      detector.ingest(recording.user[position], measured: time, arrived: time, into: &found)
      detector.ingest(
        companion: Reading(
          device: DeviceID(0), channel: .acceleration, sequence: position, measured: time,
          arrived: time, value: .vector(recording.raw[position])), into: &found)
      if position % 333 == 0 {
        detector = try JSONDecoder().decode(
          PunchDetector.self, from: JSONEncoder().encode(detector))
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 30_000_000_000), into: &found)
    #expect(found == run(60, blocks: 1))
  }

  @Test func companionsAreReadOnlyWhereTheyAreNeeded() {
    #expect(PunchDetector.companions(Self.parameters(180)) == [])
    #expect(PunchDetector.companions(Self.parameters(60)) == [.acceleration])
  }
}
