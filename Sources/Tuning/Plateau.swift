public import Scoring
import TraceModel

/// A range of thresholds with about equal values.
public struct Plateau: Hashable, Sendable, Codable {
  public var lower: Double
  /// The end: exclusive, or inclusive if it is the highest threshold.
  public var upper: Double
  /// The standard error of the best value.
  public var standardError: Double
  /// Its largest distance from the best value: the standard error, limited by the rule's loss.
  public var loss: Double
  /// Whether it begins at the lowest threshold tried, so that it may continue below.
  public var beginsAtEdge: Bool
  /// Whether it reaches the highest threshold tried.
  public var endsAtEdge: Bool

  public var width: Double { upper - lower }
}

/// A threshold with its figures on the data that it was chosen on.
public struct ThresholdChoice: Hashable, Sendable, Codable {
  public var threshold: Double
  /// The value of the objective at the threshold.
  public var value: Double
  public var counts: EventCounts
  public var plateau: Plateau
  /// The highest value over all thresholds and the lowest threshold that has it.
  public var bestValue: Double
  public var bestThreshold: Double
  public var valueOfNull: Double
}

/// The outcome of evaluating all thresholds.
public enum ThresholdOutcome: Hashable, Sendable {
  case chosen(ThresholdChoice)
  /// No threshold is better than the null detector.
  case nothingBetter
  /// No threshold can be shown to be within the budget of false alarms.
  case nothingAllowed
  /// The data have no references, so there is no basis for a choice.
  case undefined

  public var choice: ThresholdChoice? {
    if case .chosen(let choice) = self { choice } else { nil }
  }
}

extension ThresholdCurve {
  /// Returns the choice among the thresholds of some recordings, see ``ThresholdChoice``.
  /// - Parameter curves: one per recording, all over the same thresholds, and at least one.
  package static func choice(
    _ rule: ChoiceRule, among curves: [ThresholdCurve], groups: [Int]
  ) -> ThresholdOutcome {
    TrialCurves(curves).choose(rule, weights: curves.map { _ in 1 }, groups: groups)
  }
}

extension TrialCurves {
  /// Evaluates every threshold and returns the middle of the widest range within one standard error
  /// of the best (the rule of Breiman et al., Classification and Regression Trees, 1984, section
  /// 3.4.3, for the whole range instead of its end). Such a threshold tolerates a small change of
  /// the signal, whereas the best one may be a lucky point at an edge. Where few people have
  /// references, the standard error is large: ``ChoiceRule/plateauLoss`` limits what the range gives
  /// up.
  ///
  /// - The standard error is that of the best threshold's value, by the jackknife over groups; see
  ///   ``standardError(at:_:_:_:)``.
  /// - A range contains no threshold over the budget and none that is not better than the null
  ///   detector. The lowest of equally wide ranges wins.
  /// - The middle is the arithmetic mean, in any unit; if only some thresholds were tried, it is
  ///   the one nearest to the mean, the lower of two.
  /// - Parameter groups: the group of each recording, from 0.
  func choose(_ rule: ChoiceRule, weights: Weights, groups: [Int]) -> ThresholdOutcome {
    let objective = rule.objective
    let (references, hours) = (references(weights), hours(weights))
    guard let nothing = objective.valueOfNull(references: references, hours: hours) else {
      return .undefined
    }
    let sums = sums(weights)
    let isAllowed = isWithinBudget(rule, sums.falsePositives, weights: weights, groups: groups)
    func counts(_ index: Int) -> EventCounts {
      EventCounts(
        truePositives: sums.truePositives[index], falsePositives: sums.falsePositives[index],
        falseNegatives: references - sums.truePositives[index])
    }
    let values = thresholds.indices.map { index in
      isAllowed[index] ? objective.value(of: counts(index), hours: hours) ?? -.infinity : -.infinity
    }
    guard let best = values.indices.max(by: { values[$0] < values[$1] }), values[best].isFinite
    else { return .nothingAllowed }
    let highest = values[best]
    guard highest > nothing else { return .nothingBetter }
    let first = values.firstIndex(of: highest) ?? best
    let error = standardError(at: first, objective, weights, groups)
    let loss = min(error, rule.plateauLoss * (highest - nothing))
    let run = widestRun { values[$0] > nothing && values[$0] >= highest - loss }
    let plateau = Plateau(
      lower: thresholds[run.lowerBound], upper: end(ofStep: run.upperBound), standardError: error,
      loss: loss, beginsAtEdge: run.lowerBound == 0,
      endsAtEdge: run.upperBound == thresholds.count - 1)
    let step = middle(of: run, plateau)
    return .chosen(
      ThresholdChoice(
        threshold: step.threshold, value: values[step.index], counts: counts(step.index),
        plateau: plateau, bestValue: highest, bestThreshold: thresholds[first],
        valueOfNull: nothing))
  }

