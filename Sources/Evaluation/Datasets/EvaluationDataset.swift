import Diagnostics
import Detectors
public import Replay
public import Scoring
public import TraceModel
import Tuning

/// The recordings of a sweep or a search, as the detector gets them, and how they are scored.
public struct EvaluationDataset: Sendable {
  public struct Recording: Sendable {
    public var path: String
    /// The trace after gravity removal and delivery, if these are asked for.
    public var trace: Trace
    /// The time that counts, apart from arming.
    public var exposure: Exposure
    /// To find other recordings of the same readings.
    var marks: ReadingMarks
    public var sha256: String
  }

  public var name: String
  public var detector: AnyDetector
  public var choice: DetectorChoice
  /// The tolerance on both sides of a reference event; nil = the reference's own, else the metric's.
  public var tolerance: Duration?
  public var policy: ScriptedPolicy?
  public var path: SignalPath
  public var recordings: [Recording]

  /// The given tolerance; nil = each reference's own.
  public var margin: EventTolerance? { tolerance.map(EventTolerance.init(either:)) }

  /// The total length of the recordings in hours.
  public var hours: Double {
    recordings.reduce(0) { $0 + Double($1.trace.header.end.nanoseconds) / 3.6e12 }
  }

  /// How much of the recordings counts for the unchanged choice.
  public var exposure: ExposureTimes {
    recordings.reduce(ExposureTimes()) { sum, recording in
      let actions = (try? detector.bound(choice, for: recording.trace.header))?
        .armingActions(of: recording.trace)
      return sum + recording.exposure.armed(by: actions).times
    }
  }

  /// The facts about the recordings that a search needs.
  var trialRecordings: [TrialRecording] {
    recordings.map { recording in
      let header = recording.trace.header
      var trial = TrialRecording(
        id: header.id, subject: header.subject, activity: header.activity,
        references: references(of: recording), sha256: recording.sha256)
      trial.isCounted = count(of: recording) != nil
      return trial
    }
  }

  /// The stated number of events of a recording; nil if there is none.
  func count(of recording: Recording) -> Int? { recording.trace.header.count(detector.task)?.count }

  /// A sentence about the recordings with a count only; nil = there are none.
  var countNote: String? {
    let counted = recordings.count { count(of: $0) != nil }
    guard counted > 0 else { return nil }
    return
      "of \(counted) of \(recordings.count) traces only the number of events is known: a miss and a "
      + "false alarm of one trace cancel, so recall and precision are the highest possible"
  }

  /// Returns the number of references outside ignore zones, or the stated number of events.
  func references(of recording: Recording) -> Int {
    let header = recording.trace.header
    guard let reference = header.reference(detector.task) else { return count(of: recording) ?? 0 }
    let judged = EventJudgement(
      references: reference.events, detections: [], ignoreZones: header.ignoreZones,
      tolerance: .standard, duration: header.duration)
    return judged.score.counts.falseNegatives
  }

  /// nil without a reference, and for visits: the place that they state is not known by chance.
  func shiftedHits(
    _ detections: [TraceInstant], of recording: Recording, seed: UInt64
  ) -> ShiftedHits? {
    let header = recording.trace.header
    guard detector.task != .visit, let reference = header.reference(detector.task) else {
      return nil
    }
    let isMotion = [.acceleration, .userAcceleration].contains(detector.channel)
    return ShiftedHits(
      references: reference.events, detections: detections, zones: header.ignoreZones,
      tolerance: EventTolerance(for: reference, stated: margin),
      movement: isMotion ? Movement(recording.trace)?.stretches : nil, duration: header.duration,
      grid: isMotion ? SamplingGrid(recording.trace) : nil, seed: seed)
  }

  /// Reads recordings with their references.
  /// - Parameter files: native traces, instead of the traces of the entry.
  public static func read(
    _ files: [String], name: String, entry: Suite.Entry, detector: AnyDetector, threads: Int,
    loader: any TraceLoader, observer: any WorkObserver
  ) async throws -> EvaluationDataset {
    try requireCountable(detector)
    let done = Counter()
    let recordings = try await parallelMap(files, threads: threads) { file in
      let loaded = try loader.load(file)
      let signal = entry.path.apply(to: loaded.trace, for: detector.channel)
      try requireReference(of: detector, signal.trace, file)
      observer.progress(done.next(), of: files.count, "traces")
      return Recording(
        path: file, trace: signal.trace, exposure: signal.exposure,
        marks: SharedData.marks(of: loaded.trace, for: detector.channel),
        sha256: loaded.sha256)
    }
    observer.endProgress()
    var seen: [String: String] = [:]
    for recording in recordings {
      let id = recording.trace.header.id
      guard let other = seen.updateValue(recording.path, forKey: id) else { continue }
      throw Failure(
        .badData,
        "\(recording.path): expected a unique id, found \(id), which is also the id of \(other); "
          + "change one with convert --id")
    }
    return EvaluationDataset(
      name: name, detector: detector, choice: entry.choice, tolerance: entry.tolerance,
      policy: entry.policy, path: entry.path, recordings: recordings)
  }

  /// - Parameter groups: the group of each recording; nil = the people.
  /// - Throws: if recordings of different groups share data.
  func requireSeparate(_ groups: [String]? = nil) throws {
    try SharedData.check(
      recordings.enumerated().map { index, recording in
        SharedData.Recording(
          path: recording.path, header: recording.trace.header, marks: recording.marks,
          group: groups?[index])
      })
  }

  /// Checks that the task has hits and false alarms, which a curve needs.
  private static func requireCountable(_ detector: AnyDetector) throws {
    guard [.punch, .drop, .visit].contains(detector.task) else {
      throw Failure(
        .wrongUse,
        "detector \(detector.name): expected a task with events (punch, drop or visit), found "
          + "\(detector.task.rawValue); compare its settings as entries of a suite with run")
    }
  }

  private static func requireReference(
    of detector: AnyDetector, _ trace: Trace, _ file: String
  ) throws {
    let header = trace.header
    guard header.reference(detector.task) == nil, header.count(detector.task) == nil else { return }
    throw Failure(
      .badData,
      "\(file): expected a reference of task \(detector.task.rawValue), found "
        + (header.references.isEmpty
          ? "none" : header.references.map(\.task.rawValue).joined(separator: ", "))
        + "; add one with convert --reference, or with --count where only the number of events is "
        + "known, or state that there are no events with convert "
        + "--without \(detector.task.rawValue)")
  }
}

extension EventScore {
  /// The best case of a match with a number of events.
  /// - Parameter exposure: the time that counts, apart from ignore zones.
  init(_ count: CountScore, ignoreZones: [IgnoreZone], exposure: Exposure) {
    // Without references and detections, only the time remains.
    self =
      EventJudgement(
        references: [], detections: [], ignoreZones: ignoreZones, tolerance: .standard,
        exposure: exposure
      ).score
    counts = count.bestMatch
    tolerances = []
  }
}

extension TaskScore {
  /// Hits and false alarms, with delays from the start of the event; nil if the task has none.
  var eventScore: EventScore? {
    switch self {
    case .events(let judgement): return judgement.score
    case .visits(let judgement):
      var score = EventScore()
      score.counts = judgement.score.counts
      score.duplicates = judgement.score.duplicates
      score.scoredNanoseconds = judgement.score.scoredNanoseconds
      score.exposure = judgement.score.exposure
      score.tolerances = judgement.events.score.tolerances
      score.latencies = judgement.score.entryDelays
      score.onsetErrors = judgement.score.entryDelays
      return score
    case .track, .presence, .count, .unscored: return nil
    }
  }
}
