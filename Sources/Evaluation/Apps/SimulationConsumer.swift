public import AppEngines
public import Replay
import Synchronization
public import TraceModel

/// Plays an app's simulation and returns its events as records.
public struct SimulationConsumer<Simulation: AppSimulation>: MergedConsumer {
  var simulation: Simulation
  /// Gets the simulation when it is over.
  let onClose: @Sendable (any AppSimulation) -> Void

  public mutating func take(_ reading: Reading) { simulation.take(reading) }

  public var deadline: TraceInstant? { simulation.deadline }

  public mutating func advance(to now: TraceInstant) { simulation.advance(to: now) }

  public mutating func finish(device: DeviceID, at end: TraceInstant) {
    simulation.finish(device: device, at: end)
  }

  public mutating func close(at end: TraceInstant) {
    simulation.close(at: end)
    onClose(simulation)
  }

  public mutating func takeRecords(into records: inout [DetectionRecord]) {
    for event in simulation.takeEvents() { records.append(DetectionRecord(event)) }
  }
}

extension DetectionRecord {
  /// The label is the sentence of the event, the original label its unit.
  public init(_ event: AppEvent) {
    self.init(
      device: event.person, onset: event.time, emitted: event.time, kind: event.kind,
      label: event.text, originalLabel: event.unit, value: event.value ?? .nan, place: event.place)
  }
}

extension AppEvent {
  public init(_ record: DetectionRecord) {
    self.init(
      record.kind, record.label, person: record.device, at: record.emitted,
      value: record.value.isNaN ? nil : record.value, unit: record.originalLabel,
      place: record.place)
  }
}

/// Holds a simulation after its end.
final class SimulationHolder: Sendable {
  let value = Mutex<(any AppSimulation)?>(nil)
}