  /// Returns the widest range of consecutive steps that satisfy the condition.
  private func widestRun(_ holds: (Int) -> Bool) -> ClosedRange<Int> {
    var widest = 0...0
    var width = -1.0
    var start: Int?
    for index in 0...thresholds.count {
      if index < thresholds.count, holds(index) {
        start = start ?? index
      } else if let first = start {
        let found = end(ofStep: index - 1) - thresholds[first]
        if found > width { (widest, width) = (first...index - 1, found) }
        start = nil
      }
    }
    return widest
  }

  private func middle(
    of run: ClosedRange<Int>, _ plateau: Plateau
  ) -> (index: Int, threshold: Double) {
    let middle = plateau.lower + (plateau.upper - plateau.lower) / 2
    if isExact {
      let index = run.last { thresholds[$0] <= middle } ?? run.lowerBound
      return (index, middle)
    }
    let index = run.min { abs(thresholds[$0] - middle) < abs(thresholds[$1] - middle) }
    return (index ?? run.lowerBound, thresholds[index ?? run.lowerBound])
  }

  /// Returns the standard error of the objective's value at one threshold, by leaving out one group
  /// at a time (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11): events
  /// of one person stay together, and no assumption on the figure is necessary. Of a group that
  /// occurs several times, one copy is left out at a time. If fewer than two groups can be left
  /// out, the result for recall is that of a proportion of independent events (half the width of
  /// Wilson's interval divided by 1.96), and 0 for other objectives.
  private func standardError(
    at index: Int, _ objective: Objective, _ weights: Weights, _ groups: [Int]
  ) -> Double {
    let single = counts(at: thresholds[index])
    let copies = Self.copies(weights, groups)
    var (all, parts) = (Sums(), [Sums](repeating: Sums(), count: copies.count))
    for (recording, weight) in weights.enumerated() where copies[groups[recording]] > 0 {
      all.add(single[recording], nanoseconds[recording], weight)
      parts[groups[recording]].add(
        single[recording], nanoseconds[recording], weight / copies[groups[recording]])
    }
    var (values, shares): ([Double], [Double]) = ([], [])
    for (part, share) in zip(parts, copies) where share > 0 {
      let others = all.without(part)
      guard let value = objective.value(of: others.counts, hours: others.hours) else { continue }
      values.append(value)
      shares.append(Double(share))
    }
    let count = shares.reduce(0, +)
    guard values.count > 1 else {
      guard case .maximumRecall = objective,
        let interval = all.counts.recall.interval
      else { return 0 }
      return (interval.upper - interval.lower) / 2 / 1.959_963_984_540_054
    }
    let mean = zip(values, shares).reduce(0) { $0 + $1.0 * $1.1 } / count
    let squares = zip(values, shares).reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) }
    return ((count - 1) / count * squares).squareRoot()
  }

  /// How often each group occurs.
  static func copies(_ weights: Weights, _ groups: [Int]) -> [Int] {
    var copies = [Int](repeating: 0, count: (groups.max() ?? -1) + 1)
    for (recording, weight) in weights.enumerated() {
      copies[groups[recording]] = max(copies[groups[recording]], weight)
    }
    return copies
  }
}

/// The counts and the time of some recordings.
private struct Sums {
  var counts = EventCounts()
  var nanoseconds: Int64 = 0

  mutating func add(_ counts: EventCounts, _ nanoseconds: Int64, _ weight: Int) {
    self.counts.truePositives += weight * counts.truePositives
    self.counts.falsePositives += weight * counts.falsePositives
    self.counts.falseNegatives += weight * counts.falseNegatives
    let (time, overflow) = nanoseconds.multipliedReportingOverflow(by: Int64(weight))
    self.nanoseconds = self.nanoseconds.addingClamped(overflow ? .max : time)
  }

  /// The sums are integers, so the result equals the sum of the others.
  func without(_ part: Sums) -> Sums {
    var rest = self
    rest.counts.truePositives -= part.counts.truePositives
    rest.counts.falsePositives -= part.counts.falsePositives
    rest.counts.falseNegatives -= part.counts.falseNegatives
    rest.nanoseconds -= part.nanoseconds
    return rest
  }

  var hours: Double { Double(nanoseconds) / 3.6e12 }
}
