public import TraceModel

/// What a player plays: steps in the order of a run, each made when the player says so.
public protocol PlayableTimeline {
  /// When the next step is due; nil = nothing comes any more.
  var next: TraceInstant? { get }

  /// Makes the earliest step, and appends what was detected.
  mutating func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep?

  /// Makes all steps.
  mutating func run(into records: inout [DetectionRecord]) throws(TraceError)

  /// The readings and measurements so far, without detections.
  var result: RunResult { get }
}

extension Timeline: PlayableTimeline {}
