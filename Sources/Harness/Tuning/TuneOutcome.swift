import Detectors
import Scoring
import TraceModel
import Tuning

/// A tuning with all that was asked for beside it.
struct TuneOutcome: Sendable {
  /// What is tuned on and what is held out, without their difference.
  var measured: MeasuredSet
  var span: ThresholdSpan
  var plan: TuningPlan
  var grouping: TuneGrouping
  var result: TuningResult
  /// At the choice, on the data tuned on; nil without a choice.
  var naive: EventScore?
  /// On the recordings that were kept to the end.
  var holdOut: (score: EventScore, recordings: [TrialRecording], groups: [String])?
  /// The detector's presets, on the data tuned on.
  var presets: [(name: String, preset: String, score: EventScore)]

  var report: TuneReport {
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

  // MARK: What was chosen

  /// In words, one sentence.
  var verdict: String {
    switch result.verdict {
    case .betterThanNull: return worth
    case .nothing(.nothingAllowed):
      return "nothing beats the null detector: every threshold that was tried makes more false "
        + "alarms than the budget has\(fewestFalseAlarms); allow more, or look further with --threshold"
    case .nothing:
      return "nothing beats the null detector: no threshold does better than detecting nothing"
    case .notBetterCrossValidated:
      return
        "nothing beats the null detector: what looks better on the data that it was tuned on is "
        + "not better than detecting nothing on data held out"
    case .notAboveChance(let test):
      return "nothing beats the null detector: \(test.hits) of \(test.detections) detections "
        + (result.folds.isEmpty ? "" : "held out ")
        + "are hits, where as many blind shots would have \(fixed(test.expectedHits, 1)) "
        + "(p = \(fixed(test.pValue, 2)))"
    }
  }

  private var worth: String {
    guard let heldOut = result.crossValidated else {
      return "better than detecting nothing on the very data that it was tuned on, which says "
        + "nothing of others"
    }
    let isOver = !plan.objective.allows(heldOut.counts, hours: heldOut.hours)
    return "worth having: held out, it does better than detecting nothing"
      + (isOver ? ", but makes more false alarms than the budget has" : "")
  }

  /// Of the preset: where nothing is allowed, there are no chosen settings.
  private var fewestFalseAlarms: String {
    let curve = result.curve
    let fewest = curve.thresholds.indices.min {
      (curve.falsePositives[$0], $0) < (curve.falsePositives[$1], $1)
    }
    guard let fewest, let rate = curve.falseAlarms(at: fewest).estimate else { return "" }
    return " (the preset \(fixed(rate, 1)) an hour at the least, with \(span.parameter) "
      + "\(span.text(of: rounded(curve.thresholds[fewest]))))"
  }

  /// The settings and the threshold.
  var chosen: ParameterSettings {
    var settings = result.settings
    if let choice = result.choice { settings[span.parameter] = .number(choice.threshold) }
    return settings
  }

  var parameters: [ParameterFile.Parameter] {
    let plain = TraceHeader(id: "", origin: .recorded)
    let chosen = chosen
    let own = (try? measured.detector.parameters(of: measured.choice, for: plain)) ?? []
    return own.map { parameter in
      let origin: ParameterFile.Origin =
        chosen[parameter.name] != nil
        ? .tuned : measured.choice.overrides[parameter.name] != nil ? .stated : .preset
      return ParameterFile.Parameter(
        name: parameter.name, value: .init(chosen[parameter.name] ?? parameter.value),
        unit: parameter.unit, origin: origin)
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

  // MARK: Parts

  /// Counts by recording that the figures for new data rest on.
  var honestCounts: [EventCounts] {
    result.crossValidatedCounts.isEmpty ? result.resubstitutionCounts : result.crossValidatedCounts
  }

  /// False alarms by activity, in the order of the activities' names.
  var activityRates: [(activity: String, rate: PoissonRate)] {
    let counts = honestCounts
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

  private var activities: [TuneReport.Activity] {
    activityRates.map { activity, rate in
      TuneReport.Activity(
        activity: activity, count: rate.count, hours: rate.hours, perHour: rate.estimate,
        interval: .init(rate.interval), boundIfNone: rate.oneSidedUpperBoundOfNone)
    }
  }

  /// By the groups' names.
  var namedFolds: [(fold: TuningFold, counts: EventCounts, hours: Double)] {
    result.folds.sorted { $0.group < $1.group }.map { fold in
      (
        fold, fold.recordings.reduce(EventCounts()) { $0 + result.crossValidatedCounts[$1] },
        fold.recordings.reduce(0) { $0 + result.hours[$1] }
      )
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
