public import TraceModel

extension Trace {
  /// Returns the readings that arrive in `start ..< end`, with unchanged times. The result ends at
  /// `end` or at the trace's own end, whichever is earlier.
  ///
  /// Everything else is unchanged: references and ignore zones, also those outside the window, and
  /// the kinds stated by the action channel, so that a detector's parameters do not depend on the
  /// window. Actions before the window are lost: a hold that began earlier has no effect.
  ///
  /// The arrivals of each channel must not decrease, as in every run; otherwise the selected part
  /// is unspecified. An empty or reversed window gives an empty trace. O(log n): the columns are
  /// shared, not copied.
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
