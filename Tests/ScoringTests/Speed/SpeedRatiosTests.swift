import Foundation
import TestSupport
import Testing

@testable import Scoring
@testable import TraceModel

@Suite struct SpeedRatiosTests {
  private let sample = [
    0.012, -0.031, 0.044, 0.003, -0.008, 0.021, 0.017, -0.002, 0.25, 0.009, -0.014, 0.006,
  ]

  private func ratios(
    _ pairs: [[Double]], resamples: Int = 500, seed: UInt64 = 1
  ) throws
    -> SpeedRatios
  {
    try #require(SpeedRatios(pairs, resamples: resamples, seed: seed))
  }

  /// SciPy 1.15.3: `stats.trim_mean(x, 0.1)`; the error is `std(winsorize(x, (0.1, 0.1)), ddof=1) /
  /// ((1 - 2 / 12) sqrt(12))`; the critical value is that of 400,000 resamples of NumPy.
  @Test func agreesWithSciPy() throws {
    let found = try ratios(sample.map { [$0] }, resamples: 20_000)
    #expect(abs(found.columns[0].logarithm - 0.0088) < 1e-15)
    #expect(abs(found.columns[0].standardError - 0.0067460426109750395) < 1e-15)
    #expect(abs(found.critical - 2.215) < 0.06)
    #expect(found.count == 12)
  }

  /// A factor on the head's times is a factor on the ratio and its interval.
  @Test func aFactorScalesTheInterval() throws {
    let pairs = sample.map { [$0, -$0 / 2] }
    let (one, other) = (try ratios(pairs), try ratios(pairs.map { $0.map { $0 + log(1.25) } }))
    for column in 0...2 {
      #expect(abs(other.ratio(column) / one.ratio(column) - 1.25) < 1e-12)
      #expect(
        abs(other.interval(column).lower / one.interval(column).lower - 1.25) < 1e-9)
      #expect(
        abs(other.interval(column).upper / one.interval(column).upper - 1.25) < 1e-9)
    }
  }

  @Test func exchangedSidesGiveTheReciprocal() throws {
    let (one, other) = (
      try ratios(sample.map { [$0] }), try ratios(sample.map { [-$0] })
    )
    #expect(abs(one.ratio(0) * other.ratio(0) - 1) < 1e-12)
    #expect(abs(one.interval(0).upper * other.interval(0).lower - 1) < 1e-9)
  }

  /// The last column is the geometric mean of the entries.
  @Test func theLastColumnIsTheMean() throws {
    let found = try ratios((0..<10).map { _ in [log(1.2), log(0.9), log(1.0)] })
    #expect(abs(found.ratio(3) - pow(1.2 * 0.9, 1.0 / 3)) < 1e-12)
    #expect(found.interval(3).lower == found.interval(3).upper)
    #expect(try abs(#require(found.smallestEffect(0, margin: 0.05)) - 0.05) < 1e-12)
  }

  /// One disturbed pair in twelve does not move the ratio.
  @Test func onePairDoesNotDecide() throws {
    var pairs = (0..<12).map { [Double($0 - 6) / 1000] }
    let calm = try ratios(pairs)
    pairs[11] = [2]
    let disturbed = try ratios(pairs)
    #expect(disturbed.ratio(0) == calm.ratio(0))
    #expect(disturbed.columns[0].standardError == calm.columns[0].standardError)
  }

  @Test func whatCannotBeEstimated() {
    let row = [0.01, 0.02]
    #expect(SpeedRatios(Array(repeating: row, count: 7), seed: 1) == nil)
    #expect(SpeedRatios(Array(repeating: row, count: 8), seed: 1) != nil)
    #expect(SpeedRatios(Array(repeating: [], count: 8), seed: 1) == nil)
    #expect(SpeedRatios(Array(repeating: row, count: 8) + [[0.01]], seed: 1) == nil)
    for bad in [Double.nan, .infinity] {
      #expect(SpeedRatios(Array(repeating: row, count: 8) + [[0, bad]], seed: 1) == nil)
    }
    #expect(SpeedRatios(Array(repeating: row, count: 8), level: 1, seed: 1) == nil)
  }

  @Test func equalSeedsGiveEqualIntervals() throws {
    let pairs = sample.map { [$0, $0 * $0] }
    #expect(try ratios(pairs, seed: 3) == ratios(pairs, seed: 3))
    #expect(try ratios(pairs, seed: 3).critical != ratios(pairs, seed: 4).critical)
  }
}

