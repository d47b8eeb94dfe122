public import TraceModel

extension Trace {
  /// Returns this trace with one channel as sampled by a slower sensor.
  ///
  /// Ticks are one period (1 / `rate`, rounded to whole ns) apart, starting at the first reading.
  /// Each tick takes the first reading at or after it, with its own times, and no reading twice:
  /// ticks in a gap stay empty. If measured times go back by more than a period, the clock was set
  /// back and the ticks restart.
  ///
  /// A channel whose median interval is not shorter than the period is unchanged. The other
  /// channels are always unchanged. O(n log n) in the channel's readings.
  /// - Parameter rate: Hz, finite and above zero.
  public func decimated(_ channel: Channel, to rate: Double) -> Trace {
    precondition(rate.isFinite && rate > 0)
    guard let block = self[channel], let info = header.info(channel) else { return self }
    let period = max(Int64(nanosecondsFromSeconds: 1 / rate) ?? .max, 1)
    let times = block.measuredTimes[block.range]
    guard let own = ChannelTiming(measuredTimes: times).medianInterval, own < period else {
      return self
    }
    var grid = SamplingGrid(period: period)
    var decimated = self
    decimated.set(
      block.gathering(block.range.filter { grid.takes(times[$0]) }), for: channel,
      attributes: info.attributes)
    return decimated
  }
}

private struct SamplingGrid {
  /// The period in nanoseconds, above zero.
  let period: Int64
  private var origin: Int64?
  private var next: Int64 = 0
  private var last: Int64 = 0

  init(period: Int64) { self.period = period }

  /// Takes a sample at this time if its tick is free, and returns whether it did.
  mutating func takes(_ time: Int64) -> Bool {
    if origin == nil || time < last.subtractingClamped(period) {
      origin = time
      next = time
    }
    guard let origin, time >= next else { return false }
    last = time
    let elapsed = time.subtractingClamped(origin)
    next = time.addingClamped(period - elapsed % period)
    return true
  }
}
