import Scoring
import TestSupport
import Testing
import TraceModel

@testable import Evaluation

/// How often a gate for new people fails, over simulated pairs of results.
@Suite struct GateSimulationTests {
  /// A change that loses each hit, and finds each miss, with a probability of the person's own.
  private struct Change {
    /// The mean probability that a hit is lost.
    var losses: Double
    /// The mean probability that a miss is found.
    var gains: Double

    /// The true difference of recall, at a recall of 0.9 before.
    var difference: Double { -0.9 * losses + 0.1 * gains }
  }

  private static let people = 20
  private static let references = 40

  private static func pair(
    _ change: Change, seed: UInt64
  ) -> (base: [MeasuredSamples.Person], head: [MeasuredSamples.Person]) {
    var draws = Draws(seed: seed)
    var (base, head): ([MeasuredSamples.Person], [MeasuredSamples.Person]) = ([], [])
    for _ in 0..<people {
      // People differ in how many they hit, and in how much the change does to them.
      let recall = draws.beta(mean: 0.9, deviation: 0.05) ?? 0.9
      let losses = min(1, draws.gamma(mean: change.losses, variation: 0.5))
      let gains = min(1, draws.gamma(mean: change.gains, variation: 0.5))
      var (before, after): (Set<Int>, Set<Int>) = ([], [])
      for reference in 0..<references {
        let isHit = draws.generator.unit() < recall
        if isHit { before.insert(reference) }
        let turns = draws.generator.unit() < (isHit ? losses : gains)
        if isHit != turns { after.insert(reference) }
      }
      base.append(.init(references: references, found: before))
      head.append(.init(references: references, found: after))
    }
    return (base, head)
  }

  private static func check(_ change: Change, _ bound: GateBound, seed: UInt64) -> GateCheck {
    let (base, head) = pair(change, seed: seed)
    let comparison = ResultComparison(
      from: MeasuredSamples.results(base, listsDetections: false),
      to: MeasuredSamples.results(head, listsDetections: false), seed: nil)
    return AccuracyGate(comparison, GateRules(bounds: [bound])).checks[0]
  }

  private static func verdicts(
    _ change: Change, _ bound: GateBound, pairs: Int, seed: UInt64
  ) -> [GateVerdict: Int] {
    var counts: [GateVerdict: Int] = [:]
    for number in 0..<pairs {
      counts[check(change, bound, seed: seed + UInt64(number)).verdict, default: 0] += 1
    }
    return counts
  }

  /// Without a true difference, at the hardest bound: 0. A one-sided level of 2.5 %.
  @Test(.longer) func failsRarelyWithoutADifference() throws {
    let pairs = LongTests.count(quick: 100, long: 2000)
    let nothing = Change(losses: 0.02, gains: 0.18)
    #expect(abs(nothing.difference) < 1e-12)
    for (limit, most) in [("0", 0.05), ("-0.01", 0.01)] {
      let bound = try GateBound("recall", limit, population: .newPeople, place: "test")
      let counts = Self.verdicts(nothing, bound, pairs: pairs, seed: 1)
      print("no difference, recall: \(limit): \(counts) of \(pairs)")
      #expect(Double(counts[.fail] ?? 0) <= most * Double(pairs), "\(counts)")
      #expect(counts[.error] == nil)
    }
  }

  /// The standard bound of 20 people passes where half of the hits are drawn anew, and fails where they are lost.
  @Test(.longer) func standardBoundsDecide() throws {
    let pairs = LongTests.count(quick: 60, long: 1000)
    let bound = GateBound(
      .figure("recall"), .change(-0.01), population: .newPeople, isStated: false)
    let anew = Self.verdicts(Change(losses: 0.05, gains: 0.45), bound, pairs: pairs, seed: 7)
    let lost = Self.verdicts(Change(losses: 0.11, gains: 0), bound, pairs: pairs, seed: 7)
    print("standard bound: no difference \(anew), a loss of 0.1 \(lost) of \(pairs)")
    let passed = (anew[.pass] ?? 0) + (anew[.improved] ?? 0)
    #expect(Double(passed) > 0.75 * Double(pairs), "\(anew)")
    #expect(Double(lost[.fail] ?? 0) > 0.9 * Double(pairs) && lost[.pass] == nil, "\(lost)")
  }

  /// With a true difference beyond the bound by the effect that the gate states for power 0.8.
  @Test(.longer) func failsWithThePowerThatItStates() throws {
    let bound = try GateBound("recall", "-0.01", population: .newPeople, place: "test")
    let tries = LongTests.count(quick: 30, long: 500)
    func change(_ beyond: Double) -> Change {
      // A tenth of the misses is found, too; further losses compensate for it.
      Change(losses: (0.01 + beyond + 0.1 * 0.05) / 0.9, gains: 0.05)
    }
    // The statement grows with the difference, because the losses differ between people.
    var effect = 0.02
    for round in 0..<6 {
      let stated = (0..<tries).compactMap {
        Self.check(change(effect), bound, seed: UInt64(10_000 * (round + 1) + $0)).detectableEffect
      }
      effect = stated.reduce(0, +) / Double(stated.count)
    }
    let pairs = LongTests.count(quick: 120, long: 2000)
    let counts = Self.verdicts(change(effect), bound, pairs: pairs, seed: 500_000)
    let share = Double(counts[.fail] ?? 0) / Double(pairs)
    print("beyond the bound by \(effect): FAIL in \(share) of \(pairs), \(counts)")
    #expect(share >= 0.75 - (LongTests.areWanted ? 0 : 0.1))
    #expect(share <= 0.85 + (LongTests.areWanted ? 0 : 0.1))
  }
}
