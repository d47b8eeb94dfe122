import Detectors
import Evaluation
import Results
import Scoring
import TraceModel
import Tuning

/// The figures of one setting on several recordings.
struct TuneSetting {
  var name: String
  /// With parts, the intervals are over groups.
  var score: Clustered<EventScore>
  /// nil if each group has its own, or nothing was chosen.
  var threshold: Double?
  /// The values of the search; others are those of the preset.
  var parameters: ParameterSettings = [:]

  var counts: EventCounts { score.pooled.counts }
  var hours: Double { score.pooled.falseAlarms.hours }
  var hasReferences: Bool { counts.recall.trials > 0 }
  var recall: Estimate { score.proportion(\.recall) }
  var falseAlarms: Estimate { score.rate(\.falseAlarms) }

  func figures(_ objective: Objective) -> [Figure] {
    Clustered(counts).counts { $0 } + score.quotients { $0.counts } + [
      Figure(.hours, hours), Figure(.falseAlarmsPerHour, score.rate(\.falseAlarms)),
      Figure("objective", objective.value(of: counts, hours: hours)),
    ] + score.percentiles(.latency, \.latencies)
  }
}

extension TuneSetting {
  /// Counts without groups.
  init(
    _ name: String, _ counts: EventCounts, nanoseconds: Int64, threshold: Double? = nil,
    parameters: ParameterSettings = [:]
  ) {
    var score = EventScore()
    score.counts = counts
    score.scoredNanoseconds = nanoseconds
    self.init(name: name, score: Clustered(score), threshold: threshold, parameters: parameters)
  }
}

extension TuneOutcome {
  /// The choice on the data that it was tuned on.
  var resubstitutionSetting: TuneSetting {
    TuneSetting(
      name: "resubstitution", score: resubstitution ?? result.resubstitution.clustered,
      threshold: result.choice?.threshold)
  }

  /// Each group with the parameters that were tuned without it.
  var crossValidatedSetting: TuneSetting? {
    result.crossValidated.map { TuneSetting(name: "cross-validated", score: $0.clustered) }
  }

  /// The choice on recordings that were not used for tuning.
  private var testSetting: TuneSetting? {
    testSet.map {
      TuneSetting(name: "test set", score: $0.score, threshold: result.choice?.threshold)
    }
  }

  var presetSettings: [TuneSetting] {
    presets.map {
      TuneSetting(
        name: $0.name, score: $0.score,
        threshold: measured.detector.threshold(span.parameter, ofPreset: $0.preset))
    }
  }

  /// One per group, tuned without it.
  var foldSettings: [TuneSetting] {
    result.folds.sorted { $0.group < $1.group }.map { setting(of: $0) }
  }

