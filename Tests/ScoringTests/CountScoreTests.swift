import Scoring
import TestSupport
import Testing
import TraceModel

@Suite struct CountScoreTests {
  private func header(_ count: Int, zones: [IgnoreZone] = []) -> TraceHeader {
    var header = TraceHeader(id: "a", origin: .recorded)
    header.end = at(600_000)
    header.counts = [ReferenceCount(task: .punch, count: count)]
    header.ignoreZones = zones
    return header
  }

  private func score(_ header: TraceHeader, _ detections: [DetectionRecord]) throws -> TaskScore {
    try TaskScore(
      task: .punch, detections: detections, measured: [:], header: header, fixes: nil,
      tolerance: nil, distance: { _, _, _, _ in 0 })
  }

  private func counted(_ stated: Int, _ detected: Int) -> TaskScore {
    .count(CountScore(stated: stated, detected: detected))
  }

  @Test func detectionsOfTheKindOutsideOfZonesCount() throws {
    let detections = [
      detection(0), detection(100), detection(200, kind: "visit"), detection(300), detection(400),
    ]
    let expected = CountScore(stated: 5, detected: 2)
    #expect(
      try score(header(5, zones: [zone(100, 300)]), detections) == .count(expected))
    #expect(expected.error == -3 && expected.percentError == -60)
  }

  // Stated, detected, error, error in %.
  @Test(
    arguments: [
      (10, 12, 2, 20), (10, 10, 0, 0), (10, 0, -10, -100), (0, 0, 0, nil), (0, 3, 3, nil),
    ] as [(Int, Int, Int, Double?)])
  func triples(stated: Int, detected: Int, error: Int, percent: Double?) {
    let score = CountScore(stated: stated, detected: detected)
    #expect(score.error == error && score.percentError == percent)
    let figures = score.figures
    #expect(figures.map(\.name).contains("count_error"))
    #expect(figures.map(\.value) == [Double(stated), Double(detected), Double(error), percent])
  }

  /// A trace with events is scored by them, one with neither is not scored, and a count of another
  /// task says nothing.
  @Test func aCountIsForItsTaskAlone() throws {
    var other = header(3)
    other.counts[0].task = .drop
    #expect(try score(other, [detection(0)]) == .unscored)
    other.references = [ReferenceSet(task: .punch, events: [])]
    guard case .events = try score(other, [detection(0)]) else {
      Issue.record("not scored by events")
      return
    }
  }

  /// Recordings in any order and grouping have the totals of plain loops.
  @Test func totalsAgainstLoops() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let runs = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        (
          subject: "p\(Int.random(in: 0...3, using: &generator))",
          score: counted(
            Int.random(in: 0...6, using: &generator), Int.random(in: 0...6, using: &generator))
        )
      }
      var (stated, detected, size) = (0, 0, 0)
      for run in runs {
        guard case .count(let score) = run.score else { continue }
        stated += score.stated
        detected += score.detected
        size += abs(score.detected - score.stated)
      }
      let group = GroupScore(runs)
      #expect(group["count_traces"]?.value == Double(runs.count))
      #expect(group["count_stated"]?.value == Double(stated))
      #expect(group["count_detected"]?.value == Double(detected))
      #expect(group["count_error"]?.value == Double(detected - stated))
      #expect(group["count_absolute_error"]?.value == Double(size))
      let percent = stated == 0 ? nil : 100 * Double(size) / Double(stated)
      #expect(group["count_absolute_error_percent"]?.value == percent)
      // Nothing cancels in the sizes.
      #expect(abs(detected - stated) <= size)
      let shuffled = GroupScore(runs.shuffled(using: &generator))
      #expect(shuffled["count_absolute_error"]?.value == Double(size))
      #expect(group.score == .counts)
    }
  }

  /// Each person has the same weight. Means 1, 3 and -1 of three people: mean 1. Their variance of 4 is
  /// averaged with that of 1.5 times the mean size, 6.25, and enlarged by a half; Student's quantile at
  /// five degrees of freedom is 2.57058.
  @Test func theIntervalIsStudentsOverPeople() throws {
    let runs = [
      ("a", counted(10, 10)), ("a", counted(10, 12)), ("b", counted(10, 13)), ("c", counted(10, 9)),
    ].map { (subject: $0.0, score: $0.1) }
    let bias = try #require(GroupScore(runs)["count_error_bias"]?.estimate)
    #expect(bias.value == 1 && bias.method == .clusteredStudent && bias.clusters == 3)
    #expect(bias.clusterKind == .people && bias.count == 4)
    let variance = (2 * 4 + 3 * 6.25) / 5 * 1.5
    let half = 2.570_581_835_6 * (variance / 3).squareRoot()
    #expect(abs(try #require(bias.interval).lower - (1 - half)) < 1e-8)
    #expect(abs(try #require(bias.interval).upper - (1 + half)) < 1e-8)
    // Sizes: 1, 3 and 1.
    let size = try #require(GroupScore(runs)["count_error_mean_absolute"]?.value)
    #expect(abs(size - 5.0 / 3) < 1e-12)
    // The same people only: four recordings, each with the same weight.
    let these = GroupScore(runs, about: .thesePeople)["count_error_bias"]?.estimate
    #expect(abs((these?.value ?? 0) - 1) < 1e-12 && these?.method == .student)
    // Two people say nothing about a third.
    let two = GroupScore(Array(runs.prefix(3)))["count_error_bias"]?.estimate
    #expect(two?.value == 2 && two?.interval == nil)
  }

  /// Counts are whole: where all are alike there is no interval of width zero.
  @Test func peopleWhoAreAllAlikeGiveNoInterval() {
    let runs = ["a", "b", "c", "d"].map { (subject: $0, score: counted(10, 10)) }
    let group = GroupScore(runs)
    #expect(group["count_error_bias"]?.value == 0 && group["count_error_bias"]?.interval == nil)
    #expect(group["count_error_percent_mean_absolute"]?.interval == nil)
  }

  /// Counts are separate from events, and change none of their figures.
  @Test func countsChangeNothingAboutEvents() throws {
    var known = TraceHeader(id: "b", origin: .recorded)
    known.end = at(600_000)
    known.references = [ReferenceSet(task: .punch, events: [reference(100)])]
    let events = try score(known, [detection(100), detection(900)])
    let alone = GroupScore([("a", events)])
    let both = GroupScore([("a", events), ("b", counted(3, 4)), ("c", .unscored)])
    #expect(both.score == alone.score && both.unscored == 1)
    for figure in alone.figures where figure.name != "unscored_traces" {
      #expect(both[figure.name] == figure)
    }
    #expect(both.counts == CountSummary(of: [CountScore(stated: 3, detected: 4)]))
    #expect(alone.counts == nil && alone["count_traces"] == nil)
  }
}
