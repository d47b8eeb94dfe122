package import Diagnostics
package import Detectors
package import Scoring
package import TraceModel
package import Tuning

/// What somebody should know before they rely on a tuning, one sentence each.
package struct TuneWarnings {
  package let outcome: TuneOutcome

  package init(outcome: TuneOutcome) {
    self.outcome = outcome
  }

  package var all: [String] {
    [
      mixed, optimistic, fewGroups, noFolds, overBudget, budgetNotResolvable, withoutChoice, preset,
    ].compactMap(\.self) + edges + [narrow, spread].compactMap(\.self)
  }

  private var result: TuningResult { outcome.result }

  package var mixed: String? {
    let recordings = outcome.measured.recordings
    let made = recordings.count { $0.trace.header.origin == .synthetic }
    guard made > 0 else { return nil }
    return made == recordings.count
      ? "all traces are synthetic: simulated people tell nothing certain of real ones"
      : "\(made) of \(recordings.count) traces are synthetic, and are pooled with recorded ones"
  }

  private var optimistic: String? {
    guard outcome.grouping.isOptimistic else { return nil }
    let count = outcome.grouping.withoutSubject
    let reason =
      outcome.grouping.kind == .recording
      ? "groups are recordings"
      : "\(count) recording\(count == 1 ? " states" : "s state") no subject and "
        + "\(count == 1 ? "is a group by itself" : "are groups by themselves")"
    return "\(reason), so one person may be in several groups: held-out figures are optimistic for "
      + "a new person"
  }

  private var fewGroups: String? {
    let withReferences = Set(
      zip(result.recordings, result.groups).filter { $0.0.references > 0 }.map(\.1)
    ).count
    guard withReferences < ClusterInterval.fewestClusters else { return nil }
    return
      "\(withReferences) group\(withReferences == 1 ? " has" : "s have") references: intervals of "
      + "recall take events as independent, which events of one person are not, and so few groups "
      + "resampled tell too little of how far the threshold may move"
  }

  package var noFolds: String? {
    guard result.folds.isEmpty else { return nil }
    return "nothing was held out, for there is one group alone: all figures are of the data that "
      + "were tuned on, and new data will be worse"
  }

  private var overBudget: String? {
    guard let budget = outcome.plan.objective.budget, let heldOut = result.crossValidated,
      let rate = heldOut.falseAlarms.estimate, rate > budget
    else { return nil }
    // Some people make more of them than others: the wider of the two intervals.
    let lowest = [heldOut.falseAlarms.interval, heldOut.falseAlarmsOverGroups?.interval]
      .compactMap(\.?.lower).min()
    let mayBeChance = (lowest ?? 0) <= budget
    return "held out, there are \(fixed(rate, 1)) false alarms an hour: more than the budget of "
      + "\(number(budget)), "
      + (mayBeChance ? "though by no more than chance may do" : "and by more than chance would do")
      + "; to keep it with new people, tune for a lower one"
  }

  /// A preset was not tuned on these data, so its figures may be held against those held out.
  private var preset: String? {
    guard result.choice != nil, let value = result.crossValidated?.value else { return nil }
    let objective = outcome.plan.objective
    let equals = outcome.presets.filter { preset in
      let (counts, hours) = (preset.score.counts, preset.score.falseAlarms.hours)
      guard objective.allows(counts, hours: hours),
        let own = objective.value(of: counts, hours: hours)
      else { return false }
      return own >= value
    }.map(\.name)
    guard !equals.isEmpty else { return nil }
    return "held out, the tuning is not better than \(equals.joined(separator: " and ")) as "
      + "\(equals.count == 1 ? "it comes" : "they come")"
  }

  /// With fewer than five false alarms to be expected, one more or less decides.
  private var budgetNotResolvable: String? {
    guard let budget = outcome.plan.objective.budget else { return nil }
    let allowed = budget * result.resubstitution.hours
    guard allowed < 5 else { return nil }
    return
      "the budget is \(fixed(allowed, 1)) false alarms in the \(fixed(result.resubstitution.hours, 2)) h "
      + "there are: too few to tell \(number(budget)) an hour from twice that"
  }

  private var withoutChoice: String? {
    let without = result.folds.count { $0.outcome.choice == nil }
    guard without > 0 else { return nil }
    return
      "without \(without) of the \(result.folds.count) groups nothing was worth having: there, "
      + "nothing was detected"
  }

  private var edges: [String] {
    guard result.choice != nil else { return [] }
    var texts = outcome.plan.space.dimensions.compactMap { dimension -> String? in
      guard let value = result.settings[dimension.name], dimension.isAtEdge(value) else {
        return nil
      }
      return
        "\(dimension.name) \(value) is an end of what was searched: a better one may lie beyond"
    }
    if let plateau = result.choice?.plateau, plateau.beginsAtEdge || plateau.endsAtEdge {
      let end =
        plateau.beginsAtEdge
        ? plateau.endsAtEdge ? "both ends" : "the lower end" : "the upper end"
      texts.append(
        "the plateau reaches \(end) of the thresholds that were tried: its middle is that of what "
          + "was tried")
    }
    return texts
  }

  /// A twentieth of the threshold: less than sensors of one model differ.
  private var narrow: String? {
    guard let choice = result.choice, choice.threshold > 0,
      choice.plateau.width < choice.threshold / 20
    else { return nil }
    return "the plateau is narrow (\(outcome.span.text(of: rounded(choice.plateau.width)))): a "
      + "small change of the signal costs much"
  }

  private var spread: String? {
    guard let choice = result.choice, let lower = result.spread?.quantile(0.025),
      let upper = result.spread?.quantile(0.975), upper - lower > choice.threshold
    else { return nil }
    return "the choice hangs on who was recorded: over resampled groups it lies between "
      + "\(outcome.span.text(of: rounded(lower))) and \(outcome.span.text(of: rounded(upper)))"
  }
}
