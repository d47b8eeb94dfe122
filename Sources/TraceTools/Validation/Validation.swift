package import TraceModel

/// What is wrong, or worth knowing, about a recording. Nothing is changed by looking.
package enum Validation {
  /// All findings, in the order of telling.
  ///
  /// Those with a repair are exactly what ``TraceModel/Trace/repair(spreadingTimes:)`` would do. The
  /// others look at the readings as they are, at their times in order.
  /// - Complexity: O(n log n).
  package static func findings(in trace: Trace) -> [Finding] {
    var repaired = trace
    let repairs = repaired.repair()
    var findings = repairs + HeaderChecks.findings(trace)
    for info in trace.header.channels {
      guard let block = trace[info.channel], !block.isEmpty else { continue }
      findings += Self.findings(
        info.channel, block, trace.header, repairs.filter { $0.place == info.channel.name })
      // What a repair leaves out is told; a jump there and back would tell it again.
      if let fixes = repaired[info.channel].flatMap({ FixColumns($0) }) {
        findings += TeleportCheck.findings(fixes, ChannelTimes(info.channel, block))
      }
    }
    return findings.inOrderOfTelling()
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
      + MissingCheck.findings(channel, block)
    if !repairs.contains(where: { $0.code == "broken-values" }) {
      findings += UnitCheck.findings(channel, block)
    }
    switch block {
    case .vector(let columns):
      findings += SaturationRail.findings(channel, columns)
      findings += GravityDecision.findings(channel, block)
    case .fix(let fixes):
      findings += InvalidCodeCheck.findings(fixes)
    case .local, .scalar, .heartbeat, .action: break
    }
    return findings
  }
}
