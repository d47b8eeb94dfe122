import Synchronization
import Synthesis
import TraceModel

/// Synthetic traces that several tests look at, each made once.
enum MadeTraces {
  private static let made = Mutex<[ScenarioSpec: Trace]>([:])

  static func trace(_ spec: ScenarioSpec) -> Trace {
    if let trace = made.withLock({ $0[spec] }) { return trace }
    let trace = Synthesizer.trace(spec)
    made.withLock { $0[spec] = trace }
    return trace
  }
}
