import Detectors
import Replay
import Results
import Scoring
import TraceModel
import Tuning

/// What a detector does on a set of recordings, asked by settings of its parameters: exactly where
/// the detector tells its scores, else by a run for each threshold.
///
/// The recordings are worked on in parallel; the answers do not depend on the number of threads.
struct DetectorEvaluator: TrialEvaluator {
  let measured: MeasuredSet
  let span: ThresholdSpan
  let threads: Int
  /// Counts the runs and sweeps that were made.
  let work = Counter()

  init(_ measured: MeasuredSet, span: ThresholdSpan, threads: Int) {
    self.measured = measured
    self.span = span
    self.threads = threads
  }

  var recordings: [TrialRecording] {
    measured.recordings.map { recording in
      let header = recording.trace.header
      return TrialRecording(
        id: header.id, subject: header.subject, activity: header.activity,
        references: references(of: recording), sha256: recording.sha256)
    }
  }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    let choice = try choice(settings)
    let points = try needsRuns(choice) ? span.points ?? scoredPoints : span.points
    return try await parallelMap(measured.recordings, threads: threads) { recording in
      try naming(recording) { try curve(choice, recording, points) }
    }
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    var settings = settings
    settings[span.parameter] = .number(threshold)
    let choice = try choice(settings)
    return try await parallelMap(measured.recordings, threads: threads) { recording in
      try naming(recording) { try score(choice, recording) }
    }
  }

  // MARK: One recording

  /// As ``curves(at:)``, where the recording were the only one.
  /// - Parameter points: the thresholds that are looked at; nil = all, or where it can only be run,
  ///   ``scoredPoints``.
  func curve(
    at settings: ParameterSettings, of position: Int, points: [Double]?
  ) throws -> ThresholdCurve {
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try naming(recording) { try curve(choice, recording, points) }
  }

  func score(
    at settings: ParameterSettings, threshold: Double, of position: Int
  ) throws -> EventScore {
    var settings = settings
    settings[span.parameter] = .number(threshold)
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try naming(recording) { try score(choice, recording) }
  }

  /// Whether one recording at least can only be run: then all curves have the same points.
  private func needsRuns(_ choice: DetectorChoice) throws -> Bool {
    guard let exact, measured.policy == nil else { return true }
    // One threshold alone is next to no work, and shows whether the rule and the recording permit.
    let first = span.range.upperBound
    return try measured.recordings.contains { recording in
      try exact.curve(
        choice, on: recording.trace, tolerance: margin, range: first...first, points: [first])
        == nil
    }
  }

  private var exact: ExactSweep? {
    measured.detector.exactSweep.flatMap { $0.parameter == span.parameter ? $0 : nil }
  }

  /// Where a detector with scores has to be run after all.
  var scoredPoints: [Double] {
    ThresholdSpan.points(span.range, ThresholdSpan.defaultPoints)
  }

  private func curve(
    _ choice: DetectorChoice, _ recording: MeasuredSet.Recording, _ points: [Double]?
  ) throws -> ThresholdCurve {
    if measured.policy == nil,
      let curve = try exact?.curve(
        choice, on: recording.trace, tolerance: margin, range: span.range, points: points)
    {
      _ = work.next()
      return curve
    }
    let points = points ?? scoredPoints
    let scores = try points.map { point in
      var choice = choice
      choice.overrides[span.parameter] = "\(point)"
      return try score(choice, recording)
    }
    return ThresholdCurve(
      thresholds: points, truePositives: scores.map(\.counts.truePositives),
      falsePositives: scores.map(\.counts.falsePositives), upper: points[points.count - 1],
      references: references(of: recording), scoredNanoseconds: scores[0].scoredNanoseconds,
      isExact: false)
  }

  private func score(
    _ choice: DetectorChoice, _ recording: MeasuredSet.Recording
  ) throws -> EventScore {
    _ = work.next()
    let result = try measured.detector.run(
      choice, on: MemorySource(recording.trace), options: RunOptions(policy: measured.policy))
    let score = TaskScore(
      task: measured.detector.task, result: result, trace: recording.trace,
      tolerance: measured.tolerance)
    guard let score = score.eventScore else {
      throw CommandError(.badData, "\(recording.path): nothing of it can be scored")
    }
    return score
  }

  private func references(of recording: MeasuredSet.Recording) -> Int {
    let header = recording.trace.header
    guard let reference = header.reference(measured.detector.task) else { return 0 }
    let judged = EventJudgement(
      references: reference.events, detections: [], ignoreZones: header.ignoreZones,
      tolerance: .standard, duration: header.duration)
    return judged.score.counts.falseNegatives
  }

  /// Nil = each reference's own.
  private var margin: EventTolerance? {
    measured.tolerance.map { EventTolerance(early: $0, late: $0) }
  }

  private func choice(_ settings: ParameterSettings) throws -> DetectorChoice {
    var choice = measured.choice
    for (name, value) in settings { choice.overrides[name] = "\(value)" }
    _ = try measured.detector.parameters(of: choice, for: TraceHeader(id: "", origin: .recorded))
    return choice
  }

  private func naming<Result>(
    _ recording: MeasuredSet.Recording, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as TraceError {
      throw CommandError(
        error.kind == .inputOutput ? .fileError : .badData, "\(recording.path): \(error)")
    }
  }
}
