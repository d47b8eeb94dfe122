package import Scoring
package import TraceModel

/// A parameter as a run used it.
package struct ParameterRecord: Hashable, Sendable, Encodable {
  package var name: String
  package var value: String
  package var unit: String

  package init(name: String, value: String, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }

  private enum CodingKeys: CodingKey { case name, value, unit }

  /// Writes numbers as numbers and flags as flags.
  package func encode(to encoder: any Encoder) throws {
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
package struct MeasurementRecord: Hashable, Sendable {
  package var name: String
  package var value: Double
  package var unit: String

  package init(name: String, value: Double, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

/// The program of an external detector, which makes a result traceable.
package struct ProgramRecord: Hashable, Sendable, Codable {
  package struct File: Hashable, Sendable, Codable {
    /// The name on the command line: the program, or an argument that is a file.
    package var name: String
    package var sha256: String

    package init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// The name that the program reports.
  package var name: String
  /// The version that the program reports; empty = none.
  package var version: String
  /// The program first. Files that these read (modules, weights) are not known.
  package var files: [File]

  package init(name: String, version: String, files: [File]) {
    self.name = name
    self.version = version
    self.files = files
  }
}

/// A recording decimated to the rate of a slower sensor.
package struct SamplingRecord: Hashable, Sendable, Codable {
  /// The rate of the slower sensor in Hz.
  package var rate: Double
  /// The readings of the recording.
  package var recorded: Int
  /// The readings that remain at the lower rate.
  package var taken: Int

  package init(rate: Double, recorded: Int, taken: Int) {
    self.rate = rate
    self.recorded = recorded
    self.taken = taken
  }
}

/// One suite entry on one trace: the inputs, the detections and the score.
package struct RunRecord: Sendable {
  /// The suite entry, unique within its suite.
  package var entry: String
  package var detector: String
  package var preset: String
  package var parameters: [ParameterRecord]
  /// The program of an `exec:` detector; nil = the detector is part of Shadowbox.
  package var program: ProgramRecord?
  /// The simulated person who acts on prompts; nil = the trace's own actions.
  package var policy: String?
  /// The seed of the simulated person.
  package var seed: UInt64?
  /// The gravity filter; nil = none is needed.
  package var gravityRemoval: String?
  /// The delivery of the readings: a preset with the changed parameters.
  package var delivery = RunRecord.idealDelivery
  /// The seed of the delivery; nil if it is ideal.
  package var deliverySeed: UInt64?
  /// The effect of the delivery on the detector's channel; empty if it is ideal.
  package var deliveryFigures: [MeasurementRecord] = []
  /// The slower sensor to which the detector's channel is decimated; nil = as recorded.
  package var sampling: SamplingRecord?
  /// The rate as a multiple of real time, or `max`.
  package var rate = "max"

  package var traceID: String
  /// The trace's file; empty if not known.
  package var tracePath = ""
  /// The SHA-256 of the trace's file.
  package var traceSHA256: String
  package var origin: TraceOrigin
  package var subject: String
  package var activity: String
  /// The length of the trace.
  package var duration: Duration
  /// The number of readings of the detector's channel.
  package var readings: Int

  package var task: ReferenceTask
  /// The detections in the order of emission.
  package var detections: [DetectionRecord]
  package var measurements: [MeasurementRecord]
  package var references: ReferenceSet?
  package var score: TaskScore
  /// The time of the detector without loading and scoring, which depends on the machine.
  package var detectorTime: Duration

  package init(
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

  package var hours: Double { Double(duration.nanoseconds) / 3.6e12 }

  /// The name of the delivery that changes nothing.
  package static let idealDelivery = "ideal"
  package var isDeliveryIdeal: Bool { delivery == Self.idealDelivery }
}
