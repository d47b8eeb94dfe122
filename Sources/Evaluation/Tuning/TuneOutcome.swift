import Diagnostics
import Detectors
public import Scoring
import TraceModel
public import Tuning

/// A tuning with its comparisons.
public struct TuneOutcome: Sendable {
  /// The data that it was tuned and cross-validated on.
  public var measured: EvaluationDataset
  public var span: ThresholdSpan
  public var plan: TuningPlan
  public var grouping: TuneGrouping
  public var result: TuningResult
  /// The score of the choice on the data that it was tuned on; nil without a choice.
  public var resubstitution: EventScore?
  /// The score of the choice on the test set.
  public var testSet:
    (score: EventScore, recordings: [TrialRecording], groups: [String], inputs: [InputFile])?
  /// The scores of the detector's presets on the data that it was tuned on.
  public var presets: [(name: String, preset: String, score: EventScore)]

  // MARK: What was chosen

  /// In words, one sentence.
  public var verdict: String {
    switch result.verdict {
    case .betterThanNull: return worth
    case .nothing(.nothingAllowed):
      return "nothing beats the null detector: every threshold exceeds the budget of false alarms"
        + "\(fewestFalseAlarms); allow more, or widen the range with --threshold"
    case .nothing:
      return "nothing beats the null detector, which detects nothing: no threshold is better"
    case .notBetterCrossValidated:
      return
        "nothing beats the null detector when cross-validated: the result is better only on the "
        + "traces that it is tuned on"
    case .notAboveChance(let test):
      return "nothing beats the null detector: \(test.hits) of \(test.detections) detections "
        + (result.folds.isEmpty ? "" : "(cross-validated) ")
        + "are hits, and the chance level is \(fixed(test.expectedHits, 1)) "
        + "(p = \(fixed(test.pValue, 2)))"
    }
  }

  private var worth: String {
    guard let crossValidated = result.crossValidated else {
      return "better than the null detector on the traces that it is tuned on; not cross-validated"
    }
    let isOver = !plan.objective.allows(
      crossValidated.counts, hours: crossValidated.hours)
    return "better than the null detector (cross-validated)"
      + (isOver ? ", but over the budget of false alarms" : "")
  }

  /// The fewest false alarms of the preset: if nothing is allowed, no settings are chosen.
  private var fewestFalseAlarms: String {
    let curve = result.curve
    let fewest = curve.thresholds.indices.min {
      (curve.falsePositives[$0], $0) < (curve.falsePositives[$1], $1)
    }
    guard let fewest, let rate = curve.falseAlarms(at: fewest).estimate else { return "" }
    return " (the preset has at least \(fixed(rate, 1)) per hour, with \(span.parameter) "
      + "\(span.text(of: rounded(curve.thresholds[fewest]))))"
  }

  /// The settings and the threshold.
  public var chosen: ParameterSettings {
    var settings = result.settings
    if let choice = result.choice { settings[span.parameter] = .number(choice.threshold) }
    return settings
  }

  package var parameters: [ParameterFile.Parameter] {
    let chosen = chosen
    let own = (try? measured.detector.parameters(of: measured.choice)) ?? []
    return own.map { parameter in
      let origin: ParameterFile.Origin =
        chosen[parameter.name] != nil
        ? .tuned : measured.choice.overrides[parameter.name] != nil ? .stated : .preset
      return ParameterFile.Parameter(
        name: parameter.name, value: chosen[parameter.name] ?? parameter.value,
        unit: parameter.unit, origin: origin)
    }
  }

  // MARK: Parts

  /// False alarms by activity, in the order of the activities' names: of the cross-validated counts
  /// if there are folds.
  public var activityRates: [(activity: String, rate: PoissonRate)] {
    let counts =
      result.crossValidatedCounts.isEmpty
      ? result.resubstitutionCounts : result.crossValidatedCounts
    let byActivity = Dictionary(grouping: counts.indices) { result.recordings[$0].activity }
    return byActivity.sorted { $0.key < $1.key }.map { activity, recordings in
      (
        activity,
        PoissonRate(
          count: recordings.reduce(0) { $0 + counts[$1].falsePositives },
          hours: recordings.reduce(0) { $0 + result.hours[$1] })
      )
    }
  }
}
