internal import TraceModel

/// The stated end of a trace: the length of the recorded time. No reading may be later.
struct StatedEnd {
  private let nanoseconds: Int64
  private let file: String

  /// - Throws: where the end lies before the trace's zero.
  init(of header: TraceHeader, file: String) throws(TraceError) {
    nanoseconds = header.end.nanoseconds
    self.file = file
    guard nanoseconds >= 0 else { throw refused("an end at or after 0 ns") }
  }

  /// 146 years: a time farther from the trace's zero is a placeholder for a missing time.
  private static let farthest = Int64.max / 2

  /// - Throws: if one of the block's readings was measured or arrived after the end, or at a time
  ///   that no recording can have.
  func check(_ block: ChannelBlock, of channel: Channel) throws(TraceError) {
    let columns = [block.measuredTimes[block.range], block.arrivedTimes?[block.range]]
    let times = columns.compactMap(\.self)
    guard let latest = times.compactMap({ $0.max() }).max(),
      let earliest = times.compactMap({ $0.min() }).min()
    else { return }
    for time in [earliest, latest] where time.magnitude > Self.farthest.magnitude {
      throw TraceError(
        place: "\(file):/\(channel.name)", expected: "times within 146 years of the trace's zero",
        found: "\(time) ns", remedy: "remove the readings whose time is missing")
    }
    guard latest > nanoseconds else { return }
    throw refused("an end at or after \(latest) ns, the time of a reading in /\(channel.name)")
  }

  private func refused(_ expected: String) -> TraceError {
    TraceError(
      place: "\(file):/@end", expected: expected, found: "\(nanoseconds) ns",
      remedy: "state when the recording ended")
  }
}
