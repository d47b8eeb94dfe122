internal import TraceModel

extension Merging {
  /// Returns the first part's header, without anything that has times except the end.
  func header(of parts: [Part]) throws(TraceError) -> TraceHeader {
    var header = parts[0].trace.header
    for part in parts where part.trace.header.origin != header.origin {
      throw TraceError(
        place: part.name, expected: "a \(header.origin.rawValue) trace like \(parts[0].name)",
        found: "a \(part.trace.header.origin.rawValue) trace")
    }
    header.end = parts.map(\.trace.header.end).max() ?? .zero
    header.references = []
    header.counts = []
    header.ignoreZones = []
    header.track = nil
    return header
  }

  /// Fills in what the first part does not state, and returns notes on where the others differ.
  func facts(of parts: [Part], _ header: inout TraceHeader) throws(TraceError) -> [String] {
    var notes: [String] = []
    let kept: [(String, WritableKeyPath<TraceHeader, String>)] = [
      ("subject", \.subject), ("device", \.device), ("placement", \.placement),
      ("activity", \.activity),
    ]
    for (name, path) in kept {
      for part in parts {
        let other = part.trace.header[keyPath: path]
        if header[keyPath: path].isEmpty { header[keyPath: path] = other }
        guard !other.isEmpty, other != header[keyPath: path] else { continue }
        notes.append(
          "\(name): \"\(header[keyPath: path])\" is kept, \(part.name) has \"\(other)\"")
      }
    }
    // An SPDX expression: both licences apply to the merged trace.
    for (name, path, joint) in [
      ("source", \TraceHeader.source, "; "), ("license", \.license, " AND "),
    ] {
      var texts: [String] = []
      for part in parts {
        let text = part.trace.header[keyPath: path]
        if !text.isEmpty, !texts.contains(text) { texts.append(text) }
      }
      if texts.count > 1 { notes.append("\(name): \(texts.joined(separator: joint))") }
      header[keyPath: path] = texts.joined(separator: joint)
    }
    for part in parts {
      let hand = part.trace.header.handedness
      if header.handedness == .unknown { header.handedness = hand }
      guard hand != .unknown, hand != header.handedness else { continue }
      notes.append(
        "handedness: \(header.handedness.name) is kept, \(part.name) has \(hand.name)")
    }
    for part in parts {
      let screen = part.trace.header.screen
      header.screen = header.screen ?? screen
      guard let screen, screen != header.screen else { continue }
      throw TraceError(
        place: "\(part.name): screen", expected: header.screen.map(text) ?? "", found: text(screen),
        remedy: "merge recordings of one screen: their touches have no common coordinates")
    }
    if parts.contains(where: { $0.trace.header.seed != header.seed }) { header.seed = nil }
    header.places = try places(of: parts)
    return notes
  }

  private func text(_ screen: ScreenSize) -> String { "\(screen.width) x \(screen.height) points" }

  private func places(of parts: [Part]) throws(TraceError) -> [Place] {
    var places: [Place] = []
    var byID: [Int32: Place] = [:]
    for part in parts {
      for place in part.trace.header.places {
        guard let known = byID[place.id] else {
          byID[place.id] = place
          places.append(place)
          continue
        }
        let isSame =
          known == place
          || (known.radius.isNaN && place.radius.isNaN && known.latitude == place.latitude
            && known.longitude == place.longitude && known.rank == place.rank)
        guard !isSame else { continue }
        throw TraceError(
          place: "\(part.name): place \(place.id)",
          expected: "the same place as in the other parts",
          found: "a different one", remedy: "give each place its own id")
      }
    }
    return places
  }

  func mergeReferences(_ parts: [Part], _ outcome: inout Outcome) throws(TraceError) {
    var zones = parts.flatMap(\.trace.header.ignoreZones)
    let isSplitTrack = Channel.ofPosition.contains { channel in
      parts.count { $0.trace[channel]?.isEmpty == false } > 1
    }
    for task in ReferenceTask.allCases {
      let stating = parts.filter { $0.trace.header.reference(task) != nil }
      guard let first = stating.first?.trace.header.reference(task) else { continue }
      if task.isTotal, isSplitTrack {
        outcome.notes.append(
          "reference \(task.rawValue): left out, because a total of one part does not hold for the whole"
        )
        continue
      }
      outcome.trace.header.references.append(
        try joined(first, stating, &outcome.notes))
      if !task.isTotal {
        zones += unknownStretches(of: task, stating: stating, parts, &outcome.notes)
      }
    }
    outcome.trace.header.references.sort { $0.task < $1.task }
    mergeCounts(parts, &outcome)
    let ordered = Set(zones).sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
    outcome.trace.header.ignoreZones = ordered
    outcome.trace.header.track = try track(of: parts)
  }

