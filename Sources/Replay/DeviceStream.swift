public import Detectors
public import TraceModel

public struct StreamStep: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A number of readings that arrive together.
    case readings(Int)
    case action
    /// A deadline or a scripted answer: no reading, only time.
    case wake
    /// The trace's end, at which the device receives nothing.
    case end
  }

  public var kind: Kind
  public var device: DeviceID
  /// The channel; for a wake and the end, the channel of the stream.
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

/// A channel of a device, its companions and actions, and the detector that reads them.
///
/// The detector works on the device's own time axis; its detections are shifted to the run's axis.
/// A stream is used once, by one timeline.
public final class DeviceStream {
  /// The state that decides the next step; first, because each step uses it.
  private(set) var cursor: StreamCursor
  private var blockEnd = 0
  private var arrivals: [Int64] = []
  var hasDetections = false
  let hasPolicy: Bool
  private let channel: Channel
  public let device: DeviceID
  /// The number of readings delivered so far; in a packed timeline, of the blocks that are finished.
  public internal(set) var readings = 0
  var worker: DetectorWorker
  private var deadline = Int64.max
  private var policy: PolicyState?
  /// With a policy, the answered detections that are not taken yet, on the device's own axis.
  private var answered: [DetectionRecord] = []
  var side: SideQueue
  private let source: any TraceSource
  private let blockSize: Int
  private let mostDetections: Int
  private var lastArrival = Int64.min
  /// The readings of all blocks so far.
  var loaded = 0
  /// The place of the detector in a bank; nil = it is in `worker`.
  var seat: (bank: DetectorBank, place: Int)?

  /// - Throws: ``TraceError`` if the trace lacks the detector's channel or cannot be read, or if
  ///   its arrival times decrease.
  @inlinable public convenience init<D: Detector>(
    _ detector: D.Type, _ parameters: D.Parameters, on source: any TraceSource,
    device: DeviceID = DeviceID(0), start: TraceInstant = .zero, options: RunOptions = RunOptions()
  ) throws(TraceError) {
    if D.task == .visit { try requireFewPlaces(in: source.header, D.channel) }
    try self.init(
      DetectorWorker(D(parameters, places: source.header.places)), channel: D.channel,
      companions: D.companions(parameters), name: D.name, on: source, device: device, start: start,
      options: options)
  }

  @usableFromInline init(
    _ worker: DetectorWorker, channel: Channel, companions: [Channel], name: String,
    on source: any TraceSource, device: DeviceID, start: TraceInstant, options: RunOptions
  ) throws(TraceError) {
    try requireChannel(channel, of: "detector \(name)", in: source.header)
    cursor = StreamCursor(
      device: device, channel: channel, start: start.nanoseconds,
      end: source.header.end.nanoseconds)
    self.worker = worker
    self.channel = channel
    self.device = device
    self.source = source
    blockSize = options.blockSize
    mostDetections = options.mostDetections
    hasPolicy = options.policy != nil
    policy = options.policy.map(PolicyState.init)
    side = try SideQueue(
      ReplayDevice(device, source: source), companions: companions.filter { $0 != channel },
      blockSize: options.blockSize, leavesOutAnswers: options.policy != nil)
    cursor.setSide(side.next)
    update(worker.call(.ask))
    try readBlock()
  }

  public var measurements: [Measurement] {
    seat.map { $0.bank.measurements($0.place) } ?? worker.measurements()
  }

  var slot: Int {
    get { cursor.slot }
    set { cursor.slot = newValue }
  }

  /// The order of the next step; nil = the end.
  var key: StepKey? { cursor.key }

  /// Makes all steps before `limit` (nil = all), in blocks.
  func advance(before limit: StepKey?) throws(TraceError) {
    while let next = cursor.next, limit.map({ cursor.key(of: next) < $0 }) ?? true {
      try make(next, before: limit)
    }
  }

  private func make(_ next: StreamCursor.Next, before limit: StepKey?) throws(TraceError) {
    switch next {
    case .reading(let time): try deliver(through: lastTime(from: time, before: limit))
    case .side: _ = try takeSide()
    case .due: fire()
    case .finish: finish()
    }
  }

  /// Makes all steps of a run of this stream alone, and appends the detections.
  func run(into records: inout [DetectionRecord]) throws(TraceError) {
    var steps = 0
    while let next = cursor.next {
      try make(next, before: nil)
      steps &+= 1
      // Now and then, so that few are in memory twice. A step delivers up to a block of readings.
      if steps % 32 == 0 { try takeFew(into: &records) }
    }
    try takeFew(into: &records)
  }

  private func takeFew(into records: inout [DetectionRecord]) throws(TraceError) {
    takeRecords(into: &records)
    guard records.count > mostDetections else { return }
    throw TraceError(
      place: source.header.id, expected: "at most \(mostDetections) detections in the recording",
      found: "more",
      remedy: "raise the threshold, let an event be reported once, or cut the recording with trim")
  }

  /// Makes the next step: everything at its instant on its channel.
  func step() throws(TraceError) -> StreamStep {
    switch cursor.next {
    case .reading(let time):
      let before = readings
      try deliver(through: time)
      return cursor.step(.readings(readings - before), at: time)
    case .side(let time):
      return cursor.step(of: try takeSide(), at: time)
    case .due(let time):
      fire()
      return cursor.step(.wake, at: time)
    case .finish, nil:
      finish()
      return cursor.step(.end, at: cursor.end)
    }
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
    records.move(from: first, by: cursor.start)
  }

