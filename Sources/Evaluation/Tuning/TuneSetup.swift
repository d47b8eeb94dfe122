import TraceModel
import Diagnostics
import Detectors
public import Scoring
public import Tuning

/// A tuning that is ready to run: the development set, the test set and the plan.
public struct TuneSetup {
  private let development: EvaluationDataset
  /// The recordings that are evaluated once, at the end; nil = none.
  private let test: EvaluationDataset?
  private let testGroups: [String]
  private let span: ThresholdSpan
  private let plan: TuningPlan
  private let grouping: TuneGrouping
  private let threads: Int
  private let cache: (any TrialCache)?
  private let program: String
  private let methods: any SearchMethods
  /// Whether parameters are written that lose more recall than ``RecallLoss/most``.
  public var acceptsLoss = false
  private let evaluations = Counter()

  public init(
    _ measured: EvaluationDataset, span: ThresholdSpan, rule: ChoiceRule, space: SearchSpace,
    method: SearchSpace.Method, group: TuneGrouping.Kind, testSet: String?, seed: UInt64,
    resamples: Int, allowFewGroups: Bool, threads: Int, cache: (any TrialCache)?, program: String,
    methods: any SearchMethods
  ) throws {
    let all = measured.trialRecordings
    let labels = TuneGrouping(all, by: group).labels
    try measured.requireSeparate(group == .subject ? nil : labels)
    let kept = try testSet.map {
      try TestSet.positions(
        $0, ids: all.map(\.id), files: measured.recordings.map(\.path), groups: labels, seed: seed)
    }
    let own = all.indices.filter { !(kept?.contains($0) ?? false) }
    let others = all.indices.filter { kept?.contains($0) ?? false }
    func part(_ positions: [Int]) -> EvaluationDataset {
      var part = measured
      part.recordings = positions.map { measured.recordings[$0] }
      return part
    }
    let development = part(own)
    self.development = development
    test = others.isEmpty ? nil : part(others)
    testGroups = others.map { labels[$0] }
    grouping = TuneGrouping(own.map { all[$0] }, by: group)
    self.span = span
    var plan = TuningPlan(
      rule, space: space, method: method, groups: grouping.labels, kind: grouping.clusterKind)
    plan.seed = seed
    plan.resamples = resamples
    plan.allowsFewGroups = allowFewGroups
    (self.plan, self.threads, self.cache) = (plan, threads, cache)
    (self.program, self.methods) = (program, methods)
  }

  public func run(_ observer: any WorkObserver) async throws -> TuneOutcome {
    let evaluator = evaluator(development)
    let tuner: Tuner
    do throws(TuningError) {
      tuner = try Tuner(evaluator, plan, by: methods) { done, total in
        observer.progress(done, of: total, "steps")
      }
    } catch {
      throw Failure(.badData, error.description + remedy(error))
    }
    let result: TuningResult
    do {
      result = try await tuner.run()
    } catch let error as SearchError {
      throw Failure(.wrongUse, "--search: \(error)")
    }
    observer.endProgress()
    var outcome = TuneOutcome(
      measured: development, span: span, plan: plan, grouping: grouping, result: result,
      presets: try await presets(), acceptsLoss: acceptsLoss)
    try await outcome.addWaysOn(tuner)
    if let choice = result.choice {
      outcome.resubstitution = try await evaluator.clusteredScore(
        at: result.settings, threshold: choice.threshold, by: grouping.kind)
      if let test {
        let evaluator = self.evaluator(test)
        outcome.testSet = (
          try await evaluator.clusteredScore(
            at: result.settings, threshold: choice.threshold, by: grouping.kind),
          evaluator.recordings, testGroups, test.inputs("test_set")
        )
      }
    }
    return outcome
  }

  /// The number of evaluations, for the terminal and for tests; a repeated tuning needs none.
  public var evaluationsText: String {
    "\(evaluations.count) evaluations (recordings times settings)"
      + (cache.map { ", the others are cached in \($0.name)" } ?? "")
  }

  private func evaluator(_ measured: EvaluationDataset) -> DetectorEvaluator {
    var evaluator = DetectorEvaluator(measured: measured, span: span, threads: threads)
    (evaluator.cache, evaluator.program) = (cache, program)
    evaluator.evaluations = evaluations
    return evaluator
  }

  /// Evaluates the unchanged presets of the detector on the same data.
  private func presets() async throws -> [TuneOutcome.Preset] {
    var scores: [TuneOutcome.Preset] = []
    for preset in development.detector.presets {
      guard
        let threshold = development.detector.threshold(span.parameter, ofPreset: preset.name)
      else { continue }
      var measured = development
      measured.choice = DetectorChoice(
        detector: development.choice.detector, preset: preset.name)
      let score = try await evaluator(measured).clusteredScore(
        at: [:], threshold: threshold, by: grouping.kind)
      scores.append(("preset \(preset.name)", preset.name, score))
    }
    return scores
  }

  /// A bound for new people needs one person more, because it is tested without each person, too.
  private var fewestForBound: String {
    plan.rule.boundedBudget == nil
      ? "" : " (\(GroupScore.fewestClusters + 1) with --confidence above 0.5)"
  }

  private func remedy(_ error: TuningError) -> String {
    switch error {
    case .noReferences: return ""
    case .fewGroups, .fewGroupsWithReferences:
      return grouping.kind == .subject
        ? ". Record more people\(fewestForBound), use --group recording (optimistic for a new person), or use "
          + "--allow-few-groups for figures that are not reliable"
        : ". Make more recordings, or use --allow-few-groups for figures that are not reliable"
    }
  }
}

/// The groups that stay together in cross-validation and in the test set.
public struct TuneGrouping: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case subject, recording
  }

  public var kind: Kind
  public var labels: [String]
  /// The number of recordings without a subject, each of which is a group.
  public var withoutSubject = 0
  /// Whether one person may be in several groups.
  public var isOptimistic: Bool

  public var clusterKind: ClusterKind {
    kind == .subject && withoutSubject == 0 ? .people : .recordings
  }

  public init(_ recordings: [TrialRecording], by kind: Kind) {
    self.kind = kind
    let unknown = recordings.count { $0.subject.isEmpty }
    switch kind {
    case .subject:
      withoutSubject = unknown
      labels = recordings.map { $0.subject.isEmpty ? "recording \($0.id)" : $0.subject }
      // An unknown subject may also be the subject of other recordings.
      isOptimistic = unknown > 0 && recordings.count > 1
    case .recording:
      labels = recordings.map(\.id)
      let known = recordings.map(\.subject).filter { !$0.isEmpty }
      isOptimistic = unknown > 0 || Set(known).count < known.count
    }
  }
}
