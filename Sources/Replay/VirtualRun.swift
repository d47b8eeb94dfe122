public import Detectors
public import TraceModel

/// How a run is made. None of it changes what is detected, except the policy.
public struct RunOptions: Sendable, Hashable {
  /// Readings handed to the detector at once, at most.
  public var blockSize: Int
  /// Answers prompts in the person's place; nil = the trace's own answers. Arming and pausing are
  /// the trace's own in any case.
  public var policy: ScriptedPolicy?

  public init(blockSize: Int = 4096, policy: ScriptedPolicy? = nil) {
    precondition(blockSize > 0)
    self.blockSize = blockSize
    self.policy = policy
  }
}

/// What a run found.
public struct RunResult: Sendable, Equatable {
  /// In the order in which they were emitted.
  public var detections: [DetectionRecord]
  /// The detectors' measurements at the end, by device.
  public var measurements: [DeviceID: [Measurement]]
  /// Readings of the detectors' channel that were delivered.
  public var readings: Int

  public init(
    detections: [DetectionRecord] = [], measurements: [DeviceID: [Measurement]] = [:],
    readings: Int = 0
  ) {
    self.detections = detections
    self.measurements = measurements
    self.readings = readings
  }
}

/// Replays traces through detectors of one type, as fast as possible, in trace time.
public enum VirtualRun<D: Detector> {
  /// One device. Whole column blocks go to the detector, split at actions; with a policy, which
  /// answers to single detections, they go one reading at a time.
  ///
  /// - Throws: ``TraceError`` where the trace lacks the detector's channel, cannot be read, or its
  ///   arrival times decrease.
  public static func run(
    _ parameters: D.Parameters, on source: any TraceSource, device: DeviceID = DeviceID(0),
    options: RunOptions = RunOptions()
  ) throws(TraceError) -> RunResult {
    try requireChannel(in: source.header)
    var run = DeviceRun<D>(
      D(parameters, places: source.header.places), device: device, end: source.header.end,
      policy: options.policy)
    var actions = ActionQueue(source, leavesOutAnswers: options.policy != nil)
    let limit = options.policy == nil ? options.blockSize : 1
    var lastArrival = Int64.min
    var result = RunResult()
    while let next = try source.nextBlock(of: D.channel, limit: limit), !next.isEmpty {
      guard var block = D.Columns(next) else {
        throw wrongColumns(in: source.header.id)
      }
      try checkOrder(of: block, after: lastArrival, delivered: result.readings, in: source.header)
      lastArrival = block.arrived(at: block.range.upperBound - 1).nanoseconds
      result.readings += block.count
      while let action = try actions.next {
        let split = block.firstPosition(arrivedAfter: action.time)
        guard split < block.range.upperBound else { break }
        run.ingest(block[block.range.lowerBound..<split])
        run.handle(action)
        actions.pop()
        block = block[split..<block.range.upperBound]
      }
      run.ingest(block)
    }
    while let action = try actions.next {
      run.handle(action)
      actions.pop()
    }
    run.finish()
    result.detections = run.records
    result.measurements[device] = run.detector.measurements
    return result
  }

  /// Several devices on one clock, each with a detector of its own; detections come in the order
  /// of the whole run.
  public static func run(
    _ parameters: [D.Parameters], on devices: [Timeline.Device],
    options: RunOptions = RunOptions()
  ) throws(TraceError) -> RunResult {
    precondition(parameters.count == devices.count)
    var result = RunResult()
    var runs: [DeviceRun<D>] = []
    var slots: [DeviceID: Int] = [:]
    var merged: [Timeline.Device] = []
    for (device, parameters) in zip(devices, parameters) {
      try requireChannel(in: device.source.header)
      slots[device.id] = runs.count
      runs.append(
        DeviceRun(
          D(parameters, places: device.source.header.places), device: device.id,
          end: device.source.header.end.advanced(byNanoseconds: device.start.nanoseconds),
          policy: options.policy))
      var device = device
      device.channels = [D.channel, .action]
      merged.append(device)
    }
    var timeline = try Timeline(merged, blockSize: options.blockSize)
    run: while true {
      // The earliest of all deadlines and answers; ties go to the lower device.
      var due: (time: TraceInstant, slot: Int)?
      for slot in runs.indices {
        if let time = runs[slot].due, due.map({ time < $0.time }) ?? true { due = (time, slot) }
      }
      switch try timeline.next(deadline: due?.time) {
      case .deliver(let reading):
        guard let slot = slots[reading.device] else { continue }
        if reading.channel == D.channel { result.readings += 1 }
        runs[slot].take(reading)
        result.detections += runs[slot].takeRecords()
      case .wake:
        guard let due else { break run }
        runs[due.slot].fire()
        result.detections += runs[due.slot].takeRecords()
      case .finished: break run
      }
    }
    for run in runs { result.measurements[run.device] = run.detector.measurements }
    return result
  }

  private static func requireChannel(in header: TraceHeader) throws(TraceError) {
    guard header.info(D.channel) == nil else { return }
    let channels = header.channels.map(\.channel.name).joined(separator: ", ")
    let needsGravityRemoval = D.channel == .userAcceleration && header.info(.acceleration) != nil
    throw TraceError(
      place: header.id, expected: "channel \(D.channel.name), which detector \(D.name) reads",
      found: channels.isEmpty ? "no channels" : channels,
      remedy: needsGravityRemoval
        ? "name the step that removes gravity with --gravity-filter, or gravity_filter in a suite"
        : "choose a detector for these channels")
  }

