public import TraceModel

/// A timeline for a player: steps in the order of a run, each made on request.
public protocol PlayableTimeline {
  /// The time of the next step; nil = the end.
  var next: TraceInstant? { get }

  /// Makes the earliest step and appends the detections.
  mutating func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep?

  mutating func run(into records: inout [DetectionRecord]) throws(TraceError)

  /// The readings and measurements so far, without detections.
  var result: RunResult { get }
}
