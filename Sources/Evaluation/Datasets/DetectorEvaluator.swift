package import Diagnostics
package import Detectors
package import Replay
package import Scoring
package import TraceModel
package import Tuning

/// What a detector does on a set of recordings, asked by settings of its parameters: exactly where
/// the detector tells its scores, else by a run for each threshold.
///
/// The recordings are worked on in parallel; the answers do not depend on the number of threads.
package struct DetectorEvaluator: TrialEvaluator {
  package let measured: EvaluationDataset
  package let span: ThresholdSpan
  package let threads: Int
  /// Counts the runs and sweeps that were made.
  package let work = Counter()

  package init(_ measured: EvaluationDataset, span: ThresholdSpan, threads: Int) {
    self.measured = measured
    self.span = span
    self.threads = threads
  }

  package var recordings: [TrialRecording] {
    measured.recordings.map { recording in
      let header = recording.trace.header
      return TrialRecording(
        id: header.id, subject: header.subject, activity: header.activity,
        references: references(of: recording), sha256: recording.sha256)
    }
  }

  package func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    let choice = try choice(settings)
    let points = try needsRuns(choice) ? span.points ?? scoredPoints : span.points
    return try await parallelMap(measured.recordings, threads: threads) { recording in
      try naming(recording) { try curve(choice, recording, points) }
    }
  }

  package func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
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
  package func curve(
    at settings: ParameterSettings, of position: Int, points: [Double]?
  ) throws -> ThresholdCurve {
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try naming(recording) { try curve(choice, recording, points) }
  }

  package func score(
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
        choice, on: recording.trace, tolerance: measured.margin, range: first...first, points: [first])
        == nil
    }
  }

  private var exact: ExactSweep? {
    measured.detector.exactSweep.flatMap { $0.parameter == span.parameter ? $0 : nil }
  }

  /// Where a detector with scores has to be run after all.
  package var scoredPoints: [Double] {
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
      throw Failure(.badData, "\(recording.path): nothing of it can be scored")
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