  func setting(of fold: TuningFold) -> TuneSetting {
    let choice = fold.outcome.choice
    return TuneSetting(
      fold.group, fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] },
      nanoseconds: fold.recordings.reduce(0) { $0 + result.scoredNanoseconds[$1] },
      threshold: choice?.threshold, parameters: choice == nil ? [:] : fold.settings)
  }

  static let ofSameRecordings = "same recordings\n(biased)"

  /// The choice, other options and the presets, cross-validated first: new data are most like these.
  var namedSettings: [TuneSetting] {
    var validated = crossValidatedSetting
    if grouping.isOptimistic { validated?.name += "\n(optimistic)" }
    var own = resubstitutionSetting
    own.name = Self.ofSameRecordings
    let chosen = refusal == .fewPeople ? [] : [validated, testSetting, own].compactMap(\.self)
    return chosen + alternativeSettings + presetSettings
  }

  private var alternativeSettings: [TuneSetting] {
    alternatives.map {
      TuneSetting(
        name: $0.options, score: $0.figures.clustered,
        threshold: $0.result.choice?.threshold,
        parameters: $0.result.choice == nil ? [:] : $0.result.settings)
    }
  }

  /// The figures of the choice and of the presets by name.
  var figuresOfSettings: [(name: String, figures: [Figure])] {
    ([crossValidatedSetting, testSetting, resubstitutionSetting].compactMap(\.self) + presetSettings)
      .map { ($0.name, $0.figures(plan.objective)) }
  }

  // MARK: JSON

  /// The facts in every file of a tuning.
  var facts: JSONObject {
    [
      "detector": measured.choice.detector, "preset": measured.choice.preset,
      "data": measured.name, "objective": plan.objective.summary,
      "grouped_by": grouping.kind.rawValue, "is_optimistic": grouping.isOptimistic,
      "verdict": verdict, "seed": plan.seed, "resamples": plan.resamples,
      "confidence": plan.rule.confidence, "plateau_loss": plan.rule.plateauLoss,
    ]
  }

  /// A budget, a choice, folds or a test set that does not exist is null.
  var document: JSONObject {
    facts + [
      "title": measured.choice.title, "objective_axis": plan.objective.axis,
      "budget": plan.objective.budget, "exposure": measured.exposure.figures.byName,
      "tolerances": (resubstitution?.pooled.tolerances ?? []).map(\.document),
      "search": searchTexts, "method": methodText, "trials": result.trials.count,
      "groups": Set(result.groups).count,
      "is_better_than_null": result.verdict.isBetterThanNull, "parameters": parameters,
      "threshold": thresholdDocument, "resubstitution": document(resubstitutionSetting),
      "cross_validated": crossValidatedSetting.map { document($0) },
      "test_set": testSetting.map { document($0) }, "optimism": optimismDocument,
      "chance": result.chance, "personal_rate": result.personalRate,
      "refusal": refusal?.rawValue, "recall_loss": lossDocument, "budget_price": priceDocument,
      "alternatives": zip(alternativeSettings, alternatives).map {
        document($0).adding("is_refused", $1.isRefused)
      }, "more_people": prospect,
      "presets": presetSettings.map { document($0) },
      "false_alarms_by_activity": activityRates.map(document),
      "folds": foldSettings.map { document($0) }, "pareto": paretoDocuments, "warnings": warnings,
      "findings": findings, "recordings": recordingDocuments,
    ]
  }

  var findings: [String] {
    let first: String? =
      switch refusal {
      case .recallLoss: lost
      case .worseThanPreset: worse
      default: verdict
      }
    return [first, mixed, noFolds].compactMap(\.self)
  }
  var searchTexts: [String] { plan.space.dimensions.map(\.summary) }

  private func document(_ setting: TuneSetting, _ further: [String: Figure] = [:]) -> JSONObject {
    [
      "name": setting.name, "parameters": setting.parameters, "threshold": setting.threshold,
      "figures": setting.figures(plan.objective).byName.merging(further) { $1 },
    ]
  }

  private var lossDocument: JSONObject? {
    loss.map {
      [
        "preset": $0.preset, "chosen": $0.chosen, "share": $0.share,
        "largest_share": RecallLoss.most, "is_accepted": acceptsLoss,
        "is_cross_validated": $0.isCrossValidated,
      ]
    }
  }

  /// The bound that is within the budget, and the recall with the measured rate within it.
  private var priceDocument: JSONObject? {
    result.price.map {
      [
        "bound": $0.bound, "population": result.boundedFor.rawValue,
        "recall_by_rate": $0.recallByRate,
      ]
    }
  }

  /// Resubstitution less cross-validated recall; for false alarms the other way round.
  private var optimismDocument: JSONObject? {
    result.optimism.map { ["recall": $0.recall, "false_alarms_per_hour": $0.falseAlarmsPerHour] }
  }

  /// The chosen settings at all thresholds, with the objective of each step; nil if nothing was chosen.
  var curveDocument: JSONObject? {
    guard result.choice != nil else { return nil }
    return result.curve.document.adding("objective", objectiveOfSteps)
  }

  /// nil for a threshold beyond the budget, or an undefined objective.
  var objectiveOfSteps: [Double?] {
    let (curve, hours) = (result.curve.pooled, result.resubstitution.hours)
    return zip(curve.thresholds.indices, result.isWithinBudget).map { index, isWithin in
      isWithin ? plan.objective.value(of: curve.counts(at: index), hours: hours) : nil
    }
  }

  private var methodText: String {
    switch plan.method {
    case .sobol(let count): "sobol \(plan.space.dimensions.isEmpty ? 0 : count), then simplex"
    case .grid: "grid"
    }
  }

  /// The plateau has the thresholds at most `loss` below the best. Only folds with a choice.
  private var thresholdDocument: JSONObject? {
    guard let choice = result.choice else { return nil }
    func bounds(_ lower: Double, _ upper: Double) -> JSONObject {
      ["lower": lower, "upper": upper]
    }
    let folds = result.folds.compactMap { $0.outcome.choice?.threshold }
    let plateau = choice.plateau
    return [
      "parameter": span.parameter, "unit": span.unit.rawValue, "value": choice.threshold,
      "plateau": bounds(plateau.lower, plateau.upper), "standard_error": plateau.standardError,
      "loss": plateau.loss, "holds_preset": holdsPreset, "best": choice.bestThreshold,
      "best_objective": choice.bestValue,
      "objective": choice.value, "null_objective": choice.valueOfNull,
      "plateau_begins_at_edge": plateau.beginsAtEdge, "plateau_ends_at_edge": plateau.endsAtEdge,
      "folds": folds.min().flatMap { low in folds.max().map { bounds(low, $0) } },
      "resamples": result.spread.map(resamples),
      "resamples_without_choice": result.spread?.withoutChoice ?? 0,
    ]
  }

  /// The median and the range from 2.5 to 97.5 % of the choices on resampled groups.
  private func resamples(_ spread: ThresholdSpread) -> Estimate {
    Estimate(
      spread.quantile(0.5), spread.interval, by: .bootstrap, count: spread.thresholds.count,
      clusters: Set(result.groups).count)
  }

  /// The false alarms of an activity; an empty name = not stated.
  private func document(_ activity: String, _ score: Clustered<EventScore>) -> JSONObject {
    let rate = score.pooled.falseAlarms
    return [
      "activity": activity, "count": rate.count, "hours": rate.hours,
      "false_alarms_per_hour": score.rate(\.falseAlarms),
      "false_alarms_per_hour_upper_if_none": rate.oneSidedUpperBoundOfNone,
    ]
  }

  private var paretoDocuments: [JSONObject] {
    let nanoseconds = result.scoredNanoseconds.reduce(0, +)
    return result.pareto.map { point in
      document(
        TuneSetting(
          "", point.counts, nanoseconds: nanoseconds, threshold: point.threshold,
          parameters: point.settings),
        [FigureDefinition.latency.p50.name: .seconds(.latency.p50, point.medianLatency)])
    }
  }

  private var recordingDocuments: [JSONObject] {
    let own = zip(result.recordings, result.groups).map { ($0, $1, false) }
    let others = zip(testSet?.recordings ?? [], testSet?.groups ?? []).map { ($0, $1, true) }
    return (own + others).sorted { ($0.0.id, $0.0.sha256) < ($1.0.id, $1.0.sha256) }
      .map { recording, group, isTestSet in
        let document: JSONObject = [
          "id": recording.id, "sha256": recording.sha256, "group": group,
          "activity": recording.activity, "references": recording.references,
          "is_test_set": isTestSet,
        ]
        return document.adding("is_counted", recording.isCounted ? true : nil)
      }
  }
}
