import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// Plays traces of heartbeats.
struct TicTacToeRun {
  var simulation: SimulatedTicTacToe
  var events: [AppEvent] = []

  func value(_ name: String, of person: Int? = nil) -> Double? {
    simulation.outcomes.first { $0.name == name && $0.person?.index == person }?.value
  }
  func kinds(_ kind: String) -> [AppEvent] { events.filter { $0.kind == kind } }

  /// The trace of an observer, of so many seconds, with the peers of the lowest numbers.
  static func trace(_ subject: Int, duration: Double, peers: Int = .max) throws -> Trace {
    let spec = try ScenarioSpec(kind: .presence, subject: subject, duration: duration)
    var trace = MadeTraces.trace(spec)
    guard peers < .max, case .heartbeat(let all)? = trace[.heartbeat] else { return trace }
    var columns = HeartbeatColumns()
    for position in all.range where all[position].peer <= Int32(peers) {
      columns.append(
        all[position], measured: all.measured(at: position).nanoseconds,
        arrived: all.arrived(at: position).nanoseconds)
    }
    trace.set(.heartbeat(columns), for: .heartbeat)
    for index in trace.header.references.indices {
      trace.header.references[index].events.removeAll { ($0.place ?? 0) > Int32(peers) }
    }
    return trace
  }

  static func readings(_ traces: [Trace]) -> [Reading] {
    var readings: [Reading] = []
    for (index, trace) in traces.enumerated() {
      guard case .heartbeat(let columns)? = trace[.heartbeat] else { continue }
      for position in columns.range {
        readings.append(
          Reading(
            device: DeviceID(index), channel: .heartbeat, sequence: position,
            measured: columns.measured(at: position), arrived: columns.arrived(at: position),
            value: .heartbeat(columns[position])))
      }
    }
    return readings.sorted {
      ($0.arrived, $0.device, $0.sequence) < ($1.arrived, $1.device, $1.sequence)
    }
  }

  /// - Parameter rules: the rules instead of those of the preset.
  static func play(
    _ traces: [Trace], preset: String = "default", network: NetworkSetup = NetworkSetup(),
    seed: UInt64 = 1, checks: Bool = true
  ) throws -> TicTacToeRun {
    let setup = AppSetup(
      preset: preset, people: traces.map { AppSetup.Person(header: $0.header) }, network: network,
      seed: seed)
    return try play(traces, setup, checks: checks)
  }

  static func play(
    _ traces: [Trace], _ setup: AppSetup, checks: Bool = true
  ) throws -> TicTacToeRun {
    var run = TicTacToeRun(simulation: try SimulatedTicTacToe(setup))
    var steps = 0
    func check() {
      steps += 1
      guard checks, steps % 64 == 0 else { return }
      let violations = run.simulation.violations
      if !violations.isEmpty { Issue.record("seed \(setup.seed): \(violations)") }
    }
    for reading in readings(traces) {
      while let due = run.simulation.deadline, due < reading.arrived {
        run.simulation.advance(to: due)
        if let next = run.simulation.deadline, next <= due {
          Issue.record("still due at \(due)")
          return run
        }
        check()
      }
      run.simulation.take(reading)
      check()
    }
    let end = traces.map(\.header.end).max() ?? .zero
    while let due = run.simulation.deadline, due <= end { run.simulation.advance(to: due) }
    for index in traces.indices { run.simulation.finish(device: DeviceID(index), at: end) }
    run.simulation.close(at: end)
    let violations = run.simulation.violations
    if !violations.isEmpty { Issue.record("seed \(setup.seed): \(violations)") }
    run.events = run.simulation.takeEvents()
    return run
  }
}
