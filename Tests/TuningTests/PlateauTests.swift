import Scoring
import Testing
import TraceModel

@testable import Tuning

@Suite struct PlateauTests {
  private func curve(_ steps: [(Double, Int, Int)], references: Int = 100) -> ThresholdCurve {
    ThresholdCurve(
      thresholds: steps.map(\.0), truePositives: steps.map(\.1), falsePositives: steps.map(\.2),
      upper: 128, references: references, scoredNanoseconds: 3_600_000_000_000, isExact: true)
  }

  /// A rule that compares counts with the budget, and whose plateau is limited by the error only.
  private func counted(_ objective: Objective) -> ChoiceRule {
    ChoiceRule(objective, confidence: 0.5, plateauLoss: 1)
  }

  /// Two equal groups, so the standard error is zero, and the planted plateau is found.
  private func outcome(
    _ steps: [(Double, Int, Int)], _ objective: Objective = .maximumRecall(falseAlarmsPerHour: 10)
  ) -> ThresholdOutcome {
    TrialCurves([curve(steps), curve(steps)]).choose(
      counted(objective), weights: [1, 1], groups: [0, 1])
  }

  @Test func isTheMiddleOfTheWidestRun() throws {
    // Allowed from 20 on; 90 hits from 20 to 24 and, further, from 32 to 64.
    let choice = try #require(
      outcome([(0, 100, 50), (20, 90, 10), (24, 70, 10), (32, 90, 5), (64, 10, 0)]).choice)
    #expect(choice.threshold == 48)
    #expect(choice.plateau.lower == 32)
    #expect(choice.plateau.upper == 64)
    #expect(choice.bestThreshold == 20)
    #expect(
      choice.counts == EventCounts(truePositives: 180, falsePositives: 10, falseNegatives: 20))
    #expect(!choice.plateau.beginsAtEdge)
    #expect(!choice.plateau.endsAtEdge)
  }

  @Test func endsAreMarked() throws {
    let all = try #require(outcome([(0, 90, 1)]).choice)
    #expect(all.plateau.beginsAtEdge && all.plateau.endsAtEdge)
    #expect(all.threshold == 64)
  }

  @Test func nothingIsAContender() {
    #expect(outcome([(0, 0, 5), (10, 0, 0)]) == .nothingBetter)
    #expect(outcome([(0, 90, 50), (10, 40, 11)]) == .nothingAllowed)
    // Every hit costs five false alarms.
    #expect(
      outcome([(0, 100, 500), (10, 50, 250), (20, 0, 0)], .cost(miss: 4, falseAlarm: 1))
        == .nothingBetter)
    let nothingToFind = TrialCurves([curve([(0, 0, 3)], references: 0)])
    #expect(nothingToFind.choose(counted(.fBeta(1)), weights: [1], groups: [0]) == .undefined)
  }

  @Test func pointsAreComplete() throws {
    let points = ThresholdCurve(
      thresholds: [10, 20, 30, 45, 50], truePositives: [9, 8, 8, 8, 1],
      falsePositives: [9, 1, 1, 1, 0], upper: 50, references: 10,
      scoredNanoseconds: 3_600_000_000_000, isExact: false)
    let outcome = TrialCurves([points, points]).choose(
      counted(.maximumRecall(falseAlarmsPerHour: 1)), weights: [1, 1], groups: [0, 1])
    // The middle of 20 to 45 is 32.5; the nearest threshold that was tried is 30.
    #expect(outcome.choice?.threshold == 30)
  }

  // By hand: recalls without one group are 0.9 and 0.7, so the jackknife's error is
  // sqrt(1/2 * (0.1^2 + 0.1^2)) = 0.1.
  @Test func theErrorIsThatOfGroups() throws {
    let (one, other) = (curve([(0, 70, 0), (50, 65, 0)]), curve([(0, 90, 0), (50, 80, 0)]))
    let choice = try #require(
      TrialCurves([one, other]).choose(
        counted(.maximumRecall(falseAlarmsPerHour: 1)), weights: [1, 1], groups: [0, 1]
      ).choice)
    #expect(abs(choice.plateau.standardError - 0.1) < 1e-12)
    // 0.725 is within 0.1 of 0.8.
    #expect(choice.plateau.upper == 128)
    #expect(choice.threshold == 64)
  }

  /// Compared with curves that are pooled again without one copy of each group.
  @Test(arguments: 0..<50) func theErrorIsTheJackknife(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let groups = (0..<8).map { _ in Int.random(in: 0...3, using: &generator) }
    let copies = (0...3).map { _ in Int.random(in: 0...3, using: &generator) }
    let curves = groups.map { _ in randomCurve(using: &generator) }
    func pooled(_ copies: [Int]) -> ThresholdCurve? {
      .pooled(zip(curves, groups).flatMap { Array(repeating: $0, count: copies[$1]) })
    }
    let objective: Objective = [.fBeta(1), .cost(miss: 3, falseAlarm: 1)][Int(seed % 2)]
    let outcome = TrialCurves(curves).choose(
      counted(objective), weights: groups.map { copies[$0] }, groups: groups)
    guard let choice = outcome.choice else { return }
    var (values, shares): ([Double], [Double]) = ([], [])
    for (group, share) in copies.enumerated() where share > 0 && groups.contains(group) {
      var others = copies
      others[group] -= 1
      guard let rest = pooled(others) else { continue }
      let counts = rest.counts(at: rest.index(of: choice.bestThreshold) ?? 0)
      guard
        let value = objective.value(of: counts, hours: Double(rest.scoredNanoseconds) / 3.6e12)
      else { continue }
      values.append(value)
      shares.append(Double(share))
    }
    guard values.count > 1 else { return }
    let count = shares.reduce(0, +)
    let mean = zip(values, shares).map(*).reduce(0, +) / count
    let squares = zip(values, shares).map { $1 * ($0 - mean) * ($0 - mean) }.reduce(0, +)
    let expected = ((count - 1) / count * squares).squareRoot()
    #expect(
      abs(choice.plateau.standardError - expected) <= 1e-9 * max(1, expected), "seed \(seed)")
  }

  /// Held against a look at every threshold, one by one, of curves pooled in another way.
  @Test(arguments: 0..<100) func agreesWithBruteForce(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let curves = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
      randomCurve(using: &generator)
    }
    let weights = curves.map { _ in Int.random(in: 0...2, using: &generator) }
    let objective: Objective = [
      .maximumRecall(falseAlarmsPerHour: 8), .fBeta(0.5), .cost(miss: 3, falseAlarm: 1),
    ][Int.random(in: 0...2, using: &generator)]
    let copies = zip(curves, weights).flatMap { Array(repeating: $0, count: $1) }
    let outcome = TrialCurves(curves).choose(
      counted(objective), weights: weights, groups: Array(curves.indices))
    guard let pooled = ThresholdCurve.pooled(copies) else {
      #expect(outcome == .undefined, "seed \(seed)")
      return
    }
    let hours = Double(pooled.scoredNanoseconds) / 3.6e12
    func value(_ threshold: Double) -> Double? {
      let counts = pooled.counts(at: pooled.index(of: threshold) ?? 0)
      return objective.allows(counts, hours: hours)
        ? objective.value(of: counts, hours: hours) : nil
    }
    // Thresholds are whole numbers, so these are all there is.
    let places = stride(from: 0, through: 128, by: 0.5)
    let best = places.compactMap(value).max()
    let nothing = objective.valueOfNull(references: pooled.references, hours: hours) ?? 0
    guard let best, best > nothing else {
      #expect(outcome.choice == nil, "seed \(seed)")
      return
    }
    let choice = try #require(outcome.choice, "seed \(seed)")
    #expect(choice.bestValue == best, "seed \(seed)")
    #expect(value(choice.threshold) == choice.value, "seed \(seed)")
    #expect(choice.value >= best - choice.plateau.standardError, "seed \(seed)")
    // No run of good thresholds is wider.
    var run = 0.0
    for place in places {
      let isGood = value(place).map { $0 > nothing && $0 >= best - choice.plateau.standardError }
      run = isGood ?? false ? run + 0.5 : 0
      #expect(run <= choice.plateau.width + 0.5, "seed \(seed)")
    }
  }

  private func randomCurve(using generator: inout SeededGenerator) -> ThresholdCurve {
    let places = Set((0..<12).map { _ in Double(Int.random(in: 1...120, using: &generator)) })
      .union([0]).sorted()
    // Mostly falling, as thresholds do, with a rise here and there, as a lockout makes it.
    let steps = places.map { place in
      let share = 1 - place / 128
      return (
        place, min(20, max(0, Int(20 * share) + Int.random(in: -2...2, using: &generator))),
        max(0, Int(30 * share * share) + Int.random(in: -2...2, using: &generator))
      )
    }
    return curve(steps, references: 20)
  }

  /// A threshold in another unit (a line through the strengths) is the same threshold.
  @Test(arguments: 0..<20) func followsTheUnit(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let curves = (0..<3).map { _ in randomCurve(using: &generator) }
    let doubled = curves.map {
      ThresholdCurve(
        thresholds: $0.thresholds.map { 2 * $0 + 3 }, truePositives: $0.truePositives,
        falsePositives: $0.falsePositives, upper: 2 * $0.upper + 3, references: $0.references,
        scoredNanoseconds: $0.scoredNanoseconds, isExact: true)
    }
    let outcomes = [curves, doubled].map {
      TrialCurves($0).choose(counted(.fBeta(1)), weights: [1, 1, 1], groups: [0, 1, 2])
    }
    let (one, other) = (try #require(outcomes[0].choice), try #require(outcomes[1].choice))
    #expect(other.threshold == 2 * one.threshold + 3, "seed \(seed)")
    #expect(other.counts == one.counts, "seed \(seed)")
  }
}
