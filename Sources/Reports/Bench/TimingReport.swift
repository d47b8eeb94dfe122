import Diagnostics
import Histogram
package import Pacing
import Replay
import TraceModel

/// How well a paced run kept its schedule, in the form in which it is printed and written.
package struct TimingReport: Encodable, Sendable {
  /// Percentiles of a distribution in ns.
  struct Percentiles: Sendable {
    /// 50, 90, 99 and 99.9 %; nil where there are too few values.
    let values: [UInt64?]
    let max: UInt64

    init(_ histogram: Histogram<UInt64>) {
      values = [50, 90, 99, 99.9].map { histogram.supported(percentile: $0) }
      max = histogram.totalCount == 0 ? 0 : histogram.maxRecorded
    }

    var document: JSONObject {
      [
        "p50": values[0], "p90": values[1], "p99": values[2], "p99_9": values[3], "max": max,
      ]
    }
  }

  package let deliveries: Int
  package let missed: Int
  let lateness: Percentiles
  let wallSeconds: Double
  /// Of the thread that plays.
  let cpuSeconds: Double
  private let mode: PacingMode
  private let rate: Double
  private let achievedRate: Double?
  private let wakes: Int
  private let service: Percentiles
  private let response: Percentiles
  private let wakeLateness: Percentiles
  /// Of the whole process, printing included.
  private let processSeconds: Double
  private let judgement: TimingVerdict
  /// Somebody changed the rate while it played: there is no one period.
  private let hasChangedRate: Bool

  package init(
    _ timing: TimingRecorder, mode: PacingMode, rate: Double, period: Double?,
    hasChangedRate: Bool = false,
    limits: TimingLimits, wall: Duration, processor: ProcessorTime
  ) {
    deliveries = timing.deliveries
    missed = timing.missed
    lateness = Percentiles(timing.lateness)
    wallSeconds = seconds(wall)
    cpuSeconds = seconds(processor.thread)
    self.mode = mode
    self.rate = rate
    achievedRate = timing.achievedRate
    wakes = timing.wakes
    service = Percentiles(timing.service)
    response = Percentiles(timing.response)
    wakeLateness = Percentiles(timing.wakeLateness)
    processSeconds = seconds(processor.process)
    judgement = TimingVerdict(timing, period: hasChangedRate ? nil : period, limits: limits)
    self.hasChangedRate = hasChangedRate
  }

  /// As the verdict says.
  package var outcome: TimingVerdict.Outcome { judgement.outcome }

  /// The 99th percentile of the lateness in us, whatever the count; 0 for nothing.
  var verdictLateness: String { microseconds(judgement.lateness ?? 0) }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "mode": mode, "rate": rate, "achieved_rate": achievedRate, "deliveries": deliveries,
      "missed": missed, "wakes": wakes, "period_ns": judgement.period,
      "lateness_ns": lateness.document, "service_ns": service.document,
      "response_ns": response.document, "wake_lateness_ns": wakeLateness.document,
      "wall_seconds": wallSeconds, "cpu_seconds": cpuSeconds,
      "process_cpu_seconds": processSeconds, "verdict_lateness_ns": judgement.lateness,
      "missed_share": judgement.missedShare, "lateness_limit": judgement.limits.lateness,
      "missed_limit": judgement.limits.missed, "verdict": outcome.rawValue,
      "faults": judgement.faults.map(\.rawValue),
    ]
    try document.encode(to: encoder)
  }

  /// Some lines for people.
  package var text: String {
    var table = TextTable(
      "Timing against the schedule, in us",
      ["", "count", "p50", "p90", "p99", "p99.9", "max"].map {
        .init($0, $0.isEmpty ? .left : .right)
      })
    func add(_ name: String, _ count: Int, _ percentiles: Percentiles) {
      table.add(
        [name, "\(count)"] + percentiles.values.map { $0.map(microseconds) ?? "-" }
          + [count == 0 ? "-" : microseconds(percentiles.max)])
    }
    add("lateness", deliveries, lateness)
    add("service", deliveries, service)
    add("response", deliveries, response)
    if wakes > 0 { add("lateness of deadlines", wakes, wakeLateness) }
    let achieved = achievedRate.map { fixed($0, 4) + " x" } ?? "-"
    let share = 100 / max(wallSeconds, 1e-9)
    return table.render()
      + "rate \(number(rate)) x asked, \(achieved) achieved; \(mode.rawValue): "
      + "\(fixed(cpuSeconds * share, 1)) % of a CPU "
      + "(\(fixed(processSeconds * share, 1)) % with printing)\n" + verdictText + "\n"
  }

  private var verdictText: String {
    let (verdict, limits) = (outcome.rawValue, judgement.limits)
    guard let worst = judgement.lateness else {
      return "timing \(verdict): nothing was delivered"
    }
    let limit =
      judgement.period.map {
        "\(fixed($0 * limits.lateness / 1000, 1)) us allowed "
          + "(\(fixed(limits.lateness * 100, 1)) % of the period of \(fixed($0 / 1e6, 2)) ms)"
      }
      ?? (hasChangedRate
        ? "but the rate was changed" : "but the period is unknown: all times are equal")
    let few = lateness.values[2] == nil ? " (the worst hundredth of only \(deliveries))" : ""
    return "timing \(verdict): p99 lateness \(microseconds(worst)) us\(few), \(limit)\n"
      + "\(missed) of \(deliveries) missed, \(fixed(limits.missed * 100, 2)) % allowed"
  }
}

func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }

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
