public import Scoring
import TraceModel

/// A setting tried by the search, with its best threshold on all recordings.
public struct TuningTrial: Hashable, Sendable {
  public var settings: ParameterSettings
  public var origin: TrialOrigin
  public var outcome: ThresholdOutcome
}

/// The variation of the chosen threshold with the data, at the chosen settings.
public struct ThresholdSpread: Hashable, Sendable {
  /// The thresholds of the bootstrap over groups, ascending: one per resample with a choice.
  public var thresholds: [Double]
  public var withoutChoice: Int
  public var seed: UInt64

  /// Returns a quantile, e.g. the median for 0.5; nil if no resample has a choice.
  public func quantile(_ fraction: Double) -> Double? {
    Sample.quantile(fraction, ofSorted: thresholds)
  }

  /// The range from 2.5 to 97.5 %; nil if no resample has a choice.
  public var interval: Interval? {
    guard let low = quantile(0.025), let high = quantile(0.975) else { return nil }
    return Interval(lower: low, upper: high)
  }
}

/// The verdict: whether the result is better than the null detector.
public enum TuningVerdict: Hashable, Sendable {
  case betterThanNull
  /// No threshold of any setting beats the null detector, even on the data used for tuning.
  case nothing(ThresholdOutcome)
  /// Cross-validated, the value of the objective is not above that of the null detector.
  case notBetterCrossValidated
  /// Cross-validated, the hits are not above chance level.
  case notAboveChance(ChanceLevel)
  /// Better than the null detector, but not even flawless detections would be above chance level.
  case cannotBeTold(ChanceLevel)

  /// Whether the result may be used: it is better than the null detector, and not found to be no
  /// better than chance.
  public var isBetterThanNull: Bool {
    switch self {
    case .betterThanNull, .cannotBeTold: true
    case .nothing, .notBetterCrossValidated, .notAboveChance: false
    }
  }
}

/// The bound with which a choice keeps a budget, and its price.
public struct BudgetPrice: Hashable, Sendable, Codable {
  /// The upper bound of the false alarms per hour at the chosen threshold; nil = none.
  public var bound: Double?
  /// The recall that the same settings would have with the measured rate within the budget.
  public var recallByRate: Double?
}

public struct TuningResult: Sendable {
  /// The recordings in canonical order; the other lists by recording have the same order.
  public var recordings: [TrialRecording]
  /// The group of each recording.
  public var groups: [String]
  /// The scored time of each recording, in ns.
  public var scoredNanoseconds: [Int64]
  /// The trials, in the order in which they were tried.
  public var trials: [TuningTrial]
  public var settings: ParameterSettings
  public var outcome: ThresholdOutcome
  public var verdict: TuningVerdict
  /// The curve of all recordings at the chosen settings, with those of the groups.
  public var curve: Clustered<ThresholdCurve>
  public var isWithinBudget: [Bool]
  /// Whom the bound of a budget is for, in the choice and in all folds.
  public var boundedFor: ChoiceRule.Bound
  /// nil without a choice, or unless a budget's bound is tested.
  public var price: BudgetPrice?
  /// The reason why nothing can be shown to be within the budget; nil if something is.
  public var shortfall: BudgetShortfall?
  /// The resubstitution counts by recording: the choice, on the data that it was made on.
  public var resubstitutionCounts: [EventCounts]
  public var resubstitution: OperatingFigures
  /// The folds, by group; empty with a single group.
  public var folds: [TuningFold]
  /// The counts by recording at the choice made without its group; empty without folds.
  public var crossValidatedCounts: [EventCounts]
  public var crossValidated: OperatingFigures?
  /// The hits (cross-validated if there are folds) with those at chance level; nil without times.
  public var chance: ChanceLevel?
  /// The rate of false alarms that most new people stay below, from the cross-validated counts, or
  /// from the resubstitution counts without folds; nil = nothing is chosen, or there are too few
  /// people to say.
  public var personalRate: PersonalRate?
  public var optimism: Optimism?
  /// The spread of the threshold; nil without a choice or with one group.
  public var spread: ThresholdSpread?
  public var pareto: [ParetoPoint]

  public var choice: ThresholdChoice? { outcome.choice }
}
