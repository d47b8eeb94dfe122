/// The regularity of a channel's sampling, from its measured times.
///
/// ```swift
/// ChannelTiming(measuredTimes: [0, 10_000_000, 20_000_000, 90_000_000]).gaps  // 1
/// ```
public struct ChannelTiming: Hashable, Sendable {
  public let count: Int
  /// The median of the positive intervals in nanoseconds; nil if there are none.
  public let medianInterval: Int64?
  /// The jitter in nanoseconds: 90 % of the positive intervals differ from the median by at most
  /// this.
  public let jitter: Int64?
  /// The longest interval in nanoseconds.
  public let longestGap: Int64?
  /// The number of intervals longer than three medians.
  public let gaps: Int
  /// The number of readings with the same time as the previous reading.
  public private(set) var duplicatedTimes = 0
  /// The number of readings with an earlier time than the previous reading.
  public private(set) var backwardTimes = 0

  /// - Complexity: O(n log n).
  public init(measuredTimes times: some RandomAccessCollection<Int64>) {
    count = times.count
    var positive: [Int64] = []
    for (earlier, later) in zip(times, times.dropFirst()) {
      let interval = later.subtractingClamped(earlier)
      if interval > 0 {
        positive.append(interval)
      } else if interval == 0 {
        duplicatedTimes += 1
      } else {
        backwardTimes += 1
      }
    }
    positive.sort()
    longestGap = positive.last
    guard !positive.isEmpty else {
      (medianInterval, jitter, gaps) = (nil, nil, 0)
      return
    }
    let (lower, upper) = (positive[(positive.count - 1) / 2], positive[positive.count / 2])
    let median = lower + (upper - lower) / 2
    medianInterval = median
    let deviations = positive.map { abs($0 - median) }.sorted()
    jitter = nearestRank(90, ofSorted: deviations)
    gaps = positive.count { $0 / 3 > median }
  }

  /// The sampling rate in Hz, from the median interval.
  public var rate: Double? { medianInterval.map { 1e9 / Double($0) } }
}
