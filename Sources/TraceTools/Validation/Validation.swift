package import TraceModel

/// Finds errors and remarkable properties of a recording. The recording is not changed.
package enum Validation {
  /// Returns all findings, sorted for a report.
  ///
  /// Findings with a repair are exactly what ``TraceModel/Trace/repair(spreadingTimes:)`` would do.
  /// The others are based on the original readings, with times sorted.
  /// - Complexity: O(n log n).
  package static func findings(in trace: Trace) -> [Finding] {
    var repaired = trace
    let repairs = repaired.repair()
    var findings = repairs + HeaderChecks.findings(trace)
    for info in trace.header.channels {
      guard let block = trace[info.channel], !block.isEmpty else { continue }
      findings += Self.findings(
        info.channel, block, trace.header, repairs.filter { $0.place == info.channel.name })
      // The readings that a repair removes are reported already; a jump there and back would report
      // them twice.
      if let fixes = repaired[info.channel].flatMap({ FixColumns($0) }) {
        findings += TeleportCheck.findings(fixes, ChannelTimes(info.channel, block))
      }
    }
    return findings.sortedBySeverity()
  }

  private static func findings(
    _ channel: Channel, _ block: ChannelBlock, _ header: TraceHeader, _ repairs: [Finding]
  ) -> [Finding] {
    let times = ChannelTimes(channel, block)
    let copies = repairs.first { $0.code == "duplicated-readings" }?.count ?? 0
    var findings =
      FewTimesCheck.findings(times)
      + DuplicatedTimesCheck.findings(times, exactDuplicates: copies) + BatchCheck.findings(times)
      + GapCheck.findings(times) + RateCheck.findings(times)
      + LabelLeakCheck.findings(times, header) + FrozenCheck.findings(channel, block, times)
      + MissingCheck.findings(channel, block) + SentinelCheck.findings(channel, block)
    if !repairs.contains(where: { $0.code == "broken-values" }) {
      findings += UnitCheck.findings(channel, block)
    }
    switch block {
    case .vector(let columns):
      findings += SaturationRail.findings(channel, columns)
      findings += GravityDecision.findings(channel, block)
    case .fix(let fixes):
      findings += InvalidCodeCheck.findings(fixes)
    case .touch(let touches): findings += TouchCheck.findings(touches, header)
    case .local, .scalar, .heartbeat, .action: break
    }
    return findings
  }
}
