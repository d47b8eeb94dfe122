import Detectors
import Evaluation
import Scoring
import TraceModel
import Tuning

/// The figures of one setting on several recordings.
struct TuneSetting {
  var name: String
  var counts: EventCounts
  var hours: Double
  /// The intervals over groups, if they were resampled.
  var groups: OperatingFigures?
  /// nil where each group has its own, or nothing was chosen.
  var threshold: Double?
  /// The values of the search; what is absent keeps the preset's value.
  var parameters: ParameterSettings = [:]
  var latency: TimePercentiles?

  var falseAlarms: PoissonRate { PoissonRate(count: counts.falsePositives, hours: hours) }
  var hasReferences: Bool { counts.recall.trials > 0 }

  /// The recall, with its interval over groups if there is one.
  var recall: Estimate {
    guard let resampled = groups?.recallOverGroups, counts.recall.estimate != nil else {
      return Estimate(counts.recall)
    }
    var recall = Estimate(counts.recall.estimate, resampled: resampled)
    recall.count = counts.recall.trials
    return recall
  }

  func figures(_ objective: Objective) -> [Figure] {
    counts.figures.filter { $0.name != "recall" } + [
      Figure("recall", recall), .proportion("recall_wilson", counts.recall),
      Figure("hours", hours, unit: "h"), .rate("false_alarms_per_hour", falseAlarms),
      Figure(
        "false_alarms_per_hour_over_groups",
        Estimate(falseAlarms.estimate, resampled: groups?.falseAlarmsOverGroups), unit: "h-1"),
      Figure("objective", objective.value(of: counts, hours: hours)),
    ] + Figure.percentiles("latency", latency)
  }
}

extension TuneSetting {
  init(
    _ name: String, _ figures: OperatingFigures, threshold: Double? = nil,
    latency: TimePercentiles? = nil
  ) {
    self.init(
      name: name, counts: figures.counts, hours: figures.hours, groups: figures,
      threshold: threshold, latency: latency)
  }

  init(_ name: String, _ score: EventScore, threshold: Double?) {
    self.init(
      name: name, counts: score.counts, hours: score.falseAlarms.hours, threshold: threshold,
      latency: score.latency)
  }
}

extension TuneOutcome {
  /// The choice on the data that it was tuned on.
  private var resubstitutionSetting: TuneSetting {
    TuneSetting(
      "resubstitution", result.resubstitution, threshold: result.choice?.threshold,
      latency: resubstitution?.latency)
  }

  /// Each group by what was tuned without it.
  private var crossValidatedSetting: TuneSetting? {
    result.crossValidated.map { TuneSetting("cross-validated", $0) }
  }

  /// The choice on recordings that had no part in the tuning.
  private var testSetting: TuneSetting? {
    testSet.map { TuneSetting("test set", $0.score, threshold: result.choice?.threshold) }
  }

