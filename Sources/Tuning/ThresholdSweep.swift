public import Detectors
internal import Replay
public import Scoring
public import TraceModel

/// The exact sweep: all thresholds at the cost of about one pass over the recording.
///
/// The curve covers the thresholds in `range`, with a step at each change of the outcome. If the
/// events of a detector nest in the threshold, one run at the lowest threshold gives all events
/// with their scores. For a lockout see ``LockoutPath``. In both cases the counts equal those of a
/// run at each threshold.
public enum ThresholdSweep {
  /// Returns the curve of the recording over all thresholds of `range`.
  ///
  /// - Parameters:
  ///   - parameters: all parameters; the value of the threshold has no effect.
  ///   - tolerance: nil = that of the reference, otherwise the metric's default.
  ///   - exposure: the time that counts, before arming is considered, e.g. without what a delivery
  ///     lost; nil = the time in which `trace` has readings.
  ///   - points: if given, the only thresholds to evaluate, ascending and in `range`, which is
  ///     cheaper for few of them; the curve has exactly these steps.
  /// - Returns: nil if these parameters and this recording need a run per threshold: see
  ///   ``ScoredDetector/thresholdRule(of:)``; also if times of the channel decrease, or if an arm
  ///   action comes while armed.
  /// - Throws: ``TraceError`` if the trace lacks the detector's channel or the reference of its
  ///   task.
  /// - Complexity: O(n) for n readings, and O(log m) amortised for each change among the m samples
  ///   over the lowest threshold.
  public static func curve<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, on trace: Trace,
    tolerance: EventTolerance? = nil, exposure: Exposure? = nil, range: ClosedRange<Double>,
    points: [Double]? = nil
  ) throws(TraceError) -> ThresholdCurve? {
    if let points { precondition(!points.isEmpty && points.allSatisfy(range.contains)) }
    let setting = try SweepSetting(
      D.self, parameters, on: trace, tolerance: tolerance, exposure: exposure)
    // After a clock was set back, suppression may depend on the samples in between.
    guard let rule = D.thresholdRule(of: parameters), let channel = trace[D.channel],
      let columns = D.Columns(channel), isAscending(columns.measuredTimes, columns.range)
    else { return nil }
    var steps = StepRecorder(points: points, lowest: points?.first ?? range.lowerBound)
    switch rule {
    case .nested:
      try sweepNested(D.self, parameters, setting, upper: range.upperBound, steps: &steps)
    case .lockout(let lockout):
      guard let listening = setting.listening(columns, lockout) else { return nil }
      sweepLockout(
        D.self, parameters, setting, lockout, columns, listening, upper: range.upperBound,
        steps: &steps)
    }
    return ThresholdCurve(
      thresholds: steps.thresholds, truePositives: steps.truePositives,
      falsePositives: steps.falsePositives, upper: points?.last ?? range.upperBound,
      references: setting.task.references, scoredNanoseconds: setting.task.scoredNanoseconds,
      isExact: points == nil)
  }

  private static func sweepNested<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, _ setting: SweepSetting,
    upper: Double, steps: inout StepRecorder
  ) throws(TraceError) {
    let lowest = withThreshold(detector, parameters, steps.lowest)
    let detections = try VirtualRun<D>.run(lowest, on: MemorySource(setting.trace)).detections
      .filter { $0.kind == D.task.rawValue }
      .sorted { $0.onset < $1.onset }
    let scores = detections.map { D.score(of: $0, parameters) }
    var counter = MatchCounter(
      times: detections.map(\.onset.nanoseconds), task: setting.task)
    for slot in detections.indices { counter.add(slot) }
    counter.settle()
    var falling = detections.indices.sorted { scores[$0] > scores[$1] }
    func rise(to limit: Double) {
      while let lowest = falling.last, scores[lowest] <= limit {
        counter.remove(lowest)
        falling.removeLast()
      }
      counter.settle()
    }
    if let points = steps.points {
      for point in points {
        rise(to: D.score(ofThreshold: point, parameters))
        steps.record(point, counter)
      }
      return
    }
    steps.record(steps.lowest, counter)
    while let lowest = falling.last {
      let threshold = D.threshold(ofScore: scores[lowest], parameters)
      guard threshold <= upper else { return }
      rise(to: scores[lowest])
      steps.record(threshold, counter)
    }
  }

  private static func withThreshold<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, _ threshold: Double
  ) -> D.Parameters {
    guard let field = D.parameterFields.first(where: { $0.name == D.thresholdParameter }) else {
      preconditionFailure("\(D.name) has no parameter \(D.thresholdParameter)")
    }
    var changed = parameters
    do throws(ParameterError) {
      try field.set(.number(threshold), in: &changed)
    } catch {
      preconditionFailure("\(error)")
    }
    return changed
  }

  private static func sweepLockout<D: ScoredDetector>(
    _ detector: D.Type, _ parameters: D.Parameters, _ setting: SweepSetting, _ lockout: Lockout,
    _ columns: D.Columns, _ listening: [Range<Int>],
    upper: Double, steps: inout StepRecorder
  ) {
    let limit = D.score(ofThreshold: steps.lowest, parameters)
    var samples = ScoredSamples()
    for range in listening {
      D.appendScores(of: columns[range], above: limit, parameters, into: &samples)
    }
    let times = columns.measuredTimes
    let sampleTimes = samples.positions.map { times[$0] }
    var counter = MatchCounter(times: sampleTimes, task: setting.task)
    var path = LockoutPath(
      samples, sampleTimes: sampleTimes, times: times, lockout: lockout, listening: listening)
    let limits = steps.points?.map { D.score(ofThreshold: $0, parameters) }
    var changes: [CountChange] = []
    for section in path.sections(counter) {
      path.sweep(
        section, lowest: limit, highest: limits?.last ?? D.score(ofThreshold: upper, parameters),
        counter: &counter, changes: &changes)
    }
    if let points = steps.points, let limits {
      steps.record(points, limits, changes)
    } else {
      let lowest = steps.lowest
      steps.record(changes) { max(D.threshold(ofScore: $0, parameters), lowest) }
    }
  }

  /// Whether the times do not decrease. The loop has no branch, so it runs at memory bandwidth.
  static func isAscending(_ times: [Int64], _ range: Range<Int>) -> Bool {
    var descents: Int64 = 0
    let times = times.span
    var position = range.lowerBound + 1
    while range.upperBound - position >= 64 {
      let (left, right) = (
        times.extracting(position - 1..<position + 63), times.extracting(position..<position + 64)
      )
      for index in 0..<64 { descents |= right[index] < left[index] ? 1 : 0 }
      position += 64
    }
    while position < range.upperBound {
      descents |= times[position] < times[position - 1] ? 1 : 0
      position += 1
    }
    return descents == 0
  }
}

