package import Evaluation
package import Diagnostics
package import Detectors
package import Scoring
package import TraceModel
package import Tuning

extension TuneOutcome {
  /// nil where nothing was chosen, so that there is nothing to show.
  package var picture: TunePicture? {
    guard let choice = result.choice else { return nil }
    let curve = result.curve
    let steps = shown(curve)
    return TunePicture(
      caption: caption, objective: plan.objective.summary, objectiveAxis: plan.objective.axis,
      budget: plan.objective.budget,
      curve: .init(
        name: "", points: steps.map { point(curve, $0) }, isExact: curve.isExact), marks: marks,
      naive: estimate(result.resubstitution),
      nested: result.crossValidated.map(estimate),
      plateau: .init(
        objective: steps.map { step in
          let counts = curve.counts(at: step)
          let hours = result.resubstitution.hours
          return .init(
            threshold: curve.thresholds[step],
            objective: plan.objective.allows(counts, hours: hours)
              ? plan.objective.value(of: counts, hours: hours) : nil)
        }, lower: choice.plateau.lower, upper: choice.plateau.upper, middle: choice.threshold,
        foldThresholds: namedFolds.compactMap { $0.fold.outcome.choice?.threshold }),
      groups: shownGroups, groupKind: grouping.kind.rawValue, isOptimistic: grouping.isOptimistic,
      activities: activityRates.map { .init(name: $0.activity, rate: $0.rate) },
      findings: [capital(verdict)] + pictured.map(capital))
  }

  private var shownGroups: [TunePicture.Group] {
    let folds = namedFolds
    let shown = ShownFolds(folds.map(\.counts))
    func group(_ name: String, _ positions: [Int]) -> TunePicture.Group {
      let counts = positions.reduce(EventCounts()) { $0 + folds[$1].counts }
      let hours = positions.reduce(0) { $0 + folds[$1].hours }
      return .init(
        name: name, counts: counts,
        falseAlarms: PoissonRate(count: counts.falsePositives, hours: hours))
    }
    return shown.single.map { group(folds[$0].fold.group, [$0]) }
      + (shown.others.isEmpty ? [] : [group(shown.nameOfOthers, shown.others)])
  }

  /// The notes without which the picture would be taken for better than it is.
  private var pictured: [String] {
    let warnings = TuneWarnings(outcome: self)
    return [warnings.mixed, warnings.noFolds].compactMap(\.self)
  }

  private func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private var caption: PictureCaption {
    PictureCaption(
      detector: measured.choice.title, data: measured.name,
      traces: result.recordings.count, references: result.curve.references,
      hours: result.resubstitution.hours, tolerance: tolerance,
      parameter: span.parameter, unit: span.unit.rawValue)
  }

  /// As the figures rest on it: several, where references state different ones.
  private var tolerance: String {
    var texts: [String] = []
    for tolerance in naive?.tolerances ?? [] {
      let text =
        tolerance.early == tolerance.late
        ? "\(number(seconds(tolerance.late) * 1000)) ms"
        : "\(number(seconds(tolerance.early))) s before to \(number(seconds(tolerance.late))) s after"
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.joined(separator: " or ")
  }

  /// No more steps than can be seen.
  private func shown(_ curve: ThresholdCurve) -> [Int] {
    let most = CurvePicture.Curve.mostPoints
    guard curve.count > most else { return Array(0..<curve.count) }
    return (0..<most).map { $0 * (curve.count - 1) / (most - 1) }
  }

  private func point(_ curve: ThresholdCurve, _ step: Int) -> PicturePoint {
    PicturePoint(
      threshold: curve.thresholds[step], counts: curve.counts(at: step),
      falseAlarms: curve.falseAlarms(at: step))
  }

  private func estimate(_ figures: OperatingFigures) -> TunePicture.Estimate {
    .init(
      recall: figures.recall.estimate,
      recallInterval: figures.recallOverGroups?.interval ?? figures.recall.interval,
      falseAlarms: figures.falseAlarms.estimate,
      falseAlarmsInterval: figures.falseAlarms.interval)
  }

  private var marks: [PictureMark] {
    var marks: [PictureMark] = []
    if let choice = result.choice {
      marks.append(
        PictureMark(
          name: "chosen", role: .chosen,
          point: PicturePoint(
            threshold: choice.threshold, counts: choice.counts,
            falseAlarms: result.resubstitution.falseAlarms, latency: naive?.latency)))
    }
    for preset in presets {
      let threshold = measured.detector.threshold(span.parameter, ofPreset: preset.preset) ?? 0
      marks.append(
        PictureMark(
          name: preset.name,
          role: preset.preset == measured.choice.preset
            ? .preset : preset.preset == "default" ? .standard : .other,
          point: PicturePoint(
            threshold: threshold, counts: preset.score.counts,
            falseAlarms: preset.score.falseAlarms, latency: preset.score.latency)))
    }
    return marks
  }
}
