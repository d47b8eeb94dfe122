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
  /// Of the devices; empty = they have numbers only.
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
    (self.mode, self.rate, self.hasChangedRate) = (mode, rate, hasChangedRate)
    achievedRate = timing.achievedRate
    times = timing.distributions
    judgement = TimingVerdict(timing, hasOnePeriod: !hasChangedRate)
  }

  /// The lateness of deliveries.
  var lateness: TimeDistribution { times[0] }

  package var deliveries: Int { lateness.count }

  /// As the verdict says.
  package var outcome: TimingVerdict.Outcome { judgement.outcome }

  /// The 99th percentile of the lateness in us, if there are enough deliveries.
  var verdictLateness: String { judgement.lateness.map(microseconds) ?? TableCell.undefined }

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
      "wall_seconds": wallSeconds, "cpu_seconds": cpuSeconds,
      "process_cpu_seconds": processSeconds, "verdict_lateness_ns": judgement.lateness,
      "missed_share": judgement.all.missedShare, "lateness_limit": judgement.limits.lateness,
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
        + [.init("max") { $0.max.map(microseconds) ?? "-" }])
    let achieved = achievedRate.map { fixed($0, 4) + " x" } ?? "-"
    let share = 100 / max(wallSeconds, 1e-9)
    return table.render()
      + "rate \(number(rate)) x asked, \(achieved) achieved; \(mode.rawValue): "
      + "\(fixed(cpuSeconds * share, 1)) % of a CPU "
      + "(\(fixed(processSeconds * share, 1)) % with printing)\n" + verdictText + "\n"
  }

  /// With shares only where there is a limit to be late by.
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

  private var verdictText: String {
    let verdict = "timing \(outcome.rawValue): "
    guard judgement.all.count > 0 else { return verdict + "nothing was delivered" }
    let lines: [String?] = [verdict + latenessText, missedText, deadlinesText, deviceText]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private var latenessText: String {
    let (all, limits) = (judgement.all, judgement.limits)
    guard let period = judgement.period else {
      return hasChangedRate
        ? "the rate was changed" : "the period is unknown, because all times are equal"
    }
    let limit =
      "\(fixed(period * limits.lateness / 1000, 1)) us allowed "
      + "(\(fixed(limits.lateness * 100, 1)) % of the period of \(fixed(period / 1e6, 2)) ms)"
    guard let late = judgement.lateness else {
      let need = outcome == .insufficient ? "; a verdict needs \(TimingCounts.fewest) instants" : ""
      return "\(all.late) of \(all.count) late at \(judgement.instants) instants, \(limit)\(need)"
    }
    return "p99 lateness \(microseconds(late)) us of \(all.count), \(limit)"
  }

  private var missedText: String? {
    let all = judgement.all
    let limit = "\(fixed(judgement.limits.missed * 100, 2)) % allowed"
    return outcome == .notJudged ? nil : "\(all.missed) of \(all.count) missed, \(limit)"
  }

  private var deadlinesText: String? {
    let deadlines = judgement.deadlines
    guard outcome != .notJudged, deadlines.count > 0 else { return nil }
    let areTooMany = judgement.faults.contains { [.lateDeadlines, .missedDeadlines].contains($0) }
    return "deadlines alone: \(deadlines.late) of \(deadlines.count) late, "
      + "\(deadlines.missed) missed" + (areTooMany ? ", more than allowed" : "")
  }

  private var deviceText: String? {
    guard let worst = judgement.worstDevice else { return nil }
    let counts = worst.counts
    let name = names.indices.contains(worst.device) ? " (\(names[worst.device]))" : ""
    return "worst of \(worst.devices) devices: \(worst.device)\(name), \(counts.late) of "
      + "\(counts.count) late, at most \(microseconds(UInt64(clamping: counts.longest))) us, "
      + "\(counts.missed) missed; "
      + (worst.isShown ? "more than chance explains" : "no more than chance explains")
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
