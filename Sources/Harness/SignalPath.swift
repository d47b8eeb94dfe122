import Detectors
import Replay
import Results
import TraceModel

/// What happens to a recording before a detector gets it: the sensor samples more slowly, gravity
/// is removed, and the readings are delivered, in this order. Nothing but the sensor knows of the
/// readings that it does not take; gravity is removed beside it, before anything can be late.
struct SignalPath: Hashable, Sendable {
  /// Hz.
  var deviceRate: Double?
  var gravity: GravityFilter.Parameters?
  var delivery: NamedDelivery?

  /// A trace as a detector gets it.
  struct Signal: Sendable {
    var trace: Trace
    /// What removed gravity; nil where nothing had to.
    var gravityRemoval: String?
    var report = DeliveryReport()
    /// Readings of the detector's channel that were recorded, and that the slower sensor took.
    var recorded = 0
    var sampled = 0
  }

  /// - Parameter channel: the detector's.
  func apply(
    to trace: Trace, for channel: Channel, device: DeviceID = DeviceID(0)
  ) throws(TraceError) -> Signal {
    var signal = Signal(trace: trace)
    let needsGravityRemoval =
      gravity != nil && channel == .userAcceleration && trace[.userAcceleration] == nil
    let sensor = needsGravityRemoval ? Channel.acceleration : channel
    signal.recorded = trace.header.info(sensor)?.count ?? 0
    if let deviceRate { signal.trace = trace.decimated(sensor, to: deviceRate) }
    signal.sampled = signal.trace.header.info(sensor)?.count ?? 0
    if let gravity, trace[.userAcceleration] == nil {
      signal.trace.removeGravity(gravity)
      signal.gravityRemoval = GravityFilter(gravity).name
    }
    if let delivery {
      (signal.trace, signal.report) = try delivery.delivery.apply(
        to: signal.trace, seed: delivery.seed, device: device)
    }
    return signal
  }

  /// The traces of several devices, each with the chance of its own.
  func apply(to traces: [Trace], for channel: Channel) throws(TraceError) -> [Signal] {
    var signals: [Signal] = []
    for (index, trace) in traces.enumerated() {
      signals.append(try apply(to: trace, for: channel, device: DeviceID(index)))
    }
    return signals
  }

  /// What was done to the traces, for the person at the terminal.
  func lines(_ signals: [Signal], _ channel: Channel) -> [String] {
    var lines: [String] = []
    if let deviceRate {
      for signal in signals {
        let own = signal.sampled == signal.recorded
        lines.append(
          "device rate \(ParameterValue.number(deviceRate)) Hz: \(signal.trace.header.id): "
            + (own
              ? "its own rate is not above that, so nothing was left out"
              : "\(signal.sampled) of \(signal.recorded) readings taken"))
      }
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
