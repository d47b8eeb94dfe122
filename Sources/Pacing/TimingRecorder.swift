package import Histogram
package import Replay
import TraceModel

/// Gathers how well a run kept its schedule.
///
/// Everything is held against the schedule, so a stall shows in each step that it delayed: nothing
/// is left out because nothing was asked for meanwhile (coordinated omission), and nothing is
/// filled in afterwards.
package struct TimingRecorder: Sendable {
  /// Of deliveries, in nanoseconds.
  package private(set) var lateness = TimingRecorder.emptyHistogram
  package private(set) var service = TimingRecorder.emptyHistogram
  package private(set) var response = TimingRecorder.emptyHistogram
  /// Of deadlines and other instants at which time itself came, not a reading.
  package private(set) var wakeLateness = TimingRecorder.emptyHistogram
  /// Readings and actions that were delivered.
  package private(set) var deliveries = 0
  /// Of these, those that came later than their channel's next were due.
  package private(set) var missed = 0
  /// Deadlines and other instants at which time itself came.
  package private(set) var wakes = 0
  /// The first and last steps of the stretch that is being played.
  private var first: StepTiming?
  private var last: StepTiming?
  /// Of the stretches before it, in nanoseconds.
  private var played: (trace: Double, clock: Double) = (0, 0)

  /// - Complexity: allocates its histograms, about 1 MB; recording allocates nothing.
  package init() {}

  /// From 1 ns to one hour at three significant digits; what is longer counts as one hour.
  private static var emptyHistogram: Histogram<UInt64> {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: longest,
      numberOfSignificantValueDigits: .three)
  }

  private static var longest: UInt64 { 3_600_000_000_000 }

  /// Counts a step in.
  package mutating func record(_ timing: StepTiming) {
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

  /// The schedule begins anew: a pass, a jump, the end of a pause, another rate. What lies between
  /// two stretches was not played.
  package mutating func beginStretch() {
    played = total
    first = nil
    last = nil
  }

  /// Seconds of trace in a second, over all stretches; nil where none has two instants.
  package var achievedRate: Double? {
    let total = total
    return total.clock > 0 ? total.trace / total.clock : nil
  }

  private var total: (trace: Double, clock: Double) {
    guard let first, let last, last.began > first.began else { return played }
    return (
      played.trace + Double(first.step.time.nanoseconds(to: last.step.time)),
      played.clock + Double(last.began - first.began)
    )
  }
}

extension Histogram {
  /// The value below which so many percent of the counts lie; nil where fewer than ten counts lie
  /// above it, which is too few to tell: p99 needs 1,000 counts, p99.9 10,000.
  package func supported(percentile: Double) -> UInt64? {
    guard Double(totalCount) * (100 - percentile) >= 1000 - 1e-6 else { return nil }
    return valueAtPercentile(percentile)
  }
}

/// How good a run's timing has to be.
package struct TimingLimits: Hashable, Sendable, Codable {
  /// Of the period: the 99th percentile of the lateness may be so much.
  package var lateness: Double
  /// Of all deliveries: so many may be missed.
  package var missed: Double

  /// - Parameters: shares, from 0.
  package init(lateness: Double = 0.1, missed: Double = 0.001) {
    self.lateness = lateness
    self.missed = missed
  }
}

/// Whether the timing of a run can be trusted, and what speaks against it. Its detections can be in
/// any case.
package struct TimingVerdict: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case valid = "VALID"
    case invalid = "INVALID"
    /// Nothing was delivered, or there is no period to hold the lateness against.
    case notJudged = "NOT JUDGED"
  }

  /// What is over its limit.
  package enum Fault: String, Hashable, Sendable {
    case late, missed
  }

  /// Nanoseconds between two deliveries of the fastest channel at the run's rate; nil = there were
  /// none to hold the lateness against.
  package let period: Double?
  /// 99th percentile in ns, of however many deliveries there were; nil = none.
  package let lateness: UInt64?
  /// Of all deliveries; nil = there were none.
  package let missedShare: Double?
  /// What was allowed.
  package let limits: TimingLimits
  package let outcome: Outcome
  /// Empty where the timing is valid or not judged.
  package let faults: [Fault]

  /// - Parameter period: in nanoseconds of the clock.
  package init(_ timing: TimingRecorder, period: Double?, limits: TimingLimits) {
    self.period = period
    self.limits = limits
    guard timing.deliveries > 0 else {
      (lateness, missedShare, outcome, faults) = (nil, nil, .notJudged, [])
      return
    }
    let late = timing.lateness.valueAtPercentile(99)
    let share = Double(timing.missed) / Double(timing.deliveries)
    (lateness, missedShare) = (late, share)
    guard let period else {
      (outcome, faults) = (.notJudged, [])
      return
    }
    let faults: [Fault] =
      (Double(late) > limits.lateness * period ? [.late] : [])
      + (share > limits.missed ? [.missed] : [])
    self.faults = faults
    outcome = faults.isEmpty ? .valid : .invalid
  }
}
