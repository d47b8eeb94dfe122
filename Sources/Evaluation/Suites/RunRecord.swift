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

/// The program of an external detector, so that a result can be traced to it.
package struct ProgramRecord: Hashable, Sendable, Codable {
  package struct File: Hashable, Sendable, Codable {
    /// As the command line names it: the program, or an argument that is a file.
    package var name: String
    package var sha256: String

    package init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// What it calls itself.
  package var name: String
  /// By its own account; empty = not stated.
  package var version: String
  /// The program first. What these read in turn (modules, weights) is not known.
  package var files: [File]

  package init(name: String, version: String, files: [File]) {
    self.name = name
    self.version = version
    self.files = files
  }
}

/// A recording as a slower sensor would have sampled it.
package struct SamplingRecord: Hashable, Sendable, Codable {
  /// Hz.
  package var rate: Double
  /// Readings of the recording.
  package var recorded: Int
  /// Readings that the slower sensor took.
  package var taken: Int

  package init(rate: Double, recorded: Int, taken: Int) {
    self.rate = rate
    self.recorded = recorded
    self.taken = taken
  }
}

/// One suite entry on one trace: input, detections and score.
package struct RunRecord: Sendable {
  /// The suite entry, unique within its suite.
  package var entry: String
  package var detector: String
  package var preset: String
  package var parameters: [ParameterRecord]
  /// The program of an `exec:` detector; nil = the detector is part of Shadowbox.
  package var program: ProgramRecord?
  /// The simulated person; nil = the trace's own actions.
  package var policy: String?
  /// Of the scripted person.
  package var seed: UInt64?
  /// The step that removed gravity; nil = none was needed.
  package var gravityRemoval: String?
  /// How readings were delivered: a name, with what differs from it.
  package var delivery = RunRecord.idealDelivery
  /// Of the delivery; nil where it is ideal.
  package var deliverySeed: UInt64?
  /// What the delivery did to the detector's channel; empty where it is ideal.
  package var deliveryFigures: [MeasurementRecord] = []
  /// The slower sensor that the detector's channel was reduced to; nil = as it was recorded.
  package var sampling: SamplingRecord?
  /// Times real time, or `max`.
  package var rate = "max"

  package var traceID: String
  /// The trace's file; empty if not known.
  package var tracePath = ""
  /// The SHA-256 of the trace's file.
  package var traceSHA256: String
  package var origin: TraceOrigin
  package var subject: String
  package var activity: String
  /// Of the trace.
  package var duration: Duration
  /// Readings of the detector's channel.
  package var readings: Int

  package var task: ReferenceTask
  /// In the order in which they were emitted.
  package var detections: [DetectionRecord]
  package var measurements: [MeasurementRecord]
  package var references: ReferenceSet?
  package var score: TaskScore
  /// What the detector took, without loading and scoring: a fact of the machine.
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