  private var presetSettings: [TuneSetting] {
    presets.map {
      TuneSetting(
        $0.name, $0.score,
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
      name: fold.group,
      counts: fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] },
      hours: fold.recordings.reduce(0) { $0 + result.hours[$1] }, threshold: choice?.threshold,
      parameters: choice == nil ? [:] : fold.settings)
  }

  /// The choice and the presets: cross-validated first, because new data are like those.
  var namedSettings: [TuneSetting] {
    var validated = crossValidatedSetting
    if grouping.isOptimistic { validated?.name += "\n(optimistic)" }
    var own = resubstitutionSetting
    own.name += "\n(biased)"
    return [validated, testSetting, own].compactMap(\.self) + presetSettings
  }

  // MARK: JSON

  /// What every file says of a tuning.
  var facts: JSONObject {
    [
      "detector": measured.choice.detector, "preset": measured.choice.preset,
      "data": measured.name, "objective": plan.objective.summary,
      "grouped_by": grouping.kind.rawValue, "is_optimistic": grouping.isOptimistic,
      "verdict": verdict, "seed": plan.seed, "resamples": plan.resamples,
    ]
  }

  /// The result of a tuning, as JSON and parameter files have it. What is null does not exist: a
  /// budget, a choice, folds, a test set.
  var document: JSONObject {
    facts + [
      "title": measured.choice.title, "objective_axis": plan.objective.axis,
      "budget": plan.objective.budget, "exposure": measured.exposure.figures.byName,
      "tolerances": (resubstitution?.tolerances ?? []).map(\.document), "search": searchTexts,
      "method": methodText, "trials": result.trials.count, "groups": Set(result.groups).count,
      "is_better_than_null": result.verdict.isBetterThanNull, "parameters": parameters,
      "threshold": thresholdDocument, "resubstitution": document(resubstitutionSetting),
      "cross_validated": crossValidatedSetting.map { document($0) },
      "test_set": testSetting.map { document($0) }, "optimism": optimismDocument,
      "chance": result.chance, "presets": presetSettings.map { document($0) },
      "false_alarms_by_activity": activityRates.map(document),
      "folds": foldSettings.map { document($0) },
      "pareto": paretoDocuments, "warnings": warnings,
      "findings": [verdict, mixed, noFolds].compactMap(\.self),
      "recordings": recordingDocuments,
    ]
  }

  var searchTexts: [String] { plan.space.dimensions.map(\.summary) }

  private func document(
    _ setting: TuneSetting, _ further: [String: Figure] = [:]
  ) -> JSONObject {
    [
      "name": setting.name, "parameters": setting.parameters,
      "threshold": setting.threshold,
      "figures": setting.figures(plan.objective).byName.merging(further) { $1 },
    ]
  }

  /// Resubstitution less cross-validated recall; for false alarms the other way round.
  private var optimismDocument: JSONObject? {
    result.optimism.map {
      [
        "recall": Estimate($0.recall, resampled: $0.recallOverGroups),
        "false_alarms_per_hour": Estimate(
          $0.falseAlarmsPerHour, resampled: $0.falseAlarmsOverGroups),
      ]
    }
  }

  /// The chosen settings at all thresholds, with the objective by step: null where the counts break
  /// the budget, or it is undefined. nil if nothing was chosen.
  var curveDocument: JSONObject? {
    guard result.choice != nil else { return nil }
    let (curve, hours) = (result.curve, result.resubstitution.hours)
    let objective = curve.thresholds.indices.map { index -> Double? in
      let counts = curve.counts(at: index)
      guard plan.objective.allows(counts, hours: hours) else { return nil }
      return plan.objective.value(of: counts, hours: hours)
    }
    return Clustered(curve).document.adding("objective", objective)
  }

  private var methodText: String {
    switch plan.method {
    case .sobol(let count):
      "sobol \(plan.space.dimensions.isEmpty ? 0 : count), then simplex"
    case .grid: "grid"
    }
  }

  /// The plateau has the thresholds within one standard error of the best. The folds are those that
  /// have a choice.
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
      "best": choice.bestThreshold, "best_objective": choice.bestValue,
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

  /// The false alarms during one activity, whose name is empty if not stated.
  private func document(_ activity: String, _ rate: PoissonRate) -> JSONObject {
    [
      "activity": activity, "count": rate.count, "hours": rate.hours,
      "false_alarms_per_hour": Estimate(rate),
      "false_alarms_per_hour_upper_if_none": rate.oneSidedUpperBoundOfNone,
    ]
  }

  private var paretoDocuments: [JSONObject] {
    result.pareto.map { point in
      document(
        TuneSetting(
          name: "", counts: point.counts, hours: point.hours, threshold: point.threshold,
          parameters: point.settings),
        ["latency_p50": .seconds("latency_p50", point.medianLatency)])
    }
  }

  private var recordingDocuments: [JSONObject] {
    let own = zip(result.recordings, result.groups).map { ($0, $1, false) }
    let others = zip(testSet?.recordings ?? [], testSet?.groups ?? []).map { ($0, $1, true) }
    return (own + others).sorted { ($0.0.id, $0.0.sha256) < ($1.0.id, $1.0.sha256) }
      .map { recording, group, isTestSet in
        [
          "id": recording.id, "sha256": recording.sha256, "group": group,
          "activity": recording.activity, "references": recording.references,
          "is_test_set": isTestSet,
        ]
      }
  }
}
