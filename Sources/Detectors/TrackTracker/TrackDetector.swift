public import TraceModel

/// An event of the track: the crossing of a kilometre or a mile.
public struct TrackEvent: DetectionEvent {
  public var kind: String { "split" }
  /// `km` or `mile`.
  public let label: String
  /// The distance at the mark in metres: 1000, 2000, ... or 1609.344, 3218.688, ...
  public let value: Double
}

/// Measures the distance and the duration of a movement.
///
/// Pauses come as the actions `pause` and `resume`. The three presets are settings of one machine:
/// see ``Parameters``. All of them reject invalid positions (NaN, out of range), because one would
/// make the distance NaN permanently. All of them accept an accuracy of NaN, which means not
/// stated: otherwise recordings without that column would have no distance.
///
/// ```swift
/// var (detector, splits) = (TrackDetector(.raw), [Detection<TrackEvent>]())
/// for (minute, latitude) in [47.0, 47.005, 47.01].enumerated() {
///   let fix = Fix(latitude: latitude, longitude: 8.5)
///   let time = TraceInstant.zero.advanced(bySeconds: 60 * Double(minute))
///   detector.ingest(fix, measured: time, arrived: time, into: &splits)
/// }
/// detector.distance  // 1111.71
/// detector.duration  // 120.0
/// ```
public struct TrackDetector: Detector, Codable {
  public static let name = "track"
  public static let channel = Channel.location
  public static let task = ReferenceTask.distance

  /// After this many fixes in a row with times before the last one they are accepted: the clock was
  /// set back, or the time of the last one was wrong.
  private static let mostBackward = 10

  private let parameters: Parameters
  private var movement: MovementFilter
  private var motion: MotionEstimator
  private var pauses = PauseLog()
  private var ticks = TickClock()
  private var marks: SplitMarks
  /// The last accepted fix; nil at the start and after a pause that drops it.
  private var last: TimedFix?
  private var lastTime: TraceInstant?
  private var backwardCount = 0
  private var span: ClosedRange<TraceInstant>?
  private var activeNanoseconds: Int64 = 0
  private var movingNanoseconds: Int64 = 0

  /// The distance in metres.
  public private(set) var distance = 0.0
  public private(set) var acceptedCount = 0
  public private(set) var refusedCount = 0

  public init(_ parameters: Parameters, places: [Place] = []) {
    self.parameters = parameters
    movement = MovementFilter(threshold: parameters.distanceFilter)
    motion = MotionEstimator(parameters)
    marks = SplitMarks(parameters.splits)
  }

  public mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<TrackEvent>]
  ) {
    ticks.see(arrived)
    guard isActive(at: measured), movement.delivers(fix) else { return }
    guard accepts(fix), isInOrder(measured) else {
      refusedCount += 1
      return
    }
    switch parameters.estimator {
    case .straightLine:
      let step = last.map { Position($0.fix).distance(to: Position(fix)) }
      let isGap = last.map { seconds($0.time, measured) > parameters.gapLimit } ?? true
      count(
        fix, step, isMoving: !isGap, measured: measured, arrived: arrived, into: &detections)
    case .fused:
      switch motion.take(fix, at: measured) {
      case .started:
        count(fix, nil, isMoving: false, measured: measured, arrived: arrived, into: &detections)
      case .moved(let meters, let isMoving):
        count(
          fix, meters, isMoving: isMoving, measured: measured, arrived: arrived,
          into: &detections)
      case .refused:
        refusedCount += 1
      }
    }
  }

  public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<TrackEvent>]
  ) {
    switch action {
    case .pause:
      pauses.pause(at: time)
      ticks.pause(at: time)
    case .resume:
      pauses.resume(at: time)
      ticks.resume(at: time)
    default: break
    }
  }

  /// The duration in seconds: excludes pauses, includes standing and gaps.
  public var duration: Double {
    parameters.clock == .ticks ? Double(ticks.seconds) : Double(activeNanoseconds) / 1e9
  }

  /// The moving time in seconds: excludes pauses, standing and gaps, except gaps of up to a minute
  /// in which the default takes a person to move. The timer of `ticks` excludes only pauses.
  public var movingTime: Double {
    parameters.clock == .ticks ? duration : Double(movingNanoseconds) / 1e9
  }

  /// The time in seconds from the first accepted fix to the last, including pauses.
  public var elapsed: Double { span.map { seconds($0.lowerBound, $0.upperBound) } ?? 0 }

  /// The pace over the moving time; nil if there is none, e.g. at zero distance.
  public var pace: Pace? { Pace(seconds: movingTime, meters: distance, rule: parameters.paceRule) }

  public var measurements: [Measurement] {
    let measurements = [
      Measurement("distance", distance, unit: "m"),
      Measurement("duration", duration, unit: "s"),
      Measurement("moving_time", movingTime, unit: "s"),
      Measurement("elapsed", elapsed, unit: "s"),
      Measurement("accepted", Double(acceptedCount), unit: ""),
      Measurement("refused", Double(refusedCount), unit: ""),
    ]
    guard let pace else { return measurements }
    return measurements + [Measurement("pace", Double(pace.totalSeconds), unit: "s/mi")]
  }

  /// Whether a fix with this time counts. A fix that was measured before a pause but arrives during
  /// it counts with measured times; the original app, with its timer, ignored it.
  private mutating func isActive(at measured: TraceInstant) -> Bool {
    switch parameters.pauseRule {
    case .keepsLastFix: return !pauses.isPaused
    case .dropsLastFix:
      if pauses.forget(endedBy: measured) { restart() }
      return !pauses.contains(measured)
    }
  }

  private func accepts(_ fix: Fix) -> Bool {
    guard Position(fix).isValid else { return false }
    let accuracy = fix.horizontalAccuracy
    switch parameters.accuracyRule {
    case .any: return true
    case .below: return !(accuracy >= parameters.maximumAccuracy)
    case .valid: return !(accuracy < 0 || accuracy > parameters.maximumAccuracy)
    }
  }

  private mutating func isInOrder(_ measured: TraceInstant) -> Bool {
    // The motion filter requires increasing times: with a time step of zero it would divide by
    // zero.
    let refusesBackward = parameters.refusesBackwardTimes || parameters.estimator == .fused
    guard refusesBackward, let lastTime, measured <= lastTime else {
      backwardCount = 0
      return true
    }
    backwardCount += 1
    guard backwardCount >= Self.mostBackward else { return false }
    backwardCount = 0
    restart()
    return true
  }

  /// Starts a new stretch at the next fix.
  private mutating func restart() {
    last = nil
    motion.restart()
  }

  /// Counts an accepted fix and the step to it; nil if it starts a stretch.
  private mutating func count(
    _ fix: Fix, _ step: Double?, isMoving: Bool, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<TrackEvent>]
  ) {
    acceptedCount += 1
    if let step, let last {
      let time = max(0, last.time.nanoseconds(to: measured))
      activeNanoseconds = activeNanoseconds.addingClamped(time)
      if isMoving { movingNanoseconds = movingNanoseconds.addingClamped(time) }
      let before = distance
      distance += step
      marks.cross(from: before, to: distance) { value, label, fraction in
        let offset = Int64(nanosecondsFromSeconds: Double(time) / 1e9 * fraction) ?? time
        let onset = last.time.advanced(byNanoseconds: offset)
        detections.append(
          Detection(
            onset: onset, emitted: arrived, newestMeasured: measured,
            event: TrackEvent(label: label, value: value)))
      }
    }
    last = TimedFix(fix: fix, time: measured)
    lastTime = measured
    span =
      min(span?.lowerBound ?? measured, measured)...max(span?.upperBound ?? measured, measured)
  }

  private func seconds(_ start: TraceInstant, _ end: TraceInstant) -> Double {
    Double(start.nanoseconds(to: end)) / 1e9
  }
}

