public import Detectors
public import TraceModel

/// The position of a step in the order of a run: by time; at one instant arrivals before deadlines,
/// then by device, channel and the stream's place in the run.
struct StepKey: Comparable, Sendable {
  var time: Int64
  /// The tie-breaker, from the top: one bit for deadlines, 31 for the device, 8 for the channel, 24
  /// for the slot.
  var tie: UInt64

  init(time: Int64, fires: Bool, device: DeviceID, channel: Channel, slot: Int) {
    self.time = time
    tie =
      (fires ? 1 << 63 : 0) | UInt64(device.index) << 32 | UInt64(channel.rawValue) << 24
      | UInt64(slot)
  }

  /// The slot of the stream in its timeline.
  var slot: Int { Int(tie & StepKey.largestSlot) }

  static let largestSlot: UInt64 = 1 << 24 - 1

  static func < (left: StepKey, right: StepKey) -> Bool {
    left.time != right.time ? left.time < right.time : left.tie < right.tie
  }
}

/// A step of a stream at one instant.
public struct StreamStep: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A number of readings that arrive together.
    case readings(Int)
    case action
    /// A deadline, a scripted answer or the trace's end: no reading, only time.
    case wake
  }

  /// The kind of step.
  public var kind: Kind
  /// The device.
  public var device: DeviceID
  /// The channel; for a wake, the channel of the stream.
  public var channel: Channel
  /// The time on the run's axis.
  public var time: TraceInstant
  /// The next arrival on this channel; nil = none, or this step has no readings.
  public var following: TraceInstant?

  public init(
    kind: Kind, device: DeviceID, channel: Channel, time: TraceInstant, following: TraceInstant?
  ) {
    self.kind = kind
    self.device = device
    self.channel = channel
    self.time = time
    self.following = following
  }
}

/// A channel of a device, its actions, and the detector that reads them.
///
/// The detector works on the device's own time axis; its detections are shifted to the run's axis.
/// A stream is used once, by one timeline.
public final class DeviceStream {
  // The properties that each step uses come first.
  private var position = 0
  private var blockEnd = 0
  /// The arrival times of the block.
  private var arrivals: [Int64] = []
  /// The time of the next action in ns; `Int64.max` = none.
  private var nextAction: Int64
  /// The next deadline of the detector or the policy in ns, if it is within the trace; `Int64.max`
  /// = none.
  private var due = Int64.max
  /// Whether there are detections to take.
  private var hasDetections = false
  private let hasPolicy: Bool
  private var isFinished = false
  private let channel: Channel
  /// The device's zero on the run's axis.
  private let start: Int64
  public let device: DeviceID
  /// The slot in the timeline.
  var slot = 0
  /// The number of readings delivered so far.
  public private(set) var readings = 0
  private let worker: DetectorWorker
  /// The end of the device's own trace in ns; later deadlines do not fire.
  private let end: Int64
  private var deadline = Int64.max
  private var policy: PolicyState?
  /// With a policy, the answered detections that are not taken yet, on the device's own axis.
  private var answered: [DetectionRecord] = []
  private var actions: ActionQueue
  private let source: any TraceSource
  private let blockSize: Int
  private var lastArrival = Int64.min

  /// - Throws: ``TraceError`` if the trace lacks the detector's channel or cannot be read, or if
  ///   its arrival times decrease.
  @inlinable
  public convenience init<D: Detector>(
    _ detector: D.Type, _ parameters: D.Parameters, on source: any TraceSource,
    device: DeviceID = DeviceID(0), start: TraceInstant = .zero, options: RunOptions = RunOptions()
  ) throws(TraceError) {
    try self.init(
      DetectorWorker(D(parameters, places: source.header.places)), channel: D.channel,
      name: D.name, on: source, device: device, start: start, options: options)
  }

