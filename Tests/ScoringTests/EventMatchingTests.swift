import Scoring
import TestSupport
import Testing
import TraceModel

@Suite struct EventMatchingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let references: [(onset: Int64, offset: Int64)]
    let detections: [Int64]
    var early: Int64 = 150
    var late: Int64 = 150
    let pairs: [(Int, Int)]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "nothing", references: [], detections: [], pairs: []),
    Case(name: "no detection", references: [(0, 0)], detections: [], pairs: []),
    Case(name: "late edge is in", references: [(0, 0)], detections: [150], pairs: [(0, 0)]),
    Case(name: "beyond the late edge", references: [(0, 0)], detections: [151], pairs: []),
    Case(name: "early edge is in", references: [(0, 0)], detections: [-150], pairs: [(0, 0)]),
    Case(name: "beyond the early edge", references: [(0, 0)], detections: [-151], pairs: []),
    Case(
      name: "asymmetrical", references: [(0, 0)], detections: [-11, 60], early: 10, late: 50,
      pairs: []),
    Case(
      name: "number before sum", references: [(0, 0), (100, 0)].map { ($0.0, $0.0) },
      detections: [-140, 10], pairs: [(0, 0), (1, 1)]),
    Case(
      name: "smallest sum", references: [(0, 0)], detections: [-100, 20, 100], pairs: [(0, 1)]),
    Case(
      name: "tie to the earlier detection", references: [(0, 0)], detections: [-50, 50],
      pairs: [(0, 0)]),
    Case(
      name: "tie to the earlier reference", references: [(0, 0), (100, 100)], detections: [50],
      pairs: [(0, 0)]),
    Case(
      name: "input need not be sorted", references: [(1000, 1000), (0, 0)],
      detections: [10, 1010], pairs: [(0, 1), (1, 0)]),
    Case(
      name: "interval is hit by the first inside", references: [(0, 900)],
      detections: [300, 500, 900], pairs: [(0, 0)]),
    Case(
      name: "interval's margin at its end", references: [(0, 900)], detections: [1050],
      pairs: [(0, 0)]),
    Case(
      name: "an instant inside an interval", references: [(0, 1000), (500, 500)],
      detections: [480, 990], pairs: [(0, 1), (1, 0)]),
    Case(
      name: "an interval that ends before it starts", references: [(500, 0)],
      detections: [250, 500], pairs: []),
    Case(
      name: "one detection, one reference", references: [(0, 0), (0, 0)], detections: [0],
      pairs: [(0, 0)]),
  ])
  func table(example: Case) {
    let matching = EventMatching(
      references: example.references.map { reference($0.onset, $0.offset) },
      detections: example.detections.map { detection($0) },
      tolerance: tolerance(example.early, example.late))
    #expect(
      matching.pairs == example.pairs.map { EventPair(reference: $0.0, detection: $0.1) })
  }

  @Test func classesAndPlaces() {
    let references = [
      reference(0, 0, label: "straight", place: 1), reference(10, 10, label: "hook", place: 2),
      reference(20, 20),
    ]
    let detections = [
      detection(12, label: "straight", place: 2), detection(2, label: "hook", place: 1),
      detection(20),
    ]
    func pairs(_ rule: MatchRule) -> [[Int]] {
      EventMatching(
        references: references, detections: detections, tolerance: tolerance(100, 100),
        rule: rule
      ).pairs.map { [$0.reference, $0.detection] }
    }
    #expect(pairs(.any) == [[0, 1], [1, 0], [2, 2]])
    #expect(pairs(.sameLabel) == [[0, 0], [1, 1]])
    #expect(pairs(.samePlace) == [[0, 1], [1, 0]])
  }

  @Test func extremeTimesDoNotTrap() {
    let times: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let references = times.map { reference($0, $0) } + [reference(.min, .max)]
    for margin: Int64 in [0, 1, .max, -1, .min] {
      let matching = EventMatching(
        references: references, detections: times.map { detection($0) },
        tolerance: tolerance(margin, margin))
      // A negative margin empties every window but that of the long reference.
      #expect(margin < 0 ? matching.pairs.count <= 1 : matching.pairs.count == 7)
    }
  }

  // Every assignment is tried. Times on a coarse grid make ties frequent; offsets make windows
  // nest.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 1000, long: 4000))
  func bruteForce(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func draw(_ range: ClosedRange<Int64>) -> Int64 {
      range.lowerBound + Int64(generator.unit() * Double(range.upperBound - range.lowerBound + 1))
    }
    let span = draw(3...40)
    let hasIntervals = draw(0...2) > 0
    let references = (0..<draw(0...8)).map { _ in
      let onset = draw(0...span)
      let length = hasIntervals && draw(0...1) == 0 ? draw(0...span) : 0
      return (onset: onset, offset: onset + length)
    }
    let detections = (0..<draw(0...8)).map { _ in draw(0...span) }
    let (early, late) = (draw(0...8), draw(-1...8))

    let matching = EventMatching(
      references: references.map { reference($0.onset, $0.offset) },
      detections: detections.map { detection($0) }, tolerance: tolerance(early, late))
    let expected = exhaustivePairs(references, detections, early, late)
    #expect(matching.pairs == expected, "seed \(seed)")
  }

  // The general algorithm and the banded one agree on what both can do, ties included. A long
  // reference far from everything makes windows nest without bearing on the rest.
  @Test(arguments: 0..<40)
  func bandedAgreesWithGeneral(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let count = 60
    let onsets = (0..<count).map { _ in Int64(generator.unit() * 400) }
    let times = (0..<count).map { _ in Int64(generator.unit() * 400) }
    let references = onsets.map { reference($0, $0) }
    let margins = tolerance(9, 14)
    let banded = EventMatching(
      references: references, detections: times.map { detection($0) }, tolerance: margins)
    // Takes the detection at -10 without a cost and reaches over all others.
    let long = reference(-10, 500)
    let general = EventMatching(
      references: references + [long], detections: times.map { detection($0) } + [detection(-10)],
      tolerance: margins)
    #expect(general.pairs.last == EventPair(reference: count, detection: count))
    func distance(_ pairs: [EventPair]) -> Int64 {
      pairs.reduce(0) { $0 + abs(times[$1.detection] - onsets[$1.reference]) }
    }
    // The long reference takes only what the others leave: it has a detection of its own.
    #expect(Array(general.pairs.dropLast()) == banded.pairs, "seed \(seed)")
    #expect(distance(Array(general.pairs.dropLast())) == distance(banded.pairs))
  }

  /// More events of one kind than of the other, windows that stop short of both ends: what no
  /// matching with the most pairs has is left out, and nothing else.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 60, long: 600))
  func crowdsAgreeWithTheGeneralAlgorithm(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func draw(_ count: Int, _ span: Int) -> [Int64] {
      (0..<count).map { _ in Int64(generator.unit() * Double(span)) }
    }
    let span = 5 + seed * 3 % 120
    let (onsets, times) = (draw(5 + seed % 31, span), draw(5 + seed * 7 % 41, span))
    let margins = tolerance(Int64(seed % 13), Int64(seed % 17))
    let banded = EventMatching(
      references: onsets.map { reference($0, $0) }, detections: times.map { detection($0) },
      tolerance: margins)
    let long = reference(-100, 1000)
    let general = EventMatching(
      references: onsets.map { reference($0, $0) } + [long],
      detections: times.map { detection($0) } + [detection(-100)], tolerance: margins)
    #expect(general.pairs.dropLast() == banded.pairs[...], "seed \(seed)")
  }

  /// As many of both at one time, as a damaged file has: no pair but the first with the first is
  /// looked at.
  @Test(.longer) func aHundredThousandAtOneTime() throws {
    let count = LongTests.count(quick: 5000, long: 100_000)
    let references = (0..<count).map { _ in reference(7, 7) }
    let detections = (0..<count).map { _ in detection(9) }
    let matching = EventMatching(
      references: references, detections: detections, tolerance: tolerance(5, 5))
    #expect(matching.pairs == (0..<count).map { EventPair(reference: $0, detection: $0) })
    try EventMatching.requireFeasible(
      references, detections, tolerance: tolerance(5, 5), rules: [.any], place: "x")
  }

  @Test func crowdsThatWouldTakeHoursAreRefused() throws {
    func failure(_ references: [ReferenceEvent], _ detections: [DetectionRecord]) -> TraceError? {
      #expect(throws: TraceError.self) {
        try EventMatching.requireFeasible(
          references, detections, tolerance: tolerance(5, 5), rules: [.any], place: "a")
      }
    }
    let few = (0..<20_000).map { _ in reference(1_000_000_000, 1_000_000_000) }
    let many = (0..<60_000).map { _ in detection(1_000_000_001) }
    #expect(
      failure(few, many)?.description
        == "a: expected few references and detections within each other's tolerance, "
        + "found 20000 references and 60000 detections in one stretch from 1.0 s on; remove "
        + "duplicates, or lower the tolerance")
    // By class alone: as many of both, but half of the detections are of another class.
    func events(_ count: Int) -> [ReferenceEvent] {
      (0..<count).map { _ in
        var event = reference(9, 9)
        event.label = "a"
        return event
      }
    }
    let mixed = (0..<40_000).map { index in
      var record = detection(9)
      record.label = index % 2 == 0 ? "a" : "b"
      return record
    }
    #expect(throws: TraceError.self) {
      try EventMatching.requireFeasible(
        events(40_000), mixed, tolerance: tolerance(5, 5), rules: [.any, .sameLabel], place: "a")
    }
    // Each inside the one before.
    let nested = (0..<20_000).map { reference(Int64($0), 100_000 - Int64($0)) }
    #expect(failure(nested, (0..<100_000).map { detection($0) }) != nil)
  }

  @Test func oneLargeComponent() {
    // Every detection within the tolerance of every reference: in order, each at its own place.
    let count = 2000
    let references = (0..<count).map { reference(Int64($0), Int64($0)) }
    let detections = (0..<count).reversed().map { detection(Int64($0) + 3) }
    let matching = EventMatching(
      references: references, detections: detections, tolerance: tolerance(10_000, 10_000))
    #expect(
      matching.pairs
        == (0..<count).map { EventPair(reference: $0, detection: count - 1 - $0) })
  }

  @Test func manySmallComponents() {
    let references = (0..<10_000).map { reference(Int64($0) * 1000, Int64($0) * 1000) }
    let detections = (0..<100_000).map { detection(Int64($0) * 100 + 7) }
    let matching = EventMatching(
      references: references, detections: detections, tolerance: tolerance(150, 150))
    #expect(
      matching.pairs
        == (0..<10_000).map { EventPair(reference: $0, detection: $0 * 10) })
  }

  /// Times in ticks of 1/512 s, which are whole nanoseconds.
  private struct MirEvalCase: Decodable {
    var window: Int64
    var references: [Int64]
    var detections: [Int64]
    var matches: Int
    var distance: Int64
  }

  // mir_eval's count and SciPy's smallest sum, on dyadic times; see Tests/Fixtures/match_events.py.
  @Test func agreesWithMirEval() throws {
    let cases = try Fixtures.cases(of: "match_events.json", as: MirEvalCase.self)
    #expect(cases.count == 200)
    let scale: Int64 = 1_953_125
    for (number, expected) in cases.enumerated() {
      let (references, detections) = (expected.references, expected.detections)
      let matching = EventMatching(
        references: references.map { reference($0 * scale, $0 * scale) },
        detections: detections.map { detection($0 * scale) },
        tolerance: tolerance(expected.window * scale, expected.window * scale))
      let sum = matching.pairs.reduce(0) {
        $0 + abs(references[$1.reference] - detections[$1.detection])
      }
      #expect(matching.pairs.count == expected.matches, "case \(number)")
      #expect(sum == expected.distance, "case \(number)")
    }
  }

  // mir_eval compares doubles: 1.151 - 0.15 > 1.001 there. Here the edge is exact.
  @Test func decimalEdgesAreIn() {
    for start: Int64 in 0..<1000 {
      let onset = start * 1_000_000
      let matching = EventMatching(
        references: [reference(onset, onset)], detections: [detection(onset + 150_000_000)],
        tolerance: .standard)
      #expect(matching.pairs.count == 1)
    }
  }
}

