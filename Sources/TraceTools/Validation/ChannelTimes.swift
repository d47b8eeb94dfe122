import TraceModel

/// The measured times of a channel in their order, as the checks of time look at them.
struct ChannelTimes {
  let channel: Channel
  /// Nanoseconds, not decreasing.
  let sorted: [Int64]
  /// Nanoseconds; the median of the intervals that are not zero, nil = there is none.
  let period: Int64?
  /// Nanoseconds; nine of ten intervals that are not zero differ from the period by at most this.
  let jitter: Int64?
  /// How many different times there are.
  let distinct: Int

  init(_ channel: Channel, _ block: ChannelBlock) {
    self.channel = channel
    let times = block.measuredTimes[block.range]
    let isInOrder = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    sorted = isInOrder ? Array(times) : times.sorted()
    let timing = ChannelTiming(measuredTimes: sorted)
    period = timing.medianInterval
    jitter = timing.jitter
    distinct = sorted.isEmpty ? 0 : sorted.count - timing.duplicatedTimes
  }

  /// Pairs of neighbouring times.
  var steps: some Sequence<(Int64, Int64)> { zip(sorted, sorted.dropFirst()) }

  /// From the first reading to the last.
  var span: Int64 {
    guard let first = sorted.first, let last = sorted.last else { return 0 }
    return last.subtractingClamped(first)
  }

  /// Whether so few times are stated that nothing can be said of intervals.
  ///
  /// A twentieth: a clock of whole seconds under 10 Hz leaves a tenth, which can still be replayed.
  var areTooFew: Bool {
    sorted.count >= Self.fewestReadings && distinct <= max(2, sorted.count / 20)
  }

  /// Of fewer readings nothing is said.
  static let fewestReadings = 10
}

extension Channel {
  /// Whether readings come at a steady rate from a sensor that is always on.
  var isInertial: Bool {
    switch self {
    case .acceleration, .userAcceleration, .rotationRate: true
    default: false
    }
  }

  /// Whether a sensor makes the readings; else they are events, which may come at any time.
  var isSensor: Bool { self != .heartbeat && self != .action }
}
