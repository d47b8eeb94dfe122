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
        findings += [TeleportCheck.finding(fixes, ChannelTimes(info.channel, block))]
          .compactMap(\.self)
      }
    }
    return findings.sortedBySeverity()
  }

  private static func findings(
    _ channel: Channel, _ block: ChannelBlock, _ header: TraceHeader, _ repairs: [Finding]
  ) -> [Finding] {
    let times = ChannelTimes(channel, block)
    let copies = repairs.first { $0.code == "duplicated-readings" }?.count ?? 0
    let isBroken = repairs.contains { $0.code == "broken-values" }
    var findings =
      [
        FewTimesCheck.finding(times), BatchCheck.finding(times), GapCheck.finding(times),
        DuplicatedTimesCheck.finding(times, exactDuplicates: copies),
        FrozenCheck.finding(channel, block, times), MissingCheck.finding(channel, block),
        isBroken ? nil : UnitCheck.finding(channel, block),
        GravityDecision.finding(channel, block),
      ].compactMap(\.self) + RateCheck.findings(times) + LabelLeakCheck.findings(times, header)
      + SentinelCheck.findings(channel, block)
    switch block {
    case .vector(let columns): findings += SaturationRail.findings(channel, columns)
    case .fix(let fixes): findings += InvalidCodeCheck.findings(fixes)
    case .touch(let touches): findings += TouchCheck.findings(touches, header)
    case .local, .scalar, .heartbeat, .action: break
    }
    return findings
  }
}
