package import Detectors
package import Replay
package import TraceModel

/// What happens to a recording before a detector gets it: the sensor samples more slowly, gravity
/// is removed, and the readings are delivered, in this order. Nothing but the sensor knows of the
/// readings that it does not take; gravity is removed beside it, before anything can be late.
package struct SignalPath: Hashable, Sendable {
  /// Hz.
  package var deviceRate: Double?
  package var gravity: GravityFilter.Parameters?
  package var delivery: NamedDelivery?

  package init(
    deviceRate: Double? = nil, gravity: GravityFilter.Parameters? = nil,
    delivery: NamedDelivery? = nil
  ) {
    self.deviceRate = deviceRate
    self.gravity = gravity
    self.delivery = delivery
  }

  /// A trace as a detector gets it.
  package struct Signal: Sendable {
    package var trace: Trace
    /// What removed gravity; nil where nothing had to.
    package var gravityRemoval: String?
    package var report = DeliveryReport()
    /// What the slower sensor took; nil where none was asked for.
    package var sampling: SamplingRecord?
  }

  /// - Parameter channel: the detector's.
  package func apply(
    to trace: Trace, for channel: Channel, device: DeviceID = DeviceID(0)
  ) -> Signal {
    var signal = Signal(trace: trace)
    let needsGravityRemoval =
      gravity != nil && channel == .userAcceleration && trace[.userAcceleration] == nil
    let sensor = needsGravityRemoval ? Channel.acceleration : channel
    // A run of a channel that is out of order is an error, which leaving readings out would hide.
    if let deviceRate, trace[sensor].map(\.isInOrder) ?? true {
      signal.trace = trace.decimated(sensor, to: deviceRate)
      signal.sampling = SamplingRecord(
        rate: deviceRate, recorded: trace.header.info(sensor)?.count ?? 0,
        taken: signal.trace.header.info(sensor)?.count ?? 0)
    }
    if let gravity, trace[.userAcceleration] == nil {
      signal.trace.removeGravity(gravity)
      signal.gravityRemoval = GravityFilter(gravity).name
    }
    if let delivery {
      (signal.trace, signal.report) = delivery.delivery.apply(
        to: signal.trace, seed: delivery.seed, device: device)
    }
    return signal
  }

  /// The traces of several devices, each with the chance of its own.
  package func apply(to traces: [Trace], for channel: Channel) -> [Signal] {
    traces.enumerated().map { apply(to: $0.element, for: channel, device: DeviceID($0.offset)) }
  }

  /// What was done to the traces, for the person at the terminal.
  package func lines(_ signals: [Signal], _ channel: Channel) -> [String] {
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
