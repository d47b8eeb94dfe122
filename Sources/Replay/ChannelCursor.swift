import TraceModel

/// The readings of one channel of a device, in order.
struct ChannelCursor {
  let device: DeviceID
  let channel: Channel
  private let source: any TraceSource
  private let start: Int64
  private let blockSize: Int
  private var block: ChannelBlock
  // Stored apart from the block, because taking them from it for each reading costs more than the
  // reading.
  private var measured: [Int64] = []
  private var arrivals: [Int64] = []
  private var vectors: VectorColumns?
  private var blockEnd = 0
  private var position = 0
  private var sequence = 0
  private var last = Int64.min
  /// The next arrival on the run's axis; nil = the end.
  private(set) var nextArrival: Int64?

  init(_ device: ReplayDevice, channel: Channel, blockSize: Int) throws(TraceError) {
    self.device = device.id
    self.channel = channel
    source = device.source
    start = device.start.nanoseconds
    self.blockSize = blockSize
    block = ChannelBlock(emptyFor: channel)
    try read()
  }

  mutating func pop() throws(TraceError) -> Reading {
    func onRunAxis(_ time: Int64) -> TraceInstant {
      TraceInstant(nanoseconds: time.addingClamped(start))
    }
    let value: Reading.Value =
      if let sample = vectors?[position] { .vector(sample) } else { block.value(at: position) }
    let reading = Reading(
      device: device, channel: channel, sequence: sequence,
      measured: onRunAxis(measured[position]), arrived: onRunAxis(arrivals[position]),
      value: value)
    position += 1
    sequence += 1
    if position < blockEnd { try look() } else { try read() }
    return reading
  }

  private mutating func read() throws(TraceError) {
    nextArrival = nil
    guard let next = try source.nextBlock(of: channel, limit: blockSize), !next.isEmpty else {
      return
    }
    block = next
    measured = next.measuredTimes
    arrivals = next.arrivedTimes ?? measured
    vectors = VectorColumns(next)
    (position, blockEnd) = (next.range.lowerBound, next.range.upperBound)
    try look()
  }

  private mutating func look() throws(TraceError) {
    let time = arrivals[position]
    guard time >= last else {
      throw decreasingTime(
        in: source.header.id, channel: channel, at: sequence, from: last, to: time)
    }
    last = time
    nextArrival = time.addingClamped(start)
  }
}
