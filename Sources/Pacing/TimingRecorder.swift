package import Histogram
package import Replay
import TraceModel

/// Records how well a run kept its schedule.
///
/// Everything is compared with the schedule, so a stall shows in each step that it delayed. There
/// is no coordinated omission, and no sample is filled in afterwards.
package struct TimingRecorder: Sendable {
  /// The lateness of deliveries in nanoseconds.
  package var lateness: Histogram<UInt64> { complete.lateness.histogram }
  package var service: Histogram<UInt64> { complete.service.histogram }
  package var response: Histogram<UInt64> { complete.response.histogram }
  private var filled = DeliveryTimes()
  /// The last steps, which are not in `filled` yet: filling in some at once costs less.
  private var pending: [PendingStep] = []
  /// The lateness of deadlines and other steps without a reading, in nanoseconds.
  package private(set) var wakeLateness = TimingRecorder.emptyHistogram
  /// The number of delivered readings and actions.
  package private(set) var deliveries = 0
  /// The number of deliveries later than the next reading of the channel was due.
  package private(set) var missed = 0
  /// The number of deadlines and other steps without a reading.
  package private(set) var wakes = 0
  /// The first and last steps of the current stretch: their times on the run's axis and when they
  /// began on the clock.
  private var first: (time: TraceInstant, began: Int64)?
  private var last: (time: TraceInstant, began: Int64) = (.zero, 0)
  /// The total of the previous stretches in nanoseconds.
  private var played: (trace: Double, clock: Double) = (0, 0)

  /// - Complexity: allocates its histograms, about 1 MB; recording allocates nothing, unless it was copied.
  package init() { pending.reserveCapacity(TimingRecorder.mostPending) }

  private static var mostPending: Int { 64 }

  private var complete: DeliveryTimes {
    var times = filled
    times.add(pending)
    return times
  }

  /// An empty histogram from 1 ns to one hour with three significant digits; longer values count as
  /// one hour.
  static var emptyHistogram: Histogram<UInt64> {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: longest,
      numberOfSignificantValueDigits: .three)
  }

  static var longest: UInt64 { 3_600_000_000_000 }

  /// Records a step.
  @inline(__always)
  package mutating func record(_ timing: StepTiming) {
    last = (timing.step.time, timing.began)
    if first == nil { first = last }
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
    pending.append(
      PendingStep(count: count, due: timing.due, began: timing.began, ended: timing.ended))
    if pending.count == TimingRecorder.mostPending { fill() }
  }

  @inline(never)
  private mutating func fill() {
    filled.add(pending)
    pending.removeAll(keepingCapacity: true)
  }

  static func clamped(_ time: Int64) -> UInt64 {
    min(UInt64(clamping: time), longest)
  }

  /// Starts a new stretch of the schedule: a pass, a seek, the end of a pause, a new rate. The time
  /// between two stretches was not played.
  package mutating func beginStretch() {
    played = total
    first = nil
  }

  /// The achieved rate in seconds of trace per second over all stretches; nil if none has two
  /// instants.
  package var achievedRate: Double? {
    let total = total
    return total.clock > 0 ? total.trace / total.clock : nil
  }

  private var total: (trace: Double, clock: Double) {
    guard let first, last.began > first.began else { return played }
    return (
      played.trace + Double(first.time.nanoseconds(to: last.time)),
      played.clock + Double(last.began - first.began)
    )
  }
}

struct PendingStep: Sendable {
  var count: UInt64
  var due: Int64
  var began: Int64
  var ended: Int64
}

private struct DeliveryTimes: Sendable {
  var lateness = TimeCounts()
  var service = TimeCounts()
  var response = TimeCounts()

  mutating func add(_ steps: [PendingStep]) {
    lateness.add(steps) { $0.began - $0.due }
    service.add(steps) { $0.ended - $0.began }
    response.add(steps) { $0.ended - $0.due }
  }
}

extension TimingRecorder {
  /// The kinds of times, with their names for people.
  private var kinds: [(name: String, histogram: Histogram<UInt64>)] {
    let times = complete
    return [
      ("lateness", times.lateness.histogram), ("service", times.service.histogram),
      ("response", times.response.histogram), ("lateness of deadlines", wakeLateness),
    ]
  }

  /// The distributions of the lateness, the service, the response and the lateness of deadlines.
  package var distributions: [TimeDistribution] {
    kinds.map { TimeDistribution($0.name, $0.histogram) }
  }

  /// The distributions in HdrHistogram's own text form, in us, one after the other.
  package var histogramText: String {
    var text = ""
    for (name, histogram) in kinds where histogram.totalCount > 0 {
      text += "# \(name) [us]\n"
      histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1000)
      text += "\n"
    }
    return text
  }
}

/// The distribution of one kind of times in nanoseconds.
package struct TimeDistribution: Sendable {
  package let name: String
  package let count: Int
  /// 50, 90, 99 and 99.9 %; nil where there are too few values.
  package let percentiles: [UInt64?]
  package let max: UInt64

  init(_ name: String, _ histogram: Histogram<UInt64>) {
    (self.name, count) = (name, Int(histogram.totalCount))
    percentiles = [50, 90, 99, 99.9].map { histogram.supported(percentile: $0) }
    max = count == 0 ? 0 : histogram.maxRecorded
  }
}

extension Histogram {
  /// Returns a percentile; nil if fewer than ten counts lie above it, which is too few: p99 needs
  /// 1,000 counts, p99.9 needs 10,000.
  package func supported(percentile: Double) -> UInt64? {
    guard Double(totalCount) * (100 - percentile) >= 1000 - 1e-6 else { return nil }
    return valueAtPercentile(percentile)
  }
}

/// The limits for the timing of a run.
package struct TimingLimits: Hashable, Sendable, Codable {
  /// The limit for the 99th percentile of the lateness, as a share of the period.
  package var lateness: Double
  /// The limit for missed deliveries, as a share of all.
  package var missed: Double

  /// - Parameters: shares of 0 or more.
  package init(lateness: Double = 0.1, missed: Double = 0.001) {
    self.lateness = lateness
    self.missed = missed
  }
}

/// Whether the timing of a run is valid, with the reasons if not. The detections are always valid.
package struct TimingVerdict: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case valid = "VALID"
    case invalid = "INVALID"
    /// Nothing was delivered, or there is no period to compare the lateness with.
    case notJudged = "NOT JUDGED"
  }

  /// An exceeded limit.
  package enum Fault: String, Hashable, Sendable {
    case late, missed
  }

  /// The period in nanoseconds between two deliveries of the fastest channel at the run's rate; nil
  /// = unknown.
  package let period: Double?
  /// The 99th percentile of the lateness in ns, for any number of deliveries; nil = none.
  package let lateness: UInt64?
  /// The share of missed deliveries; nil without deliveries.
  package let missedShare: Double?
  /// The limits.
  package let limits: TimingLimits
  package let outcome: Outcome
  /// The exceeded limits; empty if the timing is valid or not judged.
  package let faults: [Fault]

  /// - Parameter period: the period in nanoseconds of the clock.
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