  private static func wrongColumns(in trace: String) -> TraceError {
    TraceError(
      place: trace, expected: "columns of type \(D.Columns.self) in channel \(D.channel.name)",
      found: "others", remedy: "the detector's Columns do not fit its channel")
  }

  private static func checkOrder(
    of block: D.Columns, after last: Int64, delivered: Int, in header: TraceHeader
  ) throws(TraceError) {
    let times = block.arrivedTimes ?? block.measuredTimes
    var previous = last
    for position in block.range {
      let time = times[position]
      guard time >= previous else {
        throw decreasingTime(
          in: header.id, channel: D.channel, at: delivered + position - block.range.lowerBound,
          from: previous, to: time)
      }
      previous = time
    }
  }
}

/// A detector at work on one device, with its policy.
struct DeviceRun<D: Detector> {
  private(set) var detector: D
  let device: DeviceID
  /// Of the device's own trace, on the run's axis: what would fire later never does.
  private let end: TraceInstant
  private var isFinished = false
  private var policy: PolicyState?
  private var detections: [Detection<D.Event>] = []
  private var answered = 0

  init(_ detector: D, device: DeviceID, end: TraceInstant, policy: ScriptedPolicy?) {
    self.detector = detector
    self.device = device
    self.end = end
    self.policy = policy.map(PolicyState.init)
  }

  var records: [DetectionRecord] {
    detections.map { DetectionRecord($0, device: device) }
  }

  mutating func takeRecords() -> [DetectionRecord] {
    guard !detections.isEmpty else { return [] }
    defer {
      detections.removeAll(keepingCapacity: true)
      answered = 0
    }
    return records
  }

  /// When the detector or the policy acts next by itself, or the trace ends; nil when all that is
  /// over.
  var due: TraceInstant? {
    let next = min(detector.deadline ?? end, policy?.next ?? end)
    return next < end || !isFinished ? min(next, end) : nil
  }

  /// Time has come to `due`. At one instant the deadline comes first, then the answer, then the
  /// end, at which the detector reports what is still open.
  mutating func fire() {
    let answer = policy?.next
    if let deadline = detector.deadline, deadline <= end, answer.map({ deadline <= $0 }) ?? true {
      detector.advance(to: deadline, into: &detections)
    } else if let answer, answer <= end, let action = policy?.takeNext() {
      detector.handle(action.action, at: action.time, into: &detections)
    } else {
      isFinished = true
      detector.finish(at: end, into: &detections)
    }
    answerDetections()
  }

  mutating func ingest(_ block: D.Columns) {
    guard !block.isEmpty else { return }
    if policy != nil {
      fireAll(before: block.arrived(at: block.range.lowerBound))
    }
    detector.ingest(contentsOf: block, into: &detections)
    answerDetections()
  }

  mutating func handle(_ action: ScheduledAction) {
    fireAll(before: action.time)
    detector.handle(action.action, at: action.time, into: &detections)
    answerDetections()
  }

  mutating func take(_ reading: Reading) {
    if case .action(let action) = reading.value {
      guard !(policy != nil && action.isAnswer) else { return }
      detector.handle(action, at: reading.arrived, into: &detections)
    } else {
      guard let input = D.Input(reading.value) else { return }
      detector.ingest(
        input, measured: reading.measured, arrived: reading.arrived, into: &detections)
    }
    answerDetections()
  }

  /// What is due up to the trace's end.
  mutating func finish() {
    while due != nil { fire() }
  }

  private mutating func fireAll(before arrival: TraceInstant) {
    while let due, due < arrival { fire() }
  }

  private mutating func answerDetections() {
    while answered < detections.count {
      let detection = detections[answered]
      policy?.react(toKind: detection.event.kind, emitted: detection.emitted)
      answered += 1
    }
  }
}

/// The trace's own actions, in order.
private struct ActionQueue {
  private let source: any TraceSource
  private let leavesOutAnswers: Bool
  private var block = ActionColumns()
  private var isExhausted = false
  private var last = Int64.min
  private var count = 0

  init(_ source: any TraceSource, leavesOutAnswers: Bool) {
    self.source = source
    self.leavesOutAnswers = leavesOutAnswers
  }

  /// The action that comes next, which stays until it is popped.
  var next: ScheduledAction? {
    mutating get throws(TraceError) {
      while !isExhausted {
        if block.isEmpty {
          guard let next = try source.nextBlock(of: .action, limit: 4096),
            let columns = ActionColumns(next), !columns.isEmpty
          else {
            isExhausted = true
            break
          }
          try checkOrder(of: columns)
          block = columns
        }
        let position = block.range.lowerBound
        if leavesOutAnswers, block[position].isAnswer {
          pop()
        } else {
          return ScheduledAction(time: block.arrived(at: position), action: block[position])
        }
      }
      return nil
    }
  }

  mutating func pop() {
    _ = block.popFirst(1)
  }

  private mutating func checkOrder(of columns: ActionColumns) throws(TraceError) {
    for position in columns.range {
      let time = columns.arrived(at: position).nanoseconds
      guard time >= last else {
        throw decreasingTime(
          in: source.header.id, channel: .action, at: count, from: last, to: time)
      }
      last = time
      count += 1
    }
  }
}

extension Action {
  /// Whether it answers a prompt, which is what a scripted person does in the real one's place;
  /// arming and pausing stay the trace's own.
  var isAnswer: Bool {
    switch self {
    case .confirm, .continue, .cancel: true
    case .arm, .disarm, .pause, .resume: false
    }
  }
}
