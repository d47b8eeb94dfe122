internal import Scoring
internal import TraceModel

/// The plan of a tuning.
public struct TuningPlan: Sendable {
  public var objective: Objective
  public var space: SearchSpace
  public var method: SearchSpace.Method
  /// The maximum number of evaluations of the simplex from each start, after Sobol's points; 0 =
  /// none.
  public var refinements = 24
  /// The group of each of the evaluator's recordings.
  public var groups: [String]
  /// For each recording, the share of the scored time in which a detection would match a reference;
  /// nil if unknown.
  public var chances: [Double?]
  public var allowsFewGroups = false
  public var seed: UInt64 = 1
  /// The number of resamples of each bootstrap.
  public var resamples = 2000
  /// The maximum number of operating points to run for the Pareto front; 0 = no front.
  public var paretoRuns = 48

  public init(
    objective: Objective, space: SearchSpace = SearchSpace(),
    method: SearchSpace.Method = .sobol(64), groups: [String], chances: [Double?]? = nil
  ) {
    self.objective = objective
    self.space = space
    self.method = method
    self.groups = groups
    self.chances = chances ?? groups.map { _ in nil }
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
      "expected 2 groups or more with references, found \(count): without it, cross-validation has "
        + "no references to tune on"
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
  private let plan: TuningPlan
  private let grouping: Grouping
  private let search: Search
  private let store: TrialStore
  private let progress: TuningProgress

  /// - Parameters:
  ///   - whenStepped: receives the number of done steps and the number of all steps.
  /// - Throws: ``TuningError`` if there are too few data.
  /// - Precondition: the plan's groups and chances are as many as the evaluator's recordings.
  public init(
    _ evaluator: any TrialEvaluator, _ plan: TuningPlan,
    whenStepped: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(TuningError) {
    let recordings = evaluator.recordings
    precondition(recordings.count == plan.groups.count)
    precondition(recordings.count == plan.chances.count)
    self.evaluator = evaluator
    self.plan = plan
    grouping = Grouping(recordings, labels: plan.groups)
    store = TrialStore(evaluator, grouping)
    let searches = grouping.count > 1 ? 1 + grouping.count : 1
    let steps = Search.mostSteps(of: plan.space, plan.method, refinements: plan.refinements)
    progress = TuningProgress(total: searches * steps + plan.paretoRuns, report: whenStepped)
    search = Search(
      objective: plan.objective, space: plan.space, method: plan.method,
      refinements: plan.refinements, grouping: grouping, store: store,
      progress: progress)
    let withReferences = Set(
      zip(recordings, plan.groups).filter { $0.0.references > 0 }.map(\.1)
    ).count
    guard withReferences > 0 else { throw .noReferences }
    guard !plan.allowsFewGroups else { return }
    guard grouping.count >= TuningError.fewestGroups else { throw .fewGroups(grouping.count) }
    guard withReferences > 1 else { throw .fewGroupsWithReferences(withReferences) }
  }

  public func run() async throws -> TuningResult {
    let all = grouping.all
    let best = try await search.best(all)
    let validation = grouping.count > 1 ? try await CrossValidation(search) : nil
    let resubstitution = try await CrossValidation.counts(best, store)
    let curves = try await store.curves(at: best.settings, .preset)
    let hours = all.indices.map { recording in
      curves.hours(all.indices.map { $0 == recording ? 1 : 0 })
    }
    let crossValidated = validation.map { figures($0.crossValidated, hours) }
    let chances = grouping.order.map { plan.chances[$0] }
    let chance = ChanceTest(validation?.crossValidated ?? resubstitution, chances: chances)
    let trials = try await trials()
    return TuningResult(
      recordings: grouping.order.map { evaluator.recordings[$0] },
      groups: grouping.groupOfRecording.map { grouping.names[$0] }, hours: hours, trials: trials,
      settings: best.settings, outcome: best.outcome,
      verdict: verdict(best, crossValidated, chance, references: curves.references(all)),
      curve: pooled(curves), resubstitutionCounts: resubstitution,
      resubstitution: figures(resubstitution, hours),
      folds: validation?.folds ?? [], crossValidatedCounts: validation?.crossValidated ?? [],
      crossValidated: crossValidated,
      chance: chance,
      optimism: validation.map {
        Optimism(
          resubstitution: resubstitution, crossValidated: $0.crossValidated, hours: hours,
          groups: grouping.groupOfRecording,
          seed: plan.seed, resamples: plan.resamples)
      },
      // A single group is always drawn, so its spread would be meaningless.
      spread: best.outcome.choice == nil || grouping.count < 2 ? nil : spread(curves),
      pareto: try await pareto(trials, best, hours: hours.reduce(0, +)))
  }

  private func figures(_ counts: [EventCounts], _ hours: [Double]) -> OperatingFigures {
    OperatingFigures(
      counts, hours: hours, groups: grouping.groupOfRecording, objective: plan.objective,
      seed: plan.seed, resamples: plan.resamples)
  }

  private func verdict(
    _ best: Search.Candidate, _ crossValidated: OperatingFigures?, _ chance: ChanceTest?,
    references: Int
  ) -> TuningVerdict {
    guard best.outcome.choice != nil else { return .nothing(best.outcome) }
    if let crossValidated {
      let nothing = plan.objective.valueOfNull(references: references, hours: crossValidated.hours)
      guard let value = crossValidated.value, let nothing, value > nothing else {
        return .notBetterCrossValidated
      }
    }
    if let chance, !chance.isAboveChance { return .notAboveChance(chance) }
    return .betterThanNull
  }

  /// Returns all trials, evaluated on all data.
  private func trials() async throws -> [TuningTrial] {
    var trials: [TuningTrial] = []
    for (settings, origin) in await store.trials {
      let curves = try await store.curves(at: settings, origin)
      trials.append(
        TuningTrial(
          settings: settings, origin: origin,
          outcome: curves.choose(
            plan.objective, weights: grouping.all, groups: grouping.groupOfRecording)))
    }
    return trials
  }

  private func pooled(_ curves: TrialCurves) -> ThresholdCurve {
    let sums = curves.sums(grouping.all)
    return ThresholdCurve(
      thresholds: curves.thresholds, truePositives: sums.truePositives,
      falsePositives: sums.falsePositives, upper: curves.upper,
      references: curves.references(grouping.all),
      scoredNanoseconds: curves.scoredNanoseconds(grouping.all), isExact: curves.isExact)
  }

  private func spread(_ curves: TrialCurves) -> ThresholdSpread {
    var generator = SeededGenerator(seed: plan.seed)
    var thresholds: [Double] = []
    for _ in 0..<plan.resamples {
      let drawn = (0..<grouping.count).map { _ in Int(generator.unit() * Double(grouping.count)) }
      let outcome = curves.choose(
        plan.objective, weights: grouping.weights(drawn: drawn),
        groups: grouping.groupOfRecording)
      if let choice = outcome.choice { thresholds.append(choice.threshold) }
    }
    thresholds.sort()
    return ThresholdSpread(
      thresholds: thresholds, withoutChoice: plan.resamples - thresholds.count, seed: plan.seed)
  }

  /// Returns the Pareto front of the most promising trials: latency is known only after a run, so
  /// not every threshold of every trial can take part.
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
