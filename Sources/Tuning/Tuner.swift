public import Scoring
internal import TraceModel

public struct TuningPlan: Sendable {
  public var rule: ChoiceRule
  public var space: SearchSpace
  public var method: SearchSpace.Method
  /// The maximum number of evaluations of the simplex from each start; 0 = no simplex.
  public var refinements = 24
  /// The group of each of the evaluator's recordings.
  public var groups: [String]
  public var kind: ClusterKind
  public var allowsFewGroups = false
  /// The seed of the resamples and of the shifts.
  public var seed: UInt64 = 1
  /// The number of resamples of the groups, on each of which a threshold is chosen.
  public var resamples = 2000
  /// The maximum number of operating points to run for the Pareto front; 0 = no front.
  public var paretoRuns = 48

  public var objective: Objective { rule.objective }

  public init(
    _ rule: ChoiceRule, space: SearchSpace = SearchSpace(),
    method: SearchSpace.Method = .sobol(64), groups: [String], kind: ClusterKind = .people
  ) {
    (self.rule, self.space, self.method) = (rule, space, method)
    (self.groups, self.kind) = (groups, kind)
  }
}

/// A tuning without enough data for meaningful figures.
public enum TuningError: Error, Hashable, Sendable, CustomStringConvertible {
  case noReferences
  case fewGroups(Int)
  case fewGroupsWithReferences(Int)

  /// With fewer groups, the cross-validated figures rest on one or two groups and mean little.
  public static let fewestGroups = 3

  public var description: String {
    switch self {
    case .noReferences:
      "expected recordings with references, found none; add references with convert --reference"
    case .fewGroups(let count):
      "expected \(Self.fewestGroups) groups or more, found \(count): cross-validation would test "
        + "on one group and tune on \(max(count - 1, 0))"
    case .fewGroupsWithReferences(let count):
      "expected \(Self.fewestGroups) groups or more with references, found \(count): the recall "
        + "of so few says little about others"
    }
  }
}

/// Finds the best settings and threshold of a detector for an objective, and estimates how reliable
/// they are.
///
/// The figures depend only on the recordings and the plan: not on the order of the recordings, the
/// names of the groups, or the parallelism of the evaluator.
public struct Tuner: Sendable {
  private let evaluator: any TrialEvaluator
  var plan: TuningPlan
  let grouping: Grouping
  var search: Search
  let store: TrialStore
  var progress: TuningProgress

