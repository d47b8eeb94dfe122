import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

typealias TicTacToeRun = AppRun<SimulatedTicTacToe>

extension TicTacToeRun {
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
}
