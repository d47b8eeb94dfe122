import Testing
import TraceModel

@testable import Scoring

@Suite struct VisitScoreTests {
  /// A detection in seconds.
  private func said(
    _ kind: String, _ seconds: Int64, _ place: Int32?, value: Double = .nan
  ) -> DetectionRecord {
    detection(seconds * 1000, kind: kind, place: place, value: value)
  }

  /// A visit in seconds.
  private func visit(_ entry: Int64, _ exit: Int64, _ place: Int32?) -> ReferenceEvent {
    reference(entry * 1000, to: exit * 1000, place: place)
  }

  private func score(
    _ visits: [ReferenceEvent], _ detections: [DetectionRecord], zones: [IgnoreZone] = []
  ) -> VisitScore {
    VisitJudgement(
      references: visits, detections: detections, ignoreZones: zones,
      exposure: Exposure(duration: .seconds(7200))
    ).score
  }

  @Test func nothingIsUndefined() {
    let none = score([], [])
    #expect(none.found.estimate == nil)
    #expect(none.precision.estimate == nil)
    #expect(none.entry == Delays())
    #expect(none.exitDelay == nil)
    #expect(none.medianPromptDistance == nil)
    #expect(none.flapsPerVisit == nil)
    #expect(none.order.estimate == nil)
    #expect(none.falseVisits.estimate == 0)
  }

  // Both ends of the window are in it, and the place must be the same.
  @Test(arguments: [
    (89, 1, false), (90, 1, true), (100, 1, true), (200, 1, true), (230, 1, true),
    (231, 1, false), (150, 2, false), (150, nil, false),
  ])
  func window(seconds: Int64, place: Int32?, isFound: Bool) {
    let result = score([visit(100, 200, 1)], [said("visit", seconds, place)])
    #expect(result.counts.truePositives == (isFound ? 1 : 0))
    #expect(result.counts.falsePositives == (isFound ? 0 : 1))
    #expect(result.entryDelays == (isFound ? [(seconds - 100) * 1_000_000_000] : []))
  }