  @usableFromInline
  init(
    _ worker: DetectorWorker, channel: Channel, name: String, on source: any TraceSource,
    device: DeviceID, start: TraceInstant, options: RunOptions
  ) throws(TraceError) {
    try requireChannel(channel, of: "detector \(name)", in: source.header)
    precondition(0 <= device.index && device.index < 1 << 31)
    self.worker = worker
    self.channel = channel
    self.device = device
    self.source = source
    self.start = start.nanoseconds
    end = source.header.end.nanoseconds
    blockSize = options.blockSize
    hasPolicy = options.policy != nil
    policy = options.policy.map(PolicyState.init)
    actions = try ActionQueue(source, leavesOutAnswers: options.policy != nil)
    nextAction = actions.next?.time.nanoseconds ?? .max
    update(worker.call(.ask))
    try readBlock()
  }

  public var measurements: [Measurement] { worker.measurements() }

  // MARK: What comes next

  /// The next step, on the device's axis.
  private enum Next {
    case reading(Int64)
    case action(Int64)
    case due(Int64)
    case finish
  }

  private var next: Next? {
    let reading = position < blockEnd ? arrivals[position] : .max
    // A reading at the instant of an action comes first, and both come before a deadline at that
    // instant.
    let arrival = min(reading, nextAction)
    if due < arrival { return .due(due) }
    let isOver = position == blockEnd && actions.next == nil
    if position == blockEnd, !isFinished, isOver || end < arrival { return .finish }
    if position < blockEnd, reading <= nextAction { return .reading(reading) }
    return actions.next == nil ? nil : .action(nextAction)
  }

  /// The order of the next step; nil = the end.
  var key: StepKey? { next.map(key(of:)) }

  private func key(of next: Next) -> StepKey {
    switch next {
    case .reading(let time): key(at: time, channel, fires: false)
    case .action(let time): key(at: time, .action, fires: false)
    case .due(let time): key(at: time, channel, fires: true)
    case .finish: key(at: end, channel, fires: true)
    }
  }

  private func key(at time: Int64, _ channel: Channel, fires: Bool) -> StepKey {
    StepKey(
      time: time.addingClamped(start), fires: fires, device: device, channel: channel, slot: slot)
  }

  // MARK: Steps

  /// Makes all steps before `limit` (nil = all), in blocks.
  func advance(before limit: StepKey?) throws(TraceError) {
    while let next, limit.map({ key(of: next) < $0 }) ?? true {
      switch next {
      case .reading(let time): try deliver(through: lastTime(from: time, before: limit))
      case .action: try handleAction()
      case .due: fire()
      case .finish: finish()
      }
    }
  }

  /// Makes the next step: everything at its instant on its channel.
  func step() throws(TraceError) -> StreamStep {
    switch next {
    case .reading(let time):
      let before = readings
      try deliver(through: time)
      return StreamStep(
        kind: .readings(readings - before), device: device, channel: channel,
        time: onRunAxis(time), following: position < blockEnd ? onRunAxis(arrivals[position]) : nil)
    case .action(let time):
      try handleAction()
      return StreamStep(
        kind: .action, device: device, channel: .action, time: onRunAxis(time), following: nil)
    case .due(let time):
      fire()
      return wake(at: time)
    case .finish, nil:
      finish()
      return wake(at: end)
    }
  }

  private func wake(at time: Int64) -> StreamStep {
    StreamStep(
      kind: .wake, device: device, channel: channel, time: onRunAxis(time), following: nil)
  }

  private func onRunAxis(_ time: Int64) -> TraceInstant {
    TraceInstant(nanoseconds: time.addingClamped(start))
  }

  func takeRecords(into records: inout [DetectionRecord]) {
    guard hasDetections else { return }
    let first = records.count
    if hasPolicy {
      records += answered
      answered.removeAll()
    } else {
      worker.take(device, &records)
    }
    hasDetections = false
    guard start != 0 else { return }
    for index in first..<records.count { records[index].move(by: start) }
  }

  /// Returns the time through which readings can be delivered at once: up to the limit and the next
  /// action. With a policy, which answers single detections, it is only the next reading.
  private func lastTime(from time: Int64, before limit: StepKey?) -> Int64 {
    if hasPolicy { return time }
    var last = nextAction
    if let limit {
      let own = key(at: time, channel, fires: false)
      let bound = own.tie < limit.tie ? limit.time : limit.time.subtractingClamped(1)
      last = min(last, bound.subtractingClamped(start))
    }
    return last
  }