  /// Adds up the counts of parts that follow each other, and keeps a count on which overlapping
  /// parts agree, because they are channels of one recording. Any other count does not hold for the
  /// whole.
  private func mergeCounts(_ parts: [Part], _ outcome: inout Outcome) {
    let spans = parts.map(\.span)
    let pairs = spans.indices.flatMap { first in
      spans[..<first].map { $0.overlaps(spans[first]) }
    }
    for task in ReferenceTask.countable {
      let counts = parts.compactMap { $0.trace.header.count(task) }
      guard var count = counts.first else { continue }
      let isAlone = outcome.trace.header.reference(task) == nil
      if isAlone, !pairs.contains(true), counts.count == parts.count {
        count.count = min(counts.reduce(0) { $0 + $1.count }, ReferenceCount.greatest)
        if counts.contains(where: { $0.definition != count.definition }) {
          outcome.notes.append(
            "count of \(task.rawValue): the parts have different definitions; that of \(parts[0].name) "
              + "is kept")
        }
      } else if !isAlone || pairs.contains(false)
        || counts.contains(where: { $0.count != count.count })
      {
        outcome.notes.append(
          "count of \(task.rawValue): left out, because the count of one part does not hold for the "
            + "whole")
        continue
      }
      outcome.trace.header.counts.append(count)
    }
  }

  private func joined(
    _ first: ReferenceSet, _ stating: [Part], _ notes: inout [String]
  ) throws(TraceError) -> ReferenceSet {
    var set = first
    var events: [(part: Int, event: ReferenceEvent)] = []
    for (index, part) in stating.enumerated() {
      guard let own = part.trace.header.reference(first.task) else { continue }
      let name = first.task.rawValue
      guard own.valueUnits == first.valueUnits || own.events.isEmpty else {
        throw TraceError(
          place: "\(part.name): reference \(name)", expected: "values in \"\(first.valueUnits)\"",
          found: "\"\(own.valueUnits)\"")
      }
      if own.tolerance != first.tolerance || own.definition != first.definition {
        notes.append(
          "reference \(name): \(part.name) has a different tolerance or definition; "
            + "those of \(stating[0].name) are kept")
      }
      events += own.events.map { (index, $0) }
    }
    let starts = first.task.isState ? stating.map(\.span.lowerBound) : nil
    set.events = Self.once(events, starts: starts)
    return set
  }

  /// The events of all parts in the order of time. One that two parts have is taken once, and a state
  /// that lasts from one part into the next is one event.
  /// - Parameter starts: the first reading of each part; nil = events are no states.
  private static func once(
    _ events: [(part: Int, event: ReferenceEvent)], starts: [TraceInstant]?
  ) -> [ReferenceEvent] {
    var result: [ReferenceEvent] = []
    var parts: [ReferenceEvent: Int] = [:]
    /// The last event of each kind: its place in the result, and its part.
    var latest: [ReferenceEvent: (index: Int, part: Int)] = [:]
    for (part, event) in events.sorted(by: {
      ($0.event.onset, $0.event.offset, $0.part) < ($1.event.onset, $1.event.offset, $1.part)
    }) {
      let owner = parts[event] ?? part
      parts[event] = owner
      guard owner == part else { continue }
      var kind = event
      (kind.onset, kind.offset) = (.zero, .zero)
      if let starts, let last = latest[kind], last.part != part, event.onset <= starts[part],
        event.onset <= result[last.index].offset
      {
        result[last.index].offset = max(result[last.index].offset, event.offset)
        latest[kind] = (last.index, part)
      } else {
        latest[kind] = (result.count, part)
        result.append(event)
      }
    }
    return result
  }

  /// Returns the stretches that only parts without a reference for the task cover. What happened
  /// there is unknown; without an ignore zone it would count as nothing.
  private func unknownStretches(
    of task: ReferenceTask, stating: [Part], _ parts: [Part], _ notes: inout [String]
  ) -> [IgnoreZone] {
    var zones: [IgnoreZone] = []
    for part in parts where part.trace.header.reference(task) == nil {
      var rest = [part.span]
      for known in stating {
        rest = rest.flatMap { $0.subtracting(known.span) }
      }
      for stretch in rest where stretch.lowerBound < stretch.upperBound {
        zones.append(IgnoreZone(onset: stretch.lowerBound, offset: stretch.upperBound))
        notes.append(
          "reference \(task.rawValue): \(part.name) states none; \(stretch.lowerBound.seconds) s to "
            + "\(stretch.upperBound.seconds) s becomes an ignore zone")
      }
    }
    return zones
  }

  private func track(of parts: [Part]) throws(TraceError) -> ReferenceTrack? {
    let tracks = parts.compactMap(\.trace.header.track).filter { !$0.times.isEmpty }
      .sorted { $0.times[0] < $1.times[0] }
    guard var joined = tracks.first else { return nil }
    for track in tracks.dropFirst() where track != joined {
      guard let last = joined.times.last, track.times[0] > last else {
        throw TraceError(
          place: "reference track", expected: "paths that do not overlap in time",
          found: "two paths at \(Double(track.times[0]) / 1e9) s")
      }
      joined.times += track.times
      joined.latitudes += track.latitudes
      joined.longitudes += track.longitudes
    }
    return joined
  }
}

extension Merging.Part {
  /// The range from the first reading to the end.
  fileprivate var span: Range<TraceInstant> {
    let end = trace.header.end
    return min(TraceInstant(nanoseconds: trace.earliestMeasured ?? 0), end)..<end
  }
}

extension Range<TraceInstant> {
  fileprivate func subtracting(_ other: Range<TraceInstant>) -> [Range<TraceInstant>] {
    guard overlaps(other) else { return [self] }
    var parts: [Range<TraceInstant>] = []
    if lowerBound < other.lowerBound { parts.append(lowerBound..<other.lowerBound) }
    if other.upperBound < upperBound { parts.append(other.upperBound..<upperBound) }
    return parts
  }
}