  @Test func aRoute() throws {
    let result = score(
      [visit(100, 200, 1), visit(300, 400, 2), visit(500, 600, 1), visit(700, 800, 3)],
      [
        said("prompt", 95, 1, value: 14), said("visit", 105, 1), said("exit", 210, 1),
        said("prompt", 120, 1, value: 10), said("prompt", 150, 1),
        said("visit", 130, 1),
        said("prompt", 297, 2, value: 12), said("visit", 297, 2),
        said("visit", 510, 1), said("exit", 590, 1),
        said("prompt", 650, 9, value: 30), said("visit", 650, 9), said("exit", 660, 9),
      ])
    #expect(
      result.counts == EventCounts(truePositives: 3, falsePositives: 2, falseNegatives: 1))
    #expect(result.duplicates == 1)
    #expect(result.entryDelays == [5, -3, 10].map { $0 * 1_000_000_000 })
    // The missed visit is censored at the end of its window.
    #expect(result.entry.missed.count == 1)
    #expect(result.exitDelays == [10, -10].map { $0 * 1_000_000_000 })
    #expect(result.promptDistances == [14, 10, 12, 30])
    #expect(result.medianPromptDistance == 13)
    #expect(result.flaps == 2)
    #expect(result.flapsPerVisit == 0.5)
    #expect(result.falseVisits == PoissonRate(count: 2, hours: 2))
    // 1 2 1 3 against 1 1 2 1 9.
    #expect(result.order == Proportion(successes: 3, trials: 4))
  }

  // The exit of a visit comes after its own detection and before the next one at the place.
  @Test func exitsBelongToTheirVisit() {
    let visits = [visit(100, 200, 1), visit(500, 600, 1)]
    let both = [said("visit", 100, 1), said("visit", 500, 1)]
    #expect(score(visits, both + [said("exit", 610, 1)]).exitDelays == [10_000_000_000])
    #expect(score(visits, both + [said("exit", 50, 1)]).exitDelays == [])
    #expect(score(visits, both + [said("exit", 610, 2)]).exitDelays == [])
  }

  // In the margins of two visits a prompt belongs to the later, so neither has one too many.
  @Test func promptBetweenTwoVisits() {
    let visits = [visit(100, 200, 1), visit(220, 300, 1)]
    #expect(score(visits, [said("prompt", 100, 1), said("prompt", 215, 1)]).flaps == 0)
    #expect(score(visits, [said("prompt", 100, 1), said("prompt", 205, 1)]).flaps == 1)
    // A short visit inside a long one: the prompt after it is the long one's.
    let nested = [visit(100, 900, 1), visit(200, 210, 1)]
    #expect(score(nested, [said("prompt", 100, 1), said("prompt", 800, 1)]).flaps == 1)
  }

  @Test func ignoredVisits() {
    let result = score(
      [visit(100, 200, 1), visit(1000, 1100, 2)],
      [said("visit", 110, 1), said("prompt", 110, 1, value: 3), said("visit", 1010, 2)],
      zones: [zone(0, 360_000)])
    #expect(result.counts == EventCounts(truePositives: 1))
    #expect(result.promptDistances == [])
    #expect(result.order == Proportion(successes: 1, trials: 1))
    #expect(result.falseVisits.hours == 1.9)
  }

  // Found twice, missed, ignored; at the wrong place, in an ignore zone; other kinds between them.
  @Test func outcomes() {
    let visits = [visit(100, 200, 1), visit(300, 400, 2), visit(1000, 1100, 3)]
    let detections = [
      said("prompt", 95, 1), said("visit", 350, 7), said("visit", 130, 1), said("exit", 210, 1),
      said("visit", 105, 1), said("visit", 1010, 3),
    ]
    let zones = [zone(900_000, 1_200_000)]
    let judged = VisitJudgement(
      references: visits, detections: detections, ignoreZones: zones,
      exposure: Exposure(duration: .seconds(7200)))
    #expect(judged.events.pairs == [EventPair(reference: 0, detection: 2)])
    #expect(
      judged.events.detectionOutcomes == [.falsePositive, .duplicate, .truePositive, .ignored])
    #expect(judged.events.referenceOutcomes == [.hit, .missed, .ignored])
    #expect(judged.score == score(visits, detections, zones: zones))
    #expect(
      judged.score.counts == EventCounts(truePositives: 1, falsePositives: 2, falseNegatives: 1))
  }

  // What the header states: 5 s either side instead of 10 s before and 30 s after.
  @Test(
    arguments: [
      (nil, [89, 90, 230, 231], [false, true, true, false]),
      (.seconds(5), [94, 95, 205, 206], [false, true, true, false]),
      (.zero, [99, 100, 200, 201], [false, true, true, false]),
    ] as [(Duration?, [Int64], [Bool])])
  func statedTolerance(tolerance: Duration?, seconds: [Int64], isFound: [Bool]) {
    var header = TraceHeader(id: "hike", origin: .synthetic)
    header.end = at(7_200_000)
    let reference = ReferenceSet(task: .visit, events: [visit(100, 200, 1)], tolerance: tolerance)
    for (second, isFound) in zip(seconds, isFound) {
      let judged = VisitJudgement(
        reference, detections: [said("visit", second, 1)], header: header)
      #expect(judged.events.referenceOutcomes == [isFound ? .hit : .missed], "\(second) s")
      #expect(judged.score.falseVisits.hours == 2)
    }
    let used = EventTolerance(for: reference)
    #expect(used.origin == (tolerance == nil ? .standard : .reference))
    #expect(tolerance != nil || used == .visit)
  }

  @Test func pooling() {
    let one = score([visit(100, 200, 1)], [said("visit", 110, 1), said("prompt", 90, 1, value: 4)])
    let two = score([visit(100, 200, 1)], [said("visit", 600, 1)])
    let sum = VisitScore.pooled([one, two])
    #expect(sum.counts == EventCounts(truePositives: 1, falsePositives: 1, falseNegatives: 1))
    #expect(sum.falseVisits == PoissonRate(count: 1, hours: 4))
    #expect(sum.promptDistances == [4])
    #expect(sum.order == Proportion(successes: 1, trials: 2))
    #expect(VisitScore.pooled([one]) == one)
  }

  // By trying every subsequence.
  @Test(arguments: 0..<200)
  func commonSubsequence(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func sequence() -> [Int32] {
      (0..<Int(generator.unit() * 9)).map { _ in Int32(generator.unit() * 4) }
    }
    let (left, right) = (sequence(), sequence())
    func isSubsequence(_ part: [Int32]) -> Bool {
      var rest = part[...]
      for element in right where element == rest.first { rest.removeFirst() }
      return rest.isEmpty
    }
    let longest = (0..<(1 << left.count)).map { mask in
      left.indices.filter { mask >> $0 & 1 == 1 }.map { left[$0] }
    }.filter(isSubsequence).map(\.count).max()
    #expect(longestCommonSubsequence(left, right) == longest, "seed \(seed)")
  }

  /// Sequences of several words of 64 bits, by the table of all lengths.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func longCommonSubsequence(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let places: Int32 = [1, 2, 7, 200][Int(seed) % 4]
    func sequence() -> [Int32] {
      (0..<Int.random(in: 0...330, using: &generator)).map { _ in
        Int32.random(in: 0..<places, using: &generator)
      }
    }
    let (left, right) = (sequence(), sequence())
    var lengths = [Int](repeating: 0, count: right.count + 1)
    for element in left {
      var diagonal = 0
      for (position, other) in right.enumerated() {
        let above = lengths[position + 1]
        lengths[position + 1] =
          element == other ? diagonal + 1 : max(above, lengths[position])
        diagonal = above
      }
    }
    #expect(longestCommonSubsequence(left, right) == lengths.last)
  }

  /// A detector that fires for each place at the start, or at the end, finds nothing, also not in order.
  @Test(arguments: [0, 7000]) func visitsThatAreNotFoundHaveNoOrder(time: Int64) {
    let visits = [visit(1000, 1100, 1), visit(2000, 2100, 2), visit(3000, 3100, 3)]
    let score = score(visits, (1...3).map { said("visit", time, Int32($0)) })
    #expect(score.counts.truePositives == 0)
    #expect(score.order == Proportion(successes: 0, trials: 3))
  }
}
