import Detectors
import Diagnostics
package import Evaluation
import Scoring
import TraceModel
import Tuning

extension TuneOutcome {
  package var report: TuneReport {
    let heldOut = result.crossValidated
    return TuneReport(
      detector: measured.choice.detector, preset: measured.choice.preset,
      data: measured.name,
      objective: plan.objective.summary, search: plan.space.dimensions.map(\.summary),
      method: methodText, trials: result.trials.count, groupedBy: grouping.kind.rawValue,
      groups: Set(result.groups).count, isOptimistic: grouping.isOptimistic, seed: plan.seed,
      resamples: plan.resamples, isWorthHaving: result.verdict.isBetterThanNull, verdict: verdict,
      parameters: parameters, threshold: threshold,
      naive: .init(
        "tuned on", result.resubstitution.counts, hours: result.resubstitution.hours,
        objective: result.resubstitution.value, over: result.resubstitution, latency: naive?.latency
      ),
      heldOut: heldOut.map {
        .init("held out", $0.counts, hours: $0.hours, objective: $0.value, over: $0)
      },
      holdOut: holdOut.map { figures("hold-out", $0.score) },
      optimism: result.optimism.map {
        .init(
          recall: $0.recall, recallInterval: .init($0.recallOverGroups?.interval),
          falseAlarmsPerHour: $0.falseAlarmsPerHour,
          falseAlarmsPerHourInterval: .init($0.falseAlarmsOverGroups?.interval))
      },
      chance: result.chance.map {
        .init(
          hits: $0.hits, detections: $0.detections, expectedHits: $0.expectedHits,
          pValue: $0.pValue)
      },
      presets: presets.map { figures($0.name, $0.score) }, falseAlarmsByActivity: activities,
      folds: folds, pareto: pareto, warnings: TuneWarnings(outcome: self).all,
      recordings: recordings)
  }

  private func figures(_ name: String, _ score: EventScore) -> TuneReport.Figures {
    let hours = score.falseAlarms.hours
    return .init(
      name, score.counts, hours: hours,
      objective: plan.objective.value(of: score.counts, hours: hours), latency: score.latency)
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
      objectiveOfNothing: choice.valueOfNull,
      plateauBeginsAtEdge: choice.plateau.beginsAtEdge,
      plateauEndsAtEdge: choice.plateau.endsAtEdge,
      folds: folds.min().flatMap { low in folds.max().map { .init(low, $0) } },
      resamples: spread?.quantile(0.025).flatMap { low in
        spread?.quantile(0.975).map { .init(low, $0) }
      },
      resamplesMedian: spread?.quantile(0.5), resamplesWithoutChoice: spread?.withoutChoice ?? 0)
  }

  private var activities: [TuneReport.Activity] {
    activityRates.map { activity, rate in
      TuneReport.Activity(
        activity: activity, count: rate.count, hours: rate.hours, perHour: rate.estimate,
        interval: .init(rate.interval), boundIfNone: rate.oneSidedUpperBoundOfNone)
    }
  }

  private var folds: [TuneReport.Fold] {
    namedFolds.map { fold, counts, hours in
      TuneReport.Fold(
        group: fold.group,
        parameters: fold.outcome.choice == nil ? [:] : .init(fold.settings),
        threshold: fold.outcome.choice?.threshold,
        figures: .init(
          fold.group, counts, hours: hours,
          objective: plan.objective.value(of: counts, hours: hours)))
    }
  }

  private var pareto: [TuneReport.Point] {
    result.pareto.map { point in
      var figures = TuneReport.Figures(
        "", point.counts, hours: point.hours,
        objective: plan.objective.value(of: point.counts, hours: point.hours))
      figures.latencyP50 = point.medianLatency.map { Double($0) / 1e9 }
      return TuneReport.Point(
        parameters: .init(point.settings), threshold: point.threshold, figures: figures)
    }
  }

  private var recordings: [TuneReport.Recording] {
    let own = zip(result.recordings, result.groups).map { recording, group in
      TuneReport.Recording(
        id: recording.id, sha256: recording.sha256, group: group, activity: recording.activity,
        references: recording.references, isHeldOut: false)
    }
    let others = zip(holdOut?.recordings ?? [], holdOut?.groups ?? []).map { recording, group in
      TuneReport.Recording(
        id: recording.id, sha256: recording.sha256, group: group, activity: recording.activity,
        references: recording.references, isHeldOut: true)
    }
    return (own + others).sorted { ($0.id, $0.sha256) < ($1.id, $1.sha256) }
  }
}
