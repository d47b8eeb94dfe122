import TestSupport
import Testing
import TraceModel

@testable import Scoring

@Suite struct ChangePointTests {
  /// A series as text, the changes that are expected as index, index seen, before and after.
  struct Exact: Sendable, CustomTestStringConvertible {
    var values: [Double?]
    var changes: [ChangePoint]
    var testDescription: String { "\(values)" }
  }

  static let exact = [
    Exact(values: [], changes: []), Exact(values: [1], changes: []),
    Exact(values: [1, 1, 1], changes: []), Exact(values: [nil, nil], changes: []),
    Exact(values: [0.0, -0.0], changes: []),
    Exact(values: [1, 2], changes: [.init(index: 1, seenAt: 1, before: 1, after: 2)]),
    Exact(
      values: [0.9, 0.9, 0.8, nil, 0.8],
      changes: [
        .init(index: 2, seenAt: 2, before: 0.9, after: 0.8),
        .init(index: 3, seenAt: 3, before: 0.8, after: nil),
        .init(index: 4, seenAt: 4, before: nil, after: 0.8),
      ]),
    Exact(
      values: [1, 1.0.nextUp],
      changes: [.init(index: 1, seenAt: 1, before: 1, after: 1.0.nextUp)]),
  ]

  @Test(arguments: exact) func exactFiguresChangeAtOnce(row: Exact) {
    #expect(ChangePoint.changes(inExact: row.values) == row.changes)
  }

  // MARK: Noise

