import Diagnostics
import Detectors
import Scoring
import TraceModel
import Tuning

extension TuneOutcome {
  /// The warnings about the tuning, one sentence each.
  package var warnings: [String] {
    [
      mixed, measured.countNote, optimistic, fewGroups, noFolds, overBudget, budgetNotResolvable,
      withoutChoice,
    ].compactMap(\.self) + edges + plateauWarnings + [spread].compactMap(\.self)
  }

  /// Those about the range of thresholds that do about as well as the chosen one.
  package var plateauWarnings: [String] { [plateauEdge, narrow].compactMap(\.self) }

  package var mixed: String? {
    let recordings = measured.recordings
    let made = recordings.count { $0.trace.header.origin == .synthetic }
    guard made > 0 else { return nil }
    return made == recordings.count
      ? "all traces are synthetic: results for real people may differ"
      : "\(made) of \(recordings.count) traces are synthetic and pooled with recorded ones"
  }

  private var optimistic: String? {
    guard grouping.isOptimistic else { return nil }
    let count = grouping.withoutSubject
    let reason =
      grouping.kind == .recording
      ? "groups are recordings"
      : "\(count) recording\(count == 1 ? " states" : "s state") no subject and "
        + "\(count == 1 ? "is a group by itself" : "are groups by themselves")"
    return "\(reason), so one person may be in several groups: cross-validated figures are "
      + "optimistic for a new person"
  }

  private var fewGroups: String? {
    let withReferences = Set(
      zip(result.recordings, result.groups).filter { $0.0.references > 0 }.map(\.1)
    ).count
    guard withReferences < TuningError.fewestGroups else { return nil }
    return
      "\(withReferences) group\(withReferences == 1 ? " has" : "s have") references: intervals of "
      + "recall are for these people only, and resampling so few groups underestimates the spread of "
      + "the threshold"
  }

  package var noFolds: String? {
    guard result.folds.isEmpty else { return nil }
    return "there is no cross-validation, because there is only one group: all figures are of "
      + "the recordings that were tuned on, and new data will be worse"
  }

  private var overBudget: String? {
    guard shownChoice != nil, let budget = plan.objective.budget,
      let validated = result.crossValidated,
      let rate = validated.score.falseAlarms.estimate, rate > budget
    else { return nil }
    return "cross-validated, there are \(fixed(rate, 1)) false alarms per hour, which "
      + (isOverByChance
        ? "cannot be shown to be within the budget of \(number(budget)), nor above it"
        : "exceeds the budget of \(number(budget)) by more than chance explains")
      + "; to keep the budget with new people, tune for a lower one"
  }

  /// With fewer than five expected false alarms, a single one decides.
  private var budgetNotResolvable: String? {
    guard let budget = plan.objective.budget, !plan.rule.testsBound else { return nil }
    let allowed = budget * result.resubstitution.hours
    guard allowed < 5 else { return nil }
    return
      "the budget allows \(fixed(allowed, 1)) false alarms in "
      + "\(fixed(result.resubstitution.hours, 2)) h: too few to distinguish \(number(budget)) per hour "
      + "from \(number(2 * budget))"
  }

  private var withoutChoice: String? {
    let folds = Set(result.folds.map(\.fold)).count
    let without = Set(result.folds.filter { $0.outcome.choice == nil }.map(\.fold)).count
    guard without > 0, shownChoice != nil else { return nil }
    return
      "in \(without) of the \(folds) folds nothing is chosen: these folds have no detections"
  }

  private var edges: [String] {
    guard shownChoice != nil else { return [] }
    return plan.space.dimensions.compactMap { dimension -> String? in
      guard let value = result.settings[dimension.name], dimension.isAtEdge(value) else {
        return nil
      }
      return
        "\(dimension.name) \(value) is at an end of its search range: a better value may lie beyond"
    }
  }

  private var plateauEdge: String? {
    guard let plateau = shownChoice?.plateau, plateau.beginsAtEdge || plateau.endsAtEdge else {
      return nil
    }
    let end =
      plateau.beginsAtEdge
      ? plateau.endsAtEdge ? "both ends" : "the lower end" : "the upper end"
    return "the plateau reaches \(end) of the thresholds: its true middle may lie elsewhere; use a "
      + "wider --threshold range"
  }

  /// Warns below a twentieth of the threshold, which is less than the spread of sensors of one model.
  private var narrow: String? {
    guard let choice = shownChoice, choice.threshold > 0,
      choice.plateau.width < choice.threshold / 20
    else { return nil }
    return
      "the range of good values is narrow (\(span.text(of: rounded(choice.plateau.width)))): small "
      + "changes matter"
  }

  private var spread: String? {
    guard let choice = shownChoice, let lower = result.spread?.quantile(0.025),
      let upper = result.spread?.quantile(0.975), upper - lower > choice.threshold
    else { return nil }
    return "the threshold depends on the recorded people: over resampled groups it lies between "
      + "\(span.text(of: rounded(lower))) and \(span.text(of: rounded(upper)))"
  }
}
