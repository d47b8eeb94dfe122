public import Detectors
public import TraceModel

/// The options of a run. Of those that succeed, only the policy changes the detections.
public struct RunOptions: Sendable, Hashable {
  /// The maximum number of readings passed to the detector at once.
  public var blockSize: Int
  /// Answers prompts instead of the person; nil = the trace's own answers. Arming and pausing are
  /// always those of the trace.
  public var policy: ScriptedPolicy?
  /// A run on one device with more detections ends with an error, before they fill the memory.
  public var mostDetections: Int

  public init(
    blockSize: Int = 4096, policy: ScriptedPolicy? = nil, mostDetections: Int = .max
  ) {
    precondition(blockSize > 0)
    self.blockSize = blockSize
    self.policy = policy
    self.mostDetections = mostDetections
  }
}

/// What the detectors of a run detected and measured.
///
/// ```swift
/// let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch")
/// let withdrawal = DetectionRecord(onset: .zero, emitted: .zero, kind: DetectionRecord.withdrawal)
/// RunResult(detections: [punch, withdrawal]).settled.detections.isEmpty  // true
/// ```
public struct RunResult: Sendable, Equatable {
  /// The detections, in the order in which they were emitted.
  public var detections: [DetectionRecord]
  /// The detectors' measurements at the end, by device.
  public var measurements: [DeviceID: [Measurement]]
  /// The number of delivered readings of the detectors' channel.
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

extension RunResult {
  /// The result without the withdrawn detections, and without the events that withdraw them.
  public var settled: RunResult {
    let withdrawn = Set(
      detections.filter { $0.kind == DetectionRecord.withdrawal }
        .map { [Int64($0.device.index), $0.onset.nanoseconds] })
    var settled = self
    settled.detections.removeAll {
      $0.kind == DetectionRecord.withdrawal
        || withdrawn.contains([Int64($0.device.index), $0.onset.nanoseconds])
    }
    return settled
  }
}

/// A device of a run, with its own start.
///
/// ```swift
/// let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
/// var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
/// trace.set(.heartbeat(beat), for: .heartbeat)
/// let start = TraceInstant(nanoseconds: 60)
/// let phone = ReplayDevice(DeviceID(0), source: MemorySource(trace), start: start)
/// let result = try VirtualRun<PresenceDetector>.run([.init()], on: [phone])
/// result.detections.first?.onset.nanoseconds  // 65
/// ```
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
///
/// ```swift
/// var columns = VectorColumns()
/// columns.append(Acceleration(x: 0, y: 0, z: 0), measured: 0, arrived: 0)
/// var trace = Trace(header: TraceHeader(id: "still", origin: .synthetic))
/// trace.set(.vector(columns), for: .userAcceleration)
/// let parameters = PunchDetector.presets[0].parameters(for: trace.header)
/// let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
/// result.readings  // 1
/// result.detections.isEmpty  // true
/// ```
public enum VirtualRun<D: Detector> {
  /// Runs one device. The detector receives whole column blocks, split at actions. With a policy,
  /// which answers single detections, it receives one reading at a time.
  ///
  /// - Throws: ``TraceError`` if the trace lacks the detector's channel or cannot be read, or if
  ///   its arrival times decrease.
  public static func run(
    _ parameters: D.Parameters, on source: any TraceSource, device: DeviceID = DeviceID(0),
    options: RunOptions = RunOptions()
  ) throws(TraceError) -> RunResult {
    let stream = try DeviceStream(
      D.self, parameters, on: source, device: device, options: options)
    var result = RunResult()
    try stream.run(into: &result.detections)
    result.measurements[device] = stream.measurements
    result.readings = stream.readings
    return result
  }
}

// A page has one device at a time.
#if !hasFeature(Embedded)
  extension VirtualRun {
    /// Runs several devices on one clock, each with its own detector; the detections are in the order
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
#endif
