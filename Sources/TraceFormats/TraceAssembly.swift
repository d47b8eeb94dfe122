internal import Files
internal import Synchronization
internal import TraceModel

/// The readings of one trace under construction, on the clock of its file.
///
/// They are kept as columns, in chunks. Chunks beyond the budget of the ``ReadingSpool`` go to a
/// temporary file, so that a file of any size becomes a trace in bounded memory. The trace's zero is
/// the earliest measured time. It is known only at the end, so it is subtracted when the readings
/// are read.
struct TraceAssembly: Sendable {
  /// A channel of the assembly, from ``open(_:)``.
  struct Handle: Hashable, Sendable {
    fileprivate var index: Int
  }

  private var channels: [ChannelAssembly] = []
  private let spool: ReadingSpool

  /// - Parameter spool: shared by the assemblies of all traces that one file is split into.
  init(spool: ReadingSpool = ReadingSpool()) { self.spool = spool }

  /// Opens a channel, or returns its handle if it is open. A channel without readings stays in the
  /// trace.
  mutating func open(_ channel: Channel) -> Handle {
    if let index = channels.firstIndex(where: { $0.channel == channel }) {
      return Handle(index: index)
    }
    channels.append(ChannelAssembly(channel))
    return Handle(index: channels.count - 1)
  }

  // Each reading has the type of its channel; times are nanoseconds of the file's clock. No format
  // other than the native one has actions.

  mutating func append(
    _ vector: Vector3, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].vectors.append(vector, measured, arrived)
    try sealIfFull(handle)
  }

  mutating func append(
    _ fix: Fix, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].fixes.append(fix, measured: measured, arrived: arrived)
    try sealIfFull(handle)
  }

  mutating func append(
    _ position: LocalPosition, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].positions.append(position, measured: measured, arrived: arrived)
    try sealIfFull(handle)
  }

  mutating func append(
    _ scalar: Scalar, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].scalars.append(scalar, measured: measured, arrived: arrived)
    try sealIfFull(handle)
  }

  mutating func append(
    _ heartbeat: Heartbeat, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].heartbeats.append(heartbeat, measured: measured, arrived: arrived)
    try sealIfFull(handle)
  }

  mutating func append(
    _ touch: Touch, to handle: Handle, measured: Int64, arrived: Int64
  ) throws(TraceError) {
    channels[handle.index].touches.append(touch, measured: measured, arrived: arrived)
    try sealIfFull(handle)
  }

  private mutating func sealIfFull(_ handle: Handle) throws(TraceError) {
    channels[handle.index].pending += 1
    if channels[handle.index].pending == ChannelAssembly.chunkRows {
      try channels[handle.index].seal(spool)
    }
  }

  /// Moves all readings to the spool, even if they are too few for a whole chunk.
  mutating func seal() throws(TraceError) {
    for index in channels.indices { try channels[index].seal(spool) }
  }

  /// The earliest measured time so far; nil = no reading yet. O(pending readings).
  var earliest: Int64? { channels.compactMap(\.earliestOfAll).min() }

  /// Ends the assembly.
  ///
  /// - Parameters:
  ///   - header: all but its channels, its end and, where `isAbsolute`, its epoch.
  ///   - isAbsolute: whether the file's clock counts from 1970-01-01T00:00:00Z.
  ///   - sort: whether to sort every channel by arrival (stable); this loads a trace with channels
  ///     out of order into memory.
  consuming func finish(
    _ header: TraceHeader, report: ImportReport, isAbsolute: Bool = false, sort: Bool = false
  ) throws(TraceError) -> ImportedTrace {
    try seal()
    let origin = earliest ?? 0
    let latest = channels.compactMap(\.latest).max() ?? origin
    var header = header
    header.end = TraceInstant(latest, since: origin)
    header.channels = channels.map(\.info).sorted { $0.channel < $1.channel }
    if isAbsolute, header.channels.contains(where: { $0.count > 0 }) {
      header.epoch = CivilTime.text(nanoseconds: origin)
      header.isEpochKnown = true
    }
    let readings = AssembledReadings(
      chunks: Dictionary(uniqueKeysWithValues: channels.map { ($0.channel, $0.chunks) }),
      spool: spool, origin: origin)
    var imported = ImportedTrace(header: header, readings: readings, report: report, origin: origin)
    if sort, channels.contains(where: { !$0.isInOrder }) { try imported.sortByArrival() }
    return imported
  }
}

