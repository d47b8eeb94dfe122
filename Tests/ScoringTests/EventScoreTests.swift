import Scoring
import Testing
import TraceModel

@Suite struct EventScoreTests {
  private func judge(
    _ references: [ReferenceEvent], _ detections: [DetectionRecord], zones: [IgnoreZone] = [],
    tolerance: EventTolerance = .standard, duration: Duration = .seconds(3600)
  ) -> EventJudgement {
    EventJudgement(
      references: references, detections: detections, ignoreZones: zones, tolerance: tolerance,
      duration: duration)
  }

  @Test func nothingIsUndefined() {
    let score = judge([], [], duration: .zero).score
    #expect(score.precision.estimate == nil)
    #expect(score.recall.estimate == nil)
    #expect(score.f1.estimate == nil)
    #expect(score.falseAlarms.estimate == nil)
    #expect(score.latency == nil)
    #expect(score.magnitudeError == nil)
    #expect(score.classes.isEmpty)
    #expect(score.confusion.labels.isEmpty)
    #expect(score.confusion.accuracy.estimate == nil)
  }

  // One punch found and reported twice; one missed; one false alarm.
  @Test func outcomes() {
    let judged = judge(
      [reference(1000), reference(5000)], [detection(1010), detection(9000), detection(1100)])
    #expect(judged.pairs == [EventPair(reference: 0, detection: 0)])
    #expect(judged.detectionOutcomes == [.truePositive, .falsePositive, .duplicate])
    #expect(judged.referenceOutcomes == [.hit, .missed])
    let score = judged.score
    #expect(
      score.counts == EventCounts(truePositives: 1, falsePositives: 2, falseNegatives: 1))
    #expect(score.duplicates == 1)
    #expect(score.precision == Proportion(successes: 1, trials: 3))
    #expect(score.recall == Proportion(successes: 1, trials: 2))
    #expect(score.f1.estimate == 0.4)
    #expect(score.falseAlarms == PoissonRate(count: 2, hours: 1))
    #expect(score.latencies == [30_000_000])
    #expect(score.onsetErrors == [10_000_000])
    #expect(score.fragmented == 0)
    #expect(score.merged == 0)
  }

  // Zones have both ends in them. A reference inside is dropped with its hit; a detection inside
  // that a reference outside has stays; an interval counts by its onset.
  @Test func ignoreZones() {
    let judged = judge(
      [
        reference(1000), reference(2000), reference(2100), reference(3000),
        reference(1500, to: 9000),
      ],
      [detection(1000), detection(1990), detection(2120), detection(3000), detection(1001)],
      zones: [zone(1000, 2000)])
    #expect(judged.referenceOutcomes == [.ignored, .ignored, .hit, .hit, .ignored])
    #expect(
      judged.detectionOutcomes == [.ignored, .ignored, .truePositive, .truePositive, .ignored])
    #expect(judged.score.ignoredReferences == 3)
    #expect(judged.score.ignoredDetections == 3)

    let reached = judge([reference(2100)], [detection(1990)], zones: [zone(1000, 2000)])
    #expect(reached.detectionOutcomes == [.truePositive])
  }

  private static let zonesAndScoredSeconds: [([IgnoreZone], Int64)] = [
    ([], 3600),
    ([zone(0, 600_000)], 3000),
    ([zone(-5000, 600_000)], 3000),
    ([zone(600_000, 1_200_000), zone(900_000, 1_500_000)], 2700),
    ([zone(600_000, 900_000), zone(900_000, 1_200_000)], 3000),
    ([zone(3_000_000, 9_000_000)], 3000),
    ([zone(4_000_000, 9_000_000)], 3600),
    ([zone(900_000, 600_000)], 3600),
    ([zone(-1, 3_600_000)], 0),
  ]

  @Test(arguments: zonesAndScoredSeconds)
  func scoredTime(zones: [IgnoreZone], seconds: Int64) {
    #expect(judge([], [], zones: zones).score.scoredNanoseconds == seconds * 1_000_000_000)
  }

  @Test func zonesAtTheEndsOfTheAxis() {
    let everything = IgnoreZone(
      onset: TraceInstant(nanoseconds: .min), offset: TraceInstant(nanoseconds: .max))
    let judged = judge([reference(5)], [detection(5)], zones: [everything])
    #expect(judged.referenceOutcomes == [.ignored])
    #expect(judged.score.scoredNanoseconds == 0)
    #expect(judge([], [], duration: .seconds(-1)).score.scoredNanoseconds == 0)
  }

  @Test func fragmentedAndMerged() {
    let split = judge([reference(1000, to: 2000)], [detection(1100), detection(1500)])
    #expect(split.score.fragmented == 1)
    #expect(split.score.duplicates == 1)
    let joined = judge([reference(1000), reference(1100)], [detection(1050)])
    #expect(joined.score.merged == 1)
    #expect(joined.score.counts.falseNegatives == 1)
  }

  @Test func classes() {
    let judged = judge(
      [
        reference(1000, "straight"), reference(2000, "straight"), reference(3000, "hook"),
        reference(4000), reference(5000, "hook"),
      ],
      [
        detection(1000, "straight"), detection(2000, "hook"), detection(3000, "hook"),
        detection(4000, "uppercut"), detection(5000), detection(6000, "uppercut"),
      ])
    let confusion = judged.score.confusion
    #expect(confusion.labels == ["", "hook", "straight"])
    #expect(confusion.counts == [[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    #expect(confusion.count(reference: "straight", detection: "hook") == 1)
    #expect(confusion.count(reference: "uppercut", detection: "hook") == 0)
    #expect(confusion.accuracy == Proportion(successes: 2, trials: 4))
    // No reference is an uppercut, so uppercuts are not judged.
    #expect(
      judged.score.classes == [
        ClassScore(
          label: "hook",
          counts: EventCounts(truePositives: 1, falsePositives: 1, falseNegatives: 1)),
        ClassScore(
          label: "straight",
          counts: EventCounts(truePositives: 1, falsePositives: 0, falseNegatives: 1)),
      ])
    #expect(judged.score.counts.truePositives == 5)
  }

  // The nearest detection has another class: the match within the class is another one.
  @Test func classMatchIsItsOwn() {
    let judged = judge(
      [reference(1000, "hook")], [detection(1005, "straight"), detection(1100, "hook")])
    #expect(judged.pairs == [EventPair(reference: 0, detection: 0)])
    #expect(judged.score.confusion.count(reference: "hook", detection: "straight") == 1)
    #expect(judged.score.classes.map(\.counts) == [EventCounts(truePositives: 1)])
  }

  @Test func magnitudes() throws {
    let score = judge(
      [reference(1000, value: 50), reference(2000), reference(3000, value: 20)],
      [detection(1000, value: 47), detection(2000, value: 9), detection(3000, value: 21)]
    ).score
    #expect(score.magnitudeErrors == [-3, 1])
    #expect(score.magnitudeError?.mean == -1)
    #expect(Clustered(score).figures[.magnitudeError.meanAbsolute]?.value == 2)
  }

  @Test func toleranceOfTheReference() {
    let events = [reference(1000)]
    let wide = ReferenceSet(task: .punch, events: events, tolerance: .milliseconds(400))
    let plain = ReferenceSet(task: .punch, events: events)
    var header = TraceHeader(id: "a", origin: .synthetic)
    header.end = at(7_200_000)
    let late = [detection(1400)]
    let judged = EventJudgement(wide, detections: late, header: header).score
    #expect(judged.counts.truePositives == 1)
    #expect(judged.tolerances.map(\.origin) == [.reference])
    #expect(judged.falseAlarms.hours == 2)
    let strict = EventJudgement(plain, detections: late, header: header).score
    #expect(strict.counts.truePositives == 0)
    #expect(strict.tolerances == [.standard])
    #expect(EventScore.pooled([judged, strict]).tolerances.count == 2)
  }

  @Test func pooling() {
    let first = judge([reference(1000, "hook")], [detection(1010, "hook"), detection(8000)]).score
    let second = judge(
      [reference(1000, "hook"), reference(3000, "straight")], [detection(990, "straight")],
      duration: .seconds(1800)
    ).score
    let sum = EventScore.pooled([first, second])
    #expect(sum.counts == EventCounts(truePositives: 2, falsePositives: 1, falseNegatives: 1))
    #expect(sum.falseAlarms == PoissonRate(count: 1, hours: 1.5))
    #expect(sum.onsetErrors == [10_000_000, -10_000_000])
    #expect(sum.latency?.p50 == 10_000_000)
    #expect(sum.confusion.count(reference: "hook", detection: "straight") == 1)
    #expect(sum.classes.map(\.label) == ["hook", "straight"])
    #expect(
      sum.classes.first?.counts
        == EventCounts(truePositives: 1, falsePositives: 0, falseNegatives: 1))
    #expect(EventScore.pooled([first]) == first)
    #expect(EventScore.pooled([]) == EventScore())
  }

  /// An uppercut without a punch is a false alarm of the class uppercut.
  @Test func falseAlarmsOfTracesWithoutAClassCountAgainstIt() {
    func judge(_ references: [ReferenceEvent], _ detections: [DetectionRecord]) -> EventScore {
      EventJudgement(
        references: references, detections: detections, ignoreZones: [zone(9000, 9999)],
        tolerance: .standard, duration: .seconds(10)
      ).score
    }
    let boxing = judge([reference(1000, "uppercut")], [detection(1000, "uppercut")])
    let walking = judge(
      [], [detection(500, "uppercut"), detection(9500, "uppercut"), detection(700, "hook")])
    #expect(walking.classes.isEmpty)
    let pooled = EventScore.pooled([boxing, walking, walking])
    #expect(
      pooled.classes == [
        ClassScore(label: "uppercut", counts: EventCounts(truePositives: 1, falsePositives: 2))
      ])
    #expect(pooled.unjudged == ["hook": 2])
    #expect(pooled == .pooled([.pooled([boxing, walking]), walking]))
  }

  @Test func tracesWithNothingToFindStateNoTolerance() {
    func judge(_ references: [ReferenceEvent], _ tolerance: EventTolerance) -> EventScore {
      EventJudgement(
        references: references, detections: [], tolerance: tolerance, duration: .seconds(10)
      ).score
    }
    let wide = EventTolerance(early: .seconds(1), late: .seconds(1))
    let found = judge([reference(1000)], wide)
    let silent = judge([], .standard)
    #expect(EventScore.pooled([silent, found]).tolerances == [wide])
    #expect(EventScore.pooled([silent]).tolerances == [.standard])
  }

  @Test func meansOverSubjects() throws {
    let good = judge([reference(1000)], [detection(1000)])
    let bad = judge([reference(1000)], [detection(9000)])
    let silent = judge([reference(1000)], [])
    let runs = [("b", bad), ("a", good), ("", silent), ("a", bad), ("", silent)]
    let clustered = Clustered(
      runs.map { (subject: $0, score: $1.score) }, pool: EventScore.pooled)
    #expect(
      clustered.parts
        == [.pooled([good.score, bad.score]), bad.score, silent.score, silent.score])
    #expect(clustered.kind == .recordings)
    let group = GroupScore(runs.map { ($0, .events($1)) })
    func mean(_ name: String) -> Estimate? { group[name + "_subject_mean"]?.estimate }
    #expect(mean("recall")?.value == 0.125)
    #expect(mean("recall")?.count == 4)
    // Those who detected nothing have no precision.
    #expect(mean("precision")?.value == 0.25)
    #expect(mean("precision")?.count == 2)
    #expect(mean("false_alarms_per_hour")?.value == 0.375)
    #expect(GroupScore([])["f1_subject_mean"] == nil)
  }

  // The definitions again, event by event, on random traces.
  @Test(arguments: 0..<300)
  func agreesWithTheDefinition(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func draw(_ bound: Int64) -> Int64 { Int64(generator.unit() * Double(bound)) }
    let labels = ["", "hook", "straight"]
    let references = (0..<draw(12)).map { _ in
      let onset = draw(3000)
      return reference(onset, to: onset + (draw(3) == 0 ? draw(500) : 0), labels[Int(draw(3))])
    }
    let detections = (0..<draw(15)).map { _ in detection(draw(3000), labels[Int(draw(3))]) }
    let zones = (0..<draw(3)).map { _ in
      let onset = draw(3000)
      return zone(onset, onset + draw(600))
    }
    let judged = judge(references, detections, zones: zones)
    func isIgnored(_ instant: TraceInstant) -> Bool {
      zones.contains { $0.onset <= instant && instant <= $0.offset }
    }
    func isNear(_ detection: DetectionRecord, _ reference: ReferenceEvent) -> Bool {
      reference.onset.advanced(by: .milliseconds(-150)) <= detection.onset
        && detection.onset <= reference.offset.advanced(by: .milliseconds(150))
    }
    let matched = Set(judged.pairs.map(\.detection))
    let hit = Set(judged.pairs.map(\.reference))
    for (position, detection) in detections.enumerated() {
      let isDuplicate = hit.contains { isNear(detection, references[$0]) }
      let expected: DetectionOutcome =
        matched.contains(position)
        ? .truePositive
        : isIgnored(detection.onset) ? .ignored : isDuplicate ? .duplicate : .falsePositive
      #expect(judged.detectionOutcomes[position] == expected, "seed \(seed)")
    }
    for (position, reference) in references.enumerated() {
      let expected: ReferenceOutcome =
        isIgnored(reference.onset) ? .ignored : hit.contains(position) ? .hit : .missed
      #expect(judged.referenceOutcomes[position] == expected, "seed \(seed)")
    }
    let score = judged.score
    #expect(score.counts.recall.trials + score.ignoredReferences == references.count)
    #expect(score.counts.precision.trials + score.ignoredDetections == detections.count)
    let mergedReferences = references.indices.filter { position in
      judged.referenceOutcomes[position] == .missed
        && matched.contains { isNear(detections[$0], references[position]) }
    }
    #expect(score.merged == mergedReferences.count, "seed \(seed)")
  }

  @Test(arguments: 0..<50)
  func orderOfTheInputDoesNotMatter(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    // Distinct times, so that the positions break no tie.
    let references = (0..<10).map { reference(Int64($0) * 130 + Int64(generator.unit() * 90)) }
    let detections = (0..<10).map { detection(Int64($0) * 130 + Int64(generator.unit() * 90)) }
    let sorted = judge(references, detections).score
    let shuffled = judge(
      references.shuffled(using: &generator), detections.shuffled(using: &generator)
    ).score
    #expect(sorted.counts == shuffled.counts, "seed \(seed)")
    #expect(sorted.latencies.sorted() == shuffled.latencies.sorted(), "seed \(seed)")
  }
}
