public import TraceModel

extension Trace {
  /// The readings that arrive in `start ..< end`, with their times as they are. The trace then ends
  /// at `end`, if that is earlier than its own end.
  ///
  /// Everything else stays: references and ignore zones, also those outside of the window, and what
  /// the action channel says of its kinds, so that a detector's parameters do not depend on the
  /// window. Actions before the window are not made up for: a hold that began earlier is not seen.
  ///
  /// The arrivals of each channel must not decrease, as in every run; where they do, some other
  /// part of the channel comes out. An empty or reversed window is an empty trace.
  /// O(log n): the columns are shared, not copied.
  public func window(from start: TraceInstant, to end: TraceInstant) -> Trace {
    var window = self
    for info in header.channels {
      guard let block = self[info.channel] else { continue }
      let arrivals = (block.arrivedTimes ?? block.measuredTimes)[block.range]
      let lower = arrivals.partitioningIndex { $0 >= start.nanoseconds }
      let upper = max(lower, arrivals.partitioningIndex { $0 >= end.nanoseconds })
      window.set(block[lower..<upper], for: info.channel, attributes: info.attributes)
    }
    for index in window.header.channels.indices {
      let channel = window.header.channels[index].channel
      window.header.channels[index].attributes = header.info(channel)?.attributes ?? [:]
    }
    window.header.end = min(header.end, end)
    return window
  }
}