extension TraceInstant {
  /// A time of a file's clock on the axis of a trace whose zero is `origin` on that clock.
  init(_ time: Int64, since origin: Int64) {
    self.init(nanoseconds: time.subtractingClamped(origin))
  }
}

private struct ChannelAssembly: Sendable {
  let channel: Channel
  // Only the buffer of the channel's type is used, which saves a switch per reading.
  var vectors = VectorBuffer()
  var fixes = FixColumns()
  var positions = LocalColumns()
  var scalars = ScalarColumns()
  var heartbeats = HeartbeatColumns()
  var touches = TouchColumns()
  /// The number of readings that are not in a chunk yet.
  var pending = 0
  private(set) var chunks: [ReadingSpool.Chunk] = []
  private(set) var count = 0
  /// The earliest measured time.
  private(set) var earliest: Int64?
  /// The latest of all times.
  private(set) var latest: Int64?
  /// Whether no reading arrived before the one before it.
  private(set) var isInOrder = true
  private var hasArrivalTimes = false
  private var lastArrival = Int64.min

  static let chunkRows = 8_192

  init(_ channel: Channel) { self.channel = channel }

  var info: ChannelInfo {
    ChannelInfo(channel: channel, count: count, hasArrivalTimes: hasArrivalTimes)
  }

  /// Makes a chunk of the pending readings.
  mutating func seal(_ spool: ReadingSpool) throws(TraceError) {
    guard pending > 0 else { return }
    let block = takePending()
    count += block.count
    pending = 0
    note(block)
    chunks.append(try spool.keep(block, of: channel))
  }

  /// The earliest measured time, including pending readings.
  var earliestOfAll: Int64? {
    guard pending > 0 else { return earliest }
    var copy = self
    return [earliest, copy.takePending().measuredTimes.min()].compactMap(\.self).min()
  }

  private mutating func takePending() -> ChannelBlock {
    func taken<Value>(_ columns: inout ValueColumns<Value>) -> ValueColumns<Value> {
      defer { columns = ValueColumns() }
      return columns
    }
    return switch ChannelBlock(emptyFor: channel) {
    case .vector: .vector(vectors.take())
    case .fix: .fix(taken(&fixes))
    case .local: .local(taken(&positions))
    case .scalar: .scalar(taken(&scalars))
    case .heartbeat: .heartbeat(taken(&heartbeats))
    case .touch: .touch(taken(&touches))
    case .action: .action(ActionColumns())
    }
  }

  private mutating func note(_ block: ChannelBlock) {
    let measured = block.measuredTimes
    earliest = [earliest, measured.min()].compactMap(\.self).min()
    latest = [latest, measured.max(), block.arrivedTimes?.max()].compactMap(\.self).max()
    if block.arrivedTimes != nil { hasArrivalTimes = true }
    for arrival in block.arrivedTimes ?? measured {
      if arrival < lastArrival { isInOrder = false }
      lastArrival = arrival
    }
  }
}

/// Columns of three axes that grow reading by reading.
private struct VectorBuffer: Sendable {
  private var measured: [Int64] = []
  private var arrived: [Int64] = []
  private var x: [Float] = []
  private var y: [Float] = []
  private var z: [Float] = []

  @inline(__always)
  mutating func append(_ vector: Vector3, _ time: Int64, _ arrival: Int64) {
    measured.append(time)
    arrived.append(arrival)
    x.append(vector.x)
    y.append(vector.y)
    z.append(vector.z)
  }

  mutating func take() -> VectorColumns {
    defer { self = VectorBuffer() }
    let times = TimeColumns(measured: measured, arrived: arrived == measured ? nil : arrived)
    return VectorColumns(times: times, x: x, y: y, z: z)
  }
}

/// A store for chunks of readings: in memory up to a budget, beyond that in a temporary file.
final class ReadingSpool: Sendable {
  enum Chunk: Sendable {
    case held(ChannelBlock)
    /// In the file, at `offset`.
    case spilled(offset: Int, count: Int, hasArrivalTimes: Bool)
  }

  private struct State {
    var held = 0
    var end = 0
    var file: TemporaryFile?
  }

  /// In bytes.
  private let budget: Int
  private let state = Mutex(State())

  init(budget: Int = 32 << 20) { self.budget = budget }

