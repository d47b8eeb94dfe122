extension ChannelBlock {
  /// Whether no reading arrives before the previous one. O(n).
  package var isInOrder: Bool { (arrivedTimes ?? measuredTimes)[range].isAscending }

  /// The median interval in nanoseconds between two different arrival times; nil if all are equal.
  package var medianInterval: Int64? {
    ChannelTiming(measuredTimes: (arrivedTimes ?? measuredTimes)[range]).medianInterval
  }
}
