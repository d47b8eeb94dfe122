/// The period at which a channel's sensor takes readings, and the stretches in which it takes none.
///
/// Readings at nearly the same time are one instant: some recordings have the times at which a batch
/// was delivered, and intervals within a batch say nothing about the sensor. They are at most a tenth
/// of the mean interval apart, by the median over stretches of 64 readings, so that a pause of the
/// sensor does not change it.
package struct SensorPeriod: Hashable, Sendable {
  /// Readings at most this far apart in ns belong to one instant.
  package let together: Int64
  /// The median interval in ns between two instants, the lower one of two; nil = there is only one.
  package let median: Int64?

  /// The number of readings in a stretch.
  private static let stretch = 64
  /// The largest part of a mean interval that is within an instant.
  private static let part = 10.0
  /// The shortest period of a phone's or a watch's inertial sensor in ns, with a wide margin (4 kHz).
  /// Readings that are closer belong to one instant, also in batches longer than a stretch.
  private static let shortest = 250_000.0

  /// - Parameter times: in ns, not decreasing.
  /// - Complexity: O(n) time, O(n / 64) memory.
  package init(_ times: ArraySlice<Int64>) {
    let near = Self.nearest(times)
    together = near
    median = Self.median(times, above: near)
  }

  /// Whether an interval is a silence: longer than three periods, as in ``ChannelTiming/gaps``.
  package func isSilence(_ interval: Int64) -> Bool { median.map { interval / 3 > $0 } ?? true }

  /// Returns the stretches of start...end without readings. A reading covers the period that
  /// follows it, so a silence begins one period after the last reading before it. Without a period
  /// the whole is silent. O(n).
  /// - Parameter times: in ns, not decreasing.
  package func silences(
    in times: ArraySlice<Int64>, from start: Int64, to end: Int64
  ) -> [ClosedRange<Int64>] {
    guard start <= end else { return [] }
    guard let median, let first = times.first, let last = times.last else { return [start...end] }
    var silences: [ClosedRange<Int64>] = []
    func add(_ lower: Int64, _ upper: Int64) {
      let (lower, upper) = (max(lower, start), min(upper, end))
      if lower < upper { silences.append(lower...upper) }
    }
    if isSilence(first.subtractingClamped(start)) { add(start, first) }
    // The limit of `isSilence` without a division for each reading.
    let limit = median > .max / 3 - 1 ? .max : 3 * median + 2
    var before = first
    for time in times {
      if time.subtractingClamped(before) > limit { add(before.addingClamped(median), time) }
      before = time
    }
    if isSilence(end.subtractingClamped(last)) { add(last.addingClamped(median), end) }
    return silences
  }

  private static func nearest(_ times: ArraySlice<Int64>) -> Int64 {
    guard let first = times.first, let last = times.last, times.count > 1 else { return 0 }
    let intervals = times.count - 1
    let mean = Double(last.subtractingClamped(first)) / Double(intervals)
    // A short recording has shorter stretches, so that one pause is in a minority of them.
    let length = min(stretch, max(1, intervals / 8))
    var means: [Double] = []
    means.reserveCapacity(intervals / length)
    var start = times.startIndex
    while start + length < times.endIndex {
      let span = times[start + length].subtractingClamped(times[start])
      means.append(Double(span) / Double(length))
      start += length
    }
    means.sort()
    guard let typical = nearestRank(50, ofSorted: means) else { return 0 }
    return Int64(max(typical / part, min(mean / part, shortest)))
  }

  private static let digit = 12

  /// Returns the lower median of the intervals above a limit; nil if there are none. It selects by
  /// one digit of 12 bits after the other, so it needs no copy of the intervals.
  private static func median(_ times: ArraySlice<Int64>, above limit: Int64) -> Int64? {
    var (count, largest) = (0, Int64(0))
    forEachInterval(times) { interval in
      count += interval > limit ? 1 : 0
      largest = max(largest, interval)
    }
    guard count > 0 else { return nil }
    var shift = (63 - largest.leadingZeroBitCount) / digit * digit
    var (rank, prefix) = ((count - 1) / 2, Int64(0))
    while true {
      var counts = [Int](repeating: 0, count: 1 << digit)
      forEachInterval(times) { interval in
        if interval > limit, interval >> (shift + digit) == prefix {
          counts[Int(truncatingIfNeeded: interval >> shift) & (1 << digit - 1)] += 1
        }
      }
      var bucket = 0
      while rank >= counts[bucket] {
        rank -= counts[bucket]
        bucket += 1
      }
      prefix = prefix << Int64(digit) | Int64(bucket)
      if shift == 0 { return prefix }
      shift -= digit
    }
  }

  @inline(__always)
  private static func forEachInterval(_ times: ArraySlice<Int64>, _ body: (Int64) -> Void) {
    var before = times.first ?? 0
    for time in times.dropFirst() {
      body(time.subtractingClamped(before))
      before = time
    }
  }
}

extension Channel {
  /// Whether the readings come from a sensor, so that a silence is time without it; otherwise they are
  /// events at any time, such as messages.
  package var isSensor: Bool { self != .heartbeat && self != .touch && self != .action }
}

extension ChannelBlock {
  /// The measured times in ns, not decreasing; sorted where a clock was set back.
  package var sortedMeasuredTimes: ArraySlice<Int64> {
    let times = measuredTimes[range]
    return times.isAscending ? times : times.sorted()[...]
  }
}

extension ArraySlice<Int64> {
  /// Whether no time is before the previous one. O(n).
  package var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
