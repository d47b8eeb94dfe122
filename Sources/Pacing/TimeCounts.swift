import Histogram

/// The counts of a histogram of times, in its buckets: 2,048 of 1 ns, then 1,024 for each doubling,
/// which is what three significant digits need.
///
/// `Histogram` itself takes 5 ns for each value, which is a tenth of a step; this takes a third of
/// that, and makes a histogram only on request.
struct TimeCounts: Sendable {
  private var counts = [UInt64](repeating: 0, count: index(of: TimingRecorder.longest) + 1)
  private var least = UInt64.max
  private var most: UInt64 = 0

  private static var halfBits: Int { 10 }

  static func index(of value: UInt64) -> Int {
    let shift = max(63 - halfBits - value.leadingZeroBitCount, 0)
    return shift &<< halfBits &+ Int(truncatingIfNeeded: value &>> UInt64(shift))
  }

  /// Returns the lowest value that is counted at an index.
  static func lowest(at index: Int) -> UInt64 {
    guard index >= 2 << halfBits else { return UInt64(index) }
    let half = 1 << halfBits
    return UInt64(index & (half - 1) + half) << UInt64(index >> halfBits - 1)
  }

  @inline(__always)
  mutating func add(_ steps: [PendingStep], _ time: (PendingStep) -> Int64) {
    counts.withUnsafeMutableBufferPointer { counts in
      for step in steps {
        let value = TimingRecorder.clamped(time(step))
        counts[Self.index(of: value)] &+= UInt64(step.count)
        least = min(least, value)
        most = max(most, value)
      }
    }
  }

  /// The histogram of the values, as if each had been recorded in it. O(buckets).
  var histogram: Histogram<UInt64> {
    var histogram = TimingRecorder.emptyHistogram
    for (index, count) in counts.enumerated() where count > 0 {
      // The extremes are exact in a histogram.
      let bounds = Set([least, most].filter { Self.index(of: $0) == index })
      for value in bounds.prefix(Int(clamping: count)) { histogram.record(value, count: 1) }
      let rest = count - min(count, UInt64(bounds.count))
      if rest > 0 { histogram.record(max(Self.lowest(at: index), least), count: rest) }
    }
    return histogram
  }
}
