public import Detectors
public import Replay
public import Scoring
public import TraceModel
import Tuning

/// The program of an external detector, which makes a result traceable.
public struct ProgramRecord: Hashable, Sendable, Codable {
  public struct File: Hashable, Sendable, Codable {
    /// The name on the command line: the program, or an argument that is a file.
    public var name: String
    public var sha256: String

    public init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  public var name: String
  /// The version that the program reports; empty = none.
  public var version: String
  /// The program first. Files that these read (modules, weights) are not known.
  public var files: [File]

  public init(name: String, version: String, files: [File]) {
    (self.name, self.version, self.files) = (name, version, files)
  }
}

/// A recording decimated to the rate of a slower sensor.
public struct SamplingRecord: Hashable, Sendable, Codable {
  /// The rate of the slower sensor in Hz.
  public var rate: Double
  public var recorded: Int
  public var taken: Int
}

/// One suite entry on one trace: the inputs, the detections and the score.
public struct RunRecord: Sendable {
  /// The suite entry, unique within its suite.
  public var entry: String
  public var detector: String
  public var preset: String
  public var parameters: [ResolvedParameter] = []
  /// The program of an `exec:` detector; nil = the detector is part of Shadowbox.
  public var program: ProgramRecord?
  /// The simulated person who acts on prompts; nil = the trace's own actions.
  public var policy: String?
  public var seed: UInt64?
  /// The gravity filter; nil = none is needed.
  public var gravityRemoval: String?
  /// The delivery of the readings: a preset with the changed parameters.
  public var delivery = RunRecord.idealDelivery
  public var deliverySeed: UInt64?
  /// The effect of the delivery on the detector's channel; empty if it is ideal.
  public var deliveryFigures: [Measurement] = []
  /// The slower sensor to which the detector's channel is decimated; nil = as recorded.
  public var sampling: SamplingRecord?
  /// The rate as a multiple of real time, or `max`.
  public var rate = "max"

  var header: TraceHeader
  /// The trace's file; empty if not known.
  public var tracePath = ""
  public var traceSHA256 = ""
  /// To find other recordings of the same readings; nil once that is done.
  var marks: ReadingMarks?

  public var task: ReferenceTask
  /// The number of readings of the detector's channel.
  public var readings = 0
  /// The detections in the order of emission.
  public var detections: [DetectionRecord]
  /// The score of each detection, see ``DetectionThresholds``; empty if the detector has none.
  public var detectionScores: [Double?] = []
  /// The newest reading at the time of each report, from 0; -1 = none; empty = not known.
  public var newestReadings: [Int] = []
  /// Whether each value is a lower bound, at the end of the sensor's range; empty = not known.
  public var clippedDetections: [Bool] = []
  /// The name of the threshold parameter; nil = the detector has no scores.
  public var thresholdParameter: String?
  public var measurements: [Measurement]
  public var score: TaskScore
  /// The hits next to those of shifted detections; nil without events to score.
  public var shifted: ShiftedHits?
  /// The times in ns from report to withdrawal; nil = the detector withdraws nothing.
  var withdrawals: [Int64]?
  /// The time of the detector without loading and scoring, which depends on the machine.
  public var detectorTime = Duration.zero

  public var traceID: String { header.id }
  public var origin: TraceOrigin { header.origin }
  public var subject: String { header.subject }
  public var activity: String { header.activity }
  public var references: ReferenceSet? { header.reference(task) }
  public var duration: Duration { header.duration }
  public var hours: Double { Double(duration.nanoseconds) / 3.6e12 }

  /// Returns the name of the runs of an entry without what was taken back.
  package static func finalName(_ entry: String) -> String { entry + ", final" }

