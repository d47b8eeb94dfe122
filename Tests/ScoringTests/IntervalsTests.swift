import Scoring
import Testing

@Suite struct IntervalsTests {
  // statsmodels 0.15.0: `proportion_confint(k, n, method="wilson")`.
  @Test(arguments: [
    (0, 1, 0.0, 0.7934506856227627),
    (1, 1, 0.2065493143772374, 1.0),
    (0, 10, 0.0, 0.27753279986288926),
    (10, 10, 0.7224672001371106, 1.0),
    (5, 10, 0.23659309051256394, 0.7634069094874361),
    (81, 263, 0.2552885198782742, 0.36620957698280004),
    (15, 148, 0.06238639953073628, 0.16048724172330803),
    (1, 29, 0.006113214292762667, 0.17175521879320294),
    (999, 1000, 0.9943574414020421, 0.9998234536293739),
    (123_456, 1_000_000, 0.12281269653142285, 0.12410219641400438),
  ])
  func wilson(successes: Int, trials: Int, lower: Double, upper: Double) throws {
    let interval = try #require(Proportion(successes: successes, trials: trials).interval)
    #expect(abs(interval.lower - lower) < 1e-13)
    #expect(abs(interval.upper - upper) < 1e-13)
    #expect(interval.level == 0.95)
  }

  // statsmodels 0.15.0: `confint_poisson(k, hours, method="exact-c")`.
  @Test(arguments: [
    (0, 1.0, 0.0, 3.6888794541139363),
    (1, 1.0, 0.025317807984289876, 5.571643390938898),
    (3, 0.5, 1.2373442457912027, 17.53454613948465),
    (10, 24.0, 0.1998078623388514, 0.766264835084074),
    (116, 1.36, 70.48017978045107, 102.302169469336),
    (1000, 8.0, 117.3716273009619, 132.99401700203774),
    (100_000, 365.25, 272.09076704652904, 275.48732303831315),
  ])
  func garwood(count: Int, hours: Double, lower: Double, upper: Double) throws {
    let interval = try #require(PoissonRate(count: count, hours: hours).interval)
    #expect(abs(interval.lower - lower) <= 1e-10 * lower)
    #expect(abs(interval.upper - upper) <= 1e-10 * upper)
  }

  @Test func figuresWithoutTrialsAreNil() {
    let none = Proportion(successes: 0, trials: 0)
    #expect(none.estimate == nil)
    #expect(none.interval == nil)
    let f1 = F1Score(truePositives: 0, falsePositives: 0, falseNegatives: 0)
    #expect(f1.estimate == nil)
    #expect(f1.interval == nil)
  }

  @Test(arguments: [0, -1, .nan, .infinity])
  func ratesWithoutExposureAreNil(hours: Double) {
    let rate = PoissonRate(count: 0, hours: hours)
    #expect(rate.estimate == nil)
    #expect(rate.interval == nil)
    #expect(rate.oneSidedUpperBoundOfNone == nil)
  }

  @Test func boundOfNone() throws {
    // -ln(0.05) = 2.995732273553991 (Python's math.log).
    let bound = try #require(PoissonRate(count: 0, hours: 2).oneSidedUpperBoundOfNone)
    #expect(abs(bound - 2.995732273553991 / 2) < 1e-14)
    #expect(PoissonRate(count: 1, hours: 2).oneSidedUpperBoundOfNone == nil)
  }

  @Test func ratioNeedsTwentyEventsOfTheWorse() {
    let few = PoissonRate(count: 19, hours: 1)
    let enough = PoissonRate(count: 20, hours: 1)
    let rare = PoissonRate(count: 2, hours: 1)
    #expect(few.ratio(to: rare) == nil)
    #expect(enough.ratio(to: rare) == 10)
    #expect(rare.ratio(to: enough) == 0.1)
    #expect(enough.ratio(to: PoissonRate(count: 0, hours: 1)) == nil)
  }

  // 2 TP / (2 TP + FP + FN) = 8 / 13; J = 4 / 9, whose Wilson interval (statsmodels) is
  // 0.18877852109766458 to 0.733348706504507.
  @Test func f1ThroughJaccard() throws {
    let score = F1Score(truePositives: 4, falsePositives: 2, falseNegatives: 3)
    #expect(abs(try #require(score.estimate) - 8.0 / 13) < 1e-15)
    let interval = try #require(score.interval)
    #expect(abs(interval.lower - 0.3176008276518236) < 1e-13)
    #expect(abs(interval.upper - 0.8461640796829477) < 1e-13)
  }

  @Test func meansWithoutAnInterval() throws {
    #expect(MeanEstimate(of: [3])?.interval == nil)
    #expect(MeanEstimate(of: []) == nil)
    #expect(MeanEstimate(of: [1, .nan]) == nil)
    // No error at all does not show how large those of others are.
    #expect(MeanEstimate(of: [0, 0, 0])?.interval == nil)
    #expect(MeanEstimate(of: [0, 0, 0], in: 0 ... .infinity)?.interval == nil)
  }

  /// Not only are shares and sizes within their range, equal ones claim no more than nearly equal ones.
  @Test(arguments: [0...100.0, 0...Double.infinity, -Double.infinity ... .infinity])
  func equalFiguresClaimNoMoreThanOthers(range: ClosedRange<Double>) throws {
    func interval(_ last: Double) throws -> Interval {
      try #require(MeanEstimate(of: [10, 10, 10, 10, last], in: range)?.interval)
    }
    let (equal, near) = (try interval(10), try interval(10.01))
    #expect(equal.upper - equal.lower > 0.99 * (near.upper - near.lower))
    #expect(range.contains(equal.lower) && range.contains(equal.upper))
  }

  /// Five people with the same sign of error may have it by chance: 1 in 16. Six: 1 in 32.
  @Test func fivePeopleDoNotShowASign() throws {
    func lower(_ people: Int) throws -> Double {
      let errors = (0..<people).map { 2 + 0.1 * Double($0 % 2) }
      return try #require(MeanEstimate(of: errors)?.interval).lower
    }
    #expect(try lower(5) < 0)
    #expect(try lower(7) > 0)
  }

  @Test func percentilesOfSignedTimes() {
    #expect(TimePercentiles(of: []) == nil)
    let percentiles = TimePercentiles(of: [30, -10, 20, 0])
    #expect(percentiles?.p50 == 0)
    #expect(percentiles?.p90 == 30)
    #expect(percentiles?.p99 == nil)
    #expect(percentiles?.count == 4)
    #expect(TimePercentiles(of: Array(1...99))?.p99 == nil)
    #expect(TimePercentiles(of: Array(1...100))?.p99 == 99)
  }
}
