package import Apps
package import Replay
package import Synchronization
package import TraceModel

/// Plays an app's scenario: what happens comes out as records whose label is the log's sentence.
package struct SimulationConsumer: MergedConsumer {
  private var scenario: any AppSimulation
  private let onClose: @Sendable (any AppSimulation) -> Void

  /// - Parameter onClose: gets the scenario when it is over.
  package init(_ scenario: any AppSimulation, onClose: @escaping @Sendable (any AppSimulation) -> Void) {
    self.scenario = scenario
    self.onClose = onClose
  }

  package mutating func take(_ reading: Reading) { scenario.take(reading) }

  package var deadline: TraceInstant? { scenario.deadline }

  package mutating func advance(to now: TraceInstant) { scenario.advance(to: now) }

  package mutating func finish(device: DeviceID, at end: TraceInstant) {
    scenario.finish(person: device, at: end)
  }

  package mutating func close(at end: TraceInstant) {
    scenario.close(at: end)
    onClose(scenario)
  }

  package mutating func takeRecords(into records: inout [DetectionRecord]) {
    for event in scenario.takeEvents() { records.append(DetectionRecord(event)) }
  }
}

extension DetectionRecord {
  /// The record that stands for an event of an app: its sentence is the label, its unit the original
  /// label.
  package init(_ event: AppEvent) {
    self.init(
      device: event.person, onset: event.time, emitted: event.time, kind: event.kind,
      label: event.text, originalLabel: event.unit, value: event.value ?? .nan, place: event.place)
  }
}

extension AppEvent {
  /// What a record stands for.
  package init(_ record: DetectionRecord) {
    self.init(
      record.kind, record.label, person: record.device, at: record.emitted,
      value: record.value.isNaN ? nil : record.value, unit: record.originalLabel,
      place: record.place)
  }
}

/// Where a scenario that is over is put, for whoever waits for it.
package final class SimulationHolder: Sendable {
  private let scenario = Mutex<(any AppSimulation)?>(nil)

  package func put(_ scenario: any AppSimulation) {
    self.scenario.withLock { $0 = scenario }
  }

  package var value: (any AppSimulation)? { scenario.withLock { $0 } }
}
