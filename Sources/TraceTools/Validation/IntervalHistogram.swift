package import TraceModel

/// How the intervals between a channel's measured times are distributed, in periods: what is there
/// twice, what is regular, and what is missing.
package struct IntervalHistogram: Sendable, Hashable {
  package struct Bin: Sendable, Hashable {
    /// In periods; the bin holds what is longer.
    package let above: Double
    /// In periods; the bin holds what is at most so long. Infinite in the last bin.
    package let upTo: Double
    package let count: Int
  }

  /// Nanoseconds: the median of the positive intervals; nil = there is none.
  package let period: Int64?
  /// The first holds the intervals of zero.
  package let bins: [Bin]

  /// In periods. Half a period either way is regular; beyond three is a gap, as in
  /// ``ChannelTiming/gaps``; then by tens.
  static let edges = [0.0, 0.5, 1.5, 3, 10, 100]

  /// Times that go back are put in order first. O(n log n).
  package init(_ channel: Channel, _ block: ChannelBlock) {
    self.init(ChannelTimes(channel, block))
  }

  init(_ times: ChannelTimes) {
    period = times.period
    var counts = [Int](repeating: 0, count: Self.edges.count + 1)
    for (earlier, later) in times.steps {
      let periods =
        Double(later.subtractingClamped(earlier)) / Double(max(times.period ?? 1, 1))
      counts[Self.edges.partitioningIndex { periods <= $0 }] += 1
    }
    bins = counts.indices.map { index in
      Bin(
        above: index == 0 ? -.infinity : Self.edges[index - 1],
        upTo: index < Self.edges.count ? Self.edges[index] : .infinity, count: counts[index])
    }
  }
}
