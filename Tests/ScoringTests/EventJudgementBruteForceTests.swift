import Scoring
import TestSupport
import Testing
import TraceModel

/// Judgements of up to 8 references and detections compared with an exhaustive search.
@Suite struct EventJudgementBruteForceTests {
  // Classes, places, intervals and ignore zones; times on a coarse grid make ties frequent.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 500, long: 2000))
  func triesEverything(seed: Int) {
    let scene = Scene(seed: UInt64(seed))
    let judgement = EventJudgement(
      references: scene.references, detections: scene.detections, ignoreZones: scene.zones,
      tolerance: scene.tolerance, duration: .seconds(1), rule: scene.rule)
    let kept = scene.references.indices.filter { !scene.isIgnored(scene.references[$0].onset) }
    let pairs = scene.bestPairs(kept, Array(scene.detections.indices), scene.rule)
    #expect(judgement.pairs == pairs, "seed \(seed)")

    let matched = Set(pairs.map(\.detection))
    let unmatched = scene.detections.indices.filter { !matched.contains($0) }
    let ignored = unmatched.filter { scene.isIgnored(scene.detections[$0].onset) }
    let counts = EventCounts(
      truePositives: pairs.count, falsePositives: unmatched.count - ignored.count,
      falseNegatives: kept.count - pairs.count)
    #expect(judgement.score.counts == counts, "seed \(seed)")
    #expect(judgement.score.ignoredReferences == scene.references.count - kept.count)
    #expect(judgement.score.ignoredDetections == ignored.count)
    expectOutcomes(judgement, scene, kept, pairs, ignored, seed)
    expectClasses(judgement, scene, kept, seed)
  }

  private func expectOutcomes(
    _ judgement: EventJudgement, _ scene: Scene, _ kept: [Int], _ pairs: [EventPair],
    _ ignored: [Int], _ seed: Int
  ) {
    let hit = Set(pairs.map(\.reference))
    let references = scene.references.indices.map { position -> ReferenceOutcome in
      hit.contains(position) ? .hit : kept.contains(position) ? .missed : .ignored
    }
    #expect(judgement.referenceOutcomes == references, "seed \(seed)")
    let matched = Set(pairs.map(\.detection))
    let detections = scene.detections.indices.map { position -> DetectionOutcome in
      if matched.contains(position) { return .truePositive }
      if ignored.contains(position) { return .ignored }
      let isDuplicate = hit.contains { scene.isPossible($0, position, scene.rule) }
      return isDuplicate ? .duplicate : .falsePositive
    }
    #expect(judgement.detectionOutcomes == detections, "seed \(seed)")
  }

  private func expectClasses(
    _ judgement: EventJudgement, _ scene: Scene, _ kept: [Int], _ seed: Int
  ) {
    let labels = Set(kept.map { scene.references[$0].label }).subtracting([""]).sorted()
    #expect(judgement.score.classes.map(\.label) == labels, "seed \(seed)")
    for score in judgement.score.classes {
      let references = kept.filter { scene.references[$0].label == score.label }
      let detections = scene.detections.indices.filter {
        scene.detections[$0].label == score.label
      }
      let pairs = scene.bestPairs(references, detections, .sameLabel)
      let matched = Set(pairs.map(\.detection))
      let alarms = detections.filter {
        !matched.contains($0) && !scene.isIgnored(scene.detections[$0].onset)
      }
      let counts = EventCounts(
        truePositives: pairs.count, falsePositives: alarms.count,
        falseNegatives: references.count - pairs.count)
      #expect(score.counts == counts, "seed \(seed), class \(score.label)")
    }
  }
}

/// Events at random.
private struct Scene {
  var references: [ReferenceEvent] = []
  var detections: [DetectionRecord] = []
  var zones: [IgnoreZone] = []
  var tolerance: EventTolerance
  var rule: MatchRule

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func draw(_ range: ClosedRange<Int64>) -> Int64 {
      range.lowerBound
        + Int64(generator.unit() * Double(range.upperBound - range.lowerBound + 1))
    }
    func instant(_ nanoseconds: Int64) -> TraceInstant { TraceInstant(nanoseconds: nanoseconds) }
    let span = draw(3...40)
    let labels = ["", "a", "b", "c"]
    for _ in 0..<draw(0...8) {
      let onset = draw(0...span)
      references.append(
        ReferenceEvent(
          onset: instant(onset), offset: instant(onset + (draw(0...2) == 0 ? draw(0...9) : 0)),
          label: labels[Int(draw(0...3))], place: draw(0...3) == 0 ? nil : Int32(draw(1...2))))
    }
    for _ in 0..<draw(0...8) {
      let onset = instant(draw(0...span))
      detections.append(
        DetectionRecord(
          onset: onset, emitted: onset, kind: "event", label: labels[Int(draw(0...3))],
          place: draw(0...3) == 0 ? nil : Int32(draw(1...2))))
    }
    for _ in 0..<draw(0...2) {
      let onset = draw(0...span)
      zones.append(IgnoreZone(onset: instant(onset), offset: instant(onset + draw(-1...6))))
    }
    tolerance = EventTolerance(
      early: .nanoseconds(draw(0...6)), late: .nanoseconds(draw(0...6)))
    rule = [.any, .sameLabel, .samePlace][Int(draw(0...2))]
  }

  func isIgnored(_ instant: TraceInstant) -> Bool {
    zones.contains { $0.onset <= instant && instant <= $0.offset }
  }

  /// Whether a reference and a detection may match, times included.
  func isPossible(_ reference: Int, _ detection: Int, _ rule: MatchRule) -> Bool {
    let (event, time) = (references[reference], detections[detection].onset.nanoseconds)
    return agrees(reference, detection, rule)
      && event.onset.nanoseconds - tolerance.early.nanoseconds <= time
      && time <= event.offset.nanoseconds + tolerance.late.nanoseconds
  }

  func bestPairs(
    _ kept: [Int], _ candidates: [Int], _ rule: MatchRule
  ) -> [EventPair] {
    exhaustivePairs(
      kept.map { (references[$0].onset.nanoseconds, references[$0].offset.nanoseconds) },
      candidates.map { detections[$0].onset.nanoseconds }, tolerance.early.nanoseconds,
      tolerance.late.nanoseconds, mayMatch: { agrees(kept[$0], candidates[$1], rule) }
    ).map { EventPair(reference: kept[$0.reference], detection: candidates[$0.detection]) }
  }

  private func agrees(_ reference: Int, _ detection: Int, _ rule: MatchRule) -> Bool {
    let (event, record) = (references[reference], detections[detection])
    return switch rule {
    case .any: true
    case .sameLabel: !event.label.isEmpty && event.label == record.label
    case .samePlace: event.place != nil && event.place == record.place
    }
  }
}
