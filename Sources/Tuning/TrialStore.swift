internal import Scoring

/// Asks the evaluator about each setting once, and keeps what it said.
actor TrialStore {
  private let evaluator: any TrialEvaluator
  private let grouping: Grouping
  private var known: [ParameterSettings: TrialCurves] = [:]
  private var origins: [(settings: ParameterSettings, origin: TrialOrigin)] = []
  private let whenAsked: @Sendable (Int) -> Void

  /// - Parameter whenAsked: is told how many settings were asked for so far.
  init(
    _ evaluator: any TrialEvaluator, _ grouping: Grouping,
    whenAsked: @escaping @Sendable (Int) -> Void
  ) {
    self.evaluator = evaluator
    self.grouping = grouping
    self.whenAsked = whenAsked
  }

  /// Every setting that was asked for, in the order of the first time.
  var trials: [(settings: ParameterSettings, origin: TrialOrigin)] { origins }

  func curves(
    at settings: ParameterSettings, _ origin: TrialOrigin
  ) async throws -> TrialCurves {
    if let curves = known[settings] { return curves }
    let answer = try await evaluator.curves(at: settings)
    precondition(answer.count == grouping.order.count)
    let curves = TrialCurves(grouping.order.map { answer[$0] })
    // Another task may have been as quick.
    if known.updateValue(curves, forKey: settings) == nil { origins.append((settings, origin)) }
    whenAsked(origins.count)
    return curves
  }

  /// In the order of the grouping.
  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    let scores = try await evaluator.scores(at: settings, threshold: threshold)
    return grouping.order.map { scores[$0] }
  }
}

/// Why a setting was tried.
public enum TrialOrigin: String, Hashable, Sendable, Codable, CaseIterable {
  /// As the detector comes.
  case preset
  case sobol
  case grid
  case simplex
}
