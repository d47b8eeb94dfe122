internal import Scoring

/// What would be chosen with more people like these, each with as many hours, hits and false alarms.
public struct PeopleProspect: Hashable, Sendable, Codable {
  /// The number of people in addition to these.
  public var morePeople: Int
  public var threshold: Double
  public var recall: Double
  public var falseAlarmsPerHour: Double
}

extension Tuner {
  /// Returns the result of another rule with the same search and folds, without resamples and front.
  public func alternative(_ rule: ChoiceRule) async throws -> TuningResult {
    var tuner = self
    (tuner.plan.rule, tuner.plan.resamples, tuner.plan.paretoRuns) = (rule, 0, 0)
    (tuner.progress, tuner.search.progress) = (.silent, .silent)
    return try await tuner.run()
  }

  /// Returns what a budget's bound for new people would choose with `times` as many people at the same
  /// settings; nil = nothing, or no bound is tested.
  public func prospect(
    _ settings: ParameterSettings, times: Int
  ) async throws -> PeopleProspect? {
    guard plan.rule.boundedBudget != nil else { return nil }
    var rule = plan.rule
    rule.bound = .newPeople
    let curves = try await store.curves(at: settings, .preset)
    let weights = grouping.all.map { times * $0 }
    guard let choice = choose(rule, curves, weights: weights).choice else { return nil }
    return PeopleProspect(
      morePeople: (times - 1) * grouping.count, threshold: choice.threshold, recall: choice.value,
      falseAlarmsPerHour: Double(choice.counts.falsePositives) / curves.hours(weights))
  }

  /// Returns the prospect with the fewest people whose recall is at least `recall`; nil = a thousand
  /// times as many are too few, or more people do not help.
  public func prospect(
    _ settings: ParameterSettings, recall: Double
  ) async throws -> PeopleProspect? {
    for times in BudgetShortfall.tried {
      let prospect = try await prospect(settings, times: times)
      if let prospect, prospect.recall >= recall { return prospect }
    }
    return nil
  }
}