/// How often the intervals contain the truth, in seeded simulations of 16 pairs.
@Suite struct SpeedCoverageTests {
  enum Noise: String, CaseIterable {
    case normal, spikes, drift
  }

  /// Logarithms around zero. `drift`: a disturbance of the machine that lasts from pair to pair, with
  /// a correlation of 0.7; an A B B A leaves a fifth of it.
  static func pairs(_ noise: Noise, entries: Int, _ random: inout SeededGenerator) -> [[Double]] {
    var state = random.normal()
    return (0..<16).map { _ in
      state = 0.7 * state + (1 - 0.49).squareRoot() * random.normal()
      let shared = 0.003 * random.normal()
      return (0..<entries).map { _ in
        let own = 0.01 * random.normal()
        return switch noise {
        case .normal: own + shared
        case .spikes: (random.unit() < 0.1 ? 8 : 1) * own + shared
        case .drift: own + 0.002 * state + shared
        }
      }
    }
  }

  /// The share of sets in which all columns contain 1, and in which some lies above it.
  static func coverage(_ noise: Noise, entries: Int, sets: Int) -> (all: Double, above: Double) {
    var random = SeededGenerator(seed: 17)
    var (covered, above) = (0, 0)
    for set in 0..<sets {
      guard
        let ratios = SpeedRatios(
          pairs(noise, entries: entries, &random),
          resamples: LongTests.count(quick: 150, long: 200), seed: UInt64(set))
      else { continue }
      let intervals = (0...entries).map(ratios.interval)
      if intervals.allSatisfy({ $0.lower <= 1 && 1 <= $0.upper }) { covered += 1 }
      if intervals.contains(where: { $0.lower > 1 }) { above += 1 }
    }
    return (Double(covered) / Double(sets), Double(above) / Double(sets))
  }

  /// All intervals of a comparison hold at once in 95 % of cases, less three errors of the simulation.
  @Test(.longer, arguments: Noise.allCases)
  func allIntervalsHoldAtOnce(noise: Noise) {
    let sets = LongTests.count(quick: 50, long: 300)
    for entries in LongTests.areWanted ? [1, 8] : [2] {
      let found = Self.coverage(noise, entries: entries, sets: sets)
      let error = (0.95 * 0.05 / Double(sets)).squareRoot()
      print("\(noise), \(entries) entries: all hold in \(found.all), one above in \(found.above)")
      #expect(found.all >= 0.95 - 3 * error, "\(noise), \(entries) entries")
    }
  }

  /// A true slowdown of the stated smallest effect ends as FAIL in about 80 % of cases.
  @Test(.longer, .longRun) func theStatedPowerIsFound() {
    var random = SeededGenerator(seed: 23)
    let sets = 400
    let effects = (0..<sets).compactMap { set in
      SpeedRatios(
        Self.pairs(.normal, entries: 3, &random), resamples: 200, seed: UInt64(set)
      )?.smallestEffect(0, margin: 0.05)
    }
    let effect = effects.sorted()[sets / 2]
    var failures = 0
    for set in 0..<sets {
      let pairs = Self.pairs(.normal, entries: 3, &random).map { $0.map { $0 + log1p(effect) } }
      guard let ratios = SpeedRatios(pairs, resamples: 200, seed: UInt64(set)) else { continue }
      if SpeedVerdict(ratios.interval(0), margin: 0.05) == .fail { failures += 1 }
    }
    let power = Double(failures) / Double(sets)
    print("smallest effect \(effect): FAIL in \(power)")
    #expect((0.72...0.88).contains(power))
  }
}
