public import TraceModel

/// Merges the channels of one or several devices into one stream in the total order
/// (arrived, device, channel, sequence). It never sleeps: it says what comes next.
///
/// A heap over the channels' heads: O(log k) a reading for k channels. Each channel is read in
/// blocks of `blockSize`, so memory does not grow with the traces. Copies share the sources and
/// where they are read: use one.
public struct Timeline {
  /// What comes next.
  public enum Step: Sendable, Equatable {
    /// A reading arrives.
    case deliver(Reading)
    /// Nothing arrives up to the deadline that was asked for: it fires.
    case wake(TraceInstant)
    /// Nothing arrives any more.
    case finished
  }

  /// A device of the run.
  public struct Device {
    public var id: DeviceID
    public var source: any TraceSource
    /// The channels that the run reads.
    public var channels: [Channel]
    /// The device's zero on the run's time axis.
    public var start: TraceInstant

    public init(
      _ id: DeviceID, source: any TraceSource, channels: [Channel], start: TraceInstant = .zero
    ) {
      self.id = id
      self.source = source
      self.channels = channels
      self.start = start
    }
  }

  /// The last end of the devices' traces: deadlines after it never fire.
  public let end: TraceInstant
  private let channels: [ChannelCursor]
  /// A heap: the first is the earliest.
  private var heads: [Head]
  private let blockSize: Int

  /// A channel's next arrival: small, so that the heap moves no columns.
  private struct Head {
    var arrived: TraceInstant
    let device: DeviceID
    let channel: Channel
    let cursor: Int

    func precedes(_ other: Head) -> Bool {
      if arrived != other.arrived { return arrived < other.arrived }
      return (device, channel) < (other.device, other.channel)
    }
  }

  /// - Throws: ``TraceError`` where a source cannot be read or its arrival times decrease.
  public init(_ devices: [Device], blockSize: Int = 4096) throws(TraceError) {
    precondition(blockSize > 0)
    self.blockSize = blockSize
    end =
      devices.map { $0.source.header.end.advanced(byNanoseconds: $0.start.nanoseconds) }.max()
      ?? .zero
    var channels: [ChannelCursor] = []
    heads = []
    for device in devices {
      for channel in device.channels.sorted() {
        let cursor = ChannelCursor(device: device, channel: channel)
        if try cursor.advance(blockSize: blockSize) {
          heads.append(
            Head(
              arrived: cursor.arrived, device: device.id, channel: channel,
              cursor: channels.count))
          channels.append(cursor)
        }
      }
    }
    self.channels = channels
    for index in heads.indices.reversed() { siftDown(from: index) }
  }

  /// The next step; a `deadline` fires where the next arrival is later than it, and at the end
  /// where it does not lie beyond the traces' end.
  public mutating func next(deadline: TraceInstant? = nil) throws(TraceError) -> Step {
    guard let head = heads.first else {
      if let deadline, deadline <= end { return .wake(deadline) }
      return .finished
    }
    if let deadline, deadline < head.arrived { return .wake(deadline) }
    let cursor = channels[head.cursor]
    let reading = cursor.reading
    if try cursor.advance(blockSize: blockSize) {
      heads[0].arrived = cursor.arrived
    } else {
      heads.swapAt(0, heads.count - 1)
      heads.removeLast()
    }
    siftDown(from: 0)
    return .deliver(reading)
  }

  private mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      let left = 2 * parent + 1
      guard left < heads.count else { return }
      let right = left + 1
      let child = right < heads.count && heads[right].precedes(heads[left]) ? right : left
      guard heads[child].precedes(heads[parent]) else { return }
      heads.swapAt(parent, child)
      parent = child
    }
  }
}

/// Where a channel is read: its next reading, and the block that it comes from.
private final class ChannelCursor {
  private let device: DeviceID
  private let channel: Channel
  private let source: any TraceSource
  private let start: Int64
  private var block: ChannelBlock
  /// The block's times, taken out once: reaching them goes through an existential.
  private var measuredTimes: [Int64] = []
  private var arrivedTimes: [Int64] = []
  private var position = -1
  private var end = 0
  private var sequence = -1
  private(set) var arrived = TraceInstant(nanoseconds: .min)

  init(device: Timeline.Device, channel: Channel) {
    self.device = device.id
    self.channel = channel
    source = device.source
    start = device.start.nanoseconds
    block = ChannelBlock(emptyFor: channel)
  }

  var reading: Reading {
    Reading(
      device: device, channel: channel, sequence: sequence,
      measured: TraceInstant(nanoseconds: measuredTimes[position].addingClamped(start)),
      arrived: arrived, value: block.value(at: position))
  }

  /// Goes to the next reading; false at the channel's end.
  func advance(blockSize: Int) throws(TraceError) -> Bool {
    position += 1
    if position >= end {
      guard let next = try source.nextBlock(of: channel, limit: blockSize), !next.isEmpty else {
        return false
      }
      block = next
      measuredTimes = next.measuredTimes
      arrivedTimes = next.arrivedTimes ?? measuredTimes
      position = next.range.lowerBound
      end = next.range.upperBound
    }
    sequence += 1
    let time = arrivedTimes[position].addingClamped(start)
    guard time >= arrived.nanoseconds else {
      throw decreasingTime(
        in: source.header.id, channel: channel, at: sequence,
        from: arrived.nanoseconds - start, to: time - start)
    }
    arrived = TraceInstant(nanoseconds: time)
    return true
  }
}

func decreasingTime(
  in trace: String, channel: Channel, at position: Int, from: Int64, to: Int64
) -> TraceError {
  TraceError(
    place: "\(trace):/\(channel.name)[\(position)]",
    expected: "an arrival at \(Double(from) / 1e9) s or later", found: "\(Double(to) / 1e9) s",
    remedy: "reorder the recording with convert --sort")
}
