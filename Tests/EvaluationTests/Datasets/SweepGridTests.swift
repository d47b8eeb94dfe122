@testable import Evaluation
import Detectors
import Diagnostics
import Testing
import TraceModel

/// How the axes of a sweep are read.
@Suite struct SweepGridTests {
  private let punch: AnyDetector

  init() throws {
    punch = try DetectorRegistry.builtIn.detector(named: "punch")
  }

  private func grid(_ texts: String...) throws -> SweepGrid {
    try SweepGrid(texts, of: punch, threshold: "threshold")
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func withoutAxesThereIsOneCombination() throws {
    let combinations = try grid().combinations
    #expect(combinations == [SweepGrid.Combination(name: "", settings: [:])])
  }

  @Test func everyCombinationTheLastAxisFirst() throws {
    let combinations = try grid("refractory=200ms, 0.4s", "tolerance=50ms,0.1s").combinations
    #expect(
      combinations.map(\.name) == [
        "refractory 0.2 s, tolerance 50 ms", "refractory 0.2 s, tolerance 100 ms",
        "refractory 0.4 s, tolerance 50 ms", "refractory 0.4 s, tolerance 100 ms",
      ])
    #expect(combinations[3].settings == ["refractory": .number(0.4)])
    #expect(combinations.map(\.tolerance).prefix(2) == [.milliseconds(50), .milliseconds(100)])
  }

  @Test func choicesAreValuesToo() throws {
    let combinations = try grid("rule=axes,magnitude").combinations
    #expect(combinations.map(\.name) == ["rule axes", "rule magnitude"])
  }

  @Test(arguments: [
    "", "=", "refractory", "refractory=", "refractory=,", "refractory=1s,,2s", "=1",
  ])
  func anAxisNeedsANameAndValues(text: String) {
    #expect(
      message { _ = try grid(text) }
        == "--grid \(text): expected a parameter and its values, e.g. refractory=0.2s,0.4s")
  }

  @Test func anAxisIsNamedOnce() {
    #expect(
      message { _ = try grid("tolerance=1s", "tolerance=2s") }
        == "--grid tolerance=2s: duplicate parameter tolerance")
  }

  @Test func tooManyCombinationsAreASearch() {
    let values = (1...40).map { "\($0)ms" }.joined(separator: ",")
    #expect(
      message { _ = try grid("refractory=\(values)", "peak-window=\(values)") }
        == "--grid: expected at most 1000 combinations, found 1600; use tune --search instead")
  }
}

/// How the threshold and its range are read.
@Suite struct ThresholdSpanTests {
  private func span(_ text: String?, _ detector: String = "punch") throws -> ThresholdSpan {
    try ThresholdSpan(text, of: DetectorRegistry.builtIn.detector(named: detector))
  }

  @Test func withoutARangeAllOfIt() throws {
    for text in [nil, "threshold"] {
      let span = try span(text)
      #expect(span.parameter == "threshold")
      #expect(span.range == 0...2000)
      #expect(span.points == nil)
      #expect(span.unit == .metersPerSecondSquared)
    }
  }

  @Test func unitsAreRead() throws {
    let span = try span("threshold=1g..2g")
    #expect(span.range == 9.80665...19.6133)
    #expect(span.points == nil)
    #expect(span.text(of: 30.5) == "30.5 m/s2")
  }

  @Test func pointsAreEven() throws {
    #expect(try span("threshold=10..30:5").points == [10, 15, 20, 25, 30])
    #expect(try span("threshold=10..30:1").points == [10])
    #expect(try span("threshold=10..10:5").points == [10])
    // Its own scores are no other parameter's: that one is run, at fifty values.
    let window = try span("peak-window=0s..0.49s")
    #expect(window.points?.count == 50)
    #expect(window.points?.last == 0.49)
  }

  /// More points than there are numbers between the ends: each number once, in order.
  @Test func pointsNeverCoincide() {
    let narrow = ThresholdSpan.points(1...1.0.nextUp.nextUp.nextUp, 1000)
    #expect(narrow == [1, 1.0.nextUp, 1.0.nextUp.nextUp, 1.0.nextUp.nextUp.nextUp])
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let lower = Double.random(in: 0...100, using: &generator)
      let ulps = Double.random(in: 0...40, using: &generator).rounded()
      let range = lower...lower + ulps * lower.ulp
      let points = ThresholdSpan.points(range, 25)
      #expect(zip(points, points.dropFirst()).allSatisfy(<), "\(range)")
      #expect(points.first == range.lowerBound)
      #expect(points.last == range.upperBound, "\(range)")
    }
  }

  @Test func aDetectorWithoutScoresNeedsARange() {
    #expect {
      try span(nil, "checkin")
    } throws: {
      "\($0)".contains("expected the parameter that is the threshold and its range")
    }
  }
}
