import Detectors
import Replay
public import Scoring
import TraceModel
public import Tuning

/// Evaluates with a cache: a ``DetectorEvaluator`` computes missing results, recording by recording.
/// The cached result of a recording does not depend on the other recordings of the request.
struct CachedEvaluator: TrialEvaluator {
  let evaluator: DetectorEvaluator
  let recordings: [TrialRecording]
  /// Nil = results are not stored.
  let cache: (any TrialCache)?
  /// Identifies the version of the program and of the detector.
  let program: String
  /// The number of evaluations (recordings times settings) that are not in the cache; several
  /// evaluators may share it.
  let evaluations: Counter

  private var measured: EvaluationDataset { evaluator.measured }
  private var span: ThresholdSpan { evaluator.span }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    var curves = try await self.curves(
      at: settings, points: span.points, of: Array(recordings.indices))
    let exact = curves.indices.filter { curves[$0].isExact }
    guard exact.count < curves.count else { return curves }
    // If one recording needs a run per threshold, all recordings use the same thresholds.
    let same = try await self.curves(
      at: settings, points: span.points ?? evaluator.scoredPoints, of: exact)
    for (position, curve) in zip(exact, same) { curves[position] = curve }
    return curves
  }

  private func curves(
    at settings: ParameterSettings, points: [Double]?, of positions: [Int]
  ) async throws -> [ThresholdCurve] {
    let range = "\(span.range.lowerBound)...\(span.range.upperBound)"
    let places = points.map { " at \($0)" } ?? ""
    return try await answers(
      keys(settings, threshold: "\(span.parameter) \(range)\(places)"), of: positions,
      known: { try $0.curve($1) }, keep: { try $0.keep($1, $2) },
      ask: { [evaluator] in try evaluator.curve(at: settings, of: $0, points: points) })
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    try await answers(
      keys(settings, threshold: "\(span.parameter) \(threshold)"),
      of: Array(recordings.indices), known: { try $0.score($1) }, keep: { try $0.keep($1, $2) },
      ask: { [evaluator] in try evaluator.score(at: settings, threshold: threshold, of: $0) })
  }

  /// Returns results from the cache, and computes and stores the missing ones. Each is stored at
  /// once, so an interruption loses no finished work.
  /// - Parameters:
  ///   - keys: the keys of all recordings.
  ///   - positions: the positions of the requested recordings.
  private func answers<Answer: Sendable>(
    _ keys: [TrialKey], of positions: [Int],
    known: (any TrialCache, TrialKey) throws -> Answer?,
    keep: @escaping @Sendable (any TrialCache, Answer, TrialKey) throws -> Void,
    ask: @escaping @Sendable (Int) throws -> Answer
  ) async throws -> [Answer] {
    var answers = try positions.map { position in
      try cache.flatMap { try known($0, keys[position]) }
    }
    let missing = answers.indices.filter { answers[$0] == nil }
    let made = try await parallelMap(missing, threads: evaluator.threads) {
      [cache, evaluations] index in
      let answer = try ask(positions[index])
      evaluations.next()
      if let cache { try keep(cache, answer, keys[positions[index]]) }
      return answer
    }
    for (index, answer) in zip(missing, made) { answers[index] = answer }
    return answers.compactMap(\.self)
  }

  private func keys(_ settings: ParameterSettings, threshold: String) -> [TrialKey] {
    var all = measured.choice.overrides.merging(settings) { $1 }
    all[span.parameter] = nil
    let parameters = all.mapValues { "\($0)" }
    let path = measured.path
    let chain = [
      path.deviceRate.map { "device rate \($0)" } ?? "",
      path.gravity.map { "gravity \($0.timeConstant) \($0.freezeBand)" } ?? "",
      path.delivery.map { "delivery \($0.summary) seed \($0.seed)" } ?? "",
      measured.policy.map { "person \($0.summary) seed \($0.seed)" } ?? "",
    ].joined(separator: "; ")
    return measured.recordings.map { recording in
      TrialKey(
        trace: recording.sha256, program: program, detector: measured.choice.detector,
        preset: measured.choice.preset, parameters: parameters, threshold: threshold,
        tolerance: measured.tolerance?.nanoseconds, chain: chain)
    }
  }
}

/// Everything that determines a result.
public struct TrialKey: Hashable, Sendable, Encodable {
  /// The SHA-256 of the recording's file.
  public var trace: String
  /// The version of the program and of everything else that determines the detector's results.
  public var program: String
  public var detector: String
  public var preset: String
  /// The values that replace those of the preset, by name.
  public var parameters: [String: String]
  /// The threshold: name, range and points, or a single value.
  public var threshold: String
  /// The tolerance in nanoseconds; nil = the reference's own.
  public var tolerance: Int64?
  /// The path of the recording to the detector, and the simulated person who acts on prompts.
  public var chain: String
}

/// Stores results of detectors on recordings, so that interrupted work can continue.
public protocol TrialCache: Sendable {
  /// The place of the cache, for messages.
  var name: String { get }

  func curve(_ key: TrialKey) throws -> ThresholdCurve?
  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws
  func score(_ key: TrialKey) throws -> EventScore?
  func keep(_ score: EventScore, _ key: TrialKey) throws
}
