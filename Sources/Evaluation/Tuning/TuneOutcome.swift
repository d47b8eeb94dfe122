import Diagnostics
import Detectors
public import Scoring
import TraceModel
public import Tuning

public struct TuneOutcome: Sendable {
  /// The data that it was tuned and cross-validated on.
  public var measured: EvaluationDataset
  public var span: ThresholdSpan
  public var plan: TuningPlan
  public var grouping: TuneGrouping
  public var result: TuningResult
  /// The score of the choice on the data that it was tuned on; nil without a choice.
  public var resubstitution: Clustered<EventScore>?
  /// The score of the choice on the test set.
  public var testSet:
    (
      score: Clustered<EventScore>, recordings: [TrialRecording], groups: [String],
      inputs: [InputFile]
    )?
  public typealias Preset = (name: String, preset: String, score: Clustered<EventScore>)
  /// The scores of the detector's presets on the data that it was tuned on.
  public var presets: [Preset]
  /// Whether parameters are written that lose more recall than ``RecallLoss/most``.
  public var acceptsLoss = false
  /// What other options give, if this choice is refused.
  public var alternatives: [TuneAlternative] = []
  /// What more people give: the fewest that suffice, or as many again if the choice is not refused.
  public var prospect: PeopleProspect?

  public var verdict: String {
    if refusal == .fewPeople, result.choice != nil {
      return "nothing is chosen: \(tooFew); \(waysOn)"
    }
    switch result.verdict {
    case .betterThanNull where refusal != nil: return refusedLoss
    case .betterThanNull: return worth
    case .nothing(.nothingAllowed): return nothingAllowed
    case .nothing:
      return "nothing is better than detecting nothing: no threshold is"
    case .notBetterCrossValidated:
      return
        "nothing is better than detecting nothing when cross-validated: the result is better only on the "
        + "traces that it is tuned on"
    case .notAboveChance(let chance):
      return "nothing beats chance: \(chance.hits) of \(chance.references) references are hit"
        + (result.folds.isEmpty ? "" : " (cross-validated)")
        + ", and the same detections shifted in time hit as many or more in "
        + "\(fixed(100 * chance.share, 1)) % of \(chance.shifts) shifts"
    case .cannotBeTold(let chance):
      return "\(worth); whether it is better than chance cannot be told: \(chance.reason)"
    }
  }

  private var worth: String {
    guard let crossValidated = result.crossValidated else {
      return "better than detecting nothing on the traces that it is tuned on; not cross-validated"
    }
    let isOver = !plan.objective.allows(crossValidated.counts, hours: crossValidated.hours)
    return "better than detecting nothing (cross-validated)"
      + (!isOver
        ? "" : ", but " + (isOverByChance ? "not shown to be within" : "over") + " the budget")
      + (equalPresets.isEmpty
        ? "" : ", but not better than \(equalPresets.joined(separator: " and ")) without tuning")
  }

  /// Whether the cross-validated rate may be above the budget by chance.
  var isOverByChance: Bool {
    guard let budget = plan.objective.budget,
      let lowest = result.crossValidated?.clustered.rate(\.falseAlarms).interval?.lower
    else { return true }
    return lowest <= budget
  }

  /// The presets that do as well as the cross-validated choice. A preset is not tuned on these data, so
  /// its figures compare with the cross-validated ones.
  package var equalPresets: [String] {
    guard result.choice != nil, let value = result.crossValidated?.value else { return [] }
    return presets.filter { preset in
      let score = preset.score.pooled
      let own = plan.objective.value(of: score.counts, hours: score.falseAlarms.hours)
      return isWithinBudget(preset.score) && (own ?? -.infinity) >= value
    }.map(\.name)
  }

  /// By the rule of the choice.
  private func isWithinBudget(_ score: Clustered<EventScore>) -> Bool {
    guard let (budget, alarms) = bounded(score) else {
      return plan.objective.allows(score.pooled.counts, hours: score.pooled.falseAlarms.hours)
    }
    return budget.allows(alarms)
  }

  /// The upper bound of the tuned preset's false alarms per hour, as that of the choice; nil = none.
  package var boundOfPreset: Double? {
    let score = presets.first { $0.preset == measured.choice.preset }?.score
    return score.flatMap(bounded).flatMap { $0.budget.upperBound($0.alarms) }
  }

  private func bounded(_ score: Clustered<EventScore>) -> (budget: RateBudget, alarms: [Int])? {
    guard let budget = plan.rule.boundedBudget else { return nil }
    let isOne = result.boundedFor == .thesePeople || score.parts.isEmpty
    let people = isOne ? [score.pooled] : score.parts
    return (
      RateBudget(
        budget, confidence: plan.rule.confidence, hours: people.map(\.falseAlarms.hours)),
      people.map(\.counts.falsePositives)
    )
  }

