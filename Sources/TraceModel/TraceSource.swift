/// A source of readings in blocks, so that a trace does not have to fit into memory.
public protocol TraceSource: AnyObject {
  var header: TraceHeader { get }

  /// Returns at most `limit` further readings of `channel`, in order of arrival; nil at the end or
  /// if the trace has no such channel.
  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock?
}

/// A whole trace in memory.
///
/// ```swift
/// var columns = VectorColumns()
/// columns.append(Acceleration(x: 0, y: 0, z: 9.8), measured: 0, arrived: 0)
/// var trace = Trace(header: TraceHeader(id: "punch-1", origin: .recorded))
/// trace.set(.vector(columns), for: .acceleration)
/// trace[.acceleration]?.count  // 1
/// trace[.location] == nil  // true
/// ```
public struct Trace: Sendable, Equatable {
  /// The header. `header.channels` always agrees with the blocks: set blocks with
  /// ``set(_:for:attributes:)``.
  public var header: TraceHeader
  private var blocks: [Channel: ChannelBlock] = [:]

  public init(header: TraceHeader) {
    self.header = header
    self.header.channels = []
  }

  /// Reads `source` to its end.
  /// - Throws: what `source` throws, and kind `.badData` if it yields a block of another kind than
  ///   its channel.
  public init(reading source: some TraceSource) throws(TraceError) {
    self.init(header: source.header)
    for info in source.header.channels {
      set(
        try Trace.rest(of: info, from: source), for: info.channel, attributes: info.attributes)
    }
  }

  private static func rest(
    of info: ChannelInfo, from source: some TraceSource
  ) throws(TraceError) -> ChannelBlock {
    var blocks: [ChannelBlock] = []
    while let block = try source.nextBlock(of: info.channel, limit: max(info.count, 1)),
      !block.isEmpty
    {
      blocks.append(block)
    }
    guard let whole = ChannelBlock(joining: blocks, of: info.channel) else {
      throw TraceError(
        place: "\(source.header.id): \(info.channel.name)",
        expected: "columns of \(info.channel.name)",
        found: "columns of another kind of channel")
    }
    return whole
  }

  public subscript(channel: Channel) -> ChannelBlock? { blocks[channel] }

  /// Sets a channel of the trace and its count in the header. For an action channel, the header
  /// also states the kinds of actions (attribute `kinds`, blank-separated, in code order).
  public mutating func set(
    _ block: ChannelBlock, for channel: Channel, attributes: [String: String] = [:]
  ) {
    var attributes = attributes
    if case .action(let columns) = block {
      let kinds = Set(columns.values[columns.range])
      attributes["kinds"] = Action.allCases.filter(kinds.contains).map { $0.name }
        .joined(separator: " ")
    }
    blocks[channel] = block
    header.channels.removeAll { $0.channel == channel }
    header.channels.append(
      ChannelInfo(
        channel: channel, count: block.count, hasArrivalTimes: block.arrivedTimes != nil,
        attributes: attributes))
    header.channels.sort { $0.channel < $1.channel }
  }

  public mutating func remove(_ channel: Channel) {
    blocks[channel] = nil
    header.channels.removeAll { $0.channel == channel }
  }
}

/// Reads a trace that is in memory.
///
/// ```swift
/// var columns = ActionColumns()
/// for time: Int64 in [0, 5, 9] { columns.append(.arm, measured: time, arrived: time) }
/// var trace = Trace(header: TraceHeader(id: "armed", origin: .synthetic))
/// trace.set(.action(columns), for: .action)
/// try MemorySource(trace).nextBlock(of: .action, limit: 2)?.count  // 2
/// ```
public final class MemorySource: TraceSource {
  public let header: TraceHeader
  private var rest: [Channel: ChannelBlock]

  public init(_ trace: Trace) {
    header = trace.header
    rest = [:]
    for info in trace.header.channels { rest[info.channel] = trace[info.channel] }
  }

  public func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    guard let block = rest[channel], !block.isEmpty else { return nil }
    let end = block.range.lowerBound + min(max(limit, 1), block.count)
    rest[channel] = block[end..<block.range.upperBound]
    return block[block.range.lowerBound..<end]
  }
}
