public import Histogram
public import Replay
import TraceModel

/// Gathers how well a run kept its schedule.
///
/// Everything is held against the schedule, so a stall shows in each step that it delayed: nothing
/// is left out because nothing was asked for meanwhile (coordinated omission), and nothing is
/// filled in afterwards.
public struct TimingRecorder: Sendable {
  /// Of deliveries, in nanoseconds.
  public private(set) var lateness = TimingRecorder.emptyHistogram
  public private(set) var service = TimingRecorder.emptyHistogram
  public private(set) var response = TimingRecorder.emptyHistogram
  /// Of deadlines and other instants at which time itself came, not a reading.
  public private(set) var wakeLateness = TimingRecorder.emptyHistogram
  /// Readings and actions that were delivered.
  public private(set) var deliveries = 0
  public private(set) var missed = 0
  public private(set) var wakes = 0
  /// The first and last steps: when they were due, and when they began.
  public private(set) var first: StepTiming?
  public private(set) var last: StepTiming?

  /// - Complexity: allocates its histograms, about 1 MB; recording allocates nothing.
  public init() {}

  /// From 1 ns to one hour at three significant digits; what is longer counts as one hour.
  private static var emptyHistogram: Histogram<UInt64> {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: longest,
      numberOfSignificantValueDigits: .three)
  }

  private static var longest: UInt64 { 3_600_000_000_000 }

  public mutating func record(_ timing: StepTiming) {
    if first == nil { first = timing }
    last = timing
    let count: UInt64
    switch timing.step.kind {
    case .wake:
      wakes += 1
      wakeLateness.record(TimingRecorder.clamped(timing.lateness))
      return
    case .action: count = 1
    case .readings(let readings): count = UInt64(readings)
    }
    deliveries += Int(count)
    if timing.isMissed { missed += Int(count) }
    lateness.record(TimingRecorder.clamped(timing.lateness), count: count)
    service.record(TimingRecorder.clamped(timing.service), count: count)
    response.record(TimingRecorder.clamped(timing.response), count: count)
  }

  private static func clamped(_ time: Int64) -> UInt64 {
    min(UInt64(clamping: time), longest)
  }

  /// Seconds of trace in a second, from the first step to the last; nil below two instants.
  public var achievedRate: Double? {
    guard let first, let last, last.began > first.began else { return nil }
    return Double(first.step.time.nanoseconds(to: last.step.time))
      / Double(last.began - first.began)
  }
}

extension Histogram {
  /// The value below which so many percent of the counts lie; nil where fewer than ten counts lie
  /// above it, which is too few to tell: p99 needs 1,000 counts, p99.9 10,000.
  public func supported(percentile: Double) -> UInt64? {
    guard Double(totalCount) * (100 - percentile) >= 1000 - 1e-6 else { return nil }
    return valueAtPercentile(percentile)
  }
}

/// How good a run's timing has to be.
public struct TimingLimits: Hashable, Sendable, Codable {
  /// Of the period: the 99th percentile of the lateness may be so much.
  public var lateness: Double
  /// Of all deliveries: so many may be missed.
  public var missed: Double

  /// - Parameters: shares, from 0.
  public init(lateness: Double = 0.1, missed: Double = 0.001) {
    self.lateness = lateness
    self.missed = missed
  }
}

/// Whether the timing of a run can be trusted, and what speaks against it. Its detections can be in
/// any case.
public struct TimingVerdict: Hashable, Sendable {
  /// Nanoseconds between two deliveries of the fastest channel at the run's rate; nil = there were
  /// none to hold the lateness against.
  public var period: Double?
  /// 99th percentile in ns, of however many deliveries there were.
  public var lateness: UInt64
  public var missedShare: Double
  public var limits: TimingLimits
  public var isValid: Bool { faults.isEmpty }

  /// - Parameter period: in nanoseconds of the clock.
  public init(_ timing: TimingRecorder, period: Double?, limits: TimingLimits) {
    self.period = period
    self.limits = limits
    lateness = timing.deliveries == 0 ? 0 : timing.lateness.valueAtPercentile(99)
    missedShare =
      timing.deliveries == 0 ? 0 : Double(timing.missed) / Double(timing.deliveries)
  }

  /// In words; empty = the timing is valid.
  public var faults: [Fault] {
    var faults: [Fault] = []
    if let period, Double(lateness) > limits.lateness * period { faults.append(.late) }
    if missedShare > limits.missed { faults.append(.missed) }
    return faults
  }

  public enum Fault: String, Hashable, Sendable {
    case late, missed
  }
}