  /// What is missing for a budget that not even the strictest threshold of the preset keeps.
  private var nothingAllowed: String {
    guard let budget = plan.rule.boundedBudget, let shortfall = result.shortfall else {
      return "nothing is chosen: every threshold exceeds the budget of false alarms"
        + "\(fewestFalseAlarms); allow more, or widen the range with --threshold"
    }
    guard budget > 0 else {
      return "nothing is chosen: no number of hours shows a rate of 0 false alarms per hour; allow "
        + "more than 0, or compare the measured rate with --confidence 0.5"
    }
    if result.boundedFor == .undefined { return "nothing is chosen: \(tooFew); \(waysOn)" }
    let alarms = shortfall.falseAlarms == 1 ? "alarm" : "alarms"
    let place = "\(span.parameter) \(span.text(of: rounded(shortfall.threshold)))"
    let bound = shortfall.bound.map { "bound the rate at \(fixed($0, 1))/h" } ?? "give no bound"
    return "nothing is chosen: no threshold can be shown to be within \(number(budget)) false "
      + "alarms per hour with confidence \(number(plan.rule.confidence)): with \(place), "
      + "\(shortfall.falseAlarms) false \(alarms) in \(fixed(shortfall.hours, 2)) h of "
      + "\(grouping.people(shortfall.people)) \(bound)"
      + (shortfall.isForNewPeople ? "" : " (for these people only)") + "; allow more, or "
      + (shortfall.timesAsMany == nil
        ? "use another detector or a wider range with --threshold" : waysOn)
  }

  /// The fewest false alarms of the preset: if nothing is allowed, no settings are chosen.
  private var fewestFalseAlarms: String {
    let curve = result.curve.pooled
    let fewest = curve.thresholds.indices.min {
      (curve.falsePositives[$0], $0) < (curve.falsePositives[$1], $1)
    }
    guard let fewest, let rate = curve.falseAlarms(at: fewest).estimate else { return "" }
    return " (the preset has at least \(fixed(rate, 1)) per hour, with \(span.parameter) "
      + "\(span.text(of: rounded(curve.thresholds[fewest]))))"
  }

  /// Whether the preset's threshold is on the plateau, at the preset's other parameters.
  package var holdsPreset: Bool { holdsPreset(result) }

  func holdsPreset(_ result: TuningResult) -> Bool {
    let preset = measured.detector.parameters(ofPreset: measured.choice.preset)
    guard let plateau = result.choice?.plateau, let own = preset.number(span.parameter) else {
      return false
    }
    let isBelowEnd = own < plateau.upper || plateau.endsAtEdge && own == plateau.upper
    return own >= plateau.lower && isBelowEnd
      && result.settings.allSatisfy { name, value in
        preset.contains { $0.name == name && $0.value == value }
      }
  }

  public var chosen: ParameterSettings {
    var settings = result.settings
    if let choice = result.choice { settings[span.parameter] = .number(choice.threshold) }
    return settings
  }

  package var parameters: [ParameterFile.Parameter] {
    let chosen = chosen
    let own = (try? measured.detector.parameters(of: measured.choice)) ?? []
    // The profiles of all people: a run resolves the profile of one person.
    let profiles = measured.choice.overrides.sorted { $0.key < $1.key }.filter {
      if case .profiles = $0.value { true } else { false }
    }.map {
      ParameterFile.Parameter(name: $0.key, value: $0.value, unit: "", origin: .stated)
    }
    return profiles
      + own.filter { parameter in !profiles.contains { $0.name == parameter.name } }.map {
        parameter in
        let origin: ParameterFile.Origin =
          chosen[parameter.name] != nil
          ? .tuned : measured.choice.overrides[parameter.name] != nil ? .stated : .preset
        return ParameterFile.Parameter(
          name: parameter.name, value: chosen[parameter.name] ?? parameter.value,
          unit: parameter.unit, origin: origin)
      }
  }

  /// False alarms by activity in alphabetical order: cross-validated if there are folds.
  public var activityRates: [(activity: String, score: Clustered<EventScore>)] {
    let counts =
      result.crossValidatedCounts.isEmpty
      ? result.resubstitutionCounts : result.crossValidatedCounts
    let byActivity = Dictionary(grouping: counts.indices) { result.recordings[$0].activity }
    return byActivity.sorted { $0.key < $1.key }.map { activity, recordings in
      let runs = recordings.map { recording in
        var score = EventScore()
        score.counts = counts[recording]
        score.scoredNanoseconds = result.scoredNanoseconds[recording]
        return (grouping.kind == .subject ? result.recordings[recording].subject : "", score)
      }
      return (activity, Clustered(runs, pool: EventScore.pooled))
    }
  }
}
