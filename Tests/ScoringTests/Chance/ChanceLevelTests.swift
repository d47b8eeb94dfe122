import TestSupport
import Testing
import TraceModel

@testable import Scoring

@Suite struct ChanceLevelTests {
  /// Of 30 runs by a detector that knows nothing of the events, at most 6 are above chance: 99.9 % of
  /// series at a level of 0.05. A detector that finds 60 % always is.
  @Test(.longer, arguments: NullWorld.Kind.allCases, NullWorld.Detector.allCases)
  func nullDetectorsAreNotAboveChance(
    kind: NullWorld.Kind, detector: NullWorld.Detector
  ) throws {
    let (runs, most) = LongTests.areWanted ? (30, 6) : (2, 1)
    let (people, shifts) = LongTests.areWanted ? (8, 400) : (2, 40)
    var (above, recalls, levels) = (0, 0.0, 0.0)
    for seed in 0..<runs {
      let level = try #require(
        NullWorld.level(kind, detector, people: people, shifts: shifts, seed: UInt64(seed)))
      if level.isAboveChance { above += 1 }
      recalls += Double(level.hits) / Double(level.references) / Double(runs)
      levels += (level.recall ?? .nan) / Double(runs)
    }
    if detector.isReal {
      // Single hits of two people are too few to say.
      #expect(above == runs || (kind == .single && !LongTests.areWanted), "\(above) of \(runs)")
    } else {
      #expect(above <= most, "\(above) of \(runs)")
    }
    guard LongTests.areWanted else { return }
    // The chance level of those that know nothing is what they hit.
    #expect(detector.isReal || abs(recalls - levels) < 0.04, "\(recalls), at chance \(levels)")
    print("chance: \(kind), \(detector): \(above) of \(runs); recall \(recalls), \(levels)")
  }

  @Test func aMatchOfShiftedDetectionsIsTheMatch() throws {
    // Held against the scored match: no reference is left out where the whole time is movement.
    for seed in 0..<50 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      func times(_ count: Int) -> [TraceInstant] {
        (0..<count).map { _ in TraceInstant(nanoseconds: Int64(generator.uniform(0...9e9))) }
      }
      let references = times(12).map {
        let end = $0.nanoseconds + 50_000_000 * Int64(seed % 5)
        return ReferenceEvent(onset: $0, offset: TraceInstant(nanoseconds: end))
      }
      let found = times(20)
      let judged = EventJudgement(
        references: references,
        detections: found.map { DetectionRecord(onset: $0, emitted: $0, kind: "") },
        tolerance: .standard, duration: .seconds(10))
      let hits = ShiftedHits(
        references: references, detections: found, tolerance: .standard, movement: nil,
        duration: .seconds(10), shifts: 20, seed: seed)
      #expect(hits.hits == judged.score.counts.truePositives, "seed \(seed)")
      #expect(hits.references == 12)
      #expect(hits.compared.allSatisfy { $0.hits <= hits.hits && $0.shifted <= 12 })
    }
  }

  /// Nothing to compare, and nothing found, is no success.
  @Test func nothingIsNotAboveChance() throws {
    let middle = TraceInstant(nanoseconds: 30_000_000_000)
    func hits(_ detections: [TraceInstant], movement: [Range<Int64>]?) -> ShiftedHits {
      ShiftedHits(
        references: [ReferenceEvent(onset: middle)], detections: detections,
        tolerance: .standard, movement: movement, duration: .seconds(60), shifts: 99, seed: 1)
    }
    #expect(try #require(ChanceLevel([hits([], movement: nil)])).share == 1)
    // The edge of a stretch is neither movement nor rest.
    let edge = hits([middle], movement: [29_900_000_000..<38_000_000_000])
    #expect(edge.hits == 1 && edge.recall == nil)
    #expect(try #require(ChanceLevel([edge])).share == 1)
    let one = try #require(ChanceLevel([hits([middle], movement: nil)]))
    #expect(one.share < 0.05 && one.recall == 0)
    #expect(ChanceLevel([]) == nil)
    // An ignored reference is none.
    let ignored = ShiftedHits(
      references: [ReferenceEvent(onset: middle)], detections: [middle],
      zones: [IgnoreZone(onset: .zero, offset: middle)], tolerance: .standard, movement: nil,
      duration: .seconds(60), shifts: 9, seed: 1)
    #expect(ignored.references == 0 && ChanceLevel([ignored]) == nil)
  }

  /// Taps of somebody who rests otherwise, in five recordings: all hit, no false alarm.
  private func taps(_ fires: (Double) -> [Double]) -> ChanceLevel? {
    ChanceLevel(
      (0..<5 as Range<UInt64>).map { recording in
        var generator = SeededGenerator(seed: recording)
        func instant(_ seconds: Double) -> TraceInstant {
          TraceInstant(nanoseconds: Int64((seconds * 100).rounded()) * 10_000_000)
        }
        let taps = (0..<6).map { 4 + 9 * Double($0) + generator.uniform(0...3) }
        let movement = taps.map { tap in
          let first = Int64((tap - 0.1) / 0.25) * 250_000_000
          return first..<first + 500_000_000
        }
        return ShiftedHits(
          references: taps.map { ReferenceEvent(onset: instant($0)) },
          detections: taps.flatMap(fires).map(instant), tolerance: .standard,
          movement: movement, duration: .seconds(60), seed: recording)
      })
  }

  @Test func withoutMovementBesideTheEventsChanceCannotBeTold() throws {
    let all = try #require(taps({ [$0 + 0.02] }))
    #expect(all.hits == 30 && all.share > ChanceLevel.level)
    #expect(all.share == all.flawless && all.compared < 0.5)
    #expect(all.verdict == .cannotBeTold && all.isMovementShort && !all.isAboveChance)
    // Nothing found is no better than chance, however little can be compared.
    #expect(try #require(taps({ _ in [] })).verdict == .notAbove)
  }

  /// A detector that knows nothing is no better than chance where there is power to say so.
  @Test(arguments: [NullWorld.Kind.bouts, .metronome], [NullWorld.Detector.uniform, .rhythmic])
  func powerDoesNotDependOnTheDetector(
    kind: NullWorld.Kind, detector: NullWorld.Detector
  ) throws {
    for seed in 0..<3 as Range<UInt64> {
      let level = try #require(
        NullWorld.level(kind, detector, people: 4, shifts: 100, seed: seed))
      #expect(level.flawless <= ChanceLevel.level && level.verdict != .cannotBeTold)
    }
  }

  @Test func movementIsWhereTheSignalDeviates() {
    var movement = Movement()
    for tick in 0..<2000 {
      // Shaken at 10 to 14 s, at 14.5 to 16 s and at 30 to 31 s.
      let time = Double(tick) / 50
      let isShaken = [10..<14, 14.5..<16, 30..<31].contains { $0.contains(time) }
      let value = isShaken ? (tick % 2 == 0 ? 3 : 8) : 9.81 + (tick % 2 == 0 ? 0.01 : -0.01)
      movement.add(Vector3(x: 0, y: 0, z: Float(value)), at: Int64(tick) * 20_000_000)
    }
    #expect(
      movement.stretches == [10_000_000_000..<16_000_000_000, 30_000_000_000..<31_000_000_000])
    // A signal of one reading per second does not say when there is movement.
    var slow = Movement()
    for second in 0..<100 {
      slow.add(Vector3(x: Float(second), y: 0, z: 0), at: Int64(second) * 1_000_000_000)
    }
    #expect(slow.stretches == nil && Movement().stretches == nil)
  }
}
