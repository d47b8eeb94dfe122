private import HDF5
public import TraceModel

/// A native trace that is read a block at a time.
///
/// Its memory grows with the blocks that are asked for and with the references, not with the
/// recording. Must not be used by two threads at once.
public final class NativeTraceSource: TraceSource {
  public let header: TraceHeader
  /// What the file holds and is not read, as paths within it (`/touch`, `/acceleration/extra`),
  /// sorted.
  public let unread: [String]
  private var channels: [Channel: ChannelReader]

  init(path: String) throws(TraceError) {
    let contents = try NativeContents(path: path)
    header = contents.header
    unread = contents.unread.sorted()
    channels = contents.channels
  }

  public func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    try channels[channel]?.nextBlock(limit: max(limit, 1))
  }

  /// The trace from its start, whatever blocks were read.
  func wholeTrace() throws(TraceError) -> Trace {
    var trace = Trace(header: header)
    for info in header.channels {
      guard let reader = channels[info.channel] else { continue }
      trace.set(
        try reader.block(0..<reader.count), for: info.channel, attributes: info.attributes)
    }
    return trace
  }
}