/// The pauses that the fixes have not passed yet.
private struct PauseLog: Sendable, Codable {
  private struct Pause: Sendable, Codable {
    var start: TraceInstant
    var end: TraceInstant?
  }

  private var pauses: [Pause] = []
  private(set) var isPaused = false

  mutating func pause(at time: TraceInstant) {
    guard !isPaused else { return }
    isPaused = true
    pauses.append(Pause(start: time))
  }

  mutating func resume(at time: TraceInstant) {
    guard isPaused else { return }
    isPaused = false
    pauses[pauses.count - 1].end = time
  }

  /// Removes the pauses that ended by `time`.
  /// - Returns: whether there were any.
  mutating func forget(endedBy time: TraceInstant) -> Bool {
    let remaining = pauses.drop { $0.end.map { $0 <= time } ?? false }
    let didEnd = remaining.count < pauses.count
    if didEnd { pauses = Array(remaining) }
    return didEnd
  }

  func contains(_ time: TraceInstant) -> Bool {
    pauses.contains { $0.start <= time && ($0.end.map { time < $0 } ?? true) }
  }
}

/// A timer that counts whole seconds on the axis of arrivals and is discarded in a pause.
private struct TickClock: Sendable, Codable {
  private struct Running: Sendable, Codable {
    var since: TraceInstant
    var until: TraceInstant
  }

  private var whole: Int64 = 0
  private var running: Running?
  private var isPaused = false

  var seconds: Int64 {
    guard let running else { return whole }
    return whole.addingClamped(running.since.nanoseconds(to: running.until) / 1_000_000_000)
  }

  mutating func see(_ time: TraceInstant) {
    guard !isPaused else { return }
    running = Running(
      since: running?.since ?? time, until: max(running?.until ?? time, time))
  }

  mutating func pause(at time: TraceInstant) {
    guard !isPaused else { return }
    if running != nil { see(time) }
    whole = seconds
    running = nil
    isPaused = true
  }

  mutating func resume(at time: TraceInstant) {
    guard isPaused else { return }
    isPaused = false
    see(time)
  }
}

private struct SplitMarks: Sendable, Codable {
  /// The marks of one unit, with the number already passed.
  private struct Marks: Sendable, Codable {
    let label: String
    let length: Double
    var passed = 0.0
    var next: Double { (passed + 1) * length }
  }

  /// A step with more marks than this is a jump in position, not a run: its marks are not reported.
  private static let mostPerStep = 100.0
  private var units: [Marks]

  init(_ splits: TrackDetector.Splits) {
    units = splits == .kilometers || splits == .both ? [Marks(label: "km", length: 1000)] : []
    if splits == .miles || splits == .both { units.append(Marks(label: "mile", length: 1609.344)) }
  }

  /// Calls `body` with each mark in `start < mark <= end`, in order.
  mutating func cross(
    from start: Double, to end: Double,
    _ body: (_ value: Double, _ label: String, _ fraction: Double) -> Void
  ) {
    for index in units.indices where (end - start) / units[index].length > Self.mostPerStep {
      units[index].passed = (end / units[index].length).rounded(.down)
    }
    while let index = units.indices.min(by: { units[$0].next < units[$1].next }),
      units[index].next <= end
    {
      let mark = units[index]
      body(mark.next, mark.label, (mark.next - start) / (end - start))
      units[index].passed += 1
    }
  }
}