  /// Delivers the readings of the block up to `last`, at least one.
  private func deliver(through last: Int64) throws(TraceError) {
    let end = endOfArrivals(through: last)
    update(worker.ingest(position..<end))
    readings += end - position
    position = end
    if position == blockEnd { try readBlock() }
  }

  private func endOfArrivals(through last: Int64) -> Int {
    if arrivals[blockEnd - 1] <= last { return blockEnd }
    // In merged runs the result is nearly always the next reading.
    if arrivals[position + 1] > last { return position + 1 }
    return arrivals[position..<blockEnd].partitioningIndex { $0 > last }
  }

  private func handleAction() throws(TraceError) {
    guard let action = actions.next else { return }
    update(worker.call(.handle(action.action, at: action.time)))
    try actions.pop()
    nextAction = actions.next?.time.nanoseconds ?? .max
  }

  /// Advances to `due`. At one instant the deadline comes first, then the answer.
  private func fire() {
    let answer = policy?.next?.nanoseconds ?? .max
    if deadline <= answer {
      update(worker.call(.advance(to: TraceInstant(nanoseconds: deadline))))
    } else if let action = policy?.takeNext() {
      update(worker.call(.handle(action.action, at: action.time)))
    }
  }

  private func finish() {
    isFinished = true
    update(worker.call(.finish(at: TraceInstant(nanoseconds: end))))
  }

  /// Updates the state after each call of the detector: answers its detections and stores its
  /// deadline.
  private func update(_ status: DetectorStatus) {
    deadline = status.deadline
    if status.hasDetections {
      hasDetections = true
      if hasPolicy { answerDetections() }
    }
    let next = hasPolicy ? min(deadline, policy?.next?.nanoseconds ?? .max) : deadline
    due = next <= end ? next : .max
  }

  private func answerDetections() {
    let first = answered.count
    worker.take(device, &answered)
    for record in answered[first...] {
      policy?.react(toKind: record.kind, emitted: record.emitted)
    }
  }

  private func readBlock() throws(TraceError) {
    guard let next = try source.nextBlock(of: channel, limit: blockSize), !next.isEmpty else {
      (position, blockEnd) = (0, 0)
      return
    }
    guard worker.load(next) else {
      throw TraceError(
        place: source.header.id,
        expected: "the columns that the detector reads in channel \(channel.name)",
        found: "other columns", remedy: "the detector's Input must match its channel")
    }
    arrivals = next.arrivedTimes ?? next.measuredTimes
    position = next.range.lowerBound
    blockEnd = next.range.upperBound
    try checkOrder()
  }

  private func checkOrder() throws(TraceError) {
    var previous = lastArrival
    for index in position..<blockEnd {
      let time = arrivals[index]
      guard time >= previous else {
        throw decreasingTime(
          in: source.header.id, channel: channel, at: readings + index - position,
          from: previous, to: time)
      }
      previous = time
    }
    lastArrival = previous
  }
}

extension DetectionRecord {
  /// Shifts all times.
  fileprivate mutating func move(by nanoseconds: Int64) {
    onset = onset.advanced(byNanoseconds: nanoseconds)
    emitted = emitted.advanced(byNanoseconds: nanoseconds)
    newestMeasured = newestMeasured.advanced(byNanoseconds: nanoseconds)
  }
}

func requireChannel(
  _ channel: Channel, of reader: String, in header: TraceHeader
) throws(TraceError) {
  guard header.info(channel) == nil else { return }
  let channels = header.channels.map(\.channel.name).joined(separator: ", ")
  let needsGravityRemoval = channel == .userAcceleration && header.info(.acceleration) != nil
  throw TraceError(
    place: header.id, expected: "channel \(channel.name), which \(reader) reads",
    found: channels.isEmpty ? "no channels" : channels,
    remedy: needsGravityRemoval
      ? "remove gravity with --gravity-filter lowpass, or gravity_filter: lowpass in a suite"
      : "choose a detector for these channels")
}
