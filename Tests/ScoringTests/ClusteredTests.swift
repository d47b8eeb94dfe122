import CoverageSimulation
import TestSupport
import Testing
import TraceModel

@testable import Scoring

/// Intervals for new people.
@Suite struct ClusteredTests {
  private func rates(_ counts: [Int], _ hours: [Double]) -> [PoissonRate] {
    zip(counts, hours).map { PoissonRate(count: $0, hours: $1) }
  }

  @Test func fewerThanThreePeopleAreTheseOnly() throws {
    let two = Estimate(rates([3, 9], [1, 1]), of: .people)
    #expect(two.method == .garwood && two.clusters == nil)
    #expect(two == Estimate(PoissonRate(count: 12, hours: 2)))
    // A person without hours says nothing.
    #expect(Estimate(rates([3, 9, 0], [1, 1, 0]), of: .people).method == .garwood)
    let three = Estimate(rates([3, 9, 1], [1, 1, 1]), of: .people)
    #expect(three.method == .clusteredGarwood)
    #expect((three.clusters, three.clusterKind, three.count) == (3, .people, 13))
    #expect(Estimate([Proportion](), of: .people).value == nil)
  }

  /// People who differ widen an interval, and equal ones do not narrow it to that of a rate.
  @Test func differencesWidenIntervals() throws {
    let alike = try #require(Estimate(rates([5, 5, 5], [1, 1, 1]), of: .people).interval)
    let events = try #require(PoissonRate(count: 15, hours: 3).interval)
    #expect(alike.lower < events.lower && alike.upper > events.upper)
    var before = alike.upper - alike.lower
    for difference in 2...5 {
      let counts = [5 - difference, 5, 5 + difference]
      let found = try #require(Estimate(rates(counts, [1, 1, 1]), of: .people).interval)
      #expect(found.upper - found.lower >= before)
      before = found.upper - found.lower
    }
    #expect(before > 1.3 * (alike.upper - alike.lower))
  }

  /// The same without an event and with one; with all hits and with one miss.
  @Test func oneEventMoreDoesNotTakeTheBoundBack() throws {
    for people in [3, 8, 20] {
      let hours = Array(repeating: 1.0, count: people)
      let others = Array(repeating: 0, count: people - 1)
      let none = try #require(Estimate(rates([0] + others, hours), of: .people).interval)
      let one = try #require(Estimate(rates([1] + others, hours), of: .people).interval)
      #expect(none.upper < one.upper)
      func recall(_ missed: Int) throws -> Interval {
        let hits = (0..<people).map {
          Proportion(successes: 30 - ($0 == 0 ? missed : 0), trials: 30)
        }
        return try #require(Estimate(hits, of: .people).interval)
      }
      #expect(try recall(0).lower > recall(1).lower)
    }
  }