  public static let idealDelivery = "ideal"
  public var isDeliveryIdeal: Bool { delivery == Self.idealDelivery }
}

extension RunRecord {
  /// The run of a detector of `channel`, scored.
  /// - Parameter trace: the trace of the signal, with the references to score against.
  init(
    entry: String, detector: String, preset: String, parameters: [ResolvedParameter],
    policy: String?, seed: UInt64?, _ result: RunResult, on trace: Trace, hash: String,
    _ signal: SignalPath.Signal, delivery named: NamedDelivery?, channel: Channel,
    exposure: Exposure, task: ReferenceTask, tolerance: Duration?, detectorTime: Duration
  ) throws {
    try self.init(
      entry: entry, detector: detector, preset: preset, parameters: parameters, policy: policy,
      seed: seed,
      gravityRemoval: signal.gravityRemoval
        ?? trace.header.info(.userAcceleration)?.attributes["gravity_removal"],
      sampling: signal.sampling, header: trace.header, traceSHA256: hash, task: task,
      readings: result.readings, detections: result.detections,
      measurements: result.measurements[DeviceID(0)] ?? [],
      score: TaskScore(
        of: result, on: trace, task: task, exposure: exposure,
        tolerance: tolerance.map(EventTolerance.init(either:))),
      detectorTime: detectorTime)
    let isMotion = [.acceleration, .userAcceleration].contains(channel)
    addShifts(
      tolerance.map(EventTolerance.init(either:)), grid: isMotion ? SamplingGrid(trace) : nil,
      movement: { Movement(trace)?.stretches })
    // The true path may be as large as the trace, and only the score needs it.
    header.track = nil
    guard let named, !named.delivery.isIdeal else { return }
    delivery = named.summary
    deliverySeed = named.seed
    deliveryFigures = signal.report[channel]?.figures ?? []
  }

  /// Adds to each detection its score, the reading at which it was reported, and whether it is clipped.
  /// - Parameter trace: the trace at the input of the detector.
  mutating func addReadings(
    _ detector: AnyDetector, _ bound: BoundDetector, on trace: Trace
  ) throws {
    thresholdParameter = detector.exactThreshold
    if let exact = bound.exact { detectionScores = try exact.scores(trace, detections) }
    guard !detections.isEmpty, let block = trace[detector.channel], block.isInOrder else { return }
    if detector.channel == .acceleration || detector.channel == .userAcceleration,
      let clipped = ClippedReadings(trace)
    {
      clippedDetections = detections.map { clipped.isClipped(at: $0.onset) }
    }
    let arrivals = (block.arrivedTimes ?? block.measuredTimes)[block.range]
    newestReadings = detections.map { detection in
      arrivals.partitioningIndex { $0 > detection.emitted.nanoseconds } - arrivals.startIndex - 1
    }
  }

  /// Adds the time to each withdrawal.
  mutating func addWithdrawals() {
    var reports: [TraceInstant: TraceInstant] = [:]
    var times: [Int64] = []
    for record in detections {
      if record.kind != DetectionRecord.withdrawal {
        reports[record.onset] = record.emitted
      } else if let report = reports[record.onset] {
        times.append(record.emitted.nanoseconds.subtractingClamped(report.nanoseconds))
      }
    }
    withdrawals = times
  }

  /// Fewer than in a tuning: they show how much is chance, and decide nothing.
  static let shifts = 400

  /// - Parameters:
  ///   - tolerance: the stated one; nil = the reference's own.
  ///   - grid: the samples of the detector's channel; nil = not known.
  ///   - movement: the stretches of movement; nil = not known.
  mutating func addShifts(
    _ tolerance: EventTolerance?, grid: @autoclosure () -> SamplingGrid?,
    movement: () -> [Range<Int64>]?
  ) {
    guard case .events = score, let references, !references.events.isEmpty,
      header.duration > .zero
    else { return }
    // From the recording alone, so that the order of runs does not matter.
    let seed = traceID.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    shifted = ShiftedHits(
      references: references.events,
      detections: detections.ofKind(task.rawValue).map(\.onset),
      zones: header.ignoreZones, tolerance: EventTolerance(for: references, stated: tolerance),
      movement: movement(), duration: header.duration, grid: grid(), shifts: Self.shifts,
      seed: seed)
  }
}

extension TaskScore {
  /// Scores the run of a detector on a trace.
  /// - Parameter exposure: the time that counts; nil = all recorded time.
  public init(
    of result: RunResult, on trace: Trace, task: ReferenceTask, exposure: Exposure? = nil,
    tolerance: EventTolerance?
  ) throws(TraceError) {
    let measured = Dictionary(
      (result.measurements[DeviceID(0)] ?? []).map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
    try self.init(
      task: task, detections: result.detections, measured: measured, header: trace.header,
      exposure: exposure, fixes: trace[.location].flatMap { FixColumns($0) }, tolerance: tolerance,
      distance: Geodesy.distance)
  }
}