private func reference(
  _ onset: Int64, _ offset: Int64, label: String = "", place: Int32? = nil
) -> ReferenceEvent {
  ReferenceEvent(
    onset: TraceInstant(nanoseconds: onset), offset: TraceInstant(nanoseconds: offset),
    label: label, place: place)
}

private func detection(
  _ onset: Int64, label: String = "", place: Int32? = nil
) -> DetectionRecord {
  let instant = TraceInstant(nanoseconds: onset)
  return DetectionRecord(
    onset: instant, emitted: instant, kind: "punch", label: label, place: place)
}

private func tolerance(_ early: Int64, _ late: Int64) -> EventTolerance {
  EventTolerance(early: .nanoseconds(early), late: .nanoseconds(late))
}

/// The best pairs by trying all assignments, straight from the definition: references by (onset,
/// offset, position) each take no detection or any that is possible and not taken.
///
/// - Parameter mayMatch: of a reference and a detection, by position: all but the times.
func exhaustivePairs(
  _ references: [(onset: Int64, offset: Int64)], _ detections: [Int64], _ early: Int64,
  _ late: Int64, mayMatch: (Int, Int) -> Bool = { _, _ in true }
) -> [EventPair] {
  let referenceOrder = references.indices.sorted {
    (references[$0].onset, references[$0].offset, $0)
      < (references[$1].onset, references[$1].offset, $1)
  }
  let detectionOrder = detections.indices.sorted { (detections[$0], $0) < (detections[$1], $1) }
  // (missed, sum, ranks with "none" last): the smallest is the best.
  var best: (missed: Int, sum: Int64, ranks: [Int])?
  func extend(_ missed: Int, _ sum: Int64, _ ranks: [Int]) {
    // Neither grows smaller on the way.
    if let best, (missed, sum) > (best.missed, best.sum) { return }
    guard ranks.count < referenceOrder.count else {
      guard let found = best else {
        best = (missed, sum, ranks)
        return
      }
      if (missed, sum) < (found.missed, found.sum)
        || (missed, sum) == (found.missed, found.sum)
          && ranks.lexicographicallyPrecedes(found.ranks)
      {
        best = (missed, sum, ranks)
      }
      return
    }
    let reference = references[referenceOrder[ranks.count]]
    for (rank, position) in detectionOrder.enumerated()
    where !ranks.contains(rank) && mayMatch(referenceOrder[ranks.count], position) {
      let time = detections[position]
      if reference.onset - early <= time, time <= reference.offset + late {
        extend(missed, sum + abs(time - reference.onset), ranks + [rank])
      }
    }
    extend(missed + 1, sum, ranks + [Int.max])
  }
  extend(0, 0, [])
  return zip(referenceOrder, best?.ranks ?? []).filter { $0.1 != .max }.map {
    EventPair(reference: $0.0, detection: detectionOrder[$0.1])
  }.sorted { $0.reference < $1.reference }
}
