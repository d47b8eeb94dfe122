import Diagnostics
import Foundation
package import Histogram
package import Pacing
import Replay
import TraceModel

/// How well a paced run kept its schedule, in the form in which it is printed and written.
package struct TimingReport: Encodable, Sendable {
  package struct Percentiles: Encodable, Sendable {
    @Nullable package var p50: UInt64?
    @Nullable package var p90: UInt64?
    @Nullable package var p99: UInt64?
    @Nullable package var p999: UInt64?
    package var max: UInt64

    package init(_ histogram: Histogram<UInt64>) {
      p50 = histogram.supported(percentile: 50)
      p90 = histogram.supported(percentile: 90)
      p99 = histogram.supported(percentile: 99)
      p999 = histogram.supported(percentile: 99.9)
      max = histogram.totalCount == 0 ? 0 : histogram.maxRecorded
    }

    package enum CodingKeys: String, CodingKey {
      case p50, p90, p99, max
      case p999 = "p99_9"
    }
  }

  package var mode: String
  package var rate: Double
  @Nullable package var achievedRate: Double?
  package var deliveries: Int
  package var missed: Int
  package var wakes: Int
  @Nullable package var periodNs: Double?
  package var latenessNs: Percentiles
  package var serviceNs: Percentiles
  package var responseNs: Percentiles
  package var wakeLatenessNs: Percentiles
  package var wallSeconds: Double
  /// Of the thread that plays.
  package var cpuSeconds: Double
  /// Of the whole process, printing included.
  package var processCpuSeconds: Double
  /// 99th percentile of the lateness in ns, whatever the count: what the verdict rests on.
  @Nullable package var verdictLatenessNs: UInt64?
  @Nullable package var missedShare: Double?
  package var latenessLimit: Double
  package var missedLimit: Double
  package var verdict: String
  package var faults: [String]

  package init(
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
  package let hasChangedRate: Bool
  /// As the verdict says.
  package let outcome: TimingVerdict.Outcome

  package enum CodingKeys: String, CodingKey {
    case mode, rate, achievedRate, deliveries, missed, wakes, periodNs, latenessNs, serviceNs
    case responseNs, wakeLatenessNs, wallSeconds, cpuSeconds, processCpuSeconds
    case verdictLatenessNs, missedShare, latenessLimit, missedLimit, verdict, faults
  }

  /// Some lines for people.
  package var text: String {
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

private func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }

extension TimingRecorder {
  /// The distributions in HdrHistogram's own text form, in us, one after the other.
  package var histogramText: String {
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
