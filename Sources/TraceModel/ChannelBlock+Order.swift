extension ChannelBlock {
  /// Whether no arrival comes before the one before it. O(n).
  package var isInOrder: Bool {
    let times = (arrivedTimes ?? measuredTimes)[range]
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Nanoseconds between two instants at which readings arrive, in the median; nil where no two
  /// differ.
  package var medianInterval: Int64? {
    ChannelTiming(measuredTimes: (arrivedTimes ?? measuredTimes)[range]).medianInterval
  }
}