  /// - Parameter whenStepped: receives the number of done steps and the number of all steps.
  /// - Throws: ``TuningError`` if there are too few data.
  /// - Precondition: the plan has a group for each of the evaluator's recordings.
  public init(
    _ evaluator: any TrialEvaluator, _ plan: TuningPlan, by methods: any SearchMethods,
    whenStepped: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(TuningError) {
    let recordings = evaluator.recordings
    precondition(recordings.count == plan.groups.count)
    self.evaluator = evaluator
    self.plan = plan
    grouping = Grouping(recordings, labels: plan.groups)
    store = TrialStore(evaluator, grouping)
    let searches = grouping.count > 1 ? 1 + grouping.folds.count : 1
    let steps = Search.mostSteps(
      of: plan.space, plan.method, by: methods, refinements: plan.refinements)
    progress = TuningProgress(total: searches * steps + plan.paretoRuns, report: whenStepped)
    search = Search(
      rule: plan.rule, space: plan.space, method: plan.method, methods: methods,
      refinements: plan.refinements, grouping: grouping, store: store,
      progress: progress)
    let withReferences = grouping.hasReferences.count(where: \.self)
    guard withReferences > 0 else { throw .noReferences }
    guard !plan.allowsFewGroups else { return }
    guard grouping.count >= TuningError.fewestGroups else { throw .fewGroups(grouping.count) }
    guard withReferences >= TuningError.fewestGroups else {
      throw .fewGroupsWithReferences(withReferences)
    }
  }

  public func run() async throws -> TuningResult {
    try await with(try await bounded(plan.rule)).result()
  }

  /// Returns the rule with the bound that it can have for all groups and in each fold.
  private func bounded(_ rule: ChoiceRule) async throws -> ChoiceRule {
    var rule = rule
    guard rule.boundedBudget != nil else { return rule }
    let curves = try await store.curves(at: [:], .preset)
    let isForNewPeople = ([grouping.all] + grouping.folds.map(grouping.without)).allSatisfy {
      curves.boundsNewPeople(rule, weights: $0, groups: grouping.groupOfRecording)
    }
    rule.bound =
      isForNewPeople ? .newPeople : plan.allowsFewGroups ? .thesePeople : .undefined
    return rule
  }

  private func with(_ rule: ChoiceRule) -> Tuner {
    var tuner = self
    (tuner.plan.rule, tuner.search.rule) = (rule, rule)
    return tuner
  }

  private func result() async throws -> TuningResult {
    let all = grouping.all
    let best = try await search.best(all)
    let validation = grouping.count > 1 ? try await CrossValidation(search) : nil
    let resubstitution = try await CrossValidation.counts(best, store)
    let curves = try await store.curves(at: best.settings, .preset)
    let biased = figures(resubstitution, curves)
    let crossValidated = validation.map { figures($0.crossValidated, curves) }
    let chance = try await chance(best, validation?.folds ?? [])
    let trials = try await trials()
    let isNothingAllowed = best.outcome == .nothingAllowed
    return TuningResult(
      recordings: grouping.order.map { evaluator.recordings[$0] },
      groups: grouping.groupOfRecording.map { grouping.names[$0] },
      scoredNanoseconds: curves.nanoseconds, trials: trials,
      settings: best.settings, outcome: best.outcome,
      verdict: verdict(best, crossValidated, chance, references: curves.references(all)),
      curve: clustered(curves),
      isWithinBudget: curves.isWithinBudget(
        plan.rule, curves.sums(all).falsePositives, weights: all, groups: grouping.groupOfRecording),
      boundedFor: plan.rule.bound, price: best.outcome.choice.flatMap { price($0, curves) },
      shortfall: isNothingAllowed
        ? curves.shortfall(plan.rule, weights: all, groups: grouping.groupOfRecording) : nil,
      resubstitutionCounts: resubstitution, resubstitution: biased,
      folds: validation?.folds ?? [], crossValidatedCounts: validation?.crossValidated ?? [],
      crossValidated: crossValidated, chance: chance,
      personalRate: best.outcome.choice == nil ? nil : personalRate(crossValidated ?? biased),
      optimism: crossValidated.map { Optimism(resubstitution: biased, crossValidated: $0) },
      // A single group is always drawn, so its spread would be meaningless.
      spread: best.outcome.choice == nil || grouping.count < 2 ? nil : spread(curves),
      pareto: try await pareto(trials, best, hours: biased.hours))
  }

  private func personalRate(_ figures: OperatingFigures) -> PersonalRate? {
    PersonalRate(
      figures.parts.map(\.falseAlarms),
      confidence: plan.rule.testsBound ? plan.rule.confidence : ChoiceRule.defaultConfidence)
  }

  private func price(_ choice: ThresholdChoice, _ curves: TrialCurves) -> BudgetPrice? {
    guard plan.rule.boundedBudget != nil else { return nil }
    var byRate = plan.rule
    byRate.confidence = 0.5
    return BudgetPrice(
      bound: curves.bound(
        at: choice.threshold, plan.rule, weights: grouping.all, groups: grouping.groupOfRecording),
      recallByRate: choose(byRate, curves, weights: grouping.all).choice?.value)
  }

  func choose(
    _ rule: ChoiceRule, _ curves: TrialCurves, weights: TrialCurves.Weights
  ) -> ThresholdOutcome {
    curves.choose(rule, weights: weights, groups: grouping.groupOfRecording)
  }

  private func figures(_ counts: [EventCounts], _ curves: TrialCurves) -> OperatingFigures {
    OperatingFigures(
      counts, nanoseconds: curves.nanoseconds, groups: grouping.groupOfRecording, kind: plan.kind,
      objective: plan.objective)
  }

  /// Compares the hits with those at chance level: of each group at the choice made without it;
  /// without folds, of all at the final choice. Shifts depend on the place in the canonical order.
  private func chance(
    _ best: Search.Candidate, _ folds: [TuningFold]
  ) async throws -> ChanceLevel? {
    var generator = SeededGenerator(seed: plan.seed)
    let seeds = grouping.order.map { _ in generator.next() }
    let choices =
      folds.isEmpty
      ? [(best.settings, best.outcome, Array(seeds.indices))]
      : folds.map { ($0.settings, $0.outcome, $0.recordings) }
    var found: [ShiftedHits?] = []
    for (settings, outcome, recordings) in choices {
      found += try await evaluator.shiftedHits(
        at: settings, threshold: outcome.choice?.threshold,
        of: recordings.map { (position: grouping.order[$0], seed: seeds[$0]) })
    }
    let known = found.compactMap(\.self)
    return known.count == found.count ? ChanceLevel(known) : nil
  }

  private func verdict(
    _ best: Search.Candidate, _ crossValidated: OperatingFigures?, _ chance: ChanceLevel?,
    references: Int
  ) -> TuningVerdict {
    guard best.outcome.choice != nil else { return .nothing(best.outcome) }
    if let crossValidated {
      let nothing = plan.objective.valueOfNull(references: references, hours: crossValidated.hours)
      guard let value = crossValidated.value, let nothing, value > nothing else {
        return .notBetterCrossValidated
      }
    }
    guard let chance else { return .betterThanNull }
    return switch chance.verdict {
    case .above: .betterThanNull
    case .notAbove: .notAboveChance(chance)
    case .cannotBeTold: .cannotBeTold(chance)
    }
  }

  /// Returns all trials, evaluated on all data.
  private func trials() async throws -> [TuningTrial] {
    var trials: [TuningTrial] = []
    for (settings, origin) in await store.trials {
      let curves = try await store.curves(at: settings, origin)
      trials.append(
        TuningTrial(
          settings: settings, origin: origin,
          outcome: choose(plan.rule, curves, weights: grouping.all)))
    }
    return trials
  }

  private func clustered(_ curves: TrialCurves) -> Clustered<ThresholdCurve> {
    Clustered(
      curves.pooled(grouping.all),
      parts: curves.parts(grouping.groupOfRecording, of: grouping.count),
      of: plan.kind)
  }

  private func spread(_ curves: TrialCurves) -> ThresholdSpread {
    var generator = SeededGenerator(seed: plan.seed)
    var thresholds: [Double] = []
    for _ in 0..<plan.resamples {
      let drawn = (0..<grouping.count).map { _ in Int(generator.unit() * Double(grouping.count)) }
      let outcome = choose(plan.rule, curves, weights: grouping.weights(drawn: drawn))
      if let choice = outcome.choice { thresholds.append(choice.threshold) }
    }
    thresholds.sort()
    return ThresholdSpread(
      thresholds: thresholds, withoutChoice: plan.resamples - thresholds.count, seed: plan.seed)
  }

  /// Latency is known only after a run, so only the most promising thresholds take part.
  private func pareto(
    _ trials: [TuningTrial], _ best: Search.Candidate, hours: Double
  ) async throws -> [ParetoPoint] {
    progress.begin(plan.paretoRuns)
    defer { progress.end() }
    guard let choice = best.outcome.choice, plan.paretoRuns > 0 else { return [] }
    var aim = choice.counts.falsePositives
    if case .maximumRecall(let budget) = plan.objective {
      aim = Int(exactly: (budget * hours).rounded(.down)) ?? Int(Int32.max)
    }
    let ranked = trials.enumerated().filter { $0.element.outcome.choice != nil }.sorted {
      let (left, right) = ($0.element.outcome.choice, $1.element.outcome.choice)
      let values = (left?.bestValue ?? 0, right?.bestValue ?? 0)
      return values.0 > values.1 || (values.0 == values.1 && $0.offset < $1.offset)
    }.map(\.element)
    var places = [(best.settings, choice.threshold)]
    for trial in ranked where places.count < plan.paretoRuns {
      let curves = try await store.curves(at: trial.settings, trial.origin)
      places += curves.frontThresholds(around: max(aim, 1), weights: grouping.all)
        .map { (trial.settings, $0) }
    }
    var points: [ParetoPoint] = []
    for (settings, threshold) in places.prefix(plan.paretoRuns) {
      let score = EventScore.pooled(try await store.scores(at: settings, threshold: threshold))
      progress.step()
      points.append(
        ParetoPoint(
          settings: settings, threshold: threshold, counts: score.counts,
          hours: score.falseAlarms.hours, medianLatency: score.latency?.p50))
    }
    return ParetoPoint.front(points)
  }
}
