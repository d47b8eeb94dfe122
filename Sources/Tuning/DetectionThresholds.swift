public import Detectors
public import TraceModel

/// The distance of each detection from the threshold.
public enum DetectionThresholds {
  /// Returns, for each detection, the lowest threshold at which its own sample no longer fires: the
  /// detection's score in the unit of the threshold. At that threshold another sample may fire in its
  /// place, or suppression may decide otherwise.
  ///
  /// - Parameter parameters: those of the run; the value of the threshold has no effect.
  /// - Returns: nil for a detection of another kind than the task's, where these parameters have no
  ///   scores (``ScoredDetector/thresholdRule(of:)``), and where times of the channel decrease.
  /// - Complexity: O(log n) for each detection and n readings.
  public static func scores<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, on trace: Trace,
    of detections: [DetectionRecord]
  ) -> [Double?] {
    let none = [Double?](repeating: nil, count: detections.count)
    let score: (DetectionRecord) -> Double?
    switch D.thresholdRule(of: parameters) {
    case nil: return none
    case .nested: score = { D.score(of: $0, parameters) }
    case .lockout:
      guard let channel = trace[D.channel], let columns = D.Columns(channel),
        ThresholdSweep.isAscending(columns.measuredTimes, columns.range)
      else { return none }
      let times = columns.measuredTimes[columns.range]
      score = { highestScore(D.self, parameters, columns, times, at: $0.onset.nanoseconds) }
    }
    return detections.map { detection in
      guard detection.kind == D.task.rawValue, let score = score(detection), !score.isNaN else {
        return nil
      }
      let threshold = D.threshold(ofScore: score, parameters)
      return threshold.isFinite ? threshold : nil
    }
  }

  private static func highestScore<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, _ columns: D.Columns,
    _ times: ArraySlice<Int64>, at onset: Int64
  ) -> Double? {
    let start = times.partitioningIndex { $0 >= onset }
    let end = times[start...].partitioningIndex { $0 > onset }
    var samples = ScoredSamples()
    D.appendScores(of: columns[start..<end], above: -.infinity, parameters, into: &samples)
    return samples.firing.filter { !$0.isNaN }.max()
  }
}
