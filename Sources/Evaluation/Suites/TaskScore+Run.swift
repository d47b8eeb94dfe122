import Detectors
public import Replay
public import Scoring
public import TraceModel

extension TaskScore {
  /// Scores the run of a detector on a trace.
  /// - Parameter tolerance: the given tolerance; nil = the reference's own, else the metric's.
  public init(
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
