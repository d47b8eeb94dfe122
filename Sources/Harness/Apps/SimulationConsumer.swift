import Apps
import Replay
import Synchronization
import TraceModel

/// Plays an app's simulation: what happens comes out as records whose label is the log's sentence.
struct SimulationConsumer: MergedConsumer {
  private var simulation: any AppSimulation
  private let onClose: @Sendable (any AppSimulation) -> Void

  /// - Parameter onClose: gets the simulation when it is over.
  init(_ simulation: any AppSimulation, onClose: @escaping @Sendable (any AppSimulation) -> Void) {
    self.simulation = simulation
    self.onClose = onClose
  }

  mutating func take(_ reading: Reading) { simulation.take(reading) }

  var deadline: TraceInstant? { simulation.deadline }

  mutating func advance(to now: TraceInstant) { simulation.advance(to: now) }

  mutating func finish(device: DeviceID, at end: TraceInstant) {
    simulation.finish(person: device, at: end)
  }

  mutating func close(at end: TraceInstant) {
    simulation.close(at: end)
    onClose(simulation)
  }

  mutating func takeRecords(into records: inout [DetectionRecord]) {
    for event in simulation.takeEvents() { records.append(DetectionRecord(event)) }
  }
}

extension DetectionRecord {
  /// The record that stands for an event of an app: its sentence is the label, its unit the original
  /// label.
  init(_ event: AppEvent) {
    self.init(
      device: event.person, onset: event.time, emitted: event.time, kind: event.kind,
      label: event.text, originalLabel: event.unit, value: event.value ?? .nan, place: event.place)
  }
}

extension AppEvent {
  /// What a record stands for.
  init(_ record: DetectionRecord) {
    self.init(
      record.kind, record.label, person: record.device, at: record.emitted,
      value: record.value.isNaN ? nil : record.value, unit: record.originalLabel,
      place: record.place)
  }
}

/// Where a simulation that is over is put, for whoever waits for it.
final class SimulationHolder: Sendable {
  private let simulation = Mutex<(any AppSimulation)?>(nil)

  func put(_ simulation: any AppSimulation) {
    self.simulation.withLock { $0 = simulation }
  }

  var value: (any AppSimulation)? { simulation.withLock { $0 } }
}
