import Foundation
import Histogram
import Pacing
import Replay
import TraceModel

/// How well a paced run kept its schedule, in the form in which it is printed and written.
struct TimingReport: Encodable, Sendable {
  struct Percentiles: Encodable, Sendable {
    @Nullable var p50: UInt64?
    @Nullable var p90: UInt64?
    @Nullable var p99: UInt64?
    @Nullable var p999: UInt64?
    var max: UInt64

    init(_ histogram: Histogram<UInt64>) {
      p50 = histogram.supported(percentile: 50)
      p90 = histogram.supported(percentile: 90)
      p99 = histogram.supported(percentile: 99)
      p999 = histogram.supported(percentile: 99.9)
      max = histogram.totalCount == 0 ? 0 : histogram.maxRecorded
    }

    enum CodingKeys: String, CodingKey {
      case p50, p90, p99, max
      case p999 = "p99_9"
    }
  }

  var mode: String
  var rate: Double
  @Nullable var achievedRate: Double?
  var deliveries: Int
  var missed: Int
  var wakes: Int
  @Nullable var periodNs: Double?
  var latenessNs: Percentiles
  var serviceNs: Percentiles
  var responseNs: Percentiles
  var wakeLatenessNs: Percentiles
  var wallSeconds: Double
  /// Of the thread that plays.
  var cpuSeconds: Double
  /// Of the whole process, printing included.
  var processCpuSeconds: Double
  /// 99th percentile of the lateness in ns, whatever the count: what the verdict rests on.
  @Nullable var verdictLatenessNs: UInt64?
  @Nullable var missedShare: Double?
  var latenessLimit: Double
  var missedLimit: Double
  var verdict: String
  var faults: [String]

  init(
    _ timing: TimingRecorder, mode: PacingMode, rate: Double, period: Double?,
    hasChangedRate: Bool = false,
    limits: TimingLimits, wall: Duration, processor: ProcessorTime
  ) {
    let judgement = TimingVerdict(
      timing, period: hasChangedRate ? nil : period, limits: limits)
    self.mode = mode.rawValue
    self.rate = rate
    achievedRate = timing.achievedRate
    deliveries = timing.deliveries
    missed = timing.missed
    wakes = timing.wakes
    periodNs = judgement.period
    self.hasChangedRate = hasChangedRate
    latenessNs = Percentiles(timing.lateness)
    serviceNs = Percentiles(timing.service)
    responseNs = Percentiles(timing.response)
    wakeLatenessNs = Percentiles(timing.wakeLateness)
    wallSeconds = seconds(wall)
    cpuSeconds = seconds(processor.thread)
    processCpuSeconds = seconds(processor.process)
    verdictLatenessNs = judgement.lateness
    missedShare = judgement.missedShare
    latenessLimit = limits.lateness
    missedLimit = limits.missed
    verdict = judgement.outcome.rawValue
    outcome = judgement.outcome
    faults = judgement.faults.map(\.rawValue)
  }

  /// Somebody changed the rate while it played: there is no one period.
  let hasChangedRate: Bool
  /// As the verdict says.
  let outcome: TimingVerdict.Outcome

  enum CodingKeys: String, CodingKey {
    case mode, rate, achievedRate, deliveries, missed, wakes, periodNs, latenessNs, serviceNs
    case responseNs, wakeLatenessNs, wallSeconds, cpuSeconds, processCpuSeconds
    case verdictLatenessNs, missedShare, latenessLimit, missedLimit, verdict, faults
  }

  /// Some lines for people.
  var text: String {
    var table = TextTable(
      "Timing against the schedule, in us",
      ["", "count", "p50", "p90", "p99", "p99.9", "max"].map {
        .init($0, $0.isEmpty ? .left : .right)
      })
    func add(_ name: String, _ count: Int, _ percentiles: Percentiles) {
      let figures = [percentiles.p50, percentiles.p90, percentiles.p99, percentiles.p999]
      table.add(
        [name, "\(count)"] + figures.map { $0.map(microseconds) ?? "-" }
          + [count == 0 ? "-" : microseconds(percentiles.max)])
    }
    add("lateness", deliveries, latenessNs)
    add("service", deliveries, serviceNs)
    add("response", deliveries, responseNs)
    if wakes > 0 { add("lateness of deadlines", wakes, wakeLatenessNs) }
    let achieved = achievedRate.map { fixed($0, 4) + " x" } ?? "-"
    let share = 100 / max(wallSeconds, 1e-9)
    return table.render()
      + "rate \(number(rate)) x asked, \(achieved) achieved; \(mode): "
      + "\(fixed(cpuSeconds * share, 1)) % of a processor "
      + "(\(fixed(processCpuSeconds * share, 1)) % with printing)\n" + verdictText + "\n"
  }

  private var verdictText: String {
    guard let lateness = verdictLatenessNs else {
      return "timing \(verdict): nothing was delivered"
    }
    let limit =
      periodNs.map {
        "\(fixed($0 * latenessLimit / 1000, 1)) us allowed "
          + "(\(fixed(latenessLimit * 100, 1)) % of the period of \(fixed($0 / 1e6, 2)) ms)"
      } ?? (hasChangedRate ? "but the rate was changed" : "but no two instants tell a period")
    let few = latenessNs.p99 == nil ? " (the worst hundredth of only \(deliveries))" : ""
    return "timing \(verdict): p99 lateness \(microseconds(lateness)) us\(few), \(limit)\n"
      + "\(missed) of \(deliveries) missed, \(fixed(missedLimit * 100, 2)) % allowed"
  }
}

func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }

private func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }

/// A rate as people write it.
func number(_ value: Double) -> String {
  value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
}

extension TimingRecorder {
  /// The distributions in HdrHistogram's own text form, in us, one after the other.
  var histogramText: String {
    var text = ""
    let parts = [
      ("lateness", lateness), ("service", service), ("response", response),
      ("lateness of deadlines", wakeLateness),
    ]
    for (name, histogram) in parts where histogram.totalCount > 0 {
      text += "# \(name) [us]\n"
      histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1000)
      text += "\n"
    }
    return text
  }
}
