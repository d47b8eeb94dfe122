import Diagnostics
import Replay
import Synthesis
import TraceModel

/// The synthetic traces that `bench` plays if none are named.
enum BenchTraces {
  /// The punches of three people, a route with places, and heartbeats.
  static func synthetic(_ length: Duration) throws(TraceError) -> [Trace] {
    let motion = min(max(seconds(length) * 2, 60), 3600)
    var traces: [Trace] = []
    for subject in 1...3 {
      traces.append(
        Synthesizer.trace(
          try ScenarioSpec(
            kind: .punches, subject: subject, seed: UInt64(subject), duration: motion)))
    }
    traces.append(Synthesizer.trace(try ScenarioSpec(kind: .route)))
    traces.append(heartbeats(duration: motion))
    return traces
  }

  /// One peer with a heartbeat every 1.5 s, as in the app, that arrives at once. With random arrivals
  /// the missed periods would depend on the network more than on the player.
  private static func heartbeats(duration: Double) -> Trace {
    var header = TraceHeader(id: "heartbeats", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: Int64(duration * 1e9))
    var trace = Trace(header: header)
    var columns = HeartbeatColumns()
    for (index, time) in stride(from: 0, to: header.end.nanoseconds, by: 1_500_000_000).enumerated()
    {
      columns.append(
        Heartbeat(peer: 1, sequence: Int64(index)), measured: time, arrived: time)
    }
    trace.set(.heartbeat(columns), for: .heartbeat)
    return trace
  }
}
