internal import Scoring

/// Evaluates each setting once and caches the result.
actor TrialStore {
  private let evaluator: any TrialEvaluator
  private let grouping: Grouping
  private var known: [ParameterSettings: TrialCurves] = [:]
  /// Every evaluated setting, in the order of the first request.
  private(set) var trials: [(settings: ParameterSettings, origin: TrialOrigin)] = []

  init(_ evaluator: any TrialEvaluator, _ grouping: Grouping) {
    self.evaluator = evaluator
    self.grouping = grouping
  }

  func curves(
    at settings: ParameterSettings, _ origin: TrialOrigin
  ) async throws -> TrialCurves {
    if let curves = known[settings] { return curves }
    let answer = try await evaluator.curves(at: settings)
    precondition(answer.count == grouping.order.count)
    let curves = TrialCurves(grouping.order.map { answer[$0] })
    // Another task may have stored it meanwhile.
    if known.updateValue(curves, forKey: settings) == nil { trials.append((settings, origin)) }
    return curves
  }

  /// Returns the scores in the order of the grouping.
  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    let scores = try await evaluator.scores(at: settings, threshold: threshold)
    return grouping.order.map { scores[$0] }
  }
}

public enum TrialOrigin: String, Hashable, Sendable, Codable, CaseIterable {
  case preset
  case sobol
  case grid
  case simplex
}
