import Detectors
import Diagnostics
import Replay
import Scoring
import TraceModel
import Tuning

/// Evaluates settings of a detector's parameters on a set of recordings: exactly if the detector
/// reports scores, else with one run per threshold.
///
/// Recordings are evaluated in parallel; the results do not depend on the number of threads. With a
/// cache, only missing results are computed, recording by recording: the result of a recording does
/// not depend on the other recordings of the request.
struct DetectorEvaluator: TrialEvaluator {
  let measured: EvaluationDataset
  let recordings: [TrialRecording]
  let span: ThresholdSpan
  let threads: Int
  /// Nil = results are not stored.
  var cache: (any TrialCache)?
  /// Identifies the version of the program and of the detector.
  var program = ""
  /// The number of evaluations that are not in the cache; evaluators may share it.
  var evaluations = Counter()

  init(measured: EvaluationDataset, span: ThresholdSpan, threads: Int) {
    (self.measured, self.span, self.threads) = (measured, span, threads)
    recordings = measured.trialRecordings
  }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    var curves = try await self.curves(
      at: settings, points: span.points, of: Array(recordings.indices))
    let exact = curves.indices.filter { curves[$0].isExact }
    guard exact.count < curves.count else { return curves }
    // If one recording needs a run per threshold, all recordings use the same thresholds.
    let same = try await self.curves(
      at: settings, points: span.points ?? scoredPoints, of: exact)
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
      known: { try $0.curve($1).flatMap { covers($0, points) ? $0 : nil } },
      keep: { try $0.keep($1, $2) },
      ask: { try curve(at: settings, of: $0, points: points) })
  }

  /// Whether a stored curve is of the thresholds that are asked for.
  private func covers(_ curve: ThresholdCurve, _ points: [Double]?) -> Bool {
    points == nil && curve.isExact
      ? curve.thresholds[0] == span.range.lowerBound && curve.upper == span.range.upperBound
      : curve.thresholds == points ?? scoredPoints
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    try await answers(
      keys(settings, threshold: "\(span.parameter) \(threshold)"),
      of: Array(recordings.indices), known: { try $0.score($1) }, keep: { try $0.keep($1, $2) },
      ask: { try score(at: settings, threshold: threshold, of: $0) })
  }

  /// Returns the score of all recordings, with its parts by group.
  func clusteredScore(
    at settings: ParameterSettings, threshold: Double, by kind: TuneGrouping.Kind
  ) async throws -> Clustered<EventScore> {
    let scores = try await scores(at: settings, threshold: threshold)
    let subjects = recordings.map { kind == .subject ? $0.subject : "" }
    return Clustered(Array(zip(subjects, scores)), pool: EventScore.pooled)
  }

  func shiftedHits(
    at settings: ParameterSettings, threshold: Double?, of asked: [SeededPlace]
  ) async throws -> [ShiftedHits?] {
    let onsets: [[TraceInstant]] =
      if let threshold {
        try await answers(
          keys(settings, threshold: "\(span.parameter) \(threshold)"), of: asked.map(\.position),
          known: { try $0.onsets($1) }, keep: { try $0.keep($1, $2) },
          ask: { try self.onsets(at: settings, threshold: threshold, of: $0) })
      } else {
        asked.map { _ in [] }
      }
    return try await parallelMap(Array(asked.indices), threads: threads) { index in
      measured.shiftedHits(
        onsets[index], of: measured.recordings[asked[index].position], seed: asked[index].seed)
    }
  }

  /// Returns cached results; computes the missing ones and stores each at once.
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
    let made = try await parallelMap(missing, threads: threads) { index in
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

  /// - Parameter points: the thresholds; nil = all, or ``scoredPoints`` for one run per threshold.
  private func curve(
    at settings: ParameterSettings, of position: Int, points: [Double]?
  ) throws -> ThresholdCurve {
    let recording = measured.recordings[position]
    return try Failure.naming(recording.path) {
      let count = measured.count(of: recording)
      var trace = recording.trace
      // Without events, all detections are false alarms; `matched(to:)` then makes hits of them.
      if count != nil {
        trace.header.references = [ReferenceSet(task: measured.detector.task, events: [])]
      }
      if measured.policy == nil, measured.detector.exactThreshold == span.parameter,
        let curve = try bound(settings, trace).exact?.curve(
          trace, recording.exposure, measured.margin, span.range, points)
      {
        return count.map { curve.matched(to: $0) } ?? curve
      }
      let points = points ?? scoredPoints
      let scores = try points.map { try score(settings, recording, threshold: $0) }
      return ThresholdCurve(
        thresholds: points, truePositives: scores.map(\.counts.truePositives),
        falsePositives: scores.map(\.counts.falsePositives), upper: points[points.count - 1],
        references: measured.references(of: recording),
        scoredNanoseconds: scores[0].scoredNanoseconds, isExact: false)
    }
  }

  private func score(
    at settings: ParameterSettings, threshold: Double, of position: Int
  ) throws -> EventScore {
    let recording = measured.recordings[position]
    return try Failure.naming(recording.path) {
      try score(settings, recording, threshold: threshold)
    }
  }

  /// Returns what explains most of the errors at a threshold.
  func diagnosis(at settings: ParameterSettings, threshold: Double) async throws -> Diagnosis? {
    let task = measured.detector.task
    let found = try await parallelMap(measured.recordings, threads: threads) { recording in
      try Failure.naming(recording.path) {
        let trace = recording.trace
        let result = try run(bound(settings, trace, threshold), recording)
        let score = try TaskScore(
          of: result, on: trace, task: task, exposure: recording.exposure,
          tolerance: measured.margin)
        return DiagnosedRecording(
          trace.header, task: task, detections: result.detections, score: score)
      }
    }
    return Diagnosis(found.compactMap(\.self))
  }

  private func onsets(
    at settings: ParameterSettings, threshold: Double, of position: Int
  ) throws -> [TraceInstant] {
    let recording = measured.recordings[position]
    let result = try Failure.naming(recording.path) {
      try run(bound(settings, recording.trace, threshold), recording)
    }
    return result.detections.filter { $0.kind == measured.detector.task.rawValue }.map(\.onset)
  }

  private func run(
    _ bound: BoundDetector, _ recording: EvaluationDataset.Recording
  ) throws -> RunResult {
    try bound.run(
      on: MemorySource(recording.trace), options: RunOptions(policy: measured.policy))
  }

  private func score(
    _ settings: ParameterSettings, _ recording: EvaluationDataset.Recording, threshold: Double
  ) throws -> EventScore {
    let bound = try bound(settings, recording.trace, threshold)
    let result = try run(bound, recording)
    let exposure = recording.exposure.armed(by: bound.armingActions(of: recording.trace))
    let score = try TaskScore(
      of: result, on: recording.trace, task: measured.detector.task, exposure: exposure,
      tolerance: measured.margin)
    if case .count(let count) = score {
      return EventScore(
        count, ignoreZones: recording.trace.header.ignoreZones, exposure: exposure)
    }
    guard let score = score.eventScore else {
      throw Failure(
        .badData,
        "\(recording.path): expected a reference of task \(measured.detector.task.rawValue), "
          + "found none")
    }
    return score
  }

  /// The thresholds for a detector with scores that has to be run per threshold.
  private var scoredPoints: [Double] {
    ThresholdSpan.points(span.range, ThresholdSpan.defaultPoints)
  }

  /// The detector with some settings on a trace.
  /// - Parameter threshold: nil = that of the choice.
  private func bound(
    _ settings: ParameterSettings, _ trace: Trace, _ threshold: Double? = nil
  ) throws -> BoundDetector {
    var choice = measured.choice
    choice.overrides.merge(settings) { $1 }
    if let threshold { choice.overrides[span.parameter] = .number(threshold) }
    return try measured.detector.bound(choice, for: trace.header)
  }
}
