import Detectors
package import Replay
package import Scoring
package import TraceModel

extension TaskScore {
  /// Scores the run of a detector on a trace.
  /// - Parameter tolerance: the given tolerance; nil = the reference's own, else the metric's.
  package init(
    of result: RunResult, on trace: Trace, task: ReferenceTask, tolerance: EventTolerance?
  ) {
    let measured = Dictionary(
      (result.measurements[DeviceID(0)] ?? []).map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
    self.init(
      task: task, detections: result.detections, measured: measured, trace: trace,
      tolerance: tolerance, distance: Geodesy.distance)
  }
}
