import Testing
import TraceModel

@testable import AppEngines

/// An app that is played on traces as the harness plays it: readings by arrival, deadlines before the
/// readings that come after them, and each person until the end of the trace.
struct AppRun<App: AppSimulation> {
  var simulation: App
  var events: [AppEvent] = []

  var both: (simulation: App, events: [AppEvent]) { (simulation, events) }
  func kinds(_ kind: String) -> [AppEvent] { events.filter { $0.kind == kind } }
  func value(_ name: String, of person: Int? = nil) -> Double? {
    simulation.outcomes.first { $0.name == name && $0.person?.index == person }?.value
  }

  /// The readings that the app gets of traces, in the order of arrival.
  static func readings(_ traces: [Trace]) -> [Reading] {
    var readings: [Reading] = []
    for (index, trace) in traces.enumerated() {
      for channel in [App.channel, .action] {
        guard let columns = trace[channel] else { continue }
        readings += columns.range.map { position in
          let measured = columns.measuredTimes[position]
          return Reading(
            device: DeviceID(index), channel: channel, sequence: position,
            measured: TraceInstant(nanoseconds: measured),
            arrived: TraceInstant(nanoseconds: columns.arrivedTimes?[position] ?? measured),
            value: columns.value(at: position))
        }
      }
    }
    return readings.sorted {
      // Most differ in the first.
      if $0.arrived != $1.arrived { return $0.arrived < $1.arrived }
      return ($0.device, $0.channel, $0.sequence) < ($1.device, $1.channel, $1.sequence)
    }
  }

  init(
    _ traces: [Trace], preset: String = "default", rules: (any AppRules)? = nil,
    script: PersonScript? = nil, network: NetworkSetup = NetworkSetup(), seed: UInt64 = 1,
    epoch: WallTime? = nil
  ) throws {
    var setup = AppSetup(
      preset: preset, people: traces.map { AppSetup.Person(header: $0.header) }, script: script,
      network: network, seed: seed, epoch: epoch)
    setup.rules = rules
    try self.init(traces, setup)
  }

  /// - Parameters:
  ///   - readings: those of the traces, if they are known.
  ///   - isSound: whether no invariant may be violated.
  ///   - plant: changes the simulation before it begins.
  ///   - note: gets the simulation after each deadline.
  init(
    _ traces: [Trace], _ setup: AppSetup, readings: [Reading]? = nil, isSound: Bool = true,
    plant: (inout App) -> Void = { _ in }, note: (App) -> Void = { _ in }
  ) throws {
    simulation = try App(setup)
    plant(&simulation)
    var ends = traces.map(\.header.end).enumerated().sorted { $0.element < $1.element }[...]
    let end = try #require(ends.last).element
    for (number, reading) in (readings ?? Self.readings(traces)).enumerated() {
      finish(&ends, before: reading.arrived, note)
      pass(until: reading.arrived, note)
      simulation.take(reading)
      if isSound, number % 64 == 0 { check() }
    }
    finish(&ends, before: end.advanced(byNanoseconds: 1), note)
    simulation.close(at: end)
    note(simulation)
    if isSound { check() }
    events = simulation.takeEvents()
  }

  private mutating func pass(until time: TraceInstant, _ note: (App) -> Void) {
    while let due = simulation.deadline, due < time {
      simulation.advance(to: due)
      note(simulation)
      // `#expect` would take longer than the app.
      if let next = simulation.deadline, next <= due {
        Issue.record("still due at \(due)")
        return
      }
    }
  }

  private mutating func finish(
    _ ends: inout ArraySlice<(offset: Int, element: TraceInstant)>, before time: TraceInstant,
    _ note: (App) -> Void
  ) {
    while let (device, end) = ends.first, end < time {
      ends.removeFirst()
      pass(until: end.advanced(byNanoseconds: 1), note)
      simulation.finish(device: DeviceID(device), at: end)
    }
  }

  private func check() {
    let violations = simulation.violations
    if !violations.isEmpty { Issue.record("\(violations)") }
  }
}
