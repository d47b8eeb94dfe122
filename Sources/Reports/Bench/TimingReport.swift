package import Clocks
import Diagnostics
package import Pacing
import Replay
import Results
import TraceModel

/// How well a paced run kept its schedule, for output.
package struct TimingReport: Encodable, Sendable {
  package let missed: Int
  let wallSeconds: Double
  /// Of the replaying thread.
  let cpuSeconds: Double
  /// Of the whole process, printing included.
  private let processSeconds: Double
  private let mode: PacingMode
  private let rate: Double
  private let achievedRate: Double?
  /// As ``TimingRecorder/distributions``.
  private let times: [TimeDistribution]
  private let judgement: TimingVerdict
  /// Of the devices; empty = only numbers.
  private let names: [String]

  package init(
    _ timing: TimingRecorder, mode: PacingMode, rate: Double, hasChangedRate: Bool = false,
    wall: Duration, processor: ProcessorTime, names: [String] = []
  ) {
    self.names = names
    missed = timing.missed
    wallSeconds = seconds(wall)
    cpuSeconds = seconds(processor.thread)
    processSeconds = seconds(processor.process)
    (self.mode, self.rate) = (mode, rate)
    achievedRate = timing.achievedRate
    times = timing.distributions
    judgement = TimingVerdict(timing, hasOnePeriod: !hasChangedRate)
  }

  var lateness: TimeDistribution { times[0] }
  package var deliveries: Int { lateness.count }
  package var outcome: TimingVerdict.Outcome { judgement.outcome }

  /// The 99th percentile of the lateness in us, with enough deliveries.
  var verdictLateness: String { judgement.shownLateness.map(microseconds) ?? TableCell.undefined }

  /// In %, of the device with the worst timing.
  var worstLateShare: String {
    TableCell.value(judgement.worstDevice?.counts.lateShare.map { 100 * $0 }, 1)
  }

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "mode": mode, "rate": rate, "achieved_rate": achievedRate, "deliveries": deliveries,
      "missed": missed, "wakes": times[3].count, "period_ns": judgement.period,
      "instants": judgement.instants, "all": document(of: judgement.all),
      "deadlines": document(of: judgement.deadlines), "worst_device": worstDocument,
      "lateness_ns": times[0].document, "service_ns": times[1].document,
      "response_ns": times[2].document, "wake_lateness_ns": times[3].document,
      "wall_seconds": wallSeconds, "cpu_seconds": cpuSeconds, "process_cpu_seconds": processSeconds,
      "verdict_lateness_ns": judgement.lateness, "missed_share": judgement.all.missedShare,
      "lateness_limit": judgement.limits.lateness, "missed_limit": judgement.limits.missed,
      "verdict": outcome.rawValue, "faults": judgement.faults.map(\.rawValue),
    ]
    try document.encode(to: encoder)
  }

  package var text: String {
    let percentiles = ["p50", "p90", "p99", "p99.9"].enumerated().map { position, name in
      TableColumn<TimeDistribution>(name) { $0.percentiles[position].map(microseconds) ?? "-" }
    }
    let table = TextTable(
      "Timing against the schedule, in us", times.prefix(3) + times[3...].filter { $0.count > 0 },
      [.init("", .left) { $0.name }, .init("count") { "\($0.count)" }] + percentiles
        + [.init("max") { $0.max.map(microseconds) ?? "-" }])
    let achieved = achievedRate.map { fixed($0, 4) + " x" } ?? "-"
    let share = 100 / max(wallSeconds, 1e-9)
    return table.render() + "rate \(number(rate)) x asked, \(achieved) achieved; \(mode.rawValue): "
      + "\(fixed(cpuSeconds * share, 1)) % of a CPU "
      + "(\(fixed(processSeconds * share, 1)) % with printing)\n"
      + judgement.text(names: names) + "\n"
  }

  /// With shares only if there is a limit for the lateness.
  private func document(of counts: TimingCounts) -> JSONObject {
    let judged = outcome == .notJudged ? nil : counts
    return [
      "count": counts.count, "late": judged?.late, "late_share": judged?.lateShare,
      "missed": judged?.missed, "missed_share": judged?.missedShare,
    ]
  }

  private var worstDocument: JSONObject? {
    judgement.worstDevice.map { worst in
      [
        "device": worst.device,
        "name": names.indices.contains(worst.device) ? names[worst.device] : nil,
        "devices": worst.devices, "counts": document(of: worst.counts),
        "longest_lateness_ns": worst.counts.longest, "is_beyond_chance": worst.isShown,
      ]
    }
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
