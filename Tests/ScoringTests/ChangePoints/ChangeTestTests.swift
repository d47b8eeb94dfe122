import TestSupport
import Testing
import TraceModel

@testable import Scoring

/// The law of the test, exactly, and its rate of false alarms in simulations.
@Suite struct ChangeTestTests {
  /// Over all orders of the values, which are equally likely without a change, the mean capital is 1.
  /// That is the property that the bound of false alarms follows from.
  @Test(arguments: [
    [1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1, 1], [1, 1, 2, 2, 3, 3, 3], [1, 1, 1, 1, 1, 1, 9],
    [-1, -1, 0, 0, 0, 1, 1], [1e300, -1e300, 0, 1e-300, 2, 2, 2],
  ])
  func theMeanCapitalIsOne(values: [Double]) {
    var (sum, count) = (0.0, 0.0)
    forEachOrder(of: values) { order in
      var test = ChangeTest(falseAlarmProbability: 1e-300)
      for value in order { #expect(test.add(value) == nil) }
      sum += test.evidence
      count += 1
    }
    #expect(count == 5040)
    #expect(abs(sum / count - 1) < 1e-12, "\(sum / count)")
  }

  /// The same holds from each beginning on: the next value may have each rank.
  @Test(arguments: [[3, 1, 4, 1.5, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
  func noNextValueIsBetterThanOne(beginning: [Double]) {
    var test = ChangeTest(falseAlarmProbability: 1e-300)
    for value in beginning { _ = test.add(value) }
    let sorted = beginning.sorted()
    let places = [sorted[0] - 1] + zip(sorted, sorted.dropFirst()).map { ($0 + $1) / 2 }
    let next = (places + [sorted[sorted.count - 1] + 1]).map { value in
      var after = test
      _ = after.add(value)
      return after.evidence
    }
    #expect(abs(next.reduce(0, +) / Double(next.count) - test.evidence) < 1e-12 * test.evidence)
  }

  enum Noise: String, CaseIterable, Sendable {
    case normal, cauchy, rounded, constant

    func value(_ generator: inout SeededGenerator) -> Double {
      switch self {
      case .normal: generator.normal()
      case .cauchy: Math.tan(.pi * (generator.unit() - 0.5))
      case .rounded: generator.normal().rounded()
      case .constant: 7
      }
    }
  }

  /// At most one of 20 series shows a change, ever.
  @Test(.longer, arguments: Noise.allCases) func falseAlarmsAreBounded(noise: Noise) {
    let (series, length) = (
      LongTests.count(quick: 60, long: 400), LongTests.count(quick: 60, long: 200)
    )
    var generator = SeededGenerator(seed: 20)
    let alarms = (0..<series).count { _ in
      let values = (0..<length).map { _ in noise.value(&generator) }
      return !ChangePoint.changes(inNoisy: values).isEmpty
    }
    // Five standard errors above the bound.
    let expected = Double(series) * ChangeTest.falseAlarmProbability
    let limit = expected + 5 * (expected * (1 - ChangeTest.falseAlarmProbability)).squareRoot()
    print("false alarms, \(noise): \(alarms) of \(series) series of \(length) values")
    #expect(Double(alarms) <= limit)
    if noise == .constant { #expect(alarms == 0) }
  }

  // MARK: Dependence and several series

  /// Neighbours that are alike: autocorrelated, or with a part of the variance shared within a day.
  struct Dependence: Sendable, CustomTestStringConvertible {
    var autocorrelation = 0.0
    var sharedWithinDay = 0.0
    /// In turn.
    var runsPerDay: [Int]
    var testDescription: String { "\(autocorrelation) \(sharedWithinDay) \(runsPerDay)" }

    func series(_ count: Int, _ generator: inout SeededGenerator) -> (values: [Double], days: [Int])
    {
      var (values, days, last) = ([Double](), [Int](), generator.normal())
      while values.count < count {
        let (day, common) = ((days.last ?? -1) + 1, generator.normal())
        for _ in 0..<min(runsPerDay[day % runsPerDay.count], count - values.count) {
          last =
            autocorrelation * last
            + (1 - autocorrelation * autocorrelation).squareRoot() * generator.normal()
          values.append(
            sharedWithinDay.squareRoot() * common + (1 - sharedWithinDay).squareRoot() * last)
          days.append(day)
        }
      }
      return (values, days)
    }
  }

  /// docs/history.md has the figures of 500 series each, and those of the test without blocks.
  @Test(
    .longer,
    arguments: [
      Dependence(runsPerDay: [10]), Dependence(runsPerDay: [1, 1, 1, 12]),
      Dependence(autocorrelation: 0.3, runsPerDay: [1]),
      Dependence(autocorrelation: 0.3, runsPerDay: [5]),
      Dependence(autocorrelation: 0.3, runsPerDay: [1000]),
      Dependence(sharedWithinDay: 0.1, runsPerDay: [10]),
      Dependence(sharedWithinDay: 0.1, runsPerDay: [2, 20]),
      Dependence(sharedWithinDay: 0.5, runsPerDay: [10]),
    ])
  func falseAlarmsAreBounded(dependence: Dependence) {
    let (series, length) = (
      LongTests.count(quick: 10, long: 400), LongTests.count(quick: 60, long: 200)
    )
    var generator = SeededGenerator(seed: 21)
    let alarms = (0..<series).count { _ in
      let (values, days) = dependence.series(length, &generator)
      return !ChangePoint.changes(inNoisy: values, blocks: days).isEmpty
    }
    let expected = Double(series) * ChangeTest.falseAlarmProbability
    print("false alarms, \(dependence): \(alarms) of \(series) series of \(length) values")
    // Two standard errors: the test without blocks has 15 to 85 %.
    #expect(Double(alarms) <= expected + 2 * (expected * 0.95).squareRoot())
  }

  /// The level holds for all series together, dependent ones too: at most one history of 20 has any.
  @Test(.longer) func falseAlarmsOfAHistoryAreBounded() {
    let histories = LongTests.count(quick: 1, long: 60)
    var generator = SeededGenerator(seed: 22)
    let alarms = (0..<histories).count { _ in
      let (common, days) = Dependence(autocorrelation: 0.3, runsPerDay: [2])
        .series(60, &generator)
      return (0..<30).contains { _ in
        let values = common.map { 0.5 * $0 + generator.normal() }
        let found = ChangePoint.changes(
          inNoisy: values, blocks: days, falseAlarmProbability: 0.05 / 30)
        return !found.isEmpty
      }
    }
    print("histories with a false alarm: \(alarms) of \(histories)")
    #expect(alarms <= max(1, histories / 10))
  }

  /// A clear step is found within days, though each day is a block.
  @Test(.longer, arguments: [(1, 20, 10), (3, 75, 8), (5, 50, 15), (10, 100, 15), (200, 60, 8)])
  func stepsAreFoundInBlocks(runsPerDay: Int, before: Int, delay: Int) {
    let series = LongTests.count(quick: 3, long: 100)
    var generator = SeededGenerator(seed: 23)
    let found = (0..<series).count { _ in
      var (values, days) = Dependence(runsPerDay: [runsPerDay]).series(before + 30, &generator)
      for index in before..<values.count { values[index] += 5 }
      let changes = ChangePoint.changes(inNoisy: values, blocks: days)
      return changes.first.map { $0.index == before && $0.seenAt - before < delay } ?? false
    }
    print("steps in blocks of \(runsPerDay): \(found) of \(series)")
    #expect(Double(found) >= 0.8 * Double(series) - 1)
  }

  private func forEachOrder(of values: [Double], _ body: ([Double]) -> Void) {
    var values = values
    func permute(_ count: Int) {
      guard count > 1 else { return body(values) }
      for index in 0..<count {
        permute(count - 1)
        // Heap's algorithm, Computer Journal 6, 1963.
        values.swapAt(count % 2 == 0 ? index : 0, count - 1)
      }
    }
    permute(values.count)
  }
}

/// The likelihood of ranks, compared with a numerical inversion of the mixture.
@Suite struct LogisticShiftTests {
  @Test(arguments: LogisticShift.shifts + [0, 0.1, 20], [0.01, 0.1, 0.5, 0.9])
  func agreesWithBisection(shift: Double, after: Double) {
    let logistic = LogisticShift(shift)
    func distribution(_ x: Double) -> Double { 1 / (1 + Math.exp(-x)) }
    func below(_ share: Double) -> Double {
      var (low, high) = (-60.0, 90.0)
      for _ in 0..<200 {
        let middle = (low + high) / 2
        let mixture = (1 - after) * distribution(middle) + after * distribution(middle - shift)
        if mixture < share { low = middle } else { high = middle }
      }
      return distribution(low - shift)
    }
    for edge in stride(from: 0.0, to: 0.95, by: 0.05) {
      let range = (lower: edge, upper: edge + 0.05)
      let lower = edge == 0 ? 0 : below(range.lower)
      let expected = (below(range.upper) - lower) / (range.upper - range.lower)
      let found = logistic.ratio(range, after: after)
      #expect(abs(found - expected) < 1e-7 * max(1, expected), "\(edge): \(found), \(expected)")
    }
  }

  /// The ratios of all ranks have the mean 1, and a shift of zero says nothing.
  @Test(arguments: [2, 3, 10, 101], LogisticShift.shifts + [0])
  func ratiosAverageToOne(count: Int, shift: Double) {
    for after in 1..<count {
      let ratios = (0..<count).map { rank in
        LogisticShift(shift).ratio(
          (Double(rank) / Double(count), Double(rank + 1) / Double(count)),
          after: Double(after) / Double(count))
      }
      #expect(abs(ratios.reduce(0, +) / Double(count) - 1) < 1e-9)
      if shift == 0 { #expect(ratios.allSatisfy { abs($0 - 1) < 1e-9 }) }
      if shift > 0 { #expect(ratios == ratios.sorted()) }
    }
  }
}
