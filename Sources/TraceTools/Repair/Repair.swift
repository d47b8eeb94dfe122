package import TraceModel

extension Trace {
  /// Repairs what can be repaired without guessing, and reports what was done.
  ///
  /// The steps in order: remove copies of readings, remove impossible values, remove fixes at 0, 0,
  /// sort readings by arrival, separate readings at one time (only on request), move the end to the
  /// last reading. A second call finds nothing, and sound readings are unchanged. A channel lists
  /// its repairs in the attribute `repaired`: `duplicated-readings 3, backward-times 1`.
  ///
  /// - Parameter spreadingTimes: whether different readings of one time are spread evenly over the
  ///   time to the next: see ``SpreadStep``.
  /// - Returns: the repairs: the findings that ``Validation/findings(in:)`` lists with a repair,
  ///   and those of the spreading. Empty = the trace is unchanged.
  /// - Complexity: O(n log n); the trace is copied if there is something to repair.
  package mutating func repair(spreadingTimes: Bool = false) -> [Finding] {
    var findings: [Finding] = []
    for info in header.channels {
      guard var block = self[info.channel] else { continue }
      let found = repair(&block, of: info.channel, spreadingTimes: spreadingTimes)
      guard !found.isEmpty else { continue }
      var attributes = info.attributes
      // The trace computes the kinds of actions itself.
      if info.channel == .action { attributes["kinds"] = nil }
      attributes["repaired"] = ([attributes["repaired"]] + found.map { "\($0.code) \($0.count)" })
        .compactMap(\.self).joined(separator: ", ")
      set(block, for: info.channel, attributes: attributes)
      findings += found
    }
    if let finding = EndStep.apply(to: &self) { findings.append(finding) }
    return findings
  }

  private func repair(
    _ block: inout ChannelBlock, of channel: Channel, spreadingTimes: Bool
  ) -> [Finding] {
    var findings = [
      DuplicateStep.apply(to: &block, of: channel), BrokenValueStep.apply(to: &block, of: channel),
      NullPositionStep.apply(to: &block), OrderStep.apply(to: &block, of: channel),
    ]
    if spreadingTimes { findings.append(SpreadStep.apply(to: &block, of: channel)) }
    return findings.compactMap(\.self)
  }
}

extension ChannelBlock {
  /// Arrival times in ns, or the measured ones where every reading arrived when it was measured.
  var arrivals: [Int64] { arrivedTimes ?? measuredTimes }

  /// Returns all readings except those at `positions`.
  func leavingOut(_ positions: [Int]) -> ChannelBlock {
    let left = Set(positions)
    return gathering(range.filter { !left.contains($0) })
  }

  /// Returns the earliest and the latest measured time of the readings at `positions`.
  func times(of positions: [Int]) -> (start: TraceInstant?, end: TraceInstant?) {
    let times = positions.map { TraceInstant(nanoseconds: measuredTimes[$0]) }
    return (times.min(), times.max())
  }
}