/// A recording with the references that its detections are compared with.
struct SweepSetting {
  let trace: Trace
  let task: MatchTask

  init<D: Detector>(
    _ detector: D.Type, _ parameters: D.Parameters, on trace: Trace, tolerance: EventTolerance?,
    exposure: Exposure?
  ) throws(TraceError) {
    guard let reference = trace.header.reference(D.task) else {
      throw TraceError(
        place: trace.header.id, expected: "a reference of task \(D.task.rawValue)",
        found: "none", remedy: "add one with convert --reference, or leave the trace out")
    }
    guard trace.header.info(D.channel) != nil else {
      throw TraceError(
        place: trace.header.id, expected: "channel \(D.channel.name), which \(D.name) reads",
        found: trace.header.channels.map(\.channel.name).joined(separator: ", "))
    }
    self.trace = trace
    task = MatchTask(
      references: reference.events, ignoreZones: trace.header.ignoreZones,
      tolerance: EventTolerance(for: reference, stated: tolerance),
      exposure: (exposure ?? Exposure(of: trace, channel: D.channel))
        .armed(by: trace.armingActions(where: D.listensWhenArmed(parameters))))
    try task.requireFeasible(place: trace.header.id)
  }

  /// Returns where the detector listens, as positions in its columns; nil if it is armed twice
  /// without a disarm action in between, which stretches cannot describe.
  func listening(_ columns: some ReadingColumns, _ lockout: Lockout) -> [Range<Int>]? {
    guard lockout.listensWhenArmed else { return [columns.range] }
    guard let actions = trace[.action].flatMap({ ActionColumns($0) }) else { return [] }
    var stretches: [Range<Int>] = []
    var armed: Int?
    for position in actions.range {
      // Readings that arrive at the instant of an action come before it.
      let reached = columns.firstPosition(arrivedAfter: actions.arrived(at: position))
      switch actions[position] {
      case .arm:
        guard armed == nil else { return nil }
        armed = reached
      case .disarm:
        if let start = armed { stretches.append(start..<reached) }
        armed = nil
      default: break
      }
    }
    if let start = armed { stretches.append(start..<columns.range.upperBound) }
    return stretches.filter { !$0.isEmpty }
  }
}

private struct StepRecorder {
  let points: [Double]?
  let lowest: Double
  private(set) var thresholds: [Double] = []
  private(set) var truePositives: [Int] = []
  private(set) var falsePositives: [Int] = []

  /// Records the changes at given points with the scores `limits`.
  mutating func record(_ points: [Double], _ limits: [Double], _ changes: [CountChange]) {
    var (hits, alarms) = (
      [Int](repeating: 0, count: points.count), [Int](repeating: 0, count: points.count)
    )
    for change in changes {
      let index = limits.partitioningIndex { $0 >= change.score }
      hits[index] += change.truePositives
      alarms[index] += change.falsePositives
    }
    var (hitSum, alarmSum) = (0, 0)
    for index in points.indices {
      hitSum += hits[index]
      alarmSum += alarms[index]
      record(points[index], hitSum, alarmSum)
    }
  }

  /// Records all changes, in any order.
  mutating func record(_ changes: [CountChange], threshold: (Double) -> Double) {
    var (hits, alarms) = (0, 0)
    record(lowest, 0, 0)
    var last: (score: Double, threshold: Double) = (.nan, lowest)
    for change in changes.sorted(by: { $0.score < $1.score }) {
      hits += change.truePositives
      alarms += change.falsePositives
      if change.score != last.score { last = (change.score, threshold(change.score)) }
      record(last.threshold, hits, alarms)
    }
  }

  mutating func record(_ threshold: Double, _ counter: MatchCounter) {
    record(threshold, counter.truePositives, counter.falsePositives)
  }

  /// Without `points`, only a change is a step; several scores may share a threshold.
  mutating func record(_ threshold: Double, _ hits: Int, _ alarms: Int) {
    if points == nil, let last = thresholds.last {
      if last == threshold {
        thresholds.removeLast()
        truePositives.removeLast()
        falsePositives.removeLast()
      }
      if truePositives.last == hits, falsePositives.last == alarms { return }
    }
    thresholds.append(threshold)
    truePositives.append(hits)
    falsePositives.append(alarms)
  }
}
