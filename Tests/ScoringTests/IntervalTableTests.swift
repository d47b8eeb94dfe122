import Foundation
import Testing

@testable import Scoring

/// Intervals against SciPy 1.15.3 and statsmodels 0.14.4: the figures are in
/// `Tests/Fixtures/intervals.tsv`, which `Tests/Python/check_intervals.py --write` made and which
/// the same script checks.
@Suite struct IntervalTableTests {
  struct Row: Sendable {
    var kind: String
    var cells: [String]

    func number(_ index: Int) -> Double { Double(cells[index]) ?? .nan }
    func numbers(_ index: Int) -> [Double] {
      cells[index].split(separator: ",").compactMap(Double.init)
    }
  }

  static func rows(_ kind: String) throws -> [Row] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/intervals.tsv")
    let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      let cells = $0.split(separator: "\t").map(String.init)
      return Row(kind: cells[0], cells: Array(cells.dropFirst()))
    }.filter { $0.kind == kind }
    try #require(!rows.isEmpty)
    return rows
  }

  /// 1e-10 of the figure, or 1e-14.
  static func agrees(_ found: Double?, _ expected: Double) -> Bool {
    guard let found else { return expected.isNaN }
    // Differences of nearly equal sums, there and here.
    if abs(found - expected) <= 1e-14 { return true }
    return abs(found - expected) <= 1e-10 * abs(expected)
  }

  static func check(_ row: Row, _ found: Interval?, from index: Int) {
    for (bound, value) in [
      (found?.lower, row.number(index)), (found?.upper, row.number(index + 1)),
    ] {
      #expect(agrees(bound, value), "\(row.kind) \(row.cells) \(bound ?? .nan)")
    }
  }

  @Test func proportions() throws {
    for row in try Self.rows("wilson") {
      let proportion = Proportion(successes: Int(row.number(0)), trials: Int(row.number(1)))
      Self.check(row, proportion.interval, from: 2)
    }
    for row in try Self.rows("exact") {
      let proportion = Proportion(successes: Int(row.number(0)), trials: Int(row.number(1)))
      Self.check(row, proportion.exactInterval, from: 2)
    }
    #expect(Proportion(successes: 0, trials: 0).exactInterval == nil)
  }

  private static func ratio(_ row: Row) throws -> ClusteredRatio {
    try #require(ClusteredRatio(zip(row.numbers(0), row.numbers(1)).map { ($0, $1) }))
  }

  /// The variance there is that of the jackknife, by leaving each cluster out.
  @Test func clusteredRates() throws {
    for row in try Self.rows("clustered-rate") {
      Self.check(row, try Self.ratio(row).rateInterval, from: 2)
    }
    for row in try Self.rows("clustered-bound") {
      let bound = try Self.ratio(row).upperBoundOfRate(0.9)
      #expect(Self.agrees(bound, row.number(3)), "\(row.cells) \(bound ?? .nan)")
    }
  }

  @Test func clusteredProportions() throws {
    for row in try Self.rows("clustered-proportion") {
      Self.check(row, try Self.ratio(row).proportionInterval, from: 2)
    }
    for row in try Self.rows("clustered-exact") {
      Self.check(row, try Self.ratio(row).exactProportionInterval, from: 2)
    }
  }

  /// Delays in seconds of those reached, and windows of those missed.
  private static func delays(_ row: Row) -> Delays {
    func times(_ index: Int) -> [Int64] { row.numbers(index).map { Int64($0 * 1e9) } }
    return Delays(reached: times(0), missed: times(1))
  }

  @Test func delayCurves() throws {
    for row in try Self.rows("delay-curve") {
      let delays = Self.delays(row)
      let curve = DelayCurve([delays])
      let time = Int64(row.number(2) * 1e9)
      let place = try #require(curve.times.lastIndex { $0 <= time })
      #expect(Self.agrees(curve.shares[place], row.number(3)))
      // Without the corrections for few clusters, the influences are Greenwood's.
      let single = delays.single
      let ratio = try #require(curve.ratio(at: time, of: single))
      let count = Double(single.count)
      let greenwood = ratio.variance / count / count * ((count - 1) / count)
      #expect(Self.agrees(greenwood.squareRoot(), row.number(4)), "\(row.cells)")
    }
    for row in try Self.rows("delay-quantile") {
      let found = DelayCurve([Self.delays(row)]).time(by: row.number(2))
      #expect(Self.agrees(found.map { Double($0) / 1e9 }, row.number(3)), "\(row.cells)")
    }
  }

  @Test func rates() throws {
    for row in try Self.rows("garwood") {
      let rate = PoissonRate(count: Int(row.number(0)), hours: row.number(1))
      Self.check(row, rate.interval, from: 2)
    }
    for row in try Self.rows("none") {
      let bound = PoissonRate(count: 0, hours: row.number(0)).oneSidedUpperBoundOfNone
      #expect(Self.agrees(bound, row.number(1)), "\(row.cells)")
    }
  }

  @Test(arguments: [
    ("mean-signed", -Double.infinity ... .infinity), ("mean-sizes", 0...Double.infinity),
    ("mean-shares", 0...1.0),
  ])
  func means(kind: String, range: ClosedRange<Double>) throws {
    for row in try Self.rows(kind) {
      let estimate = try #require(MeanEstimate(of: row.numbers(0), in: range))
      #expect(abs(estimate.mean - row.number(1)) <= 1e-12 * max(1, abs(row.number(1))))
      Self.check(row, estimate.interval, from: 2)
    }
  }

  @Test func differencesOfMeans() throws {
    for row in try Self.rows("difference") {
      let pair = PairedRatio(means: zip(row.numbers(0), row.numbers(1)).map { ($0, $1) })
      let contrast = try #require(pair.contrast(factor: row.number(2)))
      #expect(abs(contrast.value - row.number(3)) <= 1e-12)
      Self.check(row, contrast.interval, from: 4)
    }
  }

  /// The values are their own ranks.
  @Test func percentiles() throws {
    for row in try Self.rows("ranks") {
      let sample = (1...Int64(row.number(0))).reversed()
      let found = Clustered(Array(sample)).percentiles([Int(row.number(1))]) { $0 }[0].interval
      let expected = [row.number(2), row.number(3)]
      // SciPy gives the one end that exists; an interval has two.
      if expected.contains(where: \.isNaN) {
        #expect(found == nil, "\(row.cells)")
      } else {
        let seconds = expected.map { $0 / 1e9 }
        #expect(found.map { [$0.lower, $0.upper] } == seconds, "\(row.cells)")
      }
    }
  }
}
