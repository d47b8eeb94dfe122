import Detectors
import Replay
import Scoring
import TraceModel
import Tuning

/// The curve by a run at each threshold, to compare with the exact sweep.
func plainSweep<D: Detector>(
  _ detector: D.Type, _ parameters: D.Parameters, threshold: ParameterField<D.Parameters>,
  on trace: Trace, at points: [Double]
) throws -> ThresholdCurve {
  let reference = trace.header.references[0]
  let scores = try points.map { point in
    var parameters = parameters
    try threshold.set(.number(point), in: &parameters)
    let detections = try VirtualRun<D>.run(parameters, on: MemorySource(trace)).detections
    let actions = trace.armingActions(where: D.listensWhenArmed(parameters))
    return EventJudgement(
      references: reference.events,
      detections: detections.filter { $0.kind == D.task.rawValue },
      ignoreZones: trace.header.ignoreZones, tolerance: EventTolerance(for: reference),
      exposure: Exposure(of: trace, channel: D.channel).armed(by: actions)
    ).score
  }
  return ThresholdCurve(
    thresholds: points, truePositives: scores.map(\.counts.truePositives),
    falsePositives: scores.map(\.counts.falsePositives), upper: points[points.count - 1],
    references: scores[0].counts.truePositives + scores[0].counts.falseNegatives,
    scoredNanoseconds: scores[0].scoredNanoseconds, isExact: false)
}
