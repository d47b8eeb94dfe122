internal import GSL
public import Scoring

/// A setting that a search tried, and the best threshold for it on all recordings.
public struct TuningTrial: Hashable, Sendable {
  public var settings: ParameterSettings
  public var origin: TrialOrigin
  public var outcome: ThresholdOutcome
}

/// How far the chosen threshold moves with the data that it is chosen on, at the chosen settings.
public struct ThresholdSpread: Hashable, Sendable {
  /// Of the bootstrap over groups, ascending: one a resample that has a choice.
  public var thresholds: [Double]
  /// Resamples without one.
  public var withoutChoice: Int
  public var seed: UInt64

  /// E.g. the median for 0.5; nil where no resample has a choice.
  public func quantile(_ fraction: Double) -> Double? {
    Statistics.quantile(fraction, ofSorted: thresholds)
  }
}

/// Whether what was found is worth having.
public enum TuningVerdict: Hashable, Sendable {
  case betterThanNull
  /// On the very data that it was sought on, no threshold of any setting is better than nothing.
  case nothing(ThresholdOutcome)
  /// On the data held out, the objective's value is not above that of detecting nothing.
  case notBetterCrossValidated
  /// On the data held out, the hits are not more than those of blind shots.
  case notAboveChance(ChanceTest)

  public var isBetterThanNull: Bool { self == .betterThanNull }
}

/// Everything that a tuning found.
public struct TuningResult: Sendable {
  /// In an order of their own; the other lists by recording follow it.
  public var recordings: [TrialRecording]
  /// The group of each recording.
  public var groups: [String]
  /// Scored recorded hours of each.
  public var hours: [Double]
  /// In the order in which they were tried.
  public var trials: [TuningTrial]
  public var settings: ParameterSettings
  public var outcome: ThresholdOutcome
  public var verdict: TuningVerdict
  /// All recordings at the chosen settings, over all thresholds.
  public var curve: ThresholdCurve
  /// By recording: at the choice, on the data that it was chosen on.
  public var resubstitutionCounts: [EventCounts]
  public var resubstitution: OperatingFigures
  /// By group; empty where there was but one.
  public var folds: [TuningFold]
  /// By recording: at what was chosen without its group. Empty without folds.
  public var crossValidatedCounts: [EventCounts]
  public var crossValidated: OperatingFigures?
  /// Of the held-out counts, or of the resubstitution ones without folds; nil where chances are not known.
  public var chance: ChanceTest?
  public var optimism: Optimism?
  /// nil without a choice, or with one group.
  public var spread: ThresholdSpread?
  public var pareto: [ParetoPoint]

  public var choice: ThresholdChoice? { outcome.choice }
}
