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

  public var verdict: String {
    switch result.verdict {
    case .betterThanNull: return worth
    case .nothing(.nothingAllowed): return nothingAllowed
    case .nothing:
      return "nothing beats the null detector, which detects nothing: no threshold is better"
    case .notBetterCrossValidated:
      return
        "nothing beats the null detector when cross-validated: the result is better only on the "
        + "traces that it is tuned on"
    case .notAboveChance(let chance):
      return "nothing beats chance: \(chance.hits) of \(chance.references) references are hit"
        + (result.folds.isEmpty ? "" : " (cross-validated)")
        + ", and the same detections shifted in time hit as many or more in "
        + "\(fixed(100 * chance.share, 1)) % of \(chance.shifts) shifts"
    }
  }

  private var worth: String {
    guard let crossValidated = result.crossValidated else {
      return "better than the null detector on the traces that it is tuned on; not cross-validated"
    }
    let isOver = !plan.objective.allows(
      crossValidated.counts, hours: crossValidated.hours)
    return "better than the null detector (cross-validated)"
      + (isOver ? ", but over the budget" : "")
  }

  /// What is missing for a budget that not even the strictest threshold of the preset keeps.
  private var nothingAllowed: String {
    let text = "nothing is chosen: every threshold exceeds the budget of false alarms"
    guard let budget = plan.objective.budget, let shortfall = result.shortfall else {
      return "\(text)\(fewestFalseAlarms); allow more, or widen the range with --threshold"
    }
    let people = shortfall.people == 1 ? "1 person" : "\(shortfall.people) people"
    let whom = grouping.kind == .subject ? people : "\(shortfall.people) recordings"
    let alarms = shortfall.falseAlarms == 1 ? "alarm" : "alarms"
    let place = "\(span.parameter) \(span.text(of: rounded(shortfall.threshold)))"
    return "\(text) with confidence \(number(plan.rule.confidence)): with \(place), "
      + "\(shortfall.falseAlarms) false \(alarms) in \(fixed(shortfall.hours, 2)) h of \(whom) bound "
      + "the rate at \(fixed(shortfall.bound ?? .infinity, 1))/h"
      + (shortfall.isForNewPeople ? "" : " (for these people only)")
      + "; a budget of \(number(budget))/h needs " + need(shortfall, budget)
  }

  private func need(_ shortfall: BudgetShortfall, _ budget: Double) -> String {
    let otherwise = "; or allow more, or compare the measured rate with --confidence 0.5"
    guard shortfall.falseAlarms > 0 else {
      let hours = PoissonRate.hoursWithoutEvent(
        toShow: budget, confidence: plan.rule.confidence)
      return "\(fixed(hours, 2)) h without one" + otherwise
    }
    guard let times = shortfall.timesAsMany else {
      return "another detector or a wider range with --threshold; or allow more"
    }
    return "about \(times) times as many people like these, "
      + "\(fixed(Double(times) * shortfall.hours, 1)) h in all" + otherwise
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