  /// Returns the time through which readings can be delivered at once: up to the limit, the next
  /// action and the next reading of a companion. With a policy, which answers single detections, it
  /// is only the next reading.
  private func lastTime(from time: Int64, before limit: StepKey?) -> Int64 {
    if hasPolicy { return time }
    return limit.map { min(cursor.side, cursor.lastReading(before: $0)) } ?? cursor.side
  }

  /// Delivers the readings of the block up to `last`, at least one.
  private func deliver(through last: Int64) throws(TraceError) {
    let position = cursor.position
    let end = endOfArrivals(from: position, through: last)
    update(worker.ingest(position..<end))
    readings += end - position
    if end < blockEnd {
      cursor.position = end
      cursor.reading = arrivals[end]
    } else {
      try readBlock()
    }
  }

  private func endOfArrivals(from position: Int, through last: Int64) -> Int {
    if arrivals[blockEnd - 1] <= last { return blockEnd }
    // In merged runs the result is nearly always the next reading.
    if arrivals[position + 1] > last { return position + 1 }
    return arrivals[position..<blockEnd].partitioningIndex { $0 > last }
  }

  /// Passes the next action or the next reading of a companion to the detector.
  private func takeSide() throws(TraceError) -> SideQueue.Input? {
    guard let input = try side.pop() else { return nil }
    update(worker.call(input.call))
    cursor.setSide(side.next)
    return input
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
    cursor.isFinished = true
    update(worker.call(.finish(at: TraceInstant(nanoseconds: cursor.end))))
  }

  /// Updates the state after each call of the detector: answers its detections and stores its
  /// deadline.
  private func update(_ status: DetectorStatus) {
    deadline = status.deadline
    if status.hasDetections {
      hasDetections = true
      if hasPolicy { answerDetections() }
    }
    cursor.setDeadline(hasPolicy ? min(deadline, policy?.next?.nanoseconds ?? .max) : deadline)
  }

  private func answerDetections() {
    let first = answered.count
    worker.take(device, &answered)
    for record in answered[first...] {
      policy?.react(toKind: record.kind, emitted: record.emitted)
    }
  }

  private func readBlock() throws(TraceError) {
    blockEnd = 0
    guard let next = try readBlock(for: &cursor, worker.load) else { return }
    arrivals = next.arrivedTimes ?? next.measuredTimes
    blockEnd = next.range.upperBound
  }

  /// Passes the next block to the detector and moves the cursor to its start; nil = there is none.
  func readBlock(
    for cursor: inout StreamCursor, _ load: (ChannelBlock) -> Bool
  ) throws(TraceError) -> ChannelBlock? {
    cursor.hasReading = false
    cursor.reading = .max
    guard let next = try source.nextBlock(of: channel, limit: blockSize), !next.isEmpty else {
      return nil
    }
    guard load(next) else { throw otherColumns }
    let arrivals = next.arrivedTimes ?? next.measuredTimes
    cursor.position = next.range.lowerBound
    cursor.reading = arrivals[cursor.position]
    cursor.hasReading = true
    try checkOrder(of: arrivals, in: next.range)
    return next
  }

  private var otherColumns: TraceError {
    TraceError(
      place: source.header.id,
      expected: "the columns that the detector reads in channel \(channel.name)",
      found: "other columns", remedy: "the detector's Input must match its channel")
  }

  private func checkOrder(of arrivals: [Int64], in range: Range<Int>) throws(TraceError) {
    let times = arrivals.span
    var previous = lastArrival
    var index = range.lowerBound
    while index < range.upperBound, times[index] >= previous {
      previous = times[index]
      index &+= 1
    }
    guard index == range.upperBound else {
      throw decreasingTime(
        in: source.header.id, channel: channel, at: loaded + index - range.lowerBound,
        from: previous, to: times[index])
    }
    lastArrival = previous
    loaded += range.count
  }
}

extension [DetectionRecord] {
  /// Shifts the times of the elements from `first` on.
  mutating func move(from first: Int, by nanoseconds: Int64) {
    guard nanoseconds != 0 else { return }
    for index in first..<count {
      self[index].onset = self[index].onset.advanced(byNanoseconds: nanoseconds)
      self[index].emitted = self[index].emitted.advanced(byNanoseconds: nanoseconds)
      self[index].newestMeasured = self[index].newestMeasured.advanced(byNanoseconds: nanoseconds)
    }
  }
}

/// A detector of visits compares each fix with each place.
@usableFromInline func requireFewPlaces(
  in header: TraceHeader, _ channel: Channel
) throws(TraceError) {
  let most = 1 << 27
  let fixes = header.info(channel)?.count ?? 0
  let (product, isOver) = header.places.count.multipliedReportingOverflow(by: fixes)
  guard isOver || product > most else { return }
  throw TraceError(
    place: header.id, expected: "at most \(most) comparisons of a fix with a place",
    found: "\(header.places.count) places and \(fixes) fixes",
    remedy: "leave out places that are far away, or cut the recording with trim")
}

func requireChannel(
  _ channel: Channel, of reader: String, in header: TraceHeader
) throws(TraceError) {
  guard header.info(channel) == nil else { return }
  let channels = header.channels.map { $0.channel.name }.joined(separator: ", ")
  let needsGravityRemoval = channel == .userAcceleration && header.info(.acceleration) != nil
  throw TraceError(
    place: header.id, expected: "channel \(channel.name), which \(reader) reads",
    found: channels.isEmpty ? "no channels" : channels,
    remedy: needsGravityRemoval
      ? "remove gravity with --gravity-filter lowpass, or gravity_filter: lowpass in a suite"
      : "choose a detector for these channels")
}
