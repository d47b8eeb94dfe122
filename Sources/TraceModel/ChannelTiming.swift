/// How regularly a channel was sampled, from its measured times.
public struct ChannelTiming: Hashable, Sendable {
  /// Readings.
  public let count: Int
  /// Nanoseconds; the median of the intervals that are not zero or negative, or nil where there
  /// is none.
  public let medianInterval: Int64?
  /// Nanoseconds; nine of ten positive intervals differ from the median by at most so much.
  public let jitter: Int64?
  /// Nanoseconds; the longest interval.
  public let longestGap: Int64?
  /// Intervals of more than three medians.
  public let gaps: Int
  /// Readings at the time of the reading before.
  public let duplicatedTimes: Int
  /// Readings before the time of the reading before.
  public let backwardTimes: Int

  /// O(n log n).
  public init(measuredTimes times: some RandomAccessCollection<Int64>) {
    count = times.count
    var positive: [Int64] = []
    var duplicated = 0
    var backward = 0
    for (earlier, later) in zip(times, times.dropFirst()) {
      let interval = later.subtractingClamped(earlier)
      if interval > 0 {
        positive.append(interval)
      } else if interval == 0 {
        duplicated += 1
      } else {
        backward += 1
      }
    }
    duplicatedTimes = duplicated
    backwardTimes = backward
    positive.sort()
    longestGap = positive.last
    guard !positive.isEmpty else {
      medianInterval = nil
      jitter = nil
      gaps = 0
      return
    }
    let (lower, upper) = (positive[(positive.count - 1) / 2], positive[positive.count / 2])
    let median = lower + (upper - lower) / 2
    medianInterval = median
    let deviations = positive.map { abs($0 - median) }.sorted()
    jitter = deviations[min(deviations.count - 1, (deviations.count * 9 + 9) / 10 - 1)]
    gaps = positive.count { $0 / 3 > median }
  }

  /// Readings a second by the median interval.
  public var rate: Double? { medianInterval.map { 1e9 / Double($0) } }
}
