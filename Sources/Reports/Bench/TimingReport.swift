import Diagnostics
import Histogram
package import Pacing
import Replay
import TraceModel

/// How well a paced run kept its schedule, in the form in which it is printed and written.
package struct TimingReport: Encodable, Sendable {
  /// The distribution of one kind of times in ns.
  struct Times: Sendable {
    let name: String
    let key: String
    let count: Int
    /// 50, 90, 99 and 99.9 %; nil where there are too few values.
    let percentiles: [UInt64?]
    let max: UInt64

    fileprivate init(_ name: String, _ key: String, _ histogram: Histogram<UInt64>) {
      (self.name, self.key, count) = (name, key, Int(histogram.totalCount))
      percentiles = [50, 90, 99, 99.9].map { histogram.supported(percentile: $0) }
      max = count == 0 ? 0 : histogram.maxRecorded
    }

    fileprivate var document: JSONObject {
      [
        "p50": percentiles[0], "p90": percentiles[1], "p99": percentiles[2],
        "p99_9": percentiles[3], "max": max,
      ]
    }
  }

  package let missed: Int
  let wallSeconds: Double
  /// Of the thread that plays.
  let cpuSeconds: Double
  /// Of the whole process, printing included.
  private let processSeconds: Double
  private let mode: PacingMode
  private let rate: Double
  private let achievedRate: Double?
  /// In the order of ``TimingRecorder/kinds``.
  private let times: [Times]
  private let judgement: TimingVerdict
  /// Somebody changed the rate while it played: there is no one period.
  private let hasChangedRate: Bool

  package init(
    _ timing: TimingRecorder, mode: PacingMode, rate: Double, period: Double?,
    hasChangedRate: Bool = false,
    limits: TimingLimits, wall: Duration, processor: ProcessorTime
  ) {
    missed = timing.missed
    wallSeconds = seconds(wall)
    cpuSeconds = seconds(processor.thread)
    processSeconds = seconds(processor.process)
    (self.mode, self.rate, self.hasChangedRate) = (mode, rate, hasChangedRate)
    achievedRate = timing.achievedRate
    times = timing.kinds.map(Times.init)
    judgement = TimingVerdict(timing, period: hasChangedRate ? nil : period, limits: limits)
  }

  /// The lateness of deliveries.
  var lateness: Times { times[0] }

  package var deliveries: Int { lateness.count }

  /// As the verdict says.
  package var outcome: TimingVerdict.Outcome { judgement.outcome }

  /// The 99th percentile of the lateness in us, whatever the count; 0 for nothing.
  var verdictLateness: String { microseconds(judgement.lateness ?? 0) }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "mode": mode, "rate": rate, "achieved_rate": achievedRate, "deliveries": deliveries,
      "missed": missed, "wakes": times[3].count, "period_ns": judgement.period,
      "wall_seconds": wallSeconds, "cpu_seconds": cpuSeconds,
      "process_cpu_seconds": processSeconds, "verdict_lateness_ns": judgement.lateness,
      "missed_share": judgement.missedShare, "lateness_limit": judgement.limits.lateness,
      "missed_limit": judgement.limits.missed, "verdict": outcome.rawValue,
      "faults": judgement.faults.map(\.rawValue),
    ]
    try times.reduce(document) { $0.adding($1.key, $1.document) }.encode(to: encoder)
  }

  /// Some lines for people.
  package var text: String {
    let percentiles = ["p50", "p90", "p99", "p99.9"].enumerated().map { position, name in
      TableColumn<Times>(name) { $0.percentiles[position].map(microseconds) ?? "-" }
    }
    let table = TextTable(
      "Timing against the schedule, in us", times.prefix(3) + times[3...].filter { $0.count > 0 },
      [.init("", .left) { $0.name }, .init("count") { "\($0.count)" }] + percentiles
        + [.init("max") { $0.count == 0 ? "-" : microseconds($0.max) }])
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
    let few = lateness.percentiles[2] == nil ? " (the worst hundredth of only \(deliveries))" : ""
    return "timing \(verdict): p99 lateness \(microseconds(worst)) us\(few), \(limit)\n"
      + "\(missed) of \(deliveries) missed, \(fixed(limits.missed * 100, 2)) % allowed"
  }
}

func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }

extension TimingRecorder {
  /// The kinds of times, with their names for people and their keys in JSON.
  fileprivate var kinds: [(name: String, key: String, histogram: Histogram<UInt64>)] {
    [
      ("lateness", "lateness_ns", lateness), ("service", "service_ns", service),
      ("response", "response_ns", response),
      ("lateness of deadlines", "wake_lateness_ns", wakeLateness),
    ]
  }

  /// The distributions in HdrHistogram's own text form, in us, one after the other.
  package var histogramText: String {
    var text = ""
    for (name, _, histogram) in kinds where histogram.totalCount > 0 {
      text += "# \(name) [us]\n"
      histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1000)
      text += "\n"
    }
    return text
  }
}
