package import TraceModel

package struct TimingLimits: Hashable, Sendable, Codable {
  /// The limit for the 99th percentile of the lateness, as a share of the period.
  package var lateness: Double
  /// The limit for missed deliveries, as a share of all.
  package var missed: Double

  /// - Parameters: shares of 0 or more.
  package init(lateness: Double = 0.1, missed: Double = 0.001) {
    (self.lateness, self.missed) = (lateness, missed)
  }
}

/// What the timing of a run is compared with. It is known before the run, so that late deliveries
/// can be counted for each device without a histogram of each.
package struct TimingTerms: Hashable, Sendable {
  package let limits: TimingLimits
  /// Nanoseconds of the clock between two instants at which a channel delivers, in the median.
  package let periods: [Channel: Double]
  package let devices: Int
  package let period: Double?
  /// The longest lateness in ns that is within the limit.
  let allowedLateness: Int64
  /// In ns; nothing is missed up to this lateness.
  private let shortestMiss: Int64

  /// - Parameter periods: at the rate of the run; without any, the timing is not judged.
  package init(
    limits: TimingLimits = TimingLimits(), periods: [Channel: Double] = [:], devices: Int = 1
  ) {
    (self.limits, self.periods, self.devices) = (limits, periods, devices)
    period = periods.values.min()
    shortestMiss = period.flatMap { Int64(exactly: $0.rounded(.down)) } ?? .max
    allowedLateness =
      period.flatMap { Int64(exactly: ($0 * limits.lateness).rounded(.down)) } ?? .max
  }

  /// Whether a delivery or a deadline came too late to count: later than the next one of evenly spaced
  /// ones. When the next one is due says little where the intervals differ: it may be 0.3 ms away, or, for
  /// a deadline, not come at all.
  @inline(__always)
  func isMissed(_ lateness: Int64, of channel: Channel) -> Bool {
    lateness > shortestMiss && isLaterThanPeriod(lateness, of: channel)
  }

  @inline(never)
  private func isLaterThanPeriod(_ lateness: Int64, of channel: Channel) -> Bool {
    guard let period = periods[channel] ?? period else { return false }
    return Double(lateness) > period
  }
}
