import Scoring
import Testing
import TraceModel

/// Releases and intended slots, and what became of each.
@Suite struct DropQualityTests {
  private func drag(_ milliseconds: Int64, _ slot: Int32) -> ReferenceEvent {
    ReferenceEvent(onset: TraceInstant(nanoseconds: milliseconds * 1_000_000), place: slot)
  }

  private func release(
    _ kind: String, _ milliseconds: Int64, _ slot: Int32?, _ value: Double = 0
  ) -> DetectionRecord {
    let time = TraceInstant(nanoseconds: milliseconds * 1_000_000)
    return DetectionRecord(onset: time, emitted: time, kind: kind, value: value, place: slot)
  }

  private func counts(_ quality: DropQuality) -> [Int] {
    [
      quality.intended, quality.hits, quality.wrongSlots, quality.nearMisses, quality.farMisses,
      quality.unreported,
    ]
  }

  private func judge(
    _ references: [ReferenceEvent], _ detections: [DetectionRecord], zones: [IgnoreZone] = []
  ) -> [Int] {
    counts(
      DropQuality(
        references: references, detections: detections, ignoreZones: zones, tolerance: .standard))
  }

  @Test func nothing() {
    #expect(judge([], []) == [0, 0, 0, 0, 0, 0])
    let quality = DropQuality(references: [], detections: [], tolerance: .standard)
    #expect(quality.hitRate.estimate == nil && quality.nearMissRate.estimate == nil)
    // A release that nobody intended is no outcome of a drag.
    #expect(judge([], [release("drop", 5, 1)]) == [0, 0, 0, 0, 0, 0])
  }

  @Test func eachDragHasOneOutcome() {
    let drags = (0..<8).map { drag(Int64($0) * 1000, 2) }
    let releases = [
      release("drop", 0, 2, 21), release("drop", 1000, 3, 2), release("miss", 2000, 2, 22),
      release("miss", 3000, 2, 22.5), release("miss", 4000, 1, 3), release("cancel", 5000, 2),
      release("miss", 6000, 2, .nan),
    ]
    #expect(judge(drags, releases) == [8, 1, 1, 1, 3, 2])
    #expect(judge(drags, releases.reversed()) == [8, 1, 1, 1, 3, 2])
    let zone = IgnoreZone(onset: drags[0].onset, offset: drags[2].onset)
    #expect(judge(drags, releases, zones: [zone]) == [5, 0, 0, 0, 3, 2])
  }

  /// The release belongs to the drag at its time, within the tolerance.
  @Test func releasesAreMatchedByTime() {
    #expect(judge([drag(1000, 1)], [release("drop", 1150, 1)]) == [1, 1, 0, 0, 0, 0])
    #expect(judge([drag(1000, 1)], [release("drop", 1151, 1)]) == [1, 0, 0, 0, 0, 1])
  }

  /// The counts add up, and the hits are those of the match of events, whatever is reported.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func theCountsAddUp(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (drags, releases): ([ReferenceEvent], [DetectionRecord]) = ([], [])
    for index in 0..<Int64(random.uniform(1...40)) {
      let slot = Int32(random.uniform(1...5))
      if random.unit() < 0.9 { drags.append(drag(index * 1000, slot)) }
      guard random.unit() < 0.9 else { continue }
      let kind = random.unit() < 0.7 ? "drop" : "miss"
      let place = random.unit() < 0.7 ? slot : Int32(random.uniform(1...5))
      let time = index * 1000 + Int64(random.uniform(0...200))
      releases.append(release(kind, time, place, random.uniform(0...40)))
    }
    let quality = DropQuality(references: drags, detections: releases, tolerance: .standard)
    let all = counts(quality)
    #expect(all[0] == all[1...].reduce(0, +), "seed \(seed)")
    var header = TraceHeader(id: "t", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 60_000_000_000)
    header.references = [ReferenceSet(task: .drop, events: drags)]
    let score = try TaskScore(
      task: .drop, detections: releases, measured: [:], header: header, fixes: nil,
      tolerance: nil, distance: { _, _, _, _ in 0 })
    guard case .events(let judgement) = score else {
      Issue.record("no events")
      return
    }
    #expect(judgement.drops == quality)
    #expect(judgement.score.counts.truePositives == quality.hits, "seed \(seed)")
    #expect(judgement.score.counts.falseNegatives == quality.intended - quality.hits)
    let figures = Dictionary(uniqueKeysWithValues: score.figures.map { ($0.name, $0.value) })
    #expect(figures["drop_hit_rate"] == figures["recall"])
    #expect(figures["near_misses"] == Double(quality.nearMisses))
  }

  /// Without slots in the reference, any drop at the time counts.
  @Test func referencesWithoutSlots() throws {
    var header = TraceHeader(id: "t", origin: .recorded)
    header.end = TraceInstant(nanoseconds: 60_000_000_000)
    let drags = [ReferenceEvent(onset: .zero), drag(1000, 1)]
    header.references = [ReferenceSet(task: .drop, events: drags)]
    let score = try TaskScore(
      task: .drop, detections: [release("drop", 0, 3), release("drop", 1000, 2)], measured: [:],
      header: header, fixes: nil, tolerance: nil, distance: { _, _, _, _ in 0 })
    guard case .events(let judgement) = score else {
      Issue.record("no events")
      return
    }
    #expect(judgement.drops == nil && judgement.score.counts.truePositives == 2)
  }
}
