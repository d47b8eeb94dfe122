public import Scoring
public import TraceModel

/// A parameter as a run used it.
public struct ParameterRecord: Hashable, Sendable, Encodable {
  public var name: String
  public var value: String
  public var unit: String

  public init(name: String, value: String, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }

  private enum CodingKeys: CodingKey { case name, value, unit }

  /// Writes numbers as numbers and flags as flags.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(unit, forKey: .unit)
    if let number = Double(value), number.isFinite {
      try container.encode(number, forKey: .value)
    } else if let flag = Bool(value) {
      try container.encode(flag, forKey: .value)
    } else {
      try container.encode(value, forKey: .value)
    }
  }
}

/// A quantity that the detector measured.
public struct MeasurementRecord: Hashable, Sendable {
  public var name: String
  public var value: Double
  public var unit: String

  public init(name: String, value: Double, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

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

  /// The name that the program reports.
  public var name: String
  /// The version that the program reports; empty = none.
  public var version: String
  /// The program first. Files that these read (modules, weights) are not known.
  public var files: [File]

  public init(name: String, version: String, files: [File]) {
    self.name = name
    self.version = version
    self.files = files
  }
}

/// A recording decimated to the rate of a slower sensor.
public struct SamplingRecord: Hashable, Sendable, Codable {
  /// The rate of the slower sensor in Hz.
  public var rate: Double
  /// The readings of the recording.
  public var recorded: Int
  /// The readings that remain at the lower rate.
  public var taken: Int

  public init(rate: Double, recorded: Int, taken: Int) {
    self.rate = rate
    self.recorded = recorded
    self.taken = taken
  }
}

/// One suite entry on one trace: the inputs, the detections and the score.
public struct RunRecord: Sendable {
  /// The suite entry, unique within its suite.
  public var entry: String
  public var detector: String
  public var preset: String
  public var parameters: [ParameterRecord]
  /// The program of an `exec:` detector; nil = the detector is part of Shadowbox.
  public var program: ProgramRecord?
  /// The simulated person who acts on prompts; nil = the trace's own actions.
  public var policy: String?
  /// The seed of the simulated person.
  public var seed: UInt64?
  /// The gravity filter; nil = none is needed.
  public var gravityRemoval: String?
  /// The delivery of the readings: a preset with the changed parameters.
  public var delivery = RunRecord.idealDelivery
  /// The seed of the delivery; nil if it is ideal.
  public var deliverySeed: UInt64?
  /// The effect of the delivery on the detector's channel; empty if it is ideal.
  public var deliveryFigures: [MeasurementRecord] = []
  /// The slower sensor to which the detector's channel is decimated; nil = as recorded.
  public var sampling: SamplingRecord?
  /// The rate as a multiple of real time, or `max`.
  public var rate = "max"

  public var traceID: String
  /// The trace's file; empty if not known.
  public var tracePath = ""
  /// The SHA-256 of the trace's file.
  public var traceSHA256: String
  public var origin: TraceOrigin
  public var subject: String
  public var activity: String
  /// The length of the trace.
  public var duration: Duration
  /// The number of readings of the detector's channel.
  public var readings: Int

  public var task: ReferenceTask
  /// The detections in the order of emission.
  public var detections: [DetectionRecord]
  public var measurements: [MeasurementRecord]
  public var references: ReferenceSet?
  public var score: TaskScore
  /// The time of the detector without loading and scoring, which depends on the machine.
  public var detectorTime: Duration

  public init(
    entry: String, detector: String, preset: String, parameters: [ParameterRecord],
    policy: String?, seed: UInt64?, gravityRemoval: String?, header: TraceHeader,
    traceSHA256: String,
    task: ReferenceTask, readings: Int, detections: [DetectionRecord],
    measurements: [MeasurementRecord], score: TaskScore, detectorTime: Duration
  ) {
    self.entry = entry
    self.detector = detector
    self.preset = preset
    self.parameters = parameters
    self.policy = policy
    self.seed = seed
    self.gravityRemoval = gravityRemoval
    traceID = header.id
    self.traceSHA256 = traceSHA256
    origin = header.origin
    subject = header.subject
    activity = header.activity
    duration = header.duration
    self.readings = readings
    self.task = task
    self.detections = detections
    self.measurements = measurements
    references = header.reference(task)
    self.score = score
    self.detectorTime = detectorTime
  }

  public var hours: Double { Double(duration.nanoseconds) / 3.6e12 }

  /// The name of the delivery that changes nothing.
  public static let idealDelivery = "ideal"
  public var isDeliveryIdeal: Bool { delivery == Self.idealDelivery }
}
