import Detectors
import Foundation
import Replay
import Results
import Scoring
import TraceFormats
import TraceModel

/// What a sweep or a search measures on: recordings as a detector gets them, and how it is scored.
struct MeasuredSet: Sendable {
  struct Recording: Sendable {
    var path: String
    /// Gravity removed and readings delivered, where that was asked for.
    var trace: Trace
    /// Of the file.
    var sha256: String
  }

  var name: String
  var detector: RegisteredDetector
  var choice: DetectorChoice
  /// Either side of a reference; nil = each reference's own, else the metric's.
  var tolerance: Duration?
  var policy: ScriptedPolicy?
  var path: SignalPath
  var recordings: [Recording]

  /// Hours of all recordings.
  var hours: Double {
    recordings.reduce(0) { $0 + Double($1.trace.header.end.nanoseconds) / 3.6e12 }
  }

  /// Reads recordings, each with its reference.
  /// - Parameter files: native traces.
  static func read(
    _ files: [String], name: String, detector: RegisteredDetector, choice: DetectorChoice,
    tolerance: Duration?, policy: ScriptedPolicy?, path: SignalPath, threads: Int,
    terminal: Terminal
  ) async throws -> MeasuredSet {
    try requireCountable(detector)
    let done = Counter()
    let recordings = try await parallelMap(files, threads: threads) { file in
      let (trace, hash) = try SteadyFile.reading(file) {
        // Another process reads the trace meanwhile: of one large recording the digest would take a
        // quarter of the time.
        let digest = WorkerThread { try FileDigest.sha256(of: file) }
        digest.start()
        let trace = Result { try NativeFile.read(file) }
        let hash = Result { try digest.wait() }
        return (try trace.get(), try hash.get())
      }
      let signal = path.apply(to: trace, for: detector.channel)
      try requireReference(of: detector, signal.trace, file)
      terminal.progress(done.next(), of: files.count, "traces")
      return Recording(path: file, trace: signal.trace, sha256: hash)
    }
    terminal.endProgress()
    var seen: [String: String] = [:]
    for recording in recordings {
      let id = recording.trace.header.id
      if let other = seen.updateValue(recording.path, forKey: id) {
        throw CommandError(
          .badData,
          "\(recording.path): expected an id of its own, found \(id), which \(other) has too; give "
            + "one of them another with convert --id")
      }
    }
    return MeasuredSet(
      name: name, detector: detector, choice: choice, tolerance: tolerance, policy: policy,
      path: path, recordings: recordings)
  }

  /// Only events that are found or missed, and made up, have a curve.
  private static func requireCountable(_ detector: RegisteredDetector) throws {
    guard [.punch, .drop, .visit].contains(detector.task) else {
      throw CommandError(
        .wrongUse,
        "detector \(detector.name) is scored on \(detector.task.rawValue), where nothing is hit or "
          + "made up that could be counted by threshold; compare settings as entries of a suite "
          + "with run")
    }
  }

  private static func requireReference(
    of detector: RegisteredDetector, _ trace: Trace, _ file: String
  ) throws {
    guard trace.header.reference(detector.task) == nil else { return }
    throw CommandError(
      .badData,
      "\(file): expected a reference of task \(detector.task.rawValue), found "
        + (trace.header.references.isEmpty
          ? "none" : trace.header.references.map(\.task.rawValue).joined(separator: ", "))
        + "; add one with convert --reference, or say that nothing happened with convert "
        + "--without \(detector.task.rawValue)")
  }
}

extension TaskScore {
  /// Hits and false alarms, with delays from the event's beginning; nil where the task has none.
  var eventScore: EventScore? {
    switch self {
    case .events(let judgement): return judgement.score
    case .visits(let judgement):
      var score = EventScore()
      score.counts = judgement.score.counts
      score.duplicates = judgement.score.duplicates
      score.scoredNanoseconds = judgement.score.scoredNanoseconds
      score.tolerances = [judgement.tolerance]
      score.latencies = judgement.score.entryDelays
      score.onsetErrors = judgement.score.entryDelays
      return score
    case .track, .presence, .unscored: return nil
    }
  }
}
