import Synchronization
package import Synthesis
package import TraceModel

/// Synthetic traces that several tests look at, each made once: a debug build takes a second for some.
package enum MadeTraces {
  private static let made = Mutex<[ScenarioSpec: Trace]>([:])

  package static func trace(_ spec: ScenarioSpec) -> Trace {
    if let trace = made.withLock({ $0[spec] }) { return trace }
    let trace = Synthesizer.trace(spec)
    made.withLock { $0[spec] = trace }
    return trace
  }
}
