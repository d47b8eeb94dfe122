package import TraceModel

/// The counts of what a step removed, by channel and table.
package struct Removal: Sendable, Hashable {
  /// The readings of each channel that lost some or all.
  package var readings: [Channel: Int] = [:]
  package var events: [ReferenceTask: Int] = [:]
  package var clippedEvents: [ReferenceTask: Int] = [:]
  /// The references that were removed as a whole, because they no longer hold.
  package var tasks: [ReferenceTask] = []
  /// The counts that were removed, because they are of the whole recording.
  package var counts: [ReferenceTask] = []
  package var ignoreZones = 0
  package var trackPoints = 0
  package var places = 0

  package init() {}

  package var isEmpty: Bool { self == Removal() }

  /// What was removed and what was clipped, a line each.
  package var statements: [String] {
    func counts(_ events: [ReferenceTask: Int]) -> [String] {
      events.sorted { $0.key < $1.key }
        .map { "\(counted($0.value, "event")) of \($0.key.rawValue)" }
    }
    var parts = readings.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key.name)" }
    parts += counts(events)
    parts += tasks.map { "reference \($0.rawValue) (a total)" }
    parts += self.counts.map { "count of \($0.rawValue) (of the whole recording)" }
    if trackPoints > 0 { parts.append("\(counted(trackPoints, "point")) of the true path") }
    if ignoreZones > 0 { parts.append(counted(ignoreZones, "ignore zone")) }
    if places > 0 { parts.append(counted(places, "place")) }
    return [("cut", parts), ("clipped", counts(clippedEvents))]
      .filter { !$0.1.isEmpty }
      .map { "\($0): \($1.joined(separator: ", "))" }
  }
}

extension Channel {
  /// The channels that a track's totals follow from.
  static let ofPosition: [Channel] = [.location, .local, .odometer]
}

extension ReferenceTask {
  /// Whether its values are sums over a whole track (metres, seconds), which do not hold for a part
  /// of it.
  package var isTotal: Bool { [.distance, .movingTime, .ascent, .split].contains(self) }

  /// Whether its events are states over time, so that a part of an event is an event.
  var isState: Bool { self == .visit || self == .presence }
}

extension Trace {
  /// Returns the part of this trace within `window` (the end not included, except for the trace's
  /// own end). Times are unchanged; see ``startingAtZero()``.
  ///
  /// - Events of a visit or a presence are clipped to the window. Any other event must lie within
  ///   it; the remainder of one that does not becomes an ignore zone, because a detection there is
  ///   not a false alarm.
  /// - References with totals of the track (distance, moving time, ascent, splits) stay only if no
  ///   position is cut.
  /// - Counts of events stay only if no reading is cut: it is not known in which part the events
  ///   are.
  /// - Places stay, because they have no time. Channels other than `channels` (nil = all) are
  ///   removed.
  ///
  /// - Parameter window: within the trace's time.
  /// - Returns: the part, which ends where the window does (or with a reading that arrived later).
  package func trimmed(
    to window: Range<TraceInstant>, channels: Set<Channel>? = nil
  ) -> (trace: Trace, removal: Removal) {
    var trace = self
    var removal = Removal()
    let reachesEnd = window.upperBound >= header.end
    func isInside(_ time: Int64) -> Bool {
      time >= window.lowerBound.nanoseconds
        && (reachesEnd || time < window.upperBound.nanoseconds)
    }
    for info in header.channels {
      let isKept = channels?.contains(info.channel) ?? true
      trace.filter(info.channel, &removal) { isKept && isInside($0) }
      if !isKept { trace.remove(info.channel) }
    }
    trace.header.end = min(header.end, window.upperBound)
    for info in trace.header.channels {
      guard let block = trace[info.channel], let arrived = block.arrivedTimes else { continue }
      let last = arrived[block.range].max() ?? 0
      trace.header.end = max(trace.header.end, TraceInstant(nanoseconds: last))
    }
    let span = window.lowerBound...max(window.lowerBound, min(header.end, window.upperBound))
    trace.trimReferences(to: span, &removal, isInside)
    trace.header.track = header.track.flatMap { $0.filtered(&removal, isInside) }
    return (trace, removal)
  }

  /// Keeps the readings whose measured time satisfies `belongs`, and counts the others.
  mutating func filter(
    _ channel: Channel, _ removal: inout Removal, where belongs: (Int64) -> Bool
  ) {
    guard let block = self[channel] else { return }
    let kept = block.range.filter { belongs(block.measuredTimes[$0]) }
    guard kept.count < block.count else { return }
    removal.readings[channel, default: 0] += block.count - kept.count
    replace(channel, with: block.gathering(kept))
  }

  private mutating func trimReferences(
    to span: ClosedRange<TraceInstant>, _ removal: inout Removal, _ isInside: (Int64) -> Bool
  ) {
    var zones: [IgnoreZone] = []
    let losesTotals = Channel.ofPosition.contains { removal.readings[$0, default: 0] > 0 }
    for index in header.references.indices {
      let (task, events) = (header.references[index].task, header.references[index].events)
      func isWhole(_ event: ReferenceEvent) -> Bool {
        isInside(event.onset.nanoseconds) && event.offset <= span.upperBound
      }
      if task.isTotal, losesTotals || !events.allSatisfy(isWhole) {
        removal.tasks.append(task)
        continue
      }
      header.references[index].events = events.compactMap { event in
        guard !isWhole(event) else { return event }
        let isOverlapping = event.onset <= span.upperBound && event.offset >= span.lowerBound
        let part = event.clipped(to: span)
        if isOverlapping, part.onset < part.offset {
          if task.isState {
            removal.clippedEvents[task, default: 0] += 1
            return part
          }
          zones.append(IgnoreZone(onset: part.onset, offset: part.offset))
        }
        removal.events[task, default: 0] += 1
        return nil
      }
    }
    header.references.removeAll { removal.tasks.contains($0.task) }
    if removal.readings.values.contains(where: { $0 > 0 }) { header.dropCounts(&removal) }
    let kept = header.ignoreZones.filter {
      $0.onset <= span.upperBound && $0.offset >= span.lowerBound
    }
    removal.ignoreZones += header.ignoreZones.count - kept.count
    zones += kept.map {
      IgnoreZone(
        onset: max($0.onset, span.lowerBound), offset: min($0.offset, span.upperBound))
    }
    header.ignoreZones = zones.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}

extension TraceHeader {
  mutating func dropCounts(_ removal: inout Removal) {
    removal.counts += counts.map(\.task)
    counts = []
  }
}

extension ReferenceEvent {
  func clipped(to span: ClosedRange<TraceInstant>) -> ReferenceEvent {
    var event = self
    event.onset = max(onset, span.lowerBound)
    event.offset = min(offset, span.upperBound)
    return event
  }
}

extension ReferenceTrack {
  /// Returns the points whose time satisfies `belongs`; nil if there are none.
  func filtered(_ removal: inout Removal, _ belongs: (Int64) -> Bool) -> ReferenceTrack? {
    let kept = times.indices.filter { belongs(times[$0]) }
    removal.trackPoints += times.count - kept.count
    guard !kept.isEmpty else { return nil }
    return ReferenceTrack(
      times: kept.map { times[$0] }, latitudes: kept.map { latitudes[$0] },
      longitudes: kept.map { longitudes[$0] })
  }
}
