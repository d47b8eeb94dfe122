import Diagnostics
import Scoring
public import Tuning

/// The reason why a tuning writes no parameters.
public enum TuneRefusal: String, Hashable, Sendable {
  /// The result is not better than the null detector, or than chance.
  case notBetter = "not_better"
  /// The people are too few for a budget with this confidence, or for it in cross-validation.
  case fewPeople = "few_people"
  /// The choice loses more of the preset's recall than ``RecallLoss/most``.
  case recallLoss = "recall_loss"
  /// The preset finds more with fewer false alarms.
  case worseThanPreset = "worse_than_preset"
}

/// The recall of a choice and of the tuned preset, which has more.
public struct RecallLoss: Hashable, Sendable {
  public var preset: Double
  public var chosen: Double
  /// Whether each group has parameters tuned without it; otherwise the recordings that it is tuned on.
  public var isCrossValidated: Bool
  /// The lost share of the preset's recall.
  public var share: Double { 1 - chosen / preset }

  /// The largest share that is written without `--accept-loss`.
  public static let most = 0.1
}

/// What other options give on the same recordings.
public struct TuneAlternative: Sendable {
  /// E.g. `--confidence 0.5`.
  public var options: String
  /// Whether the budget still holds; otherwise the options replace it.
  public var keepsBudget: Bool
  public var result: TuningResult
  /// Whether this choice would be refused as well.
  public var isRefused: Bool

  /// Cross-validated, if there is more than one group.
  public var figures: OperatingFigures { result.crossValidated ?? result.resubstitution }
}

extension TuneOutcome {
  public var refusal: TuneRefusal? {
    if result.verdict.isBetterThanNull {
      guard !acceptsLoss else { return nil }
      if (loss?.share ?? 0) > RecallLoss.most {
        return foldsWithoutBudget > 0 ? .fewPeople : .recallLoss
      }
      return isWorseThanPreset(result) ? .worseThanPreset : nil
    }
    // Folds without detections say nothing of the choice.
    if foldsWithoutBudget > 0, result.verdict == .notBetterCrossValidated { return .fewPeople }
    guard result.outcome == .nothingAllowed, let budget = plan.rule.boundedBudget, budget > 0,
      result.boundedFor == .undefined || result.shortfall?.timesAsMany != nil
    else { return .notBetter }
    return .fewPeople
  }

  /// The folds whose people are too few to show that any threshold keeps the budget, although all people
  /// together are enough.
  private var foldsWithoutBudget: Int {
    guard result.choice != nil, plan.rule.boundedBudget != nil else { return 0 }
    return Set(result.folds.filter { $0.outcome == .nothingAllowed }.map(\.fold)).count
  }

  /// The choice, unless it is refused for want of people.
  package var shownChoice: ThresholdChoice? { refusal == .fewPeople ? nil : result.choice }

  private var preset: EventScore? {
    presets.first { $0.preset == measured.choice.preset }?.score.pooled
  }

  private var presetRecall: Double? { preset?.recall.estimate }

  /// Whether the preset, which never saw these data, is no worse than the cross-validated choice in either
  /// figure, and better in one. A choice that holds the preset is it.
  private func isWorseThanPreset(_ result: TuningResult) -> Bool {
    guard result.choice != nil, !holdsPreset(result), let preset,
      let chosen = result.crossValidated?.score, let (recall, rate) = Self.figures(of: chosen),
      let own = Self.figures(of: preset)
    else { return false }
    return own.recall >= recall && own.rate <= rate && own != (recall, rate)
  }

  private static func figures(of score: EventScore) -> (recall: Double, rate: Double)? {
    guard let recall = score.recall.estimate, let rate = score.falseAlarms.estimate else {
      return nil
    }
    return (recall, rate)
  }

  /// E.g. `the preset is better: it finds 0.953 with 79.6 false alarms per hour, the tuning 0.933 with 84.3
  /// (cross-validated)`.
  package var worse: String {
    func text(_ score: EventScore?) -> [String] {
      score.flatMap(Self.figures).map { [fixed($0.recall, 3), fixed($0.rate, 1)] } ?? ["-", "-"]
    }
    let (own, chosen) = (text(preset), text(result.crossValidated?.score))
    return
      "the preset is better: it finds \(own[0]) with \(own[1]) false alarms per hour, the tuning "
      + "\(chosen[0]) with \(chosen[1]) (cross-validated)"
  }

  /// The larger of the loss cross-validated and on the same recordings; nil if the choice finds as many
  /// as the preset, or without a choice or references.
  public var loss: RecallLoss? {
    loss(of: result)
  }

