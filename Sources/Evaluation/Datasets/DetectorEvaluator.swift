import Detectors
import Diagnostics
import Replay
import Scoring
import TraceModel
import Tuning

/// Evaluates settings of a detector's parameters on a set of recordings: exactly if the detector
/// reports scores, else with one run per threshold.
///
/// Recordings are evaluated in parallel; the results do not depend on the number of threads.
struct DetectorEvaluator: TrialEvaluator {
  let measured: EvaluationDataset
  let span: ThresholdSpan
  let threads: Int

  var recordings: [TrialRecording] { measured.trialRecordings }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    let points = try needsRuns(choice(settings)) ? span.points ?? scoredPoints : span.points
    return try await parallelMap(Array(measured.recordings.indices), threads: threads) {
      try curve(at: settings, of: $0, points: points)
    }
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    try await parallelMap(Array(measured.recordings.indices), threads: threads) {
      try score(at: settings, threshold: threshold, of: $0)
    }
  }

  // MARK: One recording

  /// Returns the curve of one recording, as ``curves(at:)`` does if there is no other.
  /// - Parameter points: the thresholds to evaluate; nil = all, or ``scoredPoints`` if the detector
  ///   has to be run per threshold.
  func curve(
    at settings: ParameterSettings, of position: Int, points: [Double]?
  ) throws -> ThresholdCurve {
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try Failure.naming(recording.path) {
      if measured.policy == nil,
        let curve = try exact?.curve(choice, recording.trace, measured.margin, span.range, points)
      {
        return curve
      }
      let points = points ?? scoredPoints
      let scores = try points.map { try score(choice, recording, threshold: $0) }
      return ThresholdCurve(
        thresholds: points, truePositives: scores.map(\.counts.truePositives),
        falsePositives: scores.map(\.counts.falsePositives), upper: points[points.count - 1],
        references: measured.references(of: recording),
        scoredNanoseconds: scores[0].scoredNanoseconds, isExact: false)
    }
  }

  func score(
    at settings: ParameterSettings, threshold: Double, of position: Int
  ) throws -> EventScore {
    let (choice, recording) = (try choice(settings), measured.recordings[position])
    return try Failure.naming(recording.path) { try score(choice, recording, threshold: threshold) }
  }

  private func score(
    _ choice: DetectorChoice, _ recording: EvaluationDataset.Recording, threshold: Double
  ) throws -> EventScore {
    var choice = choice
    choice.overrides[span.parameter] = .number(threshold)
    let result = try measured.detector.run(
      choice, on: MemorySource(recording.trace), options: RunOptions(policy: measured.policy))
    let score = TaskScore(
      of: result, on: recording.trace, task: measured.detector.task, tolerance: measured.margin)
    guard let score = score.eventScore else {
      throw Failure(
        .badData,
        "\(recording.path): expected a reference of task \(measured.detector.task.rawValue), "
          + "found none")
    }
    return score
  }

  /// Returns whether at least one recording needs a run per threshold. All curves then have the same
  /// points.
  private func needsRuns(_ choice: DetectorChoice) throws -> Bool {
    guard let exact, measured.policy == nil else { return true }
    // A single threshold takes almost no time, and shows whether an exact sweep is possible.
    let first = span.range.upperBound
    return try measured.recordings.contains { recording in
      try exact.curve(choice, recording.trace, measured.margin, first...first, [first]) == nil
    }
  }

  private var exact: ExactSweep? {
    measured.detector.exactSweep.flatMap { $0.parameter == span.parameter ? $0 : nil }
  }

  /// The thresholds for a detector with scores that has to be run per threshold.
  var scoredPoints: [Double] { ThresholdSpan.points(span.range, ThresholdSpan.defaultPoints) }

  private func choice(_ settings: ParameterSettings) throws -> DetectorChoice {
    var choice = measured.choice
    choice.overrides.merge(settings) { $1 }
    _ = try measured.detector.parameters(of: choice)
    return choice
  }
}
