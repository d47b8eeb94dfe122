import TestSupport
import Testing
import TraceModel

@testable import Scoring

/// Differences on the same recordings.
@Suite struct PairedRatioTests {
  private typealias Part = PairedRatio.Part

  private static func isNear(_ left: Double?, _ right: Double, _ within: Double = 1e-12) -> Bool {
    left.map { abs($0 - right) <= within } ?? false
  }

  /// The interval is that of IntervalTableTests; SciPy 1.17: `permutation_test` of all samples.
  @Test func means() throws {
    let pair = PairedRatio(means: [(0.9, 0.88), (0.8, 0.82), (0.95, 0.9), (0.7, 0.6), (0.85, 0.85)])
    let contrast = try #require(pair.contrast())
    #expect(Self.isNear(contrast.value, -0.03) && contrast.degreesOfFreedom.rounded() == 7)
    let changes = MeanEstimate(of: pair.parts.map { $0.head.count - $0.base.count })
    let expected = try #require(changes?.interval)
    #expect(Self.isNear(contrast.interval?.lower, expected.lower))
    #expect(Self.isNear(contrast.interval?.upper, expected.upper))
    #expect(Self.isNear(pair.exchangeProbability(), 0.375))
  }

  private static let counts: [(base: Double, head: Double, trials: Double)] = [
    (9, 8, 10), (16, 16, 20), (19, 18, 20), (7, 3, 10),
  ]
  private static let hits = PairedRatio(
    counts.map {
      Part(base: .init($0.base, of: $0.trials), head: .init($0.head, of: $0.trials))
    })

  /// The same sums with NumPy, and `scipy.stats.t`.
  @Test(arguments: [
    (1.0, -0.1, 0.07101936355670896, 0.15333950071363525, 0.31823040374758044),
    (1.1, -0.185, 0.06931585316505885, 0.04936559324942091, 0.3105971503280375),
  ])
  func ratiosAsNumPy(
    factor: Double, value: Double, error: Double, probability: Double, effect: Double
  ) throws {
    let contrast = try #require(Self.hits.contrast(factor: factor))
    #expect(Self.isNear(contrast.value, value) && Self.isNear(contrast.standardError, error))
    #expect(Self.isNear(contrast.degreesOfFreedom, 2.6, 1e-9) && contrast.clusters == 4)
    #expect(Self.isNear(contrast.probability(below: -0.01), probability, 1e-9))
    let detectable = contrast.detectableEffect(level: 0.025, power: 0.8)
    #expect(Self.isNear(detectable, effect, 1e-9))
  }

  /// All 16 exchanges, one by one.
  @Test(.longer) func exchangesAsBruteForce() {
    #expect(Self.isNear(Self.hits.exchangeProbability(), 0.25))
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<LongTests.count(quick: 20, long: 300) {
      let parts = (0..<Int.random(in: 3...8, using: &generator)).map { _ -> Part in
        let trials = Double(Int.random(in: 1...20, using: &generator))
        func sum() -> PairedRatio.Sum {
          .init(Double(Int.random(in: 0...Int(trials), using: &generator)), of: trials)
        }
        return Part(base: sum(), head: sum())
      }
      let pair = PairedRatio(parts)
      let observed = abs(pair.difference ?? 0) - 1e-12
      let all = 1 << parts.count
      let hits = (0..<all).count { mask in
        let turned = parts.enumerated().map { index, part in
          mask >> index & 1 == 0 ? part : Part(base: part.head, head: part.base)
        }
        return abs(PairedRatio(turned).difference ?? 0) >= observed
      }
      #expect(Self.isNear(pair.exchangeProbability(), Double(hits) / Double(all)))
    }
  }

  @Test func randomExchangesAreNearTheExactOnes() throws {
    // 14 people that differ: random. Whole sets of them are too many for a table, so two seeds agree.
    let parts = (0..<14).map {
      Part(base: .init(5, of: 10), head: .init(Double(4 + $0 % 4), of: 10))
    }
    let pair = PairedRatio(parts)
    let (one, other) = (pair.exchangeProbability(seed: 1), pair.exchangeProbability(seed: 2))
    #expect(one == pair.exchangeProbability(seed: 1))
    #expect(abs(try #require(one) - (try #require(other))) < 0.03)
  }

  @Test func fewOrNoPeople() {
    let two = PairedRatio(means: [(1, 2), (3, 4)])
    #expect(two.contrast() == nil && two.exchangeProbability() == nil && two.difference == 1)
    let none = PairedRatio([])
    #expect(none.difference == nil && none.contrast() == nil)
    // A person without trials on either side is not counted.
    let empty = PairedRatio(
      Self.hits.parts + [Part(base: .init(0, of: 0), head: .init(0, of: 0))])
    #expect(empty == Self.hits)
  }

  /// Equal sides differ in nothing; the exchange of the sides turns the sign.
  @Test func laws() throws {
    let equal = PairedRatio(Self.hits.parts.map { Part(base: $0.base, head: $0.base) })
    #expect(equal.contrast()?.interval == Interval(lower: 0, upper: 0))
    #expect(equal.exchangeProbability() == 1)
    let turned = PairedRatio(Self.hits.parts.map { Part(base: $0.head, head: $0.base) })
    let (one, other) = (try #require(Self.hits.contrast()), try #require(turned.contrast()))
    #expect(Self.isNear(one.value, -other.value))
    #expect(Self.isNear(one.standardError, other.standardError))
    // Each person loses one of ten: alike by chance, so the events count.
    let alike = PairedRatio(
      (0..<5).map { _ in Part(base: .init(10, of: 10), head: .init(9, of: 10)) })
    #expect(Self.isNear(alike.contrast()?.standardError, (5.0 / 2500).squareRoot()))
  }

  /// statsmodels 0.14: `multipletests([0.01, 0.04, 0.03, 0.2], method="holm")`.
  @Test func holm() {
    let adjusted = holmAdjusted([0.01, nil, 0.04, 0.03, 0.2])
    #expect(adjusted[1] == nil)
    for (found, expected) in zip([0, 2, 3, 4].map { adjusted[$0] }, [0.04, 0.09, 0.09, 0.2]) {
      #expect(Self.isNear(found, expected))
    }
    #expect(holmAdjusted([nil, nil]) == [nil, nil] && holmAdjusted([]).isEmpty)
    #expect(holmAdjusted([0.7, 0.8]) == [1, 1])
  }
}
