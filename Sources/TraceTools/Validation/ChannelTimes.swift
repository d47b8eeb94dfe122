import TraceModel

/// The sorted measured times of a channel, as the time checks use them.
struct ChannelTimes {
  let channel: Channel
  /// The times in nanoseconds, not decreasing.
  let sorted: [Int64]
  /// The median of the nonzero intervals in nanoseconds; nil = there is none.
  let period: Int64?
  /// The 90 % quantile of the deviation of nonzero intervals from the period, in nanoseconds.
  let jitter: Int64?
  let distinct: Int
  /// Readings at most this far apart in nanoseconds are of one batch.
  let together: Int64

  init(_ channel: Channel, _ block: ChannelBlock) {
    self.channel = channel
    sorted = Array(block.sortedMeasuredTimes)
    let timing = ChannelTiming(measuredTimes: sorted)
    period = timing.medianInterval
    jitter = timing.jitter
    distinct = sorted.isEmpty ? 0 : sorted.count - timing.duplicatedTimes
    together = SensorPeriod(sorted[...]).together
  }

  /// Pairs of neighbouring times.
  var steps: some Sequence<(Int64, Int64)> { zip(sorted, sorted.dropFirst()) }

  /// The time from the first reading to the last.
  var span: Int64 {
    guard let first = sorted.first, let last = sorted.last else { return 0 }
    return last.subtractingClamped(first)
  }

  /// Whether there are too few distinct times to judge intervals.
  ///
  /// The limit is a twentieth: a clock of whole seconds at 10 Hz leaves a tenth, which can still be
  /// replayed.
  var areTooFew: Bool {
    sorted.count >= Self.fewestReadings && distinct <= max(2, sorted.count / 20)
  }

  /// The smallest number of readings that is checked.
  static let fewestReadings = 10
}

extension Channel {
  /// Whether readings come at a steady rate from a sensor that is always on.
  var isInertial: Bool {
    self == .acceleration || self == .userAcceleration || self == .rotationRate
  }
}
