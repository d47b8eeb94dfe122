internal import TraceModel

/// The stated end of a trace: the length of its recorded time, which no reading may exceed.
struct StatedEnd {
  private let nanoseconds: Int64
  private let place: String

  /// - Throws: where the end lies before the trace's zero.
  init(of header: TraceHeader, file: String) throws(TraceError) {
    nanoseconds = header.end.nanoseconds
    place = "\(file):/@end"
    guard nanoseconds >= 0 else { throw refused("an end at or after 0 ns") }
  }

  /// - Throws: where one of the block's readings was measured or arrived after the end.
  func check(_ block: ChannelBlock, of channel: Channel) throws(TraceError) {
    let measured = block.measuredTimes[block.range].max()
    let arrived = block.arrivedTimes?[block.range].max()
    guard let latest = [measured, arrived].compactMap(\.self).max(), latest > nanoseconds else {
      return
    }
    throw refused(
      "an end at or after \(latest) ns, the time of a reading in /\(channel.name)")
  }

  private func refused(_ expected: String) -> TraceError {
    TraceError(
      place: place, expected: expected, found: "\(nanoseconds) ns",
      remedy: "state when the recording ended")
  }
}
