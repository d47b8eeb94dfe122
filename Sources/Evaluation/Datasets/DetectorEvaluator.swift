import Detectors
import Diagnostics
import Replay
public import Scoring
import TraceModel
public import Tuning

/// Evaluates settings of a detector's parameters on a set of recordings: exactly if the detector
/// reports scores, else with one run per threshold.
///
/// Recordings are evaluated in parallel; the results do not depend on the number of threads.
public struct DetectorEvaluator: TrialEvaluator {
  public let measured: EvaluationDataset
  public let span: ThresholdSpan
  public let threads: Int
  /// The number of runs and sweeps so far.
  package let work = Counter()

  public init(_ measured: EvaluationDataset, span: ThresholdSpan, threads: Int) {
    self.measured = measured
    self.span = span
    self.threads = threads
  }

  public var recordings: [TrialRecording] {
    measured.recordings.map { recording in
      let header = recording.trace.header
      return TrialRecording(
        id: header.id, subject: header.subject, activity: header.activity,
        references: references(of: recording), sha256: recording.sha256)
    }
  }

  public func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    let choice = try choice(settings)
    let points = try needsRuns(choice) ? span.points ?? scoredPoints : span.points
    return try await parallelMap(measured.recordings, threads: threads) { recording in
      try naming(recording) { try curve(choice, recording, points) }
    }
  }

  public func scores(
    at settings: ParameterSettings, threshold: Double
  ) async throws -> [EventScore] {
    var settings = settings
    settings[span.parameter] = .number(threshold)
    let choice = try choice(settings)
    return try await parallelMap(measured.recordings, threads: threads) { recording in
      try naming(recording) { try score(choice, recording) }
    }
  }

  // MARK: One recording

  /// Returns the curve of one recording, as ``curves(at:)`` does if there is no other.
  /// - Parameter points: the thresholds to evaluate; nil = all, or ``scoredPoints`` if the detector
  ///   has to be run per threshold.
  public func curve(
    at settings: ParameterSettings, of position: Int, points: [Double]?
  ) throws -> ThresholdCurve {
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try naming(recording) { try curve(choice, recording, points) }
  }

  public func score(
    at settings: ParameterSettings, threshold: Double, of position: Int
  ) throws -> EventScore {
    var settings = settings
    settings[span.parameter] = .number(threshold)
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try naming(recording) { try score(choice, recording) }
  }

  /// Returns whether at least one recording needs a run per threshold. All curves then have the same
  /// points.
  private func needsRuns(_ choice: DetectorChoice) throws -> Bool {
    guard let exact, measured.policy == nil else { return true }
    // A single threshold takes almost no time, and shows whether an exact sweep is possible.
    let first = span.range.upperBound
    return try measured.recordings.contains { recording in
      try exact.curve(
        choice, on: recording.trace, tolerance: measured.margin, range: first...first,
        points: [first])
        == nil
    }
  }

  private var exact: ExactSweep? {
    measured.detector.exactSweep.flatMap { $0.parameter == span.parameter ? $0 : nil }
  }

  /// The thresholds for a detector with scores that has to be run per threshold.
  public var scoredPoints: [Double] {
    ThresholdSpan.points(span.range, ThresholdSpan.defaultPoints)
  }

  private func curve(
    _ choice: DetectorChoice, _ recording: EvaluationDataset.Recording, _ points: [Double]?
  ) throws -> ThresholdCurve {
    if measured.policy == nil,
      let curve = try exact?.curve(
        choice, on: recording.trace, tolerance: measured.margin, range: span.range, points: points)
    {
      _ = work.next()
      return curve
    }
    let points = points ?? scoredPoints
    let scores = try points.map { point in
      var choice = choice
      choice.overrides[span.parameter] = .number(point)
      return try score(choice, recording)
    }
    return ThresholdCurve(
      thresholds: points, truePositives: scores.map(\.counts.truePositives),
      falsePositives: scores.map(\.counts.falsePositives), upper: points[points.count - 1],
      references: references(of: recording), scoredNanoseconds: scores[0].scoredNanoseconds,
      isExact: false)
  }

  private func score(
    _ choice: DetectorChoice, _ recording: EvaluationDataset.Recording
  ) throws -> EventScore {
    _ = work.next()
    let result = try measured.detector.run(
      choice, on: MemorySource(recording.trace), options: RunOptions(policy: measured.policy))
    let score = TaskScore(
      of: result, on: recording.trace, task: measured.detector.task,
      tolerance: measured.margin)
    guard let score = score.eventScore else {
      throw Failure(
        .badData,
        "\(recording.path): expected a reference of task \(measured.detector.task.rawValue), "
          + "found none")
    }
    return score
  }

  private func references(of recording: EvaluationDataset.Recording) -> Int {
    let header = recording.trace.header
    guard let reference = header.reference(measured.detector.task) else { return 0 }
    let judged = EventJudgement(
      references: reference.events, detections: [], ignoreZones: header.ignoreZones,
      tolerance: .standard, duration: header.duration)
    return judged.score.counts.falseNegatives
  }

  private func choice(_ settings: ParameterSettings) throws -> DetectorChoice {
    var choice = measured.choice
    choice.overrides.merge(settings) { $1 }
    _ = try measured.detector.parameters(of: choice, for: TraceHeader(id: "", origin: .recorded))
    return choice
  }

  private func naming<Result>(
    _ recording: EvaluationDataset.Recording, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as TraceError {
      throw Failure(
        error.kind == .inputOutput ? .fileError : .badData, "\(recording.path): \(error)")
    }
  }
}
