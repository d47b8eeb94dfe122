import Detectors
import Foundation
import Replay
import Scoring
import TraceModel
import Tuning

/// Asks a ``DetectorEvaluator`` for what the cache does not have, recording by recording: what is
/// kept of one does not depend on which others it was asked about with.
struct CachedEvaluator: TrialEvaluator {
  private let measured: MeasuredSet
  private let span: ThresholdSpan
  private let evaluator: DetectorEvaluator
  private let threads: Int
  /// Nil = nothing is kept beyond this command.
  private let cache: TrialCache?
  private let program: String
  let recordings: [TrialRecording]
  /// Recordings times settings that the detector had to be asked for.
  let evaluations: Counter

  /// - Parameters:
  ///   - program: tells the version of the program and of the detector.
  ///   - evaluations: counts; several evaluators may share it.
  init(
    _ measured: MeasuredSet, span: ThresholdSpan, threads: Int, cache: TrialCache?,
    program: String, evaluations: Counter
  ) {
    self.measured = measured
    self.span = span
    self.threads = threads
    self.cache = cache
    self.program = program
    self.evaluations = evaluations
    evaluator = DetectorEvaluator(measured, span: span, threads: threads)
    recordings = evaluator.recordings
  }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    var curves = try await self.curves(
      at: settings, points: span.points, of: Array(recordings.indices))
    let exact = curves.indices.filter { curves[$0].isExact }
    guard exact.count < curves.count else { return curves }
    // One can only be run at single thresholds, so all are looked at there alone.
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
      ask: { [evaluator] in
        try evaluator.score(at: settings, threshold: threshold, of: $0)
      })
  }

  /// Each answer is kept as soon as it is there: whatever ends the work, what was done is not lost.
  /// - Parameters:
  ///   - keys: of all recordings.
  ///   - positions: of those that are asked about.
  private func answers<Answer: Sendable>(
    _ keys: [TrialCache.Key], of positions: [Int],
    known: (TrialCache, TrialCache.Key) throws -> Answer?,
    keep: @escaping @Sendable (TrialCache, Answer, TrialCache.Key) throws -> Void,
    ask: @escaping @Sendable (Int) throws -> Answer
  ) async throws -> [Answer] {
    var answers = try positions.map { position in
      try cache.flatMap { try known($0, keys[position]) }
    }
    let missing = answers.indices.filter { answers[$0] == nil }
    let made = try await parallelMap(missing, threads: threads) { [cache, evaluations] index in
      let answer = try ask(positions[index])
      _ = evaluations.next()
      if let cache { try keep(cache, answer, keys[positions[index]]) }
      return answer
    }
    for (index, answer) in zip(missing, made) { answers[index] = answer }
    return answers.compactMap(\.self)
  }

  private func keys(_ settings: ParameterSettings, threshold: String) -> [TrialCache.Key] {
    var parameters = measured.choice.overrides
    for (name, value) in settings { parameters[name] = "\(value)" }
    parameters[span.parameter] = nil
    let path = measured.path
    let chain = [
      path.deviceRate.map { "device rate \($0)" } ?? "",
      path.gravity.map { "gravity \($0.timeConstant) \($0.freezeBand)" } ?? "",
      path.delivery.map { "delivery \($0.summary) seed \($0.seed)" } ?? "",
      measured.policy.map { "person \($0.summary) seed \($0.seed)" } ?? "",
    ].joined(separator: "; ")
    return measured.recordings.map { recording in
      TrialCache.Key(
        trace: recording.sha256, program: program, detector: measured.choice.detector,
        preset: measured.choice.preset, parameters: parameters, threshold: threshold,
        tolerance: measured.tolerance?.nanoseconds, chain: chain)
    }
  }
}