  private static func noise(
    _ count: Int, steps: [(at: Int, size: Double)], seed: UInt64
  ) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      steps.reduce(generator.normal()) { $0 + (index >= $1.at ? $1.size : 0) }
    }
  }

  /// Steps in both directions are found where they are, within the runs that a step of that size
  /// needs, in nine of ten series.
  @Test(.longer, arguments: [(5.0, 20, 10), (5, 60, 7), (2, 30, 30), (1, 60, 100)])
  func stepsAreFound(size: Double, before: Int, delay: Int) {
    let series = LongTests.count(quick: 20, long: 200)
    var (found, delays) = (0, [Int]())
    for seed in 0..<UInt64(series) {
      let sign = seed % 2 == 0 ? 1.0 : -1
      let values = Self.noise(before + 100, steps: [(before, sign * size)], seed: 1000 + seed)
      let changes = ChangePoint.changes(inNoisy: values).filter { $0.seenAt >= before }
      guard let first = changes.first else { continue }
      delays.append(first.seenAt - before + 1)
      let tolerance = size >= 5 ? 0 : size >= 2 ? 4 : 20
      guard first.seenAt - before < delay, abs(first.index - before) <= tolerance else { continue }
      found += 1
    }
    let median = delays.sorted()[delays.count / 2]
    print("step of \(size) after \(before): \(found) of \(series), median delay \(median)")
    #expect(Double(found) >= (size >= 2 ? 0.9 : 0.6) * Double(series))
  }

  @Test func severalChangesAreFound() throws {
    let values = Self.noise(120, steps: [(30, 8), (60, -8), (90, 20)], seed: 5)
    let changes = ChangePoint.changes(inNoisy: values)
    #expect(changes.map(\.index) == [30, 60, 90])
    let levels = try changes.map { ((try #require($0.before)), (try #require($0.after))) }
    for (found, expected) in zip(levels, [(0.0, 8.0), (8, 0), (0, 20)]) {
      #expect(abs(found.0 - expected.0) < 1 && abs(found.1 - expected.1) < 1, "\(levels)")
    }
  }

  /// However far it lies; and a constant series that moves is seen as soon as a few orders in
  /// a row are too unlikely.
  @Test func oneOutlierIsNoChange() {
    for place in [5, 20, 59] {
      for size in [6, 1e6, -1e300] {
        let values = Self.noise(60, steps: [(place, size), (place + 1, -size)], seed: 8)
        #expect(ChangePoint.changes(inNoisy: values).isEmpty)
      }
    }
    let constant = [Double](repeating: 3, count: 40) + [Double](repeating: 4, count: 20)
    let changes = ChangePoint.changes(inNoisy: constant)
    #expect(changes == [.init(index: 40, seenAt: changes[0].seenAt, before: 3, after: 4)])
    #expect(changes[0].seenAt <= 46)
  }

  @Test func distancesFromTheMedian() {
    let values = [3.0, 1, 4, 1, 5, 9, 2, 6]
    let sums = MedianDistances(values).sums
    for count in 1...values.count {
      let part = values.prefix(count)
      let least = part.map { median in part.reduce(0) { $0 + abs($1 - median) } }.min()
      #expect(sums[count - 1] == least)
    }
    #expect(MedianDistances([]).sums.isEmpty)
  }

  @Test func shortSeriesHaveNoChange() {
    for count in 0..<8 {
      let values = (0..<count).map { $0 < count / 2 ? 0.0 : 1000 }
      #expect(ChangePoint.changes(inNoisy: values).isEmpty)
    }
  }

  // MARK: Laws

  private static let sample = noise(140, steps: [(30, 4), (70, -2.5), (100, 6)], seed: 11)

  /// Whether there is a change depends on the order of the values alone, its place on their distances.
  @Test func unitAndOriginDoNotMatter() {
    let expected = ChangePoint.changes(inNoisy: Self.sample)
    #expect(expected.count >= 2)
    let transforms: [@Sendable (Double) -> Double] = [
      { $0 * 8 }, { $0 / 1024 }, { -$0 }, { $0 * 1e150 }, { ($0 * 1e6).rounded() + 1e7 },
    ]
    for transform in transforms {
      let found = ChangePoint.changes(inNoisy: Self.sample.map(transform))
      #expect(found.map(\.index) == expected.map(\.index))
      #expect(found.map(\.seenAt) == expected.map(\.seenAt))
    }
    let curved = ChangePoint.changes(inNoisy: Self.sample.map { Math.exp($0) })
    #expect(curved.map(\.seenAt) == expected.map(\.seenAt))
  }

  /// Who reads after each run sees what is seen at the end, when it could be seen.
  @Test func readingEarlierChangesNothing() {
    let end = ChangePoint.changes(inNoisy: Self.sample)
    for count in 0...Self.sample.count {
      let early = ChangePoint.changes(inNoisy: Array(Self.sample.prefix(count)))
      let expected = end.filter { $0.seenAt < count }
      #expect(early.map(\.index) == expected.map(\.index))
      #expect(early.map(\.seenAt) == expected.map(\.seenAt))
    }
  }

  /// What is undefined is passed over.
  @Test func gapsDoNotMatter() {
    let known = ChangePoint.changes(inNoisy: Self.sample)
    var (gappy, places) = ([Double?](), [Int]())
    for (index, value) in Self.sample.enumerated() {
      if index % 3 == 0 { gappy.append([nil, .nan, .infinity][index % 9 / 3]) }
      places.append(gappy.count)
      gappy.append(value)
    }
    let found = ChangePoint.changes(inNoisy: gappy)
    #expect(found.map(\.index) == known.map { places[$0.index] })
    #expect(found.map(\.seenAt) == known.map { places[$0.seenAt] })
    #expect(found.map(\.before) == known.map(\.before))
    #expect(ChangePoint.changes(inNoisy: [nil, .nan]).isEmpty)
  }

  /// A drift is found, and by several changes if it goes on.
  @Test func driftsAreFound() {
    var generator = SeededGenerator(seed: 3)
    let values = (0..<200).map { generator.normal() + (Double($0) - 50) * ($0 > 50 ? 0.1 : 0) }
    let changes = ChangePoint.changes(inNoisy: values)
    #expect(!changes.isEmpty && changes.allSatisfy { $0.seenAt > 50 })
  }
}
