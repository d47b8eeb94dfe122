public import TraceModel

/// Consumes all readings of several devices as one stream, in the order of the run. It is for logic
/// in which one device influences another. After a long silence, time may advance past its deadline.
public protocol MergedConsumer: ReadingConsumer {
  /// Appends the records since the last call.
  mutating func takeRecords(into records: inout [DetectionRecord])
}

/// Merges channels of several devices into one order for one consumer: (arrived, device, channel,
/// sequence), with deadlines after all arrivals at the same instant, as in ``Timeline``.
///
/// Deadlines after the end of the run, which is the latest end of a trace, never fire. After a
/// minute without a reading, timers fire in strides of a sixteenth of the silence: a gap of 50 years
/// then takes some 280 of them, however often the consumer polls. A step is O(k) for k channels of all
/// devices together.
public struct MergedTimeline<Consumer: MergedConsumer>: PlayableTimeline {
  public private(set) var consumer: Consumer
  public private(set) var readings = 0
  private var cursors: [ChannelCursor] = []
  /// The next arrival of each cursor; the largest number = the end. Apart from the cursors, because each
  /// step looks at all of them.
  private var arrivals: [Int64] = []
  /// The end of each device on the run's axis, removed once reported.
  private var ends: [(device: DeviceID, time: Int64)] = []
  /// The earliest end; the largest number = none is left.
  private var firstEnd = Int64.max
  private var end: Int64 = 0
  private var isClosed = false
  /// The times of the last reading, or end of a device, and of the last deadline.
  private var heard = Int64.zero
  private var woken = Int64.zero
  /// The silence in ns after which timers fire in strides.
  private static var longSilence: Int64 { 60_000_000_000 }

  /// - Parameters:
  ///   - channels: the channels to consume if a device has them; actions are always included.
  ///   - required: the channel that each device must have.
  /// - Throws: ``TraceError`` if a trace lacks the channel or cannot be read, or if its arrival
  ///   times decrease.
  public init(
    _ consumer: Consumer, devices: [ReplayDevice], channels: Set<Channel>, required: Channel,
    name: String, blockSize: Int = 4096
  ) throws(TraceError) {
    self.consumer = consumer
    for device in devices {
      let header = device.source.header
      try requireChannel(required, of: name, in: header)
      try requireFewPlaces(in: header, required)
      let taken = channels.union([required, .action])
      for info in header.channels where taken.contains(info.channel) {
        cursors.append(
          try ChannelCursor(device, channel: info.channel, blockSize: blockSize))
      }
      ends.append((device.id, header.end.nanoseconds.addingClamped(device.start.nanoseconds)))
    }
    cursors.sort { ($0.device, $0.channel) < ($1.device, $1.channel) }
    end = ends.map(\.time).max() ?? 0
    firstEnd = ends.map(\.time).min() ?? .max
    arrivals = cursors.map { $0.nextArrival ?? .max }
  }

  private enum Next {
    case readings(cursor: Int)
    case deadline
    case finish(end: Int)
    case close
  }

  public var next: TraceInstant? { upcoming.map { TraceInstant(nanoseconds: $0.time) } }

  private var upcoming: (time: Int64, what: Next)? {
    if isClosed { return nil }
    var time = Int64.max
    var what = Next.close
    // The cursors are ordered by device and channel, so the first of equal times is the right one.
    for index in arrivals.indices where arrivals[index] < time {
      (time, what) = (arrivals[index], .readings(cursor: index))
    }
    if let deadline = consumer.deadline?.nanoseconds, deadline < time, deadline <= end {
      (time, what) = (max(deadline, min(stride, time - 1, end)), .deadline)
    }
    if firstEnd < time {
      for index in ends.indices where ends[index].time < time {
        let device = ends[index].device
        guard !cursors.contains(where: { $0.device == device && $0.nextArrival != nil }) else {
          continue
        }
        (time, what) = (ends[index].time, .finish(end: index))
      }
    }
    if case .close = what { return (end, .close) }
    return (time, what)
  }

  /// The earliest time of the next deadline.
  private var stride: Int64 {
    let silence = woken.subtractingClamped(heard)
    return silence < Self.longSilence ? .min : woken.addingClamped(silence / 16)
  }

  public mutating func step(
    into records: inout [DetectionRecord]
  ) throws(TraceError) -> StreamStep? {
    guard let (time, what) = upcoming else { return nil }
    let step = try perform(what, at: time)
    consumer.takeRecords(into: &records)
    return step
  }

  private mutating func perform(
    _ what: Next, at time: Int64
  ) throws(TraceError) -> StreamStep {
    let now = TraceInstant(nanoseconds: time)
    var step = StreamStep(
      kind: .wake, device: DeviceID(0), channel: .action, time: now, following: nil)
    switch what {
    case .readings(let index):
      step.device = cursors[index].device
      step.channel = cursors[index].channel
      let count = try deliver(cursor: index, at: time)
      step.kind = step.channel == .action ? .action : .readings(count)
      step.following =
        step.channel == .action
        ? nil : cursors[index].nextArrival.map { TraceInstant(nanoseconds: $0) }
    case .deadline:
      woken = time
      consumer.advance(to: now)
    case .finish(let index):
      heard = time
      let ended = ends.remove(at: index)
      firstEnd = ends.map(\.time).min() ?? .max
      // A reading after the stated end has moved the end.
      consumer.finish(device: ended.device, at: now)
      step.device = ended.device
      step.kind = .end
    case .close:
      isClosed = true
      consumer.close(at: now)
      step.kind = .end
    }
    return step
  }

  /// Makes all steps. The records are taken after the last one: they come in their order, and asking
  /// for them after each reading costs as much as the reading.
  public mutating func run(into records: inout [DetectionRecord]) throws(TraceError) {
    defer { consumer.takeRecords(into: &records) }
    while let (time, what) = upcoming {
      if case .readings(let index) = what {
        _ = try deliver(cursor: index, at: time)
      } else {
        _ = try perform(what, at: time)
      }
    }
  }

  public var result: RunResult { RunResult(readings: readings) }

  /// Delivers the readings of a channel at that instant.
  private mutating func deliver(cursor index: Int, at time: Int64) throws(TraceError) -> Int {
    var count = 0
    heard = time
    while cursors[index].nextArrival == time {
      consumer.take(try cursors[index].pop())
      count += 1
    }
    arrivals[index] = cursors[index].nextArrival ?? .max
    if cursors[index].channel != .action { readings += count }
    // A trace ends no earlier than with its last reading.
    if firstEnd < time,
      let position = ends.firstIndex(where: { $0.device == cursors[index].device }),
      ends[position].time < time
    {
      ends[position].time = time
      firstEnd = ends.map(\.time).min() ?? .max
      end = max(end, time)
    }
    return count
  }
}
