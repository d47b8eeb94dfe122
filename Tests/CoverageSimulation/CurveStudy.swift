import Foundation
import Scoring
import Tuning

/// Figures of whole curves.
public enum CurveFigure: Hashable, Sendable {
  case averagePrecision, meanRecall

  func value(_ curve: ThresholdCurve) -> Double? {
    switch self {
    case .averagePrecision: curve.averagePrecision
    case .meanRecall: curve.meanRecall(budgets: Self.budgets)
    }
  }

  static let budgets = 1.0...1000
}

/// People whose events have normal scores: references around a mean that differs between people, by
/// the variation times the deviation within; false alarms around 0, whose rate differs.
struct CurveCrowd {
  let crowd: Crowd
  /// Of references.
  let mean: Double
  let references: Int
  let alarms: Double

  /// The curves of the people, and their sum.
  func draw(_ draws: inout Draws) -> Clustered<ThresholdCurve>? {
    let parts = crowd.exposures.map { exposure in
      let own = mean + crowd.variation * draws.normal()
      let count = max(Int((Double(references) * exposure).rounded()), 1)
      let rate = draws.gamma(mean: alarms, variation: crowd.variation)
      let hits = (0..<count).map { _ in own + draws.normal() }
      let others = (0..<draws.poisson(rate * exposure)).map { _ in draws.normal() }
      return Self.curve(hits: hits, falseAlarms: others, hours: exposure)
    }
    return ThresholdCurve.pooled(parts).map { Clustered($0, parts: parts) }
  }

  /// Counts the scores above each threshold.
  private static func curve(
    hits: [Double], falseAlarms: [Double], hours: Double
  ) -> ThresholdCurve {
    let events = (hits.map { ($0, 1) } + falseAlarms.map { ($0, 0) }).sorted { $0.0 < $1.0 }
    var (found, alarms) = (hits.count, falseAlarms.count)
    var (thresholds, truePositives, falsePositives) = ([-100.0], [found], [alarms])
    for (score, isHit) in events {
      found -= isHit
      alarms -= 1 - isHit
      thresholds.append(score)
      truePositives.append(found)
      falsePositives.append(alarms)
    }
    return ThresholdCurve(
      thresholds: thresholds, truePositives: truePositives, falsePositives: falsePositives,
      upper: 100, references: hits.count, scoredNanoseconds: Int64(hours * 3.6e12), isExact: true)
  }

  // MARK: Truth

  /// The share of normal scores above a threshold.
  private func above(_ threshold: Double, _ mean: Double, _ deviation: Double) -> Double {
    erfc((threshold - mean) / deviation / 2.0.squareRoot()) / 2
  }

  private var deviation: Double { (1 + crowd.variation * crowd.variation).squareRoot() }

  /// The figure of infinitely many such people.
  func truth(_ figure: CurveFigure) -> Double {
    switch figure {
    case .averagePrecision: averagePrecision
    case .meanRecall: meanRecall
    }
  }

  /// The mean, over the scores of references, of the best precision at that threshold or a lower one.
  private var averagePrecision: Double {
    let (steps, lowest, highest) = (20_000, mean - 12 * deviation, mean + 12 * deviation)
    var (sum, best, before) = (0.0, 0.0, 1.0)
    for step in 1...steps {
      let threshold = lowest + (highest - lowest) * Double(step) / Double(steps)
      let found = above(threshold, mean, deviation)
      let hits = Double(references) * found
      let all = hits + alarms * above(threshold, 0, 1)
      if all > 0 { best = max(best, hits / all) }
      sum += (before - found) * best
      before = found
    }
    return sum
  }

  /// The mean over budgets, evenly spaced on a logarithmic axis.
  private var meanRecall: Double {
    let steps = 2000
    let ratio = log(CurveFigure.budgets.upperBound / CurveFigure.budgets.lowerBound)
    let sum = (0..<steps).reduce(0) { sum, step in
      let budget = exp(ratio * (Double(step) + 0.5) / Double(steps))
      guard budget < alarms else { return sum + 1 }
      var (low, high) = (-12.0, 12.0)
      for _ in 0..<50 {
        let middle = (low + high) / 2
        if alarms * above(middle, 0, 1) > budget { low = middle } else { high = middle }
      }
      return sum + above(high, mean, deviation)
    }
    return sum / Double(steps)
  }
}
