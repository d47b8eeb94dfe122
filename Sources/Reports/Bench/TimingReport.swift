import Diagnostics
package import Pacing
import Replay
import TraceModel

/// How well a paced run kept its schedule, in the form in which it is printed and written.
package struct TimingReport: Encodable, Sendable {
  package let missed: Int
  let wallSeconds: Double
  /// Of the thread that plays.
  let cpuSeconds: Double
  /// Of the whole process, printing included.
  private let processSeconds: Double
  private let mode: PacingMode
  private let rate: Double
  private let achievedRate: Double?
  /// As ``TimingRecorder/distributions``.
  private let times: [TimeDistribution]
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
    times = timing.distributions
    judgement = TimingVerdict(timing, period: hasChangedRate ? nil : period, limits: limits)
  }

  /// The lateness of deliveries.
  var lateness: TimeDistribution { times[0] }

  package var deliveries: Int { lateness.count }

  /// As the verdict says.
  package var outcome: TimingVerdict.Outcome { judgement.outcome }

  /// The 99th percentile of the lateness in us, whatever the count; 0 for nothing.
  var verdictLateness: String { microseconds(judgement.lateness ?? 0) }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "mode": mode, "rate": rate, "achieved_rate": achievedRate, "deliveries": deliveries,
      "missed": missed, "wakes": times[3].count, "period_ns": judgement.period,
      "lateness_ns": times[0].document, "service_ns": times[1].document,
      "response_ns": times[2].document, "wake_lateness_ns": times[3].document,
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
    let percentiles = ["p50", "p90", "p99", "p99.9"].enumerated().map { position, name in
      TableColumn<TimeDistribution>(name) { $0.percentiles[position].map(microseconds) ?? "-" }
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

extension TimeDistribution {
  fileprivate var document: JSONObject {
    [
      "p50": percentiles[0], "p90": percentiles[1], "p99": percentiles[2],
      "p99_9": percentiles[3], "max": max,
    ]
  }
}

func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }
