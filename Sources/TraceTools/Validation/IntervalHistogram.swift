package import TraceModel

/// The distribution of the intervals between a channel's measured times, in periods: duplicates,
/// regular intervals and gaps.
package struct IntervalHistogram: Sendable, Hashable {
  package struct Bin: Sendable, Hashable, CustomStringConvertible {
    /// The lower bound in periods, exclusive.
    package let above: Double
    /// The upper bound in periods, inclusive; infinite in the last bin.
    package let upTo: Double
    package let count: Int

    /// The bounds, e.g. `0.5-1.5 periods`.
    package var description: String {
      func number(_ value: Double) -> String { figure(value, value < 2 ? 1 : 0) }
      if !above.isFinite { return "zero" }
      return upTo.isFinite
        ? "\(number(above))-\(number(upTo)) periods" : "over \(number(above)) periods"
    }
  }

  /// The median of the positive intervals in nanoseconds; nil = there is none.
  package let period: Int64?
  /// The bins; the first one counts the intervals of zero.
  package let bins: [Bin]

  /// The bounds in periods. Half a period either way is regular; more than three is a gap, as in
  /// ``ChannelTiming/gaps``; then by tens.
  static let edges = [0.0, 0.5, 1.5, 3, 10, 100]

  /// Creates the histogram; times are sorted first. O(n log n).
  package init(_ channel: Channel, _ block: ChannelBlock) {
    self.init(ChannelTimes(channel, block))
  }

  init(_ times: ChannelTimes) {
    period = times.period
    var counts = [Int](repeating: 0, count: Self.edges.count + 1)
    for (earlier, later) in times.steps {
      let periods = Double(later.subtractingClamped(earlier)) / Double(max(times.period ?? 1, 1))
      counts[Self.edges.partitioningIndex { periods <= $0 }] += 1
    }
    bins = counts.indices.map { index in
      Bin(
        above: index == 0 ? -.infinity : Self.edges[index - 1],
        upTo: index < Self.edges.count ? Self.edges[index] : .infinity, count: counts[index])
    }
  }
}
