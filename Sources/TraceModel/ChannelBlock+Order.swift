extension ChannelBlock {
  /// Whether no arrival comes before the one before it. O(n).
  package var isInOrder: Bool {
    let times = (arrivedTimes ?? measuredTimes)[range]
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The median interval in nanoseconds between two different arrival times; nil if all are equal.
  package var medianInterval: Int64? {
    ChannelTiming(measuredTimes: (arrivedTimes ?? measuredTimes)[range]).medianInterval
  }
}
