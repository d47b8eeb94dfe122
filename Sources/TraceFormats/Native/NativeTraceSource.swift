private import HDF5
public import TraceModel

/// A native trace that is read a block at a time.
///
/// Memory grows with the size of the blocks and with the references, not with the recording. Not
/// safe for use by two threads at once.
public final class NativeTraceSource: TraceSource {
  public let header: TraceHeader
  /// The content of the file that is not read, as sorted paths within it (`/touch`,
  /// `/acceleration/extra`).
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

  /// Returns the trace from its start, whatever blocks were read.
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
