public import Detectors
public import TraceModel

/// How a run is made. None of it changes what is detected, except the policy.
public struct RunOptions: Sendable, Hashable {
  /// Readings handed to the detector at once, at most.
  public var blockSize: Int
  /// Answers prompts in the person's place; nil = the trace's own answers. Arming and pausing are
  /// the trace's own in any case.
  public var policy: ScriptedPolicy?

  public init(blockSize: Int = 4096, policy: ScriptedPolicy? = nil) {
    precondition(blockSize > 0)
    self.blockSize = blockSize
    self.policy = policy
  }
}

/// What a run found.
public struct RunResult: Sendable, Equatable {
  /// In the order in which they were emitted.
  public var detections: [DetectionRecord]
  /// The detectors' measurements at the end, by device.
  public var measurements: [DeviceID: [Measurement]]
  /// Readings of the detectors' channel that were delivered.
  public var readings: Int

  public init(
    detections: [DetectionRecord] = [], measurements: [DeviceID: [Measurement]] = [:],
    readings: Int = 0
  ) {
    self.detections = detections
    self.measurements = measurements
    self.readings = readings
  }
}

/// A device of a run over several.
public struct ReplayDevice {
  public var id: DeviceID
  public var source: any TraceSource
  /// The device's zero on the run's time axis.
  public var start: TraceInstant

  public init(_ id: DeviceID, source: any TraceSource, start: TraceInstant = .zero) {
    self.id = id
    self.source = source
    self.start = start
  }
}

/// Replays traces through detectors of one type, as fast as possible, in trace time.
public enum VirtualRun<D: Detector> {
  /// One device. Whole column blocks go to the detector, split at actions; with a policy, which
  /// answers to single detections, they go one reading at a time.
  ///
  /// - Throws: ``TraceError`` where the trace lacks the detector's channel, cannot be read, or its
  ///   arrival times decrease.
  public static func run(
    _ parameters: D.Parameters, on source: any TraceSource, device: DeviceID = DeviceID(0),
    options: RunOptions = RunOptions()
  ) throws(TraceError) -> RunResult {
    try run([parameters], on: [ReplayDevice(device, source: source)], options: options)
  }

  /// Several devices on one clock, each with a detector of its own; detections come in the order
  /// of the whole run.
  public static func run(
    _ parameters: [D.Parameters], on devices: [ReplayDevice], options: RunOptions = RunOptions()
  ) throws(TraceError) -> RunResult {
    precondition(parameters.count == devices.count)
    var streams: [DeviceStream] = []
    for (device, parameters) in zip(devices, parameters) {
      streams.append(
        try DeviceStream(
          D.self, parameters, on: device.source, device: device.id, start: device.start,
          options: options))
    }
    var timeline = Timeline(streams)
    var detections: [DetectionRecord] = []
    try timeline.run(into: &detections)
    var result = timeline.result
    result.detections = detections
    return result
  }
}
