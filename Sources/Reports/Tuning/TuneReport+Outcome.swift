import Detectors
import Diagnostics
package import Evaluation
import Scoring
import TraceModel
import Tuning

extension TuneOutcome {
  package var report: TuneReport {
    TuneReport(
      detector: measured.choice.detector, preset: measured.choice.preset,
      title: measured.choice.title, data: measured.name,
      objective: plan.objective.summary, objectiveAxis: plan.objective.axis,
      budget: plan.objective.budget,
      tolerances: (resubstitution?.tolerances ?? []).map(ToleranceRecord.init),
      search: plan.space.dimensions.map(\.summary),
      method: methodText, trials: result.trials.count, groupedBy: grouping.kind.rawValue,
      groups: Set(result.groups).count, isOptimistic: grouping.isOptimistic, seed: plan.seed,
      resamples: plan.resamples, isBetterThanNull: result.verdict.isBetterThanNull,
      verdict: verdict, parameters: parameters, threshold: threshold,
      resubstitution: setting(
        "resubstitution", result.resubstitution, threshold: result.choice?.threshold,
        latency: resubstitution?.latency),
      crossValidated: result.crossValidated.map { setting("cross-validated", $0) },
      testSet: testSet.map {
        setting("test set", $0.score, threshold: result.choice?.threshold)
      }, optimism: optimism, chance: chance,
      presets: presets.map {
        setting(
          $0.name, $0.score,
          threshold: measured.detector.threshold(span.parameter, ofPreset: $0.preset))
      }, falseAlarmsByActivity: activities, folds: folds, pareto: pareto,
      warnings: warnings,
      findings: [verdict, mixed, noFolds].compactMap(\.self),
      recordings: recordings, curve: curve)
  }

  private func setting(
    _ name: String, _ figures: OperatingFigures, threshold: Double? = nil,
    latency: TimePercentiles? = nil
  ) -> TuneReport.Setting {
    .init(
      name, figures.counts, hours: figures.hours, objective: figures.value, over: figures,
      threshold: threshold, latency: latency)
  }

  private func setting(
    _ name: String, _ score: EventScore, threshold: Double?
  ) -> TuneReport.Setting {
    setting(
      name, score.counts, hours: score.falseAlarms.hours, threshold: threshold,
      latency: score.latency)
  }

  private func setting(
    _ name: String, _ counts: EventCounts, hours: Double, threshold: Double?,
    parameters: ParameterSettings = [:], latency: TimePercentiles? = nil
  ) -> TuneReport.Setting {
    .init(
      name, counts, hours: hours, objective: plan.objective.value(of: counts, hours: hours),
      threshold: threshold, parameters: parameters, latency: latency)
  }

  private var optimism: TuneReport.Difference? {
    result.optimism.map {
      .init(
        recall: Estimate($0.recall, resampled: $0.recallOverGroups),
        falseAlarmsPerHour: Estimate($0.falseAlarmsPerHour, resampled: $0.falseAlarmsOverGroups))
    }
  }

  private var chance: TuneReport.Chance? {
    result.chance.map {
      .init(
        hits: $0.hits, detections: $0.detections, expectedHits: $0.expectedHits,
        pValue: $0.pValue)
    }
  }

  /// nil if nothing was chosen.
  private var curve: CurveDocument? {
    guard result.choice != nil else { return nil }
    let (curve, hours) = (result.curve, result.resubstitution.hours)
    let objective = curve.thresholds.indices.map { index -> Double? in
      let counts = curve.counts(at: index)
      guard plan.objective.allows(counts, hours: hours) else { return nil }
      return plan.objective.value(of: counts, hours: hours)
    }
    return CurveDocument(curve, objective: objective)
  }

  private var methodText: String {
    switch plan.method {
    case .sobol(let count):
      "sobol \(plan.space.dimensions.isEmpty ? 0 : count), then simplex"
    case .grid: "grid"
    }
  }

  private var threshold: TuneReport.Threshold? {
    guard let choice = result.choice else { return nil }
    let folds = result.folds.compactMap { $0.outcome.choice?.threshold }
    let spread = result.spread
    return TuneReport.Threshold(
      parameter: span.parameter, unit: span.unit.rawValue, value: choice.threshold,
      plateau: .init(choice.plateau.lower, choice.plateau.upper),
      standardError: choice.plateau.standardError, best: choice.bestThreshold,
      bestObjective: choice.bestValue, objective: choice.value,
      nullObjective: choice.valueOfNull,
      plateauBeginsAtEdge: choice.plateau.beginsAtEdge,
      plateauEndsAtEdge: choice.plateau.endsAtEdge,
      folds: folds.min().flatMap { low in folds.max().map { .init(low, $0) } },
      resamples: spread.map(resamples),
      resamplesWithoutChoice: spread?.withoutChoice ?? 0)
  }

  private func resamples(_ spread: ThresholdSpread) -> Estimate {
    let interval = spread.quantile(0.025).flatMap { low in
      spread.quantile(0.975).map { Interval(lower: low, upper: $0) }
    }
    return Estimate(
      spread.quantile(0.5), interval, by: .bootstrap, count: spread.thresholds.count,
      clusters: Set(result.groups).count)
  }

  private var activities: [TuneReport.Activity] {
    activityRates.map { activity, rate in
      TuneReport.Activity(
        activity: activity, count: rate.count, hours: rate.hours,
        falseAlarmsPerHour: Estimate(rate),
        falseAlarmsPerHourUpperIfNone: rate.oneSidedUpperBoundOfNone)
    }
  }

  private var folds: [TuneReport.Setting] {
    namedFolds.map { fold, counts, hours in
      let choice = fold.outcome.choice
      return setting(
        fold.group, counts, hours: hours, threshold: choice?.threshold,
        parameters: choice == nil ? [:] : fold.settings)
    }
  }

  private var pareto: [TuneReport.Setting] {
    result.pareto.map { point in
      var setting = setting(
        "", point.counts, hours: point.hours, threshold: point.threshold,
        parameters: point.settings)
      setting.figures["latency_p50"] = .seconds("latency_p50", point.medianLatency)
      return setting
    }
  }

  private var recordings: [TuneReport.Recording] {
    let own = zip(result.recordings, result.groups).map { recording, group in
      TuneReport.Recording(
        id: recording.id, sha256: recording.sha256, group: group, activity: recording.activity,
        references: recording.references, isTestSet: false)
    }
    let others = zip(testSet?.recordings ?? [], testSet?.groups ?? []).map { recording, group in
      TuneReport.Recording(
        id: recording.id, sha256: recording.sha256, group: group, activity: recording.activity,
        references: recording.references, isTestSet: true)
    }
    return (own + others).sorted { ($0.id, $0.sha256) < ($1.id, $1.sha256) }
  }
}
