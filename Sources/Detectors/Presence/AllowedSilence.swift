import TraceModel

/// The time that a peer may be silent, given its past intervals.
struct AllowedSilence: Sendable, Codable {
  private let parameters: PresenceDetector.Parameters
  private let expiry: Int64
  private let minimum: Int64
  private let maximum: Int64
  /// The threshold of the rule `normal`, in standard deviations beyond the mean.
  private let deviations: Double

  init(_ parameters: PresenceDetector.Parameters) {
    self.parameters = parameters
    expiry = nanoseconds(parameters.expiry)
    minimum = nanoseconds(parameters.minimumSilence)
    maximum = nanoseconds(parameters.maximumSilence)
    deviations = parameters.rule == .normal ? NormalTail.z(phi: parameters.threshold) : 0
  }

  /// Returns nanoseconds.
  func after(_ window: IntervalWindow) -> Int64 {
    guard parameters.rule != .fixed, Double(window.count) >= parameters.warmUp,
      let silence = silence(reachingThresholdAfter: window)
    else { return expiry }
    // The maximum wins if the two limits contradict each other.
    return min(max(Int64(nanosecondsFromSeconds: silence / 1e9) ?? .max, minimum), maximum)
  }

  /// The interval in nanoseconds that most heartbeats do not exceed; nil = unknown.
  func expected(after window: IntervalWindow) -> Int64? {
    window.tail(share: parameters.tailShare)?.start
  }

  /// Whether to learn from an interval between two heartbeats: it must be neither within a batch
  /// nor an absence.
  func isLearned(_ interval: Int64) -> Bool {
    interval >= Self.batchInterval && interval <= max(maximum, expiry)
  }

  /// Returns φ of a silence: -log10 of the probability of a silence this long; nil if the rule has
  /// none.
  func phi(of silence: Int64, after window: IntervalWindow) -> Double? {
    guard Double(window.count) >= parameters.warmUp, silence >= 0 else { return nil }
    switch parameters.rule {
    case .fixed: return nil
    case .empirical: return empiricalPhi(of: silence, window)
    case .normal:
      guard let mean = window.mean, let deviation = deviation(of: window) else { return nil }
      return NormalTail.phi((Double(silence) - mean) / deviation)
    }
  }

  /// Heartbeats closer than this were delivered together: after a reconnection the waiting ones
  /// arrive at once, and their intervals do not reflect the sending interval.
  private static let batchInterval: Int64 = 100_000_000

  /// Returns nanoseconds.
  private func silence(reachingThresholdAfter window: IntervalWindow) -> Double? {
    switch parameters.rule {
    case .fixed: return nil
    case .empirical:
      // From the start of the tail on: share exp(-(t - start) / meanExcess) = 10^-threshold.
      guard let tail = window.tail(share: parameters.tailShare) else { return nil }
      let excess = parameters.threshold * NormalTail.ln10 + Math.log(tail.share)
      return Double(tail.start) + tail.meanExcess * max(excess, 0)
    case .normal:
      guard let mean = window.mean, let deviation = deviation(of: window) else { return nil }
      return mean + deviations * deviation
    }
  }

  private func empiricalPhi(of silence: Int64, _ window: IntervalWindow) -> Double? {
    guard let tail = window.tail(share: parameters.tailShare) else { return nil }
    if silence < tail.start || tail.meanExcess == 0 {
      let longer = Double(window.count(longerThan: silence)) / Double(window.count)
      return -Math.log(longer) / NormalTail.ln10
    }
    let excess = (Double(silence) - Double(tail.start)) / tail.meanExcess
    return (excess - Math.log(tail.share)) / NormalTail.ln10
  }

  private func deviation(of window: IntervalWindow) -> Double? {
    window.standardDeviation.map { max($0, parameters.minimumDeviation * 1e9) }
  }
}
