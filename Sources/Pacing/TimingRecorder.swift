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
  /// The counts of deliveries and deadlines; of `pending`, only which were missed.
  private var byDevice: DeviceTiming
  /// What the run is compared with.
  package let terms: TimingTerms
  /// The lateness of deadlines and scripted answers, in nanoseconds.
  package private(set) var wakeLateness = TimingRecorder.emptyHistogram
  /// Deadlines and scripted answers.
  package private(set) var deadlines = TimingCounts()
  /// The instants of the deliveries in `filled`: one per batch of a channel.
  private var filledInstants = 0
  /// The first and last steps of the current stretch: their times on the run's axis and when they
  /// began on the clock.
  private var first: (time: TraceInstant, began: Int64)?
  private var last: (time: TraceInstant, began: Int64) = (.zero, 0)
  /// The total of the previous stretches in nanoseconds.
  private var played: (trace: Double, clock: Double) = (0, 0)

  /// - Complexity: allocates its histograms, about 1 MB; recording allocates nothing, unless it was copied.
  package init(_ terms: TimingTerms = TimingTerms()) {
    self.terms = terms
    byDevice = DeviceTiming(devices: terms.devices)
    pending.reserveCapacity(TimingRecorder.mostPending)
  }

  private static var mostPending: Int { 64 }

  private var complete: DeliveryTimes {
    var times = filled
    times.add(pending)
    return times
  }

  /// The counts of each device, by its number.
  package var devices: [TimingCounts] {
    var devices = byDevice
    devices.add(pending, allowedLateness: terms.allowedLateness)
    return devices.devices
  }

  /// Deliveries and deadlines.
  package var all: TimingCounts { devices.reduce(into: TimingCounts()) { $0 += $1 } }

  /// The number of delivered readings and actions.
  package var deliveries: Int { all.count - deadlines.count }

  /// The number of deliveries later than a period of their channel.
  package var missed: Int { all.missed - deadlines.missed }

  /// The number of deliveries and deadlines, with each batch as one.
  package var instants: Int { filledInstants + pending.count + deadlines.count }

  /// The lateness of deliveries and deadlines in nanoseconds.
  package var latenessOfAll: Histogram<UInt64> {
    var times = lateness
    times.add(wakeLateness)
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

  @inline(__always)
  package mutating func record(_ timing: StepTiming) {
    last = (timing.step.time, timing.began)
    if first == nil { first = last }
    let count: Int
    switch timing.step.kind {
    case .readings(let readings): count = readings
    case .action: count = 1
    case .wake: return recordDeadline(timing)
    case .end: return
    }
    if terms.isMissed(timing.lateness, of: timing.step.channel) {
      byDevice.addMissed(count, of: timing.step.device.index)
    }
    pending.append(
      PendingStep(
        count: UInt32(truncatingIfNeeded: count),
        device: UInt32(truncatingIfNeeded: timing.step.device.index), due: timing.due,
        began: timing.began, ended: timing.ended))
    if pending.count == TimingRecorder.mostPending { fill() }
  }

  @inline(never)
  private mutating func fill() {
    filled.add(pending)
    byDevice.add(pending, allowedLateness: terms.allowedLateness)
    filledInstants += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  @inline(never)
  private mutating func recordDeadline(_ timing: StepTiming) {
    let lateness = timing.lateness
    wakeLateness.record(TimingRecorder.clamped(lateness))
    let isLate = lateness > terms.allowedLateness
    let isMissed = terms.isMissed(lateness, of: timing.step.channel)
    deadlines.count += 1
    if isLate { deadlines.addLate(1, by: lateness) }
    if isMissed { deadlines.missed += 1 }
    byDevice.addDeadline(
      of: timing.step.device.index, lateness: lateness, isLate: isLate, isMissed: isMissed)
  }

  static func clamped(_ time: Int64) -> UInt64 { min(UInt64(clamping: time), longest) }

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

/// A delivery, in the 32 bytes that are kept of it until some are filled in at once.
struct PendingStep: Sendable {
  /// The number of readings that came together.
  var count: UInt32
  var device: UInt32
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
