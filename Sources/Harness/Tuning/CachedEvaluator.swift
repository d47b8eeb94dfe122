import Detectors
import Digests
import Foundation
import Replay
import Scoring
import TraceModel
import Tuning

/// Asks a ``DetectorEvaluator`` for what the cache does not have.
struct CachedEvaluator: TrialEvaluator {
  private let measured: MeasuredSet
  private let span: ThresholdSpan
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
    recordings = DetectorEvaluator(measured, span: span, threads: threads).recordings
  }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    let range = "\(span.range.lowerBound)...\(span.range.upperBound)"
    let points = span.points.map { " at \($0)" } ?? ""
    let keys = keys(settings, threshold: "\(span.parameter) \(range)\(points)")
    let curves = try await answers(
      keys, known: { try $0.curve($1) }, keep: { try $0.keep($1, $2) },
      ask: { try await $0.curves(at: settings) })
    guard Set(curves.map(\.isExact)).count > 1 else { return curves }
    // One can only be run at single thresholds, so all are: what is done depends on the company.
    let company = company
    return try await answers(
      keys.map {
        var key = $0
        key.company = company
        return key
      }, wholly: true, known: { try $0.curve($1) }, keep: { try $0.keep($1, $2) },
      ask: { try await $0.curves(at: settings) })
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    try await answers(
      keys(settings, threshold: "\(span.parameter) \(threshold)"), known: { try $0.score($1) },
      keep: { try $0.keep($1, $2) },
      ask: { try await $0.scores(at: settings, threshold: threshold) })
  }

  /// - Parameter wholly: if one is not known, all are asked for.
  private func answers<Answer>(
    _ keys: [TrialCache.Key], wholly: Bool = false,
    known: (TrialCache, TrialCache.Key) throws -> Answer?,
    keep: (TrialCache, Answer, TrialCache.Key) throws -> Void,
    ask: (DetectorEvaluator) async throws -> [Answer]
  ) async throws -> [Answer] {
    var answers = try keys.map { key in try cache.flatMap { try known($0, key) } }
    var missing = answers.indices.filter { answers[$0] == nil }
    if wholly, !missing.isEmpty { missing = Array(answers.indices) }
    if !missing.isEmpty {
      var part = measured
      part.recordings = missing.map { measured.recordings[$0] }
      let evaluator = DetectorEvaluator(part, span: span, threads: threads)
      for (index, answer) in zip(missing, try await ask(evaluator)) {
        answers[index] = answer
        _ = evaluations.next()
        if let cache { try keep(cache, answer, keys[index]) }
      }
    }
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

  private var company: String {
    let digest = SHA256Digest()
    for recording in measured.recordings { digest.update(recording.sha256 + "\n") }
    return digest.finish()
  }
}
