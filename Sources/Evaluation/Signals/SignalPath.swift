public import Detectors
public import Replay
public import Scoring
public import TraceModel

/// The path of a recording to a detector: decimation to a slower sensor, removal of gravity on the
/// device, where no reading is late yet, and delivery.
///
/// ```swift
/// var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
/// trace.set(.vector(VectorColumns()), for: .acceleration)
/// let signal = SignalPath(gravity: .init()).apply(to: trace, for: .userAcceleration)
/// signal.gravityRemoval  // lowpass(0.7 s, frozen beyond 3.92266 m s-2)
/// ```
public struct SignalPath: Hashable, Sendable {
  /// The rate of the slower sensor in Hz; nil = as recorded.
  public var deviceRate: Double?
  public var gravity: GravityFilter.Parameters?
  public var delivery: NamedDelivery?

  public init(
    deviceRate: Double? = nil, gravity: GravityFilter.Parameters? = nil,
    delivery: NamedDelivery? = nil
  ) { (self.deviceRate, self.gravity, self.delivery) = (deviceRate, gravity, delivery) }

  public struct Signal: Sendable {
    public var trace: Trace
    /// The gravity filter; nil if none is needed.
    public var gravityRemoval: String?
    public var report = DeliveryReport()
    public var sampling: SamplingRecord?
    /// The time in which the sensor recorded and the delivery fed the detector.
    public var exposure: Exposure
  }

  /// Returns the trace at the input of a detector.
  /// - Parameter channel: the channel of the detector.
  public func apply(
    to trace: Trace, for channel: Channel, device: DeviceID = DeviceID(0)
  ) -> Signal {
    var signal = Signal(trace: trace, exposure: Exposure(duration: .zero))
    let needsGravityRemoval =
      gravity != nil && channel == .userAcceleration && trace[.userAcceleration] == nil
    let sensor = needsGravityRemoval ? Channel.acceleration : channel
    // A channel that is out of order is an error, which decimation would hide.
    if let deviceRate, trace[sensor].map(\.isInOrder) ?? true {
      signal.trace = trace.decimated(sensor, to: deviceRate)
      // The sensors of motion of a slower device are all slower.
      let motion: [Channel] = [.acceleration, .userAcceleration, .rotationRate]
      for other in motion where motion.contains(sensor) && other != sensor {
        if trace[other].map(\.isInOrder) ?? false {
          signal.trace = signal.trace.decimated(other, to: deviceRate)
        }
      }
      signal.sampling = SamplingRecord(
        rate: deviceRate, recorded: trace.header.info(sensor)?.count ?? 0,
        taken: signal.trace.header.info(sensor)?.count ?? 0)
    }
    if let gravity, trace[.userAcceleration] == nil {
      signal.trace.removeGravity(gravity)
      signal.gravityRemoval = GravityFilter(gravity).name
    }
    let recorded = signal.trace
    if let delivery {
      (signal.trace, signal.report) = delivery.delivery.apply(
        to: signal.trace, seed: delivery.seed, device: device)
    }
    signal.exposure = Exposure(
      of: recorded, channel: channel, unfed: signal.report[channel]?.unfed ?? [])
    return signal
  }

  /// Returns the traces of several devices, each with its own random numbers.
  public func apply(to traces: [Trace], for channel: Channel) -> [Signal] {
    traces.enumerated().map { apply(to: $0.element, for: channel, device: DeviceID($0.offset)) }
  }

  /// Returns lines for the terminal that describe the changes to the traces.
  public func lines(_ signals: [Signal], _ channel: Channel) -> [String] {
    var lines: [String] = []
    for signal in signals {
      guard let sampling = signal.sampling else { continue }
      lines.append("\(signal.trace.header.id): \(DeliveryText.sampling([sampling]))")
    }
    if let delivery {
      lines.append("delivery \(delivery.summary), seed \(delivery.seed)")
      for signal in signals {
        guard let counts = signal.report[channel] else { continue }
        lines.append(
          "  \(signal.trace.header.id): \(channel.name): \(DeliveryText.counts([counts.figures]))")
      }
    }
    return lines
  }
}