  private func loss(of result: TuningResult) -> RecallLoss? {
    guard result.choice != nil, let preset = presetRecall else { return nil }
    func loss(_ figures: OperatingFigures?, isCrossValidated: Bool) -> RecallLoss? {
      guard let chosen = figures?.score.recall.estimate, chosen < preset else { return nil }
      return RecallLoss(preset: preset, chosen: chosen, isCrossValidated: isCrossValidated)
    }
    return [
      loss(result.crossValidated, isCrossValidated: true),
      loss(result.resubstitution, isCrossValidated: false),
    ].compactMap(\.self).max { $0.share < $1.share }
  }

  /// Adds what other options and more people give.
  package mutating func addWaysOn(_ tuner: Tuner) async throws {
    let isRefused = refusal != nil && refusal != .notBetter
    if isRefused {
      let enough = (1 - RecallLoss.most) * (presetRecall ?? 0)
      prospect = try await tuner.prospect(result.settings, recall: enough)
      if prospect == nil, refusal == .fewPeople {
        prospect = try await tuner.prospect(result.settings, recall: 0)
      }
    } else if result.choice != nil, result.boundedFor == .newPeople {
      prospect = try await tuner.prospect(result.settings, times: 2)
    }
    guard isRefused, plan.objective.budget != nil else { return }
    var byRate = plan.rule
    byRate.confidence = 0.5
    var byF1 = plan.rule
    byF1.objective = .fBeta(1)
    let rules =
      (plan.rule.testsBound ? [("--confidence 0.5", true, byRate)] : [])
      + [("--objective f1", false, byF1)]
    for (options, keepsBudget, rule) in rules {
      let other = try await tuner.alternative(rule)
      let isRefused =
        !other.verdict.isBetterThanNull || (loss(of: other)?.share ?? 0) > RecallLoss.most
        || isWorseThanPreset(other)
      alternatives.append(
        TuneAlternative(
          options: options, keepsBudget: keepsBudget, result: other, isRefused: isRefused))
    }
  }

  // MARK: Text

  /// E.g. `3 people are too few to show with confidence 0.9 that ...`.
  package var tooFew: String {
    let people = "\(grouping.people(Set(result.groups).count)) are too few"
    let sure = "with confidence \(number(plan.rule.confidence))"
    let budget = "\(number(plan.objective.budget ?? 0)) false alarms per hour"
    guard foldsWithoutBudget > 0 else {
      return "\(people) to show \(sure) that the mean of new people stays within \(budget)"
    }
    return "\(people): with some of them left out (\(foldsWithoutBudget) of "
      + "\(Set(result.folds.map(\.fold)).count) folds), no threshold is shown \(sure) to stay within "
      + budget
  }

  /// E.g. `41 % of the preset's recall is lost (0.580, not 0.983; cross-validated)`.
  package var lost: String? {
    loss.map {
      "\(fixed(100 * $0.share, $0.share < 0.2 ? 1 : 0)) % of the preset's recall is lost "
        + "(\(fixed($0.chosen, 3)), not \(fixed($0.preset, 3)); "
        + ($0.isCrossValidated ? "cross-validated)" : "same recordings)")
    }
  }

  /// What is lost, and how to go on without that.
  var refusedLoss: String {
    let ways = [waysOn, "use --accept-loss"].filter { !$0.isEmpty }
    return (refusal == .recallLoss ? lost ?? "" : worse) + "; " + ways.joined(separator: ", or ")
  }

  /// The plan, and the options with what they give.
  var waysOn: String {
    let options = alternatives.map { way in
      let score = way.figures.score
      let place = way.keepsBudget ? "" : " in place of the budget"
      return "\(way.options)\(place) (recall \(fixed(score.recall.estimate ?? .nan, 3)), "
        + "\(fixed(score.falseAlarms.estimate ?? .nan, 1)) false alarms per hour"
        + (way.result.crossValidated == nil ? "" : ", cross-validated")
        + (way.isRefused ? "; refused as well)" : ")")
    }
    let use = options.isEmpty ? [] : ["use " + options.joined(separator: " or ")]
    return ((plannedPeople.map { ["record \($0)"] } ?? []) + use).joined(separator: ", or ")
  }

  /// E.g. `about 6 more people like these (0.23 h each)`; nil = more people do not help.
  package var plannedPeople: String? {
    prospect.map {
      let each = result.resubstitution.hours / Double(max(Set(result.groups).count, 1))
      return "about \($0.morePeople) more \(grouping.noun) like these (\(fixed(each, 2)) h each)"
    }
  }
}

extension TuneGrouping {
  /// Of several.
  package var noun: String { kind == .subject ? "people" : "recordings" }

  package func people(_ count: Int) -> String {
    count == 1 ? kind == .subject ? "1 person" : "1 recording" : "\(count) \(noun)"
  }
}