  /// The order and the unit of exposure do not matter.
  @Test func unitsAndOrderDoNotMatter() throws {
    let (counts, hours) = ([3, 0, 11, 4], [1.0, 0.5, 2, 1])
    let there = try #require(Estimate(rates(counts, hours), of: .people).interval)
    let back = try #require(
      Estimate(rates(counts.reversed(), hours.reversed().map { $0 * 60 }), of: .people).interval)
    #expect(abs(there.lower - back.lower * 60) < 1e-9 * there.lower)
    #expect(abs(there.upper - back.upper * 60) < 1e-9 * there.upper)
  }

  @Test func oneWithNearlyAllHoursIsHardlyMoreThanOne() throws {
    let parts = rates([100, 1, 1], [100, 0.1, 0.1])
    let found = try #require(Estimate(parts, of: .people).interval)
    #expect(found.lower < 0.01 && found.upper > 100)
    let hits = [(100, 200), (1, 1), (0, 1)].map { Proportion(successes: $0, trials: $1) }
    let recall = try #require(Estimate(hits, of: .people).interval)
    // Three people with as many references each would leave 0.32 to 0.68.
    #expect(recall.lower < 0.15 && recall.upper > 0.85)
  }

  @Test func theEndsOfPercentilesAreOpenWherePeopleAreFew() throws {
    func estimate(_ percent: Int, _ parts: [[Int64]]) throws -> Estimate {
      try #require(Clustered([Int64](), parts: parts).percentiles([percent]) { $0 }.first)
    }
    // Each person has one delay: thirty times are three values.
    let three = try estimate(90, (1...3).map { [Int64](repeating: $0 * 1_000_000_000, count: 10) })
    #expect(three.value == 3 && three.method == .woodruff)
    #expect(three.interval?.upper == .infinity)
    let mixed = try estimate(
      50,
      (0..<8).map { person in
        (0..<50).map { Int64(($0 * 7 + person * 3) % 50) * 1_000_000_000 }
      })
    let interval = try #require(mixed.interval)
    #expect(interval.lower > 5 && interval.upper < 45 && interval.lower < interval.upper)
  }

  /// Half of the visits are missed: their delays are longer than those found, not absent.
  @Test func missesAreDelaysThatNeverCame() throws {
    let seconds: Int64 = 1_000_000_000
    let parts = (0..<6).map { person in
      Delays(
        reached: (1...10).map { Int64($0 + person) * seconds },
        missed: [Int64](repeating: 100 * seconds, count: 6))
    }
    let pooled = parts.reduce(Delays(), +)
    func estimates(_ clustered: Clustered<Delays>) -> [Estimate] {
      clustered.delays([50, 90]) { $0 }
    }
    let new = estimates(Clustered(pooled, parts: parts))
    let survivors = try #require(nearestRank(50, ofSorted: pooled.reached.sorted()))
    #expect(try #require(new[0].value) > Double(survivors) / 1e9)
    #expect((new[0].method, new[0].clusters, new[0].count) == (.clusteredKaplanMeier, 6, 96))
    #expect(new[1].value == nil && new[1].interval?.upper == .infinity)
    let these = estimates(Clustered(pooled))
    #expect((these[0].method, these[0].clusters) == (.kaplanMeier, nil))
    #expect(these[0].value == new[0].value)
    let lone = estimates(Clustered(Delays(missed: [5])))
    #expect(lone[0].value == nil && lone[0].count == 1)
    // Without misses it is the percentile.
    let whole = parts.map { Delays(reached: $0.reached) }
    let sorted = whole.flatMap(\.reached).sorted()
    let found = Clustered(Delays(), parts: whole).delays([50, 90, 99]) { $0 }
    for (estimate, percent) in zip(found, [50, 90, 99]) {
      #expect(estimate.value == nearestRank(percent, ofSorted: sorted).map { Double($0) / 1e9 })
    }
  }

  @Test func presenceIsByPeer() throws {
    func quality(_ mistakes: Int) -> PresenceQuality {
      var quality = PresenceQuality()
      quality.mistakes = mistakes
      quality.presentNanoseconds = 3_600_000_000_000
      quality.scoredNanoseconds = 3_600_000_000_000
      return quality
    }
    var all = PresenceQuality.pooled([quality(0), quality(0), quality(9)])
    all.peers = [quality(0), quality(0), quality(9)]
    let group = GroupScore([("one", .presence(all))])
    let found = try #require(group["mistakes_per_hour"]?.estimate)
    #expect((found.value, found.clusters, found.clusterKind) == (3, 3, .peers))
    #expect(try #require(found.interval).upper > 20)
  }

  /// A small version of `make coverage`: 93 % less three standard errors of the simulation.
  @Test(
    .longer,
    arguments: [
      TriedFigure.rate, .recall(0.9), .f1, .percentile(50), .percentile(90), .delay,
      .meanOfShares, .meanAbsolute(.lognormal), .bias(.student),
    ] + (LongTests.areWanted ? [.curve(.averagePrecision, 3), .curve(.meanRecall, 3)] : []))
  func intervalsContainTheTruth(_ figure: TriedFigure) throws {
    let study = CoverageStudy(sets: 150, seed: 3)
    for (people, range, variation) in [(6, 10.0, 0.5), (12, 1, 1)] {
      let crowd = Crowd(people: people, range: range, variation: variation)
      let found = try #require(study.coverage(of: figure, for: crowd))
      let share = try #require(found.share)
      #expect(share >= 0.93 - 3 * found.error, "\(figure.name) \(people) people: \(share)")
    }
  }

  /// Events alone are far from the level: the simulation can fail.
  @Test func intervalsOfTheseFailForNewPeople() throws {
    var draws = SeededGenerator(seed: 5)
    var covered = 0
    for _ in 0..<200 {
      let counts = (0..<8).map { _ in
        let own = -10 * Math.log(1 - draws.unit())
        return Int(own.rounded())
      }
      let interval = try #require(
        PoissonRate(count: counts.reduce(0, +), hours: 8).interval)
      if interval.lower <= 10, 10 <= interval.upper { covered += 1 }
    }
    #expect(covered < 140)
  }
}