  /// - Throws: kind `.inputOutput` if the temporary file cannot be written.
  func keep(_ block: ChannelBlock, of channel: Channel) throws(TraceError) -> Chunk {
    let size = block.count * Self.bytesPerReading(channel) + Self.bytesPerChunk
    let isHeld = state.withLock { state in
      guard state.held + size <= budget else { return false }
      state.held += size
      return true
    }
    if isHeld { return .held(block) }
    let file = try openFile()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try ColumnBytes.write(block) { part in
      bytes.append(contentsOf: part)
      return nil
    }
    let offset = state.withLock { state in
      defer { state.end += bytes.count }
      return state.end
    }
    try file.write(bytes, at: offset)
    return .spilled(offset: offset, count: block.count, hasArrivalTimes: block.arrivedTimes != nil)
  }

  /// - Throws: kind `.inputOutput` if the temporary file cannot be read.
  func block(_ chunk: Chunk, of channel: Channel) throws(TraceError) -> ChannelBlock {
    switch chunk {
    case .held(let block): return block
    case .spilled(let offset, let count, let hasArrivalTimes):
      let file = try openFile()
      var position = offset
      return try ColumnBytes.read(channel, count: count, hasArrivalTimes: hasArrivalTimes) {
        buffer in
        defer { position += buffer.count }
        return file.read(into: buffer, at: position)
      }
    }
  }

  private func openFile() throws(TraceError) -> TemporaryFile {
    if let file = state.withLock({ $0.file }) { return file }
    let file = try TemporaryFile()
    return state.withLock { state in
      if let other = state.file { return other }
      state.file = file
      return file
    }
  }

  /// The approximate overhead of a block's arrays.
  private static let bytesPerChunk = 512

  /// The size of all readings in memory.
  static func bytes(of header: TraceHeader) -> Int {
    header.channels.reduce(0) { $0 + min($1.count, 1 << 40) * bytesPerReading($1.channel) }
  }

  static func bytesPerReading(_ channel: Channel) -> Int {
    let value =
      switch ChannelBlock(emptyFor: channel) {
      case .vector: 3 * MemoryLayout<Float>.stride
      case .fix: MemoryLayout<Fix>.stride
      case .local: MemoryLayout<LocalPosition>.stride
      case .scalar: MemoryLayout<Scalar>.stride
      case .heartbeat: MemoryLayout<Heartbeat>.stride
      case .touch: MemoryLayout<Touch>.stride
      case .action: MemoryLayout<Action>.stride
      }
    return 2 * MemoryLayout<Int64>.stride + value
  }
}

/// The readings of an assembly that is finished.
struct AssembledReadings: Sendable {
  let chunks: [Channel: [ReadingSpool.Chunk]]
  let spool: ReadingSpool
  /// The origin that is subtracted from every time.
  let origin: Int64

  /// Returns a chunk on the trace's axis.
  /// - Parameter hasArrivalTimes: whether the channel has arrival times; a chunk whose readings all
  ///   arrived when measured stores none.
  func block(
    _ index: Int, of channel: Channel, hasArrivalTimes: Bool
  ) throws(TraceError) -> ChannelBlock? {
    guard let chunks = chunks[channel], chunks.indices.contains(index) else { return nil }
    let block = try spool.block(chunks[index], of: channel)
    func shifted(_ times: [Int64]) -> [Int64] { times.map { $0.subtractingClamped(origin) } }
    let measured = shifted(block.measuredTimes)
    let arrived = hasArrivalTimes ? block.arrivedTimes.map(shifted) ?? measured : nil
    return block.withTimes(TimeColumns(measured: measured, arrived: arrived))
  }
}

extension ChannelBlock {
  /// Returns the values of a whole block with other times.
  fileprivate func withTimes(_ times: TimeColumns) -> ChannelBlock {
    switch self {
    case .vector(let columns):
      .vector(VectorColumns(times: times, x: columns.x, y: columns.y, z: columns.z))
    case .fix(let columns): .fix(FixColumns(times: times, values: columns.values))
    case .local(let columns): .local(LocalColumns(times: times, values: columns.values))
    case .scalar(let columns): .scalar(ScalarColumns(times: times, values: columns.values))
    case .heartbeat(let columns):
      .heartbeat(HeartbeatColumns(times: times, values: columns.values))
    case .touch(let columns): .touch(TouchColumns(times: times, values: columns.values))
    case .action(let columns): .action(ActionColumns(times: times, values: columns.values))
    }
  }
}
