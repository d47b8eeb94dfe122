package import TraceModel

/// Merges parts of one recording of one device: one after the other, or with different channels.
package struct Merging: Sendable, Hashable {
  /// Whether readings that two parts share (same order, times and values) are taken once.
  package var dropsDuplicates: Bool

  package init(dropsDuplicates: Bool = false) { self.dropsDuplicates = dropsDuplicates }

  /// A trace and where its zero lies on the common axis, in nanoseconds.
  package struct Part: Sendable {
    package var trace: Trace
    package var offset: Int64
    package var name: String
    /// The time before its zero in which nothing was recorded, in nanoseconds.
    package var gap: Int64

    package init(_ trace: Trace, at offset: Int64, name: String, gap: Int64 = 0) {
      self.trace = trace
      self.offset = offset
      self.name = name
      self.gap = gap
    }
  }

  /// How the zeros of parts are placed on the common axis.
  package enum Placement: Sendable {
    /// Their wall clocks.
    case clocks
    /// Each follows the one before after a gap, in nanoseconds.
    case appended(gap: Int64)
    case sameStart
  }

  /// The parts on the axis of the first.
  /// - Throws: kind `.badData` if a wall clock is needed and not known.
  package static func parts(
    _ traces: [(name: String, trace: Trace)], by placement: Placement
  ) throws(TraceError) -> [Part] {
    var end: Int64?
    var parts: [Part] = []
    for (name, trace) in traces {
      let offset: Int64
      var before: Int64 = 0
      switch placement {
      case .sameStart: offset = 0
      case .appended(let gap):
        offset = end.map { $0.addingClamped(gap) } ?? 0
        before = parts.isEmpty ? 0 : gap
      case .clocks:
        guard let epoch = trace.header.epochNanoseconds else {
          throw TraceError(
            place: name, expected: "a trace with a known wall clock", found: "none",
            remedy: "place the parts with --append --gap TIME, or with --same-start")
        }
        offset = epoch.subtractingClamped(traces[0].trace.header.epochNanoseconds ?? 0)
      }
      end = offset.addingClamped(trace.header.end.nanoseconds)
      parts.append(Part(trace, at: offset, name: name, gap: before))
    }
    return parts
  }

  package struct Outcome: Sendable, Equatable {
    /// The merged trace on the common axis, whose zero is unchanged.
    package var trace: Trace
    /// The differences between the parts and how they were resolved, one sentence each.
    package var notes: [String] = []
    /// The number of readings that two parts shared.
    package var duplicates = 0
  }

  /// - Parameter parts: at least one. Header facts come from the first part that states them.
  /// - Throws: kind `.badData` if the parts cannot be from one recording: different readings of one
  ///   channel overlap, one trace is recorded and another synthetic, places share an id, references
  ///   differ in units, or true paths overlap.
  package func merge(_ parts: [Part]) throws(TraceError) -> Outcome {
    precondition(!parts.isEmpty)
    let placed = parts.map {
      Part($0.trace.shifted(byNanoseconds: $0.offset), at: 0, name: $0.name)
    }
    var outcome = Outcome(trace: Trace(header: try header(of: placed)))
    outcome.notes += try facts(of: placed, &outcome.trace.header)
    for channel in Channel.allCases {
      let sources = placed.compactMap { part in
        part.trace[channel].map { Source(part, channel, $0) }
      }
      guard !sources.isEmpty else { continue }
      try join(sources.sorted { $0.isEarlier(than: $1) }, of: channel, into: &outcome)
    }
    try mergeReferences(placed, &outcome)
    ignoreGaps(before: parts, &outcome)
    return outcome
  }

  /// Touches come when a person touches: between them nobody sees whether the device recorded.
  private func ignoreGaps(before parts: [Part], _ outcome: inout Outcome) {
    guard outcome.trace[.touch]?.isEmpty == false else { return }
    let gaps = parts.filter { $0.gap > 0 }.map { part in
      IgnoreZone(
        onset: TraceInstant(nanoseconds: part.offset.subtractingClamped(part.gap)),
        offset: TraceInstant(nanoseconds: part.offset))
    }
    outcome.trace.header.ignoreZones = Set(outcome.trace.header.ignoreZones).union(gaps)
      .sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
    outcome.notes += gaps.map {
      "\($0.onset.seconds) s to \($0.offset.seconds) s: nothing was recorded; it becomes an ignore zone"
    }
  }

  private struct Source {
    let name: String
    let block: ChannelBlock
    let attributes: [String: String]
    /// From the earliest to the latest of its times, measured or arrived; nil without readings.
    let span: ClosedRange<Int64>?

    init(_ part: Part, _ channel: Channel, _ block: ChannelBlock) {
      name = part.name
      self.block = block
      attributes = part.trace.header.info(channel)?.attributes ?? [:]
      let times = block.measuredTimes[block.range]
      let all = times + (block.arrivedTimes?[block.range] ?? [])
      span = all.min().flatMap { low in all.max().map { low...$0 } }
    }

    func isEarlier(than other: Source) -> Bool {
      (span?.lowerBound ?? .min, span?.upperBound ?? .min)
        < (other.span?.lowerBound ?? .min, other.span?.upperBound ?? .min)
    }
  }

  private func join(
    _ sources: [Source], of channel: Channel, into outcome: inout Outcome
  ) throws(TraceError) {
    var blocks: [ChannelBlock] = []
    var attributes: [String: String] = [:]
    var last: Source?
    for source in sources {
      for (key, value) in source.attributes.sorted(by: { $0.key < $1.key }) where key != "kinds" {
        if let known = attributes[key], known != value {
          outcome.notes.append(
            "\(channel.name): \(key) is \"\(known)\" and \"\(value)\": both kept")
          attributes[key] = known + "; " + value
        } else {
          attributes[key] = value
        }
      }
      guard !source.block.isEmpty else { continue }
      var block = source.block
      if let last, let known = last.span, let own = source.span, own.lowerBound <= known.upperBound
      {
        block = try withoutDuplicates(source, after: last, channel)
        outcome.duplicates += source.block.count - block.count
      }
      blocks.append(block)
      if (last?.span?.upperBound ?? .min) <= (source.span?.upperBound ?? .min) { last = source }
    }
    guard let joined = ChannelBlock(joining: blocks, of: channel) else {
      throw TraceError(
        place: channel.name, expected: "columns of \(channel.name)",
        found: "columns of another type")
    }
    // Late readings of one part may arrive after the first of the next.
    let isOrdered = joined.isInOrder || !blocks.allSatisfy(\.isInOrder)
    outcome.trace.set(
      isOrdered ? joined : joined.sortedByArrival(), for: channel, attributes: attributes)
  }

  /// Returns the readings of `later` beyond those that both have. The shared readings must be the
  /// end of one and the beginning of the other.
  private func withoutDuplicates(
    _ later: Source, after earlier: Source, _ channel: Channel
  ) throws(TraceError) -> ChannelBlock {
    let (old, new) = (earlier.block, later.block)
    let start = new.measuredTimes[new.range].min() ?? 0
    let shared = old.range.filter { old.measuredTimes[$0] >= start }
    let isSame =
      shared.count <= new.count
      && zip(shared, new.range).allSatisfy { old.hasSameReading(at: $0, as: new, at: $1) }
    let rest = new[(new.range.lowerBound + min(shared.count, new.count))..<new.range.upperBound]
    let end = old.measuredTimes[old.range].max() ?? 0
    let isBeyond = rest.measuredTimes[rest.range].allSatisfy { $0 > end }
    guard isSame, isBeyond, dropsDuplicates || shared.isEmpty else {
      let span = "\(Double(start) / 1e9) s to \(Double(end) / 1e9) s"
      throw TraceError(
        place: "\(channel.name) of \(later.name)",
        expected: "readings after those of \(earlier.name)",
        found: "both from \(span)" + (isSame && isBeyond ? ", identical" : ", not identical"),
        remedy: isSame && isBeyond
          ? "pass --drop-duplicates to keep one copy"
          : "check that both are from one device, then cut one of them with shadowbox trim")
    }
    return rest
  }
}

extension ChannelBlock {
  /// Whether two readings agree in both times and every bit of their values.
  fileprivate func hasSameReading(at position: Int, as other: ChannelBlock, at place: Int) -> Bool {
    let arrived = (arrivedTimes ?? measuredTimes)[position]
    return measuredTimes[position] == other.measuredTimes[place]
      && arrived == (other.arrivedTimes ?? other.measuredTimes)[place]
      && value(at: position).isIdentical(to: other.value(at: place))
  }
}

extension Reading.Value {
  /// Whether the values are equal, with NaN equal to NaN.
  fileprivate func isIdentical(to other: Reading.Value) -> Bool {
    func same(_ left: [Double], _ right: [Double]) -> Bool {
      zip(left, right).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    }
    switch (self, other) {
    case (.vector(let a), .vector(let b)):
      return same([a.x, a.y, a.z].map { Double($0) }, [b.x, b.y, b.z].map { Double($0) })
    case (.fix(let a), .fix(let b)): return same(a.numbers, b.numbers)
    case (.local(let a), .local(let b)): return same([a.x, a.y], [b.x, b.y])
    case (.scalar(let a), .scalar(let b)):
      return same([a.value, a.accuracy], [b.value, b.accuracy])
    default: return self == other
    }
  }
}
