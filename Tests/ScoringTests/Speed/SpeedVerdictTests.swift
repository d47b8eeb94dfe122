import Testing

@testable import Scoring

@Suite struct SpeedVerdictTests {
  @Test(arguments: [
    (0.98, 1.04, SpeedVerdict.pass), (1.0, 1.05, .pass), (1.05, 1.05, .pass),
    (1.051, 1.2, .fail), (1.04, 1.06, .inconclusive), (0.5, 2, .inconclusive),
    (0.8, 0.95, .improved), (0.9, 0.96, .pass), (0.5, 1.05, .pass),
    (1.05, .infinity, .inconclusive),
    (1.06, .infinity, .fail),
  ])
  func judgesAnInterval(lower: Double, upper: Double, verdict: SpeedVerdict) {
    #expect(SpeedVerdict(Interval(lower: lower, upper: upper), margin: 0.05) == verdict)
  }

  /// A margin is the same factor in both directions: exchanged sides exchange the verdicts.
  @Test func directionsAreAlike() {
    #expect(SpeedVerdict(exactly: 1.03, margin: 0.02) == .fail)
    #expect(SpeedVerdict(exactly: 1 / 1.03, margin: 0.02) == .improved)
    #expect(SpeedVerdict(exactly: 1.02, margin: 0.02) == .pass)
    #expect(SpeedVerdict(exactly: 1, margin: 0) == .pass)
  }

  @Test func theWorstDecides() {
    #expect(SpeedVerdict([SpeedVerdict]()) == nil)
    #expect(SpeedVerdict([.pass, .improved]) == .improved)
    #expect(SpeedVerdict([.pass, .improved, .inconclusive]) == .inconclusive)
    #expect(SpeedVerdict([.inconclusive, .fail, .improved]) == .fail)
    #expect(SpeedVerdict([.pass, .pass]) == .pass)
  }
}

@Suite struct RepeatedTimeTests {
  /// The ranks are those of SciPy 1.15.3: the largest r with `binom.cdf(r - 1, n, 0.5) <= 0.025`.
  @Test(arguments: [(6, 1), (9, 2), (16, 4), (32, 10)])
  func theIntervalLiesBetweenTwoRepeats(count: Int, rank: Int) throws {
    let times = (1...count).map { Double($0 * $0) }
    let found = try #require(RepeatedTime(times.reversed()))
    #expect(found.lower == times[rank - 1])
    #expect(found.upper == times[count - rank])
    #expect(found.repeats == count)
  }

  @Test func fewOrBadRepeats() throws {
    #expect(RepeatedTime([]) == nil)
    #expect(RepeatedTime([1, .nan]) == nil)
    #expect(RepeatedTime([1, .infinity]) == nil)
    let few = try #require(RepeatedTime([5, 1, 4, 2, 3]))
    #expect((few.median, few.lower) == (3, nil))
  }
}
